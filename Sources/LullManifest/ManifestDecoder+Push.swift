import LullModel

/// `push` of an app, and the task that its pushes are runs of.
extension ManifestDecoder {
    /// What a task may be said to be. The one for pushes is made by its app's `push`.
    enum TaskKind: String, CaseIterable { case refresh, processing, continued }

    mutating func push(_ entry: Entry) -> PushRules? {
        var rules = PushRules()
        if document.isEmpty(entry.value) { return rules }
        guard isMapping(entry.value, of: .push) else { return nil }
        keys(of: entry.value, in: .push) { decoder, entry in
            switch entry.key {
            case .quota:
                guard let quota = decoder.quota(entry) else { return }
                (rules.quota, rules.span) = (quota.count, quota.span)
            case .within:
                rules.within = decoder.duration(entry, in: .zero...PushRules.longestWait) ?? rules.within
            case .maxSize:
                let size = decoder.size(entry, in: 1 << 10...Int64(Limits.pushBytesMost))
                rules.maxBytes = size.map { Int($0) } ?? rules.maxBytes
            case .secretFile:
                rules.secretFile = decoder.text(entry).map { Path.join(decoder.folder, $0) }
                if let path = rules.secretFile, decoder.fileSystem.entry(at: path) == nil {
                    decoder.add(.notice(.secretMissing(path: path)), at: entry.value)
                }
            default: Self.unread(entry.key)
            }
        }
        return rules
    }

    /// `3/1h`, and `3/h` for short.
    private mutating func quota(_ entry: Entry) -> (count: Int, span: Duration)? {
        guard let text = text(entry) else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let span = parts.last.map { $0.first?.isNumber == true ? $0 : "1" + $0 } ?? ""
        guard parts.count == 2, let count = Int(parts[0]), (1...PushRules.mostQuota).contains(count),
            let span = DurationText.parse(ArraySlice(span.utf8)), span >= .minutes(1), span <= .days(1)
        else {
            add(.notice(.quota(text, most: PushRules.mostQuota)), at: entry.value)
            return nil
        }
        return (count, span)
    }

    mutating func taskOfPushes(
        _ node: NodeID, _ rules: PushRules?, app: AppIdentifier?, inherited: Inherited
    ) -> TaskDefinition? {
        guard let app, let rules, let identifier = PushRules.task(of: app) else { return nil }
        if let first = known.tasks[identifier.text] {
            add(.identifier(.duplicateTask(identifier.text, first: first.place.seen(from: file))), at: node)
            return nil
        }
        known.tasks[identifier.text] = (KnownIdentifiers.Place(file: file, line: line(of: node)), app.text)
        // A push is short, and its own keys say what a task's would.
        var inherited = inherited
        inherited.timeLimit = nil
        inherited.latest = rules.within
        let draft = TaskDraft(inherited: inherited)
        var task = TaskDefinition(identifier: identifier, app: app, kind: .push)
        draft.fill(&task)
        task.timeLimit = draft.timeLimit(of: .push)
        task.line = line(of: node)
        task.file = otherFile
        return task
    }
}
