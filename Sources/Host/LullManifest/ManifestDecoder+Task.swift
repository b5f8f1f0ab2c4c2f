import LullModel

extension ManifestDecoder {
    /// Nil if the task's identifier or kind is not valid; its keys are checked all the same.
    mutating func task(
        named name: NodeID, _ value: NodeID, app: AppIdentifier?, inherited: Inherited
    ) -> TaskDefinition? {
        let identifier = taskIdentifier(name, of: app)
        let shape = document.nodes[value].shape
        guard shape != .refused else { return nil }
        guard shape == .mapping || document.isEmpty(value) else {
            add(.structure(.entryIsNotAMapping(.task, found: found(value))), at: value)
            return nil
        }
        var draft = TaskDraft(inherited: inherited)
        draft.app = app
        draft.identifier = identifier
        draft.isCommand = pluginName == "Command"
        var seen = KeySet()
        if shape == .mapping {
            seen = keys(of: value, in: .task) { decoder, entry in decoder.task(entry, into: &draft) }
        }
        if !seen.contains(.kind, in: .task), !document.isCut(value) {
            add(.structure(draft.isCommand ? .missingKind : .missingKey(.kind, in: .task)), at: name)
        }
        guard let kind = draft.kind else { return nil }
        check(draft, kind: kind)
        check(rhythmOf: draft, kind: kind)
        check(paramsOf: draft)
        check(daysOf: draft)
        check(fleetOf: draft, kind: kind)
        if let node = draft.onNode {
            if kind == .continued { add(.event(.continuedHasEvents), at: node) }
            if identifier?.isWildcard == true { add(.event(.ofWildcard), at: node) }
        }
        if let identifier, identifier.isWildcard, kind != .continued {
            add(.identifier(.wildcardOfKind(identifier.text, kind: kind.rawValue)), at: name)
        }
        guard let identifier, let app else { return nil }
        var task = TaskDefinition(identifier: identifier, app: app, kind: kind)
        draft.fill(&task)
        task.line = line(of: name)
        task.file = otherFile
        return task
    }

    private mutating func task(_ entry: Entry, into draft: inout TaskDraft) {
        switch entry.key {
        case .kind:
            draft.kindNode = entry.value
            draft.kind = choice(entry, of: TaskKind.self).flatMap { Kind(rawValue: $0.rawValue) }
        case .repeat:
            draft.repeatNode = entry.value
            draft.repeat = duration(entry, in: .seconds(1)...Inherited.longest)
        case .at:
            draft.atNode = entry.keyNode
            draft.at = times(entry)
        case .on:
            draft.onNode = entry.keyNode
            draft.on = events(entry, of: draft)
        case .missed, .spread, .tolerance:
            draft.ofTimes.append(entry)
            inherited(entry, into: &draft.inherited)
        case .settings:
            draft.settingsNode = entry.value
            draft.settings = settings(entry)
        case .params: draft.params = params(entry)
        case .limits:
            draft.limits = runLimits(entry)
            if !draft.isCommand { add(.sense(.limitsOfSharedWorker), at: entry.keyNode) }
        case .expect:
            draft.expectNode = entry.keyNode
            draft.expect = expect(entry)
        case .heartbeat: draft.heartbeat = heartbeat(entry, in: .taskHeartbeat)
        case .description: draft.description = text(entry)
        case .enabled: draft.isEnabled = boolean(entry) ?? true
        case .concurrency: concurrency(entry, of: &draft)
        case .scope, .hosts, .prefer, .lease:
            draft.ofFleet.append(entry)
            inherited(entry, into: &draft.inherited)
        case .timeLimit, .grace:
            draft.limitNode = entry.value
            inherited(entry, into: &draft.inherited)
        case .objective, .budget, .minGap:
            draft.ofRefresh.append(entry)
            inherited(entry, into: &draft.inherited)
        case .retry:
            draft.retryNode = entry.keyNode
            inherited(entry, into: &draft.inherited)
        case .except, .only, .from, .until:
            draft.daysNode = entry.keyNode
            inherited(entry, into: &draft.inherited)
        case .latest:
            draft.latestNode = entry.keyNode
            inherited(entry, into: &draft.inherited)
        default: inherited(entry, into: &draft.inherited)
        }
    }

    /// Reports keys that are right one by one and wrong together.
    private mutating func check(_ draft: TaskDraft, kind: Kind) {
        if kind == .continued, let node = draft.repeatNode { add(.sense(.continuedRepeats), at: node) }
        check(timesOf: draft, kind: kind)
        if kind == .continued, draft.isCommand, let node = draft.kindNode {
            add(.sense(.continuedCommand), at: node)
        }
        if kind == .continued, draft.inherited.requires.idle == true, let node = draft.kindNode {
            add(.sense(.continuedWaitsForIdleness), at: node)
        }
        if kind == .refresh, let interval = draft.repeat, interval < draft.inherited.minGap,
            let node = draft.repeatNode
        {
            let (interval, gap) = (DurationText.text(interval), DurationText.text(draft.inherited.minGap))
            add(.sense(.repeatUnderGap(repeat: interval, gap: gap)), at: node)
        }
        if kind != .refresh {
            for entry in draft.ofRefresh {
                // Requests of its plugin have a budget as well.
                if kind == .processing, entry.key == .budget, case .launches = draft.inherited.budget {
                    continue
                }
                add(.sense(.ofRefreshAlone(entry.key, kind: kind.rawValue)), at: entry.keyNode)
            }
        }
        if let warning = draft.inherited.warning, let limit = draft.timeLimit(of: kind), warning >= limit,
            let node = draft.limitNode ?? draft.kindNode
        {
            let (warning, limit) = (DurationText.text(warning), DurationText.text(limit))
            add(.sense(.warningNotBeforeLimit(warning: warning, limit: limit)), at: node)
        }
    }

    private mutating func check(timesOf draft: TaskDraft, kind: Kind) {
        if draft.inherited.retry.attempts == nil, let retry = draft.retryNode {
            if draft.atNode != nil {
                add(.sense(.retryOfTimes), at: retry)
            } else if draft.inherited.retry.exitCodes != nil {
                add(.sense(.exitCodesAlone), at: retry)
            }
        }
        if let node = draft.atNode {
            if draft.repeatNode != nil { add(.sense(.repeatsAndHasTimes), at: node) }
            if kind == .continued { add(.sense(.continuedHasTimes), at: node) }
            if let latest = draft.latestNode { add(.sense(.latestOfTimes), at: latest) }
        } else {
            for entry in draft.ofTimes { add(.sense(.ofTimesAlone(entry.key)), at: entry.keyNode) }
        }
    }

    private mutating func taskIdentifier(_ name: NodeID, of app: AppIdentifier?) -> TaskIdentifier? {
        guard let text = nameText(name) else { return nil }
        // Without its app's identifier a short name can still be checked.
        let full = TaskIdentifier.full(text, of: app?.text ?? "com.example")
        guard let identifier = TaskIdentifier(full) else {
            let fault = text.isEmpty ? .empty : IdentifierProblem.fault(inTask: full)
            add(.identifier(.task(text, fault ?? .empty)), at: name)
            return nil
        }
        guard let app else { return nil }
        if let first = known.tasks[full] {
            let problem: IdentifierProblem =
                first.app == app.text
                ? .duplicateTask(full, first: first.place.seen(from: file))
                : .taskOfAnotherApp(full, app: first.app, first: first.place.seen(from: file))
            add(.identifier(problem), at: name)
            return nil
        }
        if IdentifierProblem.isPerhapsShort(text, in: app.text) {
            add(.identifier(.notOfApp(full, app: app.text)), at: name)
        }
        known.tasks[full] = (KnownIdentifiers.Place(file: file, line: line(of: name)), app.text)
        return identifier
    }
}
