import LullModel

/// `transfers` of an app, and the task that has the constraints of its transfers and notifies the app of them.
extension ManifestDecoder {
    /// The keys of `transfers`: its own, and those that a task can have as well.
    struct TransferDraft {
        var rules = TransferRules()
        var inherited: Inherited
    }

    mutating func transfers(_ entry: Entry, inherited: Inherited) -> TransferDraft? {
        var draft = TransferDraft(inherited: inherited)
        if document.isEmpty(entry.value) { return draft }
        guard isMapping(entry.value, of: .transfers) else { return nil }
        keys(of: entry.value, in: .transfers) { decoder, entry in
            switch entry.key {
            case .atOnce:
                draft.rules.atOnce =
                    decoder.integer(entry, in: 1...TransferRules.mostAtOnce) ?? draft.rules.atOnce
            case .rate: draft.rules.rate = decoder.size(entry, in: 1 << 10...1 << 40)
            case .hosts: draft.rules.hosts = decoder.hosts(entry)
            case .maxSize:
                draft.rules.maxSize = decoder.size(entry, in: 1 << 10...1 << 44) ?? draft.rules.maxSize
            default: decoder.inherited(entry, into: &draft.inherited)
            }
        }
        return draft
    }

    private mutating func hosts(_ entry: Entry) -> [String] {
        guard let items = list(entry, remedy: { "[\($0)]" }) else { return [] }
        if items.isEmpty { add(.notice(.noHosts), at: entry.value) }
        var hosts: [String] = []
        for item in items {
            let text = document.isScalar(item) ? document.text(item) : ""
            if TransferRules.isHostPattern(text) {
                hosts.append(text)
            } else {
                add(.notice(.hostPattern(text)), at: item)
            }
        }
        return hosts
    }

    mutating func taskOfTransfers(
        _ node: NodeID, _ draft: TransferDraft?, app: AppIdentifier?
    ) -> TaskDefinition? {
        guard let app, let draft, let identifier = TransferRules.task(of: app),
            isNew(identifier, of: app, at: node)
        else { return nil }
        // The app is notified within seconds; the duration of a transfer does not matter here.
        var inherited = draft.inherited
        inherited.timeLimit = nil
        inherited.latest = nil
        var task = TaskDraft(inherited: inherited)
        task.daysNode = node
        check(daysOf: task)
        var definition = TaskDefinition(identifier: identifier, app: app, kind: .transfers)
        task.fill(&definition)
        definition.timeLimit = task.timeLimit(of: .transfers)
        definition.line = line(of: node)
        definition.file = otherFile
        return definition
    }

    /// Whether the identifier of a task that the manifest makes is free; reports an error if not.
    mutating func isNew(_ identifier: TaskIdentifier, of app: AppIdentifier, at node: NodeID) -> Bool {
        if let first = known.tasks[identifier.text] {
            add(.identifier(.duplicateTask(identifier.text, first: first.place.seen(from: file))), at: node)
            return false
        }
        known.tasks[identifier.text] = (KnownIdentifiers.Place(file: file, line: line(of: node)), app.text)
        return true
    }
}
