import LullModel

/// `push` of an app, and the task that runs for its pushes.
extension ManifestDecoder {
    /// The kinds that a task may name. The tasks for pushes and transfers are made by `push` and `transfers` of their app.
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
            case .secretFile: rules.secretFile = decoder.secretFile(entry)
            case .mqtt: rules.mqtt = decoder.mqtt(entry)
            default: Self.unread(entry.key)
            }
        }
        return rules
    }

    private mutating func secretFile(_ entry: Entry) -> String? {
        guard let path = text(entry).map({ Path.join(folder, $0) }) else { return nil }
        let problem: NoticeProblem? =
            switch fileSystem.entry(at: path) {
            case nil: .secretMissing(path: path)
            case let file? where file.opening != nil: file.opening.map(NoticeProblem.secretOpen)
            case let file?: file.isReadableByAll ? .secretReadable(path: path) : nil
            }
        if let problem { add(.notice(problem), at: entry.value) }
        return path
    }

    private mutating func mqtt(_ entry: Entry) -> MQTTSource? {
        guard isMapping(entry.value, of: .mqtt) else { return nil }
        var source: MQTTSource?
        var (topics, seen): ([String]?, Set<Key>) = (nil, [])
        var (user, password, certificates): (String?, String?, String?) = (nil, nil, nil)
        var isUrgent = false
        keys(of: entry.value, in: .mqtt) { decoder, entry in
            seen.insert(entry.key)
            switch entry.key {
            case .broker:
                guard let text = decoder.text(entry) else { return }
                source = MQTTSource(address: text)
                if source == nil { decoder.add(.notice(.broker(text)), at: entry.value) }
            case .topics: topics = decoder.topics(entry)
            case .username: user = decoder.text(entry)
            case .passwordFile: password = decoder.brokerFile(entry)
            case .caFile: certificates = decoder.brokerFile(entry)
            case .urgent: isUrgent = decoder.boolean(entry) ?? false
            default: Self.unread(entry.key)
            }
        }
        for key in [Key.broker, .topics] where !seen.contains(key) && !document.isCut(entry.value) {
            add(.structure(.missingKey(key, in: .mqtt)), at: entry.value)
        }
        guard var source, let topics else { return nil }
        source.topics = topics
        (source.user, source.passwordFile, source.caFile) = (user, password, certificates)
        source.isUrgent = isUrgent
        return source
    }

    private mutating func topics(_ entry: Entry) -> [String]? {
        guard let items = list(entry, remedy: { "[\($0)]" }) else { return nil }
        var topics: [String] = []
        for item in items {
            let text = document.isScalar(item) ? document.text(item) : ""
            guard MQTTSource.isFilter(text) else {
                add(.notice(.topic(text)), at: item)
                return nil
            }
            topics.append(text)
        }
        guard !topics.isEmpty else {
            add(.notice(.topic("[]")), at: entry.value)
            return nil
        }
        return topics
    }

    private mutating func brokerFile(_ entry: Entry) -> String? {
        guard let path = text(entry).map({ Path.join(folder, $0) }) else { return nil }
        if fileSystem.entry(at: path) == nil {
            add(.notice(.brokerFileMissing(entry.key, path: path)), at: entry.value)
        }
        return path
    }

    /// `3/1h`, and `3/h` for short.
    private mutating func quota(_ entry: Entry) -> (count: Int, span: Duration)? {
        guard let text = text(entry) else { return nil }
        guard let (count, span) = Self.perSpan(text), let count = Int(count),
            (1...PushRules.mostQuota).contains(count), span >= .minutes(1), span <= .days(1)
        else {
            add(.notice(.quota(text, most: PushRules.mostQuota)), at: entry.value)
            return nil
        }
        return (count, span)
    }

    mutating func taskOfPushes(
        _ node: NodeID, _ rules: PushRules?, app: AppIdentifier?, inherited: Inherited
    ) -> TaskDefinition? {
        guard let app, let rules, let identifier = PushRules.task(of: app),
            isNew(identifier, of: app, at: node)
        else { return nil }
        // A push is short: it inherits no time limit, and `within` stands in for `latest`.
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
