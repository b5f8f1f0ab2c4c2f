import LullModel

/// The inherited keys in `defaults`, apps and tasks.
extension ManifestDecoder {
    mutating func defaults(_ id: NodeID, into inherited: inout Inherited, manifest: inout Manifest) {
        guard isMapping(id, of: .defaults) else { return }
        keys(of: id, in: isIncluded ? .includedDefaults : .defaults) { [isIncluded] decoder, entry in
            switch entry.key {
            // Only the main file sets how much runs on the host at once.
            case .concurrency where !isIncluded:
                decoder.concurrency(entry, host: &manifest.hostConcurrency, app: &inherited.concurrency)
            case .retention: decoder.retention(entry, into: &manifest.retention)
            default: decoder.inherited(entry, into: &inherited)
            }
        }
    }

    /// A key that a task may inherit, or one of those that an app may.
    mutating func inherited(_ entry: Entry, into values: inout Inherited) {
        guard let key = InheritedKey.byKey[entry.key] else { Self.unread(entry.key) }
        key.read(&self, entry, &values)
    }

    /// `Place` gives the key a place where no decoder reads it: its value there would be lost in silence.
    static func unread(_ key: Key) -> Never {
        preconditionFailure("a key that a place holds is read there: '\(key.rawValue)' is not")
    }

    /// A number for host and each app, or a mapping of both.
    private mutating func concurrency(_ entry: Entry, host: inout Int, app: inout Int) {
        guard document.nodes[entry.value].shape == .mapping else {
            if let number = integer(entry, in: 1...1000) { (host, app) = (number, number) }
            return
        }
        keys(of: entry.value, in: .concurrency) { decoder, entry in
            guard let number = decoder.integer(entry, in: 1...1000) else { return }
            if entry.key == .host { host = number } else { app = number }
        }
    }

    private mutating func retention(_ entry: Entry, into retention: inout Retention) {
        guard isMapping(entry.value, of: .retention) else { return }
        keys(of: entry.value, in: .retention) { decoder, entry in
            switch entry.key {
            case .events:
                retention.events = decoder.duration(entry, in: .days(1) ... .days(4000)) ?? retention.events
            case .output:
                retention.output = decoder.duration(entry, in: .zero ... .days(4000)) ?? retention.output
            case .size:
                retention.bytes = decoder.size(entry, in: 16 << 20...1 << 50) ?? retention.bytes
            case .outputSize:
                retention.outputBytes =
                    decoder.size(entry, in: 0...64 << 10).map { Int($0) } ?? retention.outputBytes
            default: Self.unread(entry.key)
            }
        }
    }

    mutating func requires(_ entry: Entry, into requires: inout Requirements) {
        guard isMapping(entry.value, of: .requires) else { return }
        keys(of: entry.value, in: .requires) { decoder, entry in
            RequirementKey.byKey[entry.key]?.read(&decoder, entry, &requires)
        }
    }

    mutating func grace(_ entry: Entry, into values: inout Inherited) {
        let range: ClosedRange<Duration> = .zero ... .hours(1)
        guard document.nodes[entry.value].shape == .mapping else {
            values.grace = duration(entry, in: range) ?? values.grace
            return
        }
        keys(of: entry.value, in: .grace) { decoder, entry in
            guard let duration = decoder.duration(entry, in: range) else { return }
            if entry.key == .warning { values.warning = duration } else { values.grace = duration }
        }
    }

    /// A number of launches a day, or the share of uses that are to be fresh.
    mutating func budget(_ entry: Entry) -> Inherited.Amount? {
        guard document.nodes[entry.value].shape == .mapping else {
            return number(
                entry, over: 0, upTo: 1440, expected: .numberOrMapping, remedies: shareAsBudget(entry)
            )
            .map { .launches($0) }
        }
        var share: Double?
        var within: Duration? = .minutes(60)
        let seen = keys(of: entry.value, in: .budget) { decoder, entry in
            if entry.key == .fresh {
                share = decoder.share(entry, over: 0, upTo: 0.99)
            } else {
                within = decoder.duration(entry, in: .minutes(15) ... .hours(24))
            }
        }
        if !seen.contains(.fresh, in: .budget), !document.isCut(entry.value) {
            add(.structure(.missingKey(.fresh, in: .budget)), at: entry.value)
        }
        guard let share, let within else { return nil }
        return .fresh(share, within: within)
    }

    /// The right form of `budget: 70%`.
    private func shareAsBudget(_ entry: Entry) -> [String] {
        guard document.isScalar(entry.value) else { return [] }
        let text = document.text(entry.value)
        guard let share = QuantityText.share(text), share > 0, share <= 0.99 else { return [] }
        return ["{ fresh: \(text) }"]
    }

    mutating func retry(_ entry: Entry, into retry: inout TaskDefinition.Retry) {
        guard isMapping(entry.value, of: .retry) else { return }
        let before = problems.found.count
        keys(of: entry.value, in: .retry) { decoder, entry in
            let longest = Duration.seconds(1)...Inherited.longest
            switch entry.key {
            // A refused value counts as given.
            case .attempts: retry.attempts = decoder.integer(entry, in: 1...100) ?? retry.attempts ?? 1
            case .exitCodes: retry.exitCodes = decoder.exitCodes(entry) ?? retry.exitCodes
            case .first: retry.first = decoder.duration(entry, in: longest) ?? retry.first
            default: retry.max = decoder.duration(entry, in: longest) ?? retry.max
            }
        }
        if retry.first > retry.max, problems.found.count == before, !document.isCut(entry.value) {
            let (first, max) = (DurationText.text(retry.first), DurationText.text(retry.max))
            add(.value(.retryOutOfOrder(first: first, max: max)), at: entry.keyNode)
        }
    }

    private mutating func exitCodes(_ entry: Entry) -> [UInt8]? {
        let codes = list(entry) { "[\($0)]" }?.compactMap { item in
            integer(Entry(key: entry.key, keyNode: entry.keyNode, value: item), in: 1...255).map(UInt8.init)
        }
        if codes?.isEmpty == true, !document.isCut(entry.value) { add(.sense(.noExitCodes), at: entry.value) }
        return codes.map { Set($0).sorted() }
    }

    mutating func timezone(_ entry: Entry) -> String? {
        guard let name = text(entry) else { return nil }
        if let problem = zones.problem(with: name) {
            add(.value(problem), at: entry.value)
            return nil
        }
        return name
    }

    /// No windows if one of them is wrong: nothing is concluded from the others.
    mutating func windows(_ entry: Entry) -> [Window] {
        guard let items = list(entry, remedy: { "[\"\($0)\"]" }) else { return [] }
        var isWhole = true
        var windows: [Window] = []
        windows.reserveCapacity(items.count)
        for item in items {
            guard document.isScalar(item) else {
                add(
                    .value(.wrongType(entry.key, expected: .text, found: found(item), remedies: [])), at: item
                )
                isWhole = false
                continue
            }
            let text = document.text(item)
            if let window = knownWindows[text] {
                windows.append(window)
                continue
            }
            switch WindowText.parse(text) {
            case .success(let window):
                knownWindows[text] = window
                windows.append(window)
            case .failure(let fault):
                add(.value(.window(text, fault)), at: item)
                isWhole = false
            }
        }
        return isWhole ? windows : []
    }
}
