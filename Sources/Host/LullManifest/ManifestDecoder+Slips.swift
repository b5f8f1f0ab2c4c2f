import LullModel

/// Mistakes with an evident remedy: missing indentation, and keys of other schedulers.
extension ManifestDecoder {
    /// A key with nothing after it; the next keys may have been meant to be in it.
    struct Hollow {
        let keyNode: NodeID
        let value: NodeID
    }

    func hollowness(of key: Key, _ keyNode: NodeID, _ value: NodeID) -> Hollow? {
        guard key.holdsKeys, document.isEmpty(value) else { return nil }
        return Hollow(keyNode: keyNode, value: value)
    }

    /// Whether a key stands as far left as an empty key above it; only the first of several such keys is reported.
    mutating func isMisindented(_ keyNode: NodeID, below hollow: Hollow?) -> Bool {
        guard let hollow, stands(keyNode, below: hollow.keyNode),
            LookalikeProblem.first(in: document.text(keyNode), showsText: false) == nil
        else { return false }
        if misindented.insert(hollow.value).inserted {
            add(
                .structure(.notDeeper(document.text(keyNode), than: document.text(hollow.keyNode))),
                at: keyNode)
        }
        return true
    }

    private func stands(_ node: NodeID, below other: NodeID) -> Bool {
        let (start, above) = (document.nodes[node].span.start, document.nodes[other].span.start)
        return start.line > above.line && start.column == above.column
    }

    /// The apps or the tasks of a list, without those whose keys are not indented below them: that is reported.
    mutating func entries(of list: NodeID, each place: Place) -> [(name: NodeID, value: NodeID)] {
        var found: [(name: NodeID, value: NodeID)] = []
        var hollow: NodeID?
        var entries = document.contents(of: list)
        while let name = entries.next(), let value = entries.next() {
            let node = document.resolve(name)
            if let last = found.last, document.isScalar(node), document.isScalar(document.resolve(last.name)),
                hollow != nil || document.isEmpty(document.resolve(last.value)),
                stands(name, below: last.name),
                place.table.index(of: document.bytes[document.range(node)]) != nil
            {
                if hollow == nil {
                    let outer = document.text(document.resolve(last.name))
                    add(.structure(.notDeeper(document.text(node), than: outer)), at: node)
                    hollow = last.name
                }
                continue
            }
            if hollow != nil { found.removeLast() }
            hollow = nil
            found.append((name, value))
        }
        if hollow != nil { found.removeLast() }
        return found
    }

    /// The problem with the manifest's equivalent for another scheduler's key; nil if there is none.
    func guess(_ name: String, in place: Place) -> StructureProblem? {
        switch place {
        case .top, .included, .defaults, .includedDefaults, .app, .task: break
        case .requires:
            if let key = UsualGuess.constraint(name) { return .otherName(name, in: place, meant: key) }
        case .param: return UsualGuess.param(name).map { .otherName(name, in: place, meant: $0) }
        case .costLimit: return UsualGuess.figure(name).map { .otherName(name, in: place, meant: $0) }
        case .retry, .grace, .budget, .concurrency, .usage, .journal, .retention, .limits, .taskLimits,
            .notify,
            .heartbeat, .taskHeartbeat, .expect, .event, .after, .device, .push, .mqtt, .transfers, .fleet,
            .hosts, .taskConcurrency:
            return nil
        }
        // A misspelled key of this place is only that; otherwise a misspelled key of another scheduler counts too.
        let isSlip = Spelling.nearest(to: name, among: place.keys.map(\.rawValue)) != nil
        let isKey = Key(rawValue: name) != nil
        switch UsualGuess.meaning(name) ?? (isSlip || isKey ? nil : UsualGuess.nearMeaning(name)) {
        case .setting(let setting)? where place != .requires:
            return .meantForPlugin(name, in: place, setting: setting, isCommand: pluginName == "Command")
        case .key(let key)? where key.rawValue != name || place == .task || place == .requires:
            return .otherName(name, in: place, meant: key)
        case .way? where place == .top || place == .included: return nil
        case .way(let way)?: return .otherWay(name, in: place, way: way)
        case .setting?, .key?: return nil
        case nil:
            guard place != .top, !isSlip, !isKey else { return nil }
            return UsualGuess.constraint(name).map { .otherName(name, in: place, meant: $0) }
        }
    }

    /// Whether the value of an app's key is a task that is not indented far enough.
    func isTask(_ value: NodeID) -> Bool {
        guard document.nodes[value].shape == .mapping else { return false }
        var entries = document.contents(of: value)
        while let name = entries.next() {
            let key = document.resolve(name)
            if document.isScalar(key), ["kind", "settings"].contains(document.text(key)) { return true }
            _ = entries.next()
        }
        return false
    }
}

extension Key {
    /// Whether the key takes keys below it.
    fileprivate var holdsKeys: Bool {
        switch self {
        case .apps, .tasks, .defaults, .settings, .requires, .limits, .retry, .retention, .expect, .fleet,
            .params:
            true
        default: false
        }
    }
}
