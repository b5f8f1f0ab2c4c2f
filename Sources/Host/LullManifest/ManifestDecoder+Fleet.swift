import LullModel

/// `fleet` at the top, and the keys of tasks and apps for it.
extension ManifestDecoder {
    mutating func fleet(_ entry: Entry) -> FleetDefinition? {
        guard isMapping(entry.value, of: .fleet) else { return nil }
        var database: String?
        var name = FleetDefinition.usualName
        var labels: [String: String] = [:]
        var follow: String?
        let seen = keys(of: entry.value, in: .fleet) { decoder, entry in
            switch entry.key {
            case .database: database = decoder.database(entry)
            case .name:
                let text = decoder.scalar(entry)
                if FleetDefinition.isName(text) {
                    name = text
                } else {
                    decoder.add(.fleet(.name(text)), at: entry.value)
                }
            case .labels: labels = decoder.labels(entry)
            case .follow: follow = decoder.follow(entry)
            default: Self.unread(entry.key)
            }
        }
        if !seen.contains(.database, in: .fleet), !document.isCut(entry.value) {
            add(.structure(.missingKey(.database, in: .fleet)), at: entry.value)
        }
        return FleetDefinition(database: database ?? "", name: name, labels: labels, follow: follow)
    }

    /// It must be a file of its own, so that no file of a person is overwritten.
    private mutating func follow(_ entry: Entry) -> String? {
        hasFollow = true
        guard let text = text(entry) else { return nil }
        let path = Path.join(folder, text)
        let name = Path.name(of: path)
        if name.isEmpty || name.hasPrefix(".") || text.utf8.contains(0)
            || text.contains(where: "*?[".contains)
        {
            add(.fleet(.follow), at: entry.value)
            return nil
        }
        if path == Path.join(folder, Path.name(of: file)) {
            add(.fleet(.followsItself), at: entry.value)
            return nil
        }
        return path
    }

    private mutating func database(_ entry: Entry) -> String? {
        guard let text = text(entry) else { return nil }
        let address: DatabaseAddress
        do throws(DatabaseAddress.Fault) {
            address = try DatabaseAddress(text)
        } catch {
            add(.fleet(.address(error)), at: entry.value)
            return nil
        }
        if address.hasPassword { add(.fleet(.password), at: entry.value) }
        if address.isLocal == false, let mode = address["sslmode"], mode != "verify-full" {
            add(.fleet(.uncheckedServer(mode: mode)), at: entry.value)
        }
        return text
    }

    /// The text of a scalar; "" for anything else, which is no valid name.
    private func scalar(_ entry: Entry) -> String {
        document.isScalar(entry.value) ? document.text(entry.value) : ""
    }

    private mutating func labels(_ entry: Entry) -> [String: String] {
        guard isMapping(entry.value, of: .labels) else { return [:] }
        var labels: [String: String] = [:]
        var entries = document.contents(of: entry.value)
        while let key = entries.next(), let value = entries.next().map(document.resolve) {
            guard let name = nameText(key) else { continue }
            let text = document.isScalar(value) && !document.isEmpty(value) ? document.text(value) : ""
            if !FleetDefinition.isLabel(name) {
                add(.fleet(.labelName(name)), at: key)
            } else if labels[name] != nil {
                let first = lineOfFirst(name, in: entry.value)
                add(.structure(.duplicateKey(name, firstLine: first)), at: key)
            } else if FleetDefinition.isLabelValue(text) {
                labels[name] = text
            } else if !document.isCut(entry.value) {
                add(.fleet(.labelValue(name)), at: key)
            }
        }
        if labels.count > FleetDefinition.mostLabels {
            add(.fleet(.tooManyLabels(labels.count)), at: entry.keyNode)
        }
        return labels
    }

    mutating func scope(_ entry: Entry) -> FleetScope? {
        let scope = choice(entry, of: FleetScope.self)
        if scope == .anyHost { needsFleet(.scope, at: entry.keyNode) }
        return scope
    }

    mutating func prefer(_ entry: Entry) -> FleetPreference? {
        needsFleet(.prefer, at: entry.keyNode)
        return choice(entry, of: FleetPreference.self)
    }

    /// Replaces the inherited value as a whole, so that `hosts: {}` is any host.
    mutating func hosts(_ entry: Entry, into rules: inout FleetRules) {
        guard document.nodes[entry.value].shape == .mapping else {
            return refuse(entry, expected: .mapping, remedies: ["{ labels: { role: web } }"])
        }
        if !isEmptyMapping(entry.value) { needsFleet(.hosts, at: entry.keyNode) }
        (rules.labels, rules.spread) = ([:], nil)
        keys(of: entry.value, in: .hosts) { decoder, entry in
            switch entry.key {
            case .labels: rules.labels = decoder.labels(entry)
            case .spread: rules.spread = decoder.spreadLabel(entry)
            default: Self.unread(entry.key)
            }
        }
    }

    private mutating func spreadLabel(_ entry: Entry) -> String? {
        let label = scalar(entry)
        guard FleetDefinition.isLabel(label) else {
            add(.fleet(.spread), at: entry.value)
            return nil
        }
        if let fleet, fleet.labels[label] == nil { add(.fleet(.spreadUnlabelled(label)), at: entry.value) }
        return label
    }

    /// A number applies to each host.
    mutating func concurrency(_ entry: Entry, of draft: inout TaskDraft) {
        guard document.nodes[entry.value].shape == .mapping else {
            draft.concurrency = integer(entry, in: 1...1000) ?? 1
            return
        }
        keys(of: entry.value, in: .taskConcurrency) { decoder, entry in
            let most = entry.key == .fleet ? FleetDefinition.mostRuns : 1000
            let text = decoder.document.nodes[entry.value].shape == .plain ? decoder.scalar(entry) : ""
            let number = Int(text).flatMap { (1...most).contains($0) ? $0 : nil }
            if number == nil { decoder.add(.fleet(.count(entry.key, most: most)), at: entry.value) }
            if entry.key == .host {
                draft.concurrency = number ?? 1
            } else {
                decoder.needsFleet(.concurrency, at: entry.keyNode)
                draft.ofFleet.append(entry)
                draft.fleetConcurrency = number
            }
        }
    }

    mutating func needsFleet(_ matter: FleetProblem.Matter, at node: NodeID) {
        if !hasFleet { add(.fleet(.needsFleet(matter)), at: node) }
    }

    /// Reports keys that are right one by one and wrong together. `fleetRules` drops the inherited rules that a task can't have;
    /// only an inherited `scope` beside times that may differ between hosts is reported.
    mutating func check(fleetOf draft: TaskDraft, kind: Kind) {
        if kind == .continued {
            for entry in draft.ofFleet {
                if let matter = matter(of: entry, in: draft) {
                    add(.fleet(.ofContinued(matter)), at: entry.keyNode)
                }
            }
            return
        }
        let own = draft.ofFleet.first { $0.key == .scope }
        if hasFleet, draft.atNode == nil, draft.repeatNode == nil {
            for entry in draft.ofFleet {
                if let matter = matter(of: entry, in: draft, isTimed: true) {
                    add(.fleet(.nobodysClock(matter)), at: entry.keyNode)
                }
            }
        }
        if draft.inherited.fleet.scope == .anyHost {
            if draft.at?.isAtBoot == true, let node = own?.keyNode ?? draft.atNode {
                add(.fleet(.atBoot), at: node)
            }
            if let node = draft.atNode, draft.inherited.timezone == nil {
                add(.fleet(.zoneOfHost), at: node)
            }
        } else if let prefer = draft.ofFleet.first(where: { $0.key == .prefer }) {
            add(.fleet(.preferAlone), at: prefer.keyNode)
        }
        if let prefer = draft.ofFleet.first(where: { $0.key == .prefer }), !appHasUses,
            draft.inherited.fleet.prefer == .freshest
        {
            add(.fleet(.freshestWithoutUses), at: prefer.value)
        }
        // A task without `at` and `repeat` has been reported above.
        if let lease = draft.ofFleet.first(where: { $0.key == .lease }), !draft.needsLease,
            draft.atNode != nil || draft.repeatNode != nil
        {
            add(.fleet(.leaseAlone), at: lease.keyNode)
        }
    }

    /// The subject of a task's key that concerns the fleet; nil if none does. `isTimed`: only if it needs `at` or `repeat`.
    private func matter(
        of entry: Entry, in draft: TaskDraft, isTimed: Bool = false
    ) -> FleetProblem.Matter? {
        switch entry.key {
        case .scope: draft.inherited.fleet.scope == .anyHost ? .scope : nil
        case .hosts where isTimed: draft.inherited.fleet.spread == nil ? nil : .spread
        case .hosts: isEmptyMapping(entry.value) ? nil : .hosts
        case .prefer: isTimed ? nil : .prefer
        case .lease: .lease
        default: .concurrency
        }
    }
}

extension TaskDraft {
    /// The inherited rules that can apply to such a task.
    func fleetRules(of task: TaskDefinition) -> FleetRules {
        guard task.kind == .refresh || task.kind == .processing else { return .none }
        var rules = inherited.fleet
        rules.concurrency = fleetConcurrency
        if task.at == nil, task.repeat == nil {
            rules.scope = .eachHost
            rules.spread = nil
        }
        if rules.scope == .eachHost { rules.prefer = nil }
        if !rules.needsLease { rules.lease = nil }
        return rules
    }

    /// Whether its runs need a lease, as far as that is known. A wrong limit for the fleet counts too: it is reported itself.
    fileprivate var needsLease: Bool {
        inherited.fleet.scope == .anyHost || inherited.fleet.spread != nil
            || ofFleet.contains { $0.key == .fleet }
    }
}
