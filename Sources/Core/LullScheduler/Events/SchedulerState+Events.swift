import LullModel

/// The requests of `on`: an event makes a request, which goes through the same gates as any other.
///
/// Events that come while a request of the task waits are merged into it, and each is recorded. A request that is
/// replaced leaves its events to the new one (`Turn.left`): an event ends in a launch, or in a record that says why
/// not.
extension SchedulerState {
    /// The tasks that each trigger starts, and the last report on the host's watches.
    struct Triggers: Sendable {
        var tasks: [Trigger: [TaskIdentifier]] = [:]
        /// The tasks whose `on` names another task, by the name of that task.
        var chained: [TaskIdentifier: [(task: TaskIdentifier, trigger: Trigger)]] = [:]
        var watches: [Trigger: TriggerWatch] = [:]
        /// Requests in a row for files that came during the task's last run, or just after it.
        var fed: [TaskIdentifier: Int] = [:]

        var isEmpty: Bool { tasks.isEmpty }

        init() {}

        init(_ manifest: Manifest) {
            for app in manifest.apps {
                for task in app.tasks where !task.on.isEmpty {
                    for trigger in task.on {
                        tasks[trigger, default: []].append(task.identifier)
                        for link in trigger.links {
                            chained[link.task, default: []].append((task.identifier, trigger))
                        }
                    }
                }
            }
        }
    }

    /// The triggers that the host has to watch.
    public var watchedTriggers: Set<Trigger> { Set(triggers.tasks.keys) }

    /// An event that the host has seen; answered once it is recorded.
    mutating func happened(_ trigger: Trigger, _ triggerEvent: TriggerEvent, _ token: Token?) {
        for task in triggers.tasks[trigger] ?? [] {
            if case .path(let path) = trigger { countFed(task, by: path, at: triggerEvent.first) }
            take(triggerEvent, for: task)
        }
        reply(token, .done(""))
    }

    /// Counts the requests for files that came during a run: a run that writes into the folder that triggers it would
    /// start itself again for ever. It is not known who wrote the files.
    private mutating func countFed(_ task: TaskIdentifier, by path: WatchedPath, at told: WallTime) {
        guard let record = ledger.tasks[task], record.pending?.triggerEvent == nil else { return }
        // A file is reported once it has settled, and a little later.
        let came = told - path.settle
        let cameSinceLaunch = record.lastLaunched.map { came >= $0 } ?? false
        let cameBeforeEnd =
            runs.count(of: task) > 0 || record.lastEnded.map { came <= $0 + path.settle / 2 } ?? false
        triggers.fed[task] = cameSinceLaunch && cameBeforeEnd ? (triggers.fed[task] ?? 0) + 1 : nil
    }

    /// Hands an event to each task that waits for it.
    mutating func happened(_ trigger: Trigger) {
        guard let tasks = triggers.tasks[trigger] else { return }
        for task in tasks { take(TriggerEvent(trigger.kind, at: now.wall), for: task) }
    }

    /// Takes an event into the request that waits for the task, or makes one.
    mutating func take(_ triggerEvent: TriggerEvent, for task: TaskIdentifier) {
        guard let definition = definition(of: task), definition.enabled, app(definition.app)?.enabled == true
        else { return }
        guard let pending = ledger.tasks[task]?.pending, waits(pending) else {
            if ledger.tasks[task]?.pending != nil {
                endPending(of: task, .merged, "an event of `on` asks for it before that")
            }
            makeRequest(definition, origin: .event, triggerEvent: triggerEvent)
            return
        }
        if Mutation.forgetsEvents.isOn { return }
        var event = HistoryEvent(
            .happened, at: now.wall, app: definition.app, task: task, request: pending.id)
        event.triggerEvent = triggerEvent
        record(event)
        touch(task)
    }

    /// Whether a request takes an event in. The host's request for a later time gives way to an event instead.
    private func waits(_ request: TaskRequest) -> Bool {
        switch request.origin {
        case .event, .plugin, .operator, .push, .transfers: true
        case .repeat, .at:
            request.triggerEvent != nil || request.earliestBegin.map { $0 <= now.wall } ?? !request.awaitsBoot
        }
    }

    /// Requests the tasks that follow a run with this outcome.
    mutating func followRun(
        _ run: RunID, of task: TaskIdentifier, _ outcome: Outcome, endedBy gates: [String]?
    ) {
        guard !triggers.chained.isEmpty else { return }
        for name in [task] + task.wildcards {
            for (next, trigger) in triggers.chained[name] ?? []
            where trigger.links.allSatisfy({
                $0.task == name ? $0.outcome.fits(outcome, endedBy: gates) : hasEnded($0, before: next)
            }) || Mutation.followsAnything.isOn {
                var triggerEvent = TriggerEvent(.after, at: now.wall)
                triggerEvent.task = task
                triggerEvent.run = run
                triggerEvent.outcome = outcome
                take(triggerEvent, for: next)
            }
        }
    }

    /// Whether the last run of the linked task ended with the wanted outcome, and began after the last launch of the
    /// next task and after its events began to count. The numbers of runs say which came first, whatever the clock did.
    private func hasEnded(_ link: ChainLink, before next: TaskIdentifier) -> Bool {
        guard let record = ledger.tasks[link.task], runs.count(of: link.task) == 0,
            record.tried(before: record.pending) == nil,
            let run = record.lastRun, let outcome = record.lastOutcome
        else { return false }
        let next = ledger.tasks[next]
        return next?.lastRun.map { $0 < run } != false
            && next?.watchedFrom.map { $0 <= run } != false
            && link.outcome.fits(outcome, endedBy: record.lastGates)
    }

    /// Makes a request for a later time again, if an event launched it before that time.
    mutating func askForLater(afterLaunchFor request: TaskRequest?, _ task: TaskDefinition) {
        guard let request, request.triggerEvent != nil || request.params != nil,
            ledger.tasks[task.identifier]?.pending == nil,
            request.origin == .plugin || request.origin == .operator, let begin = request.earliestBegin,
            begin > now.wall
        else { return }
        makeRequest(
            task, kind: request.kind, origin: request.origin, earliestBegin: begin,
            requires: request.requires, label: request.label,
            reason: "it was requested for this time or later, and "
                + (request.triggerEvent == nil ? "its task" : "an event") + " launched it earlier",
            occurrence: request.origin == .operator
                ? task.repeat.flatMap { Occurrence(repeat: now.wall + $0) } : nil, params: request.params,
            by: request.by)
    }

    /// Records from when on a task's events count, and makes up for a boot that was missed.
    mutating func ensureWatched(_ task: TaskDefinition) {
        guard !task.on.isEmpty, task.enabled, options.launches else { return }
        let text = task.on.map(\.phrase).joined(separator: "; ")
        let record = ledger.tasks[task.identifier]
        let isBooted =
            task.on.contains(.boot) && !options.boot.isEmpty
            && record?.boot.map { $0 != options.boot } == true
        if record?.watches != text || (task.on.contains(.boot) && record?.boot != options.boot) {
            var event = HistoryEvent(
                .watched, at: now.wall, app: task.app, task: task.identifier, reason: text)
            event.occurrence = options.boot.isEmpty ? nil : Occurrence(boot: options.boot)
            self.record(event)
        }
        if isBooted, record?.watches != nil { take(TriggerEvent(.boot, at: now.wall), for: task.identifier) }
    }

    /// The events that a task waits for while it has no request.
    func awaitedEvents(_ definition: TaskDefinition) -> [GateFact.AwaitedEvent] {
        definition.on.map { trigger in
            var awaited = GateFact.AwaitedEvent(trigger: trigger, watch: triggers.watches[trigger])
            awaited.before = trigger.links.compactMap { link in
                ledger.tasks[link.task].map { record in
                    .init(
                        link, outcome: record.lastOutcome, ended: record.lastEnded,
                        isRunning: runs.count(of: link.task) > 0,
                        isMet: trigger.links.count > 1 && hasEnded(link, before: definition.identifier),
                        brokenBy: brokenChain(of: link.task, since: record.lastLaunched))
                }
            }
            return awaited
        }
    }

    /// The run that kept a task of a chain from being requested since it last ran; nil: none is known.
    func brokenChain(of task: TaskIdentifier) -> ChainBreak? {
        guard ledger.tasks[task]?.pending == nil, runs.count(of: task) == 0 else { return nil }
        return brokenChain(of: task, since: ledger.tasks[task]?.lastLaunched)
    }

    /// Goes back along the chain to the run that broke it; `seen`: a chain may be a ring.
    private func brokenChain(
        of task: TaskIdentifier, since last: WallTime?, past seen: Set<TaskIdentifier> = []
    ) -> ChainBreak? {
        guard !seen.contains(task), let definition = definition(of: task) else { return nil }
        for link in definition.on.flatMap(\.links) where link.outcome != .failure {
            let (other, wanted) = (link.task, link.outcome)
            guard let record = ledger.tasks[other], runs.count(of: other) == 0 else { continue }
            if let outcome = record.lastOutcome, let launched = record.lastLaunched,
                launched > last ?? .distantPast
            {
                guard !wanted.fits(outcome, endedBy: record.lastGates) else { continue }
                return ChainBreak(task: other, outcome: outcome, ended: record.lastEnded ?? launched)
            }
            // If the earlier task has a request, the next one waits for that.
            guard record.pending == nil else { continue }
            if let found = brokenChain(of: other, since: last, past: seen.union([task])) { return found }
        }
        return nil
    }
}
