import LullModel

extension ManifestDecoder {
    /// The limits of an app, key by key over the inherited ones.
    mutating func limits(_ entry: Entry, into limits: inout AppLimits) {
        guard isMapping(entry.value, of: .limits) else { return }
        var nodes: [Key: NodeID] = [:]
        keys(of: entry.value, in: .limits) { decoder, entry in
            nodes[entry.key] = entry.keyNode
            switch entry.key {
            case .memory: limits.memory = decoder.memory(entry) ?? limits.memory
            case .cpu: limits.cpu = decoder.processor(entry) ?? limits.cpu
            case .processes: limits.processes = decoder.processes(entry) ?? limits.processes
            case .descriptors:
                limits.descriptors = decoder.integer(entry, in: 32...1 << 20) ?? limits.descriptors
            case .disk: limits.disk = decoder.size(entry, in: 1 << 20...1 << 50) ?? limits.disk
            case .read: limits.read = decoder.files(entry) ?? limits.read
            case .write: limits.write = decoder.files(entry) ?? limits.write
            case .network: limits.network = decoder.boolean(entry) ?? limits.network
            case .privileges:
                limits.keepsPrivileges = decoder.keepsPrivileges(entry) ?? limits.keepsPrivileges
            default: Self.unread(entry.key)
            }
        }
        guard limits.keepsPrivileges else { return }
        // Limits in `defaults` count too.
        let restricting: [(Key, Bool)] = [
            (.read, limits.read != .all), (.write, limits.write != .all && limits.write != .under([])),
            (.network, !limits.network),
        ]
        for (key, restricts) in restricting where restricts {
            add(.sense(.restrictsPrivileged(key)), at: nodes[key] ?? entry.keyNode)
        }
    }

    /// The limits of a task.
    mutating func runLimits(_ entry: Entry) -> RunLimits? {
        guard isMapping(entry.value, of: .limits) else { return nil }
        var limits = RunLimits()
        keys(of: entry.value, in: .taskLimits) { decoder, entry in
            switch entry.key {
            case .memory: limits.memory = decoder.memory(entry)
            case .cpu: limits.cpu = decoder.processor(entry)
            case .processes: limits.processes = decoder.processes(entry)
            default: Self.unread(entry.key)
            }
        }
        return limits
    }

    private mutating func memory(_ entry: Entry) -> Int64? { size(entry, in: 16 << 20...1 << 50) }

    private mutating func processor(_ entry: Entry) -> Double? {
        share(entry, over: 0, upTo: 1000, remedies: QuantityText.coreRemedies)
    }

    private mutating func processes(_ entry: Entry) -> Int? { integer(entry, in: 1...100_000) }

    private mutating func files(_ entry: Entry) -> AppLimits.Files? {
        if isItemWithoutSpace(entry) { return nil }
        guard document.nodes[entry.value].shape == .sequence else {
            guard document.isScalar(entry.value) else {
                refuse(entry, expected: .pathsOrAll)
                return nil
            }
            let text = document.text(entry.value)
            if text == "all" { return .all }
            refuse(entry, expected: .pathsOrAll, remedies: ["[\(text)]"])
            return nil
        }
        var paths: [String] = []
        for item in document.contents(of: entry.value).map(document.resolve) {
            guard document.isScalar(item) else {
                if document.nodes[item].shape != .refused {
                    add(
                        .value(.wrongType(entry.key, expected: .text, found: found(item), remedies: [])),
                        at: item)
                }
                continue
            }
            let path = Path.join(folder, document.text(item))
            if fileSystem.entry(at: path) == nil { add(.sense(.limitedPathMissing(path: path)), at: item) }
            paths.append(path)
        }
        return .under(paths)
    }

    enum Privileges: String, CaseIterable { case drop, keep }

    private mutating func keepsPrivileges(_ entry: Entry) -> Bool? {
        choice(entry, of: Privileges.self).map { $0 == .keep }
    }
}
