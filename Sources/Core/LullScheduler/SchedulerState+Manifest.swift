import HeapModule
import LullModel

/// The effects of reading the manifest, at start or again.
extension SchedulerState {
    mutating func load(_ manifest: Manifest, stamps: [AppIdentifier: String]) {
        let isFirst = listing.since == nil
        let before = repeats
        let hadTimes = Set(self.manifest.tasks.filter(hasTimes).map(\.identifier))
        let isSame = !isFirst && manifest == self.manifest
        listing = Listing(manifest, stamps: stamps, since: isSame ? listing.since : now.wall)
        for app in manifest.apps where apps[app.identifier] == nil { apps[app.identifier] = AppState() }
        let watches = triggers.watches
        triggers = Triggers(manifest)
        triggers.watches = watches
        deliveries.take(manifest)
        loadFleet()
        if isFirst { interruptRuns() }
        ledger.forget(
            before: now.wall, keepingApps: listing.has, keepingTasks: listing.names)
        ledger.forgetCosts(manifest)
        giveUpRequests()
        dropUnlisted()
        for app in manifest.apps {
            reconcileIdleness(of: app.identifier)
            if needsDiscovery(app, isFirst: isFirst) { wantDiscovery(of: app.identifier) }
            retireWorkers(of: app.identifier)
            for task in app.tasks {
                ensureRepeat(task, before: isFirst ? nil : before[task.identifier])
                restartRepeat(task)
                ensureTimes(task, isNew: !isFirst && !hadTimes.contains(task.identifier))
                ensureWatched(task)
                touch(task.identifier)
            }
            for task in tasksUnderWildcards(of: app.identifier) { touch(task) }
        }
        countBudget()
        watchConditions()
        loadNotifications()
        loadTransfers(isFirst: isFirst)
        deliverDue()
        loadExpectations()
        beatHost()
    }

    /// Whether `at` still requests launches: not after the last of its days, so what an edit adds to them is new.
    private func hasTimes(_ task: TaskDefinition) -> Bool {
        guard task.at != nil, task.enabled, task.days != nil else { return task.at != nil }
        return ledger.tasks[task.identifier]?.pending != nil || runs.count(of: task.identifier) > 0
    }

    private var repeats: [TaskIdentifier: Duration] {
        Dictionary(manifest.tasks.compactMap { task in task.repeat.map { (task.identifier, $0) } }) {
            _, last in last
        }
    }

    /// Ends runs that are open in the ledger and unknown to this host: the host was cut off while they ran.
    private mutating func interruptRuns() {
        for run in ledger.runs.values.sorted(by: { $0.run < $1.run }) where runs[run.run] == nil {
            let isStopped = run.isStopped == true
            let outcome: Outcome = isStopped ? .stopped : .interrupted
            record(
                HistoryEvent(
                    .interrupted, at: now.wall, app: run.app, task: run.task, request: run.request?.id,
                    run: run.run, outcome: outcome,
                    reason: isStopped
                        ? "an operator had stopped it, and the host was cut off before it ended"
                        : "the host was cut off while it ran"))
            // A run that is asked for again continues the chain when it has ended.
            if isStopped || run.request == nil {
                followRun(run.run, of: run.task, outcome, endedBy: run.expiredBy)
            }
            if isStopped { continue }
            again(run, reason: "requested again, because the host was cut off while run \(run.run) ran")
        }
    }

    /// Repeats the request of a run that did not reach its end.
    mutating func again(_ run: RunRecord, reason: String) {
        guard let definition = definition(of: run.task), !Mutation.forgetsInterrupted.isOn else {
            return
        }
        // The transfers themselves say whether it is to be launched again.
        if run.request?.origin == .transfers { return askForTransfers(of: run.app) }
        let pending = ledger.tasks[run.task]?.pending
        defer {
            if let triggerEvent = run.request?.triggerEvent, run.request?.origin != .event,
                !definition.on.isEmpty
            {
                take(triggerEvent, for: run.task)
            }
        }
        if turnAgain(definition, run, reason: reason) { return }
        if let request = run.request, request.origin == .at {
            timeAgain(definition, request, reason: reason)
        } else if let request = run.request, request.origin == .event {
            if let triggerEvent = request.triggerEvent, !definition.on.isEmpty {
                take(triggerEvent, for: run.task)
            }
        } else if let request = run.request, request.origin != .repeat {
            // A newer request of the same task takes its place.
            guard pending == nil || pending?.origin == .repeat || pending?.origin == .at else { return }
            let due = request.origin == .operator ? repeatDue(of: definition) : nil
            endPending(of: run.task, due == nil ? .replaced : .merged, reason)
            makeRequest(
                definition, kind: request.kind, origin: request.origin, requires: request.requires,
                label: request.label, reason: reason, occurrence: due.flatMap { Occurrence(repeat: $0) },
                push: request.push, params: definition.paramsToGive(again: request.params), by: request.by)
        } else if run.request != nil {
            repeatNow(
                definition, reason: reason, params: definition.paramsToGive(again: run.request?.params))
        }
    }

    /// Has the time of `at` or the turn of `repeat` of a run made up for at once, where an operator's request with values of
    /// its own waits: that stands for nothing else, and carries the time until it is launched itself. False: neither is so.
    private mutating func turnAgain(_ definition: TaskDefinition, _ run: RunRecord, reason: String) -> Bool {
        guard let pending = ledger.tasks[run.task]?.pending, pending.origin == .operator,
            pending.params != nil, let request = run.request, run.isExtra != true, definition.enabled
        else { return false }
        let carried = pending.occurrence
        var occurrence: Occurrence?
        if definition.at != nil, definition.missed != .skip, let time = request.occurrence?.time,
            time <= now.wall, time < carried?.time ?? .distantFuture
        {
            occurrence = Occurrence(time: time, boot: carried?.boot, repeat: carried?.repeat)
        } else if definition.repeat != nil, let due = request.repeatDue, due <= now.wall,
            now.wall < pending.repeatDue ?? .distantFuture
        {
            occurrence = Occurrence(time: carried?.time, boot: carried?.boot, repeat: now.wall)
        }
        guard let occurrence else { return false }
        endPending(of: run.task, .replaced, reason)
        let id = makeRequest(
            definition, kind: pending.kind, origin: pending.origin, earliestBegin: pending.earliestBegin,
            requires: pending.requires, label: pending.label, reason: reason, occurrence: occurrence,
            params: pending.params, by: pending.by)
        takePlace(of: pending, by: id)
        return true
    }

    /// The request made by `repeat` becomes due now.
    mutating func repeatNow(
        _ definition: TaskDefinition, reason: String, params: [String: String]? = nil
    ) {
        guard definition.repeat != nil, definition.enabled else { return }
        let pending = ledger.tasks[definition.identifier]?.pending
        guard
            pending == nil
                || pending?.origin == .repeat && pending?.earliestBegin.map({ $0 > now.wall }) == true
        else { return }
        endPending(of: definition.identifier, .merged, reason)
        makeRequest(definition, origin: .repeat, reason: reason, params: params)
    }

    /// Ends the requests that the manifest no longer permits or no longer makes.
    private mutating func giveUpRequests() {
        for request in pending(of: nil) {
            guard let definition = definition(of: request.task) else {
                endPending(
                    of: request.task, .givenUp, "\(request.task) was removed from \(manifest.path)",
                    by: .permitted)
                forget(request.task)
                continue
            }
            if request.origin == .operator, let refusal = definition.refusal(ofParams: request.params) {
                endPending(of: request.task, .givenUp, "\(manifest.path) was changed: \(refusal)")
            } else if definition.app != request.app {
                endPending(of: request.task, .givenUp, "\(request.task) belongs to \(definition.app) now")
            } else if request.origin == .repeat, definition.repeat == nil {
                endPending(of: request.task, .givenUp, "\(manifest.path) no longer repeats \(request.task)")
            } else if request.origin == .at, definition.at == nil {
                endPending(
                    of: request.task, .givenUp, "\(manifest.path) has no `at` for \(request.task) any more")
            } else if definition.at == nil, request.occurrence?.time != nil {
                forgetTime(of: request, definition)
            } else if request.origin == .event, definition.on.isEmpty {
                endPending(
                    of: request.task, .givenUp, "\(manifest.path) has no `on` for \(request.task) any more")
            } else if [.repeat, .at, .event].contains(request.origin), definition.kind != request.kind {
                endPending(of: request.task, .replaced, "its kind was changed in \(manifest.path)")
                makeRequest(
                    definition, origin: request.origin, earliestBegin: request.earliestBegin,
                    occurrence: request.occurrence,
                    params: definition.paramsToGive(again: request.params))
            }
        }
    }

    /// Drops the state of tasks and apps that the manifest no longer lists.
    private mutating func dropUnlisted() {
        for task in tasks.keys where place(of: task) == nil { forget(task) }
        for (name, state) in apps.sorted(by: { $0.key < $1.key }) where !listing.has(name) {
            refuseForced(of: name, Refusal(.notPermitted, "\(name) was removed from \(manifest.path)."))
            apps[name]?.ready = Heap()
            apps[name]?.offered = nil
            agenda[.app(name)] = nil
            if state.workers.isEmpty { apps[name] = nil } else { evictIdleWorkers(of: name) }
        }
        workers.forgetWanted { !listing.has($0) }
    }

    /// Makes the request of a `repeat` task that has none, once discovery has shown that it can be launched.
    mutating func ensureRepeat(_ task: TaskDefinition, before: Duration? = nil) {
        guard let gap = task.repeat, task.enabled, let app = ledger.apps[task.app],
            app.hasRegistered(task.identifier)
        else { return }
        let record = ledger.tasks[task.identifier]
        let due = (record?.paced ?? record?.lastLaunched).map { min($0, now.wall) + gap }
        guard let pending = record?.pending else {
            makeRequest(task, origin: .repeat, earliestBegin: due)
            return
        }
        // A shorter `repeat` holds at once, and a longer one if this host has seen the change. It counts from
        // the last launch, or from the cancel that moved the request on.
        guard pending.origin == .repeat, let begin = pending.earliestBegin else { return }
        let latest = max(due ?? .distantPast, (pending.occurrence?.repeat ?? pending.submitted) + gap)
        var next: WallTime?
        if let before, before != gap { next = begin - before + gap } else if begin > latest { next = latest }
        if let next, next != begin {
            endPending(of: task.identifier, .replaced, "`repeat` was changed in \(manifest.path)")
            makeRequest(task, origin: .repeat, earliestBegin: next)
        }
    }

    /// Replaces a request from before the clock was set back, which would wait for the step in addition to the gap.
    mutating func restartRepeat(_ task: TaskDefinition) {
        guard let gap = task.repeat, task.enabled, let pending = ledger.tasks[task.identifier]?.pending,
            pending.origin == .repeat, pending.submitted > now.wall,
            let begin = pending.earliestBegin, begin > now.wall + gap
        else { return }
        endPending(of: task.identifier, .replaced, "the clock was set back")
        makeRequest(task, origin: .repeat, earliestBegin: now.wall + gap)
    }

    /// Sums the refresh budgets of all apps whose refreshes can be launched.
    mutating func countBudget() {
        let before = budget
        refreshBudget = RefreshBudget()
        for app in manifest.apps { refreshBudget.set(part(of: app), of: app.identifier) }
        budgetChanged(from: before)
    }

    /// The same, where the part of one app alone can have changed.
    mutating func countBudget(of name: AppIdentifier) {
        let before = budget
        refreshBudget.set(app(name).map(part) ?? 0, of: name)
        budgetChanged(from: before)
    }

    private func part(of app: App) -> Double {
        guard app.enabled else { return 0 }
        let record = ledger.apps[app.identifier]
        guard record?.disabledAt == nil, record?.idledAt == nil else { return 0 }
        return app.tasks.reduce(0) { sum, task in
            task.enabled && task.kind == .refresh && task.freshShare == nil && task.at == nil
                ? sum + task.budget : sum
        }
    }

    /// A larger refresh budget opens gates. Tasks that wait for a planned moment keep their plan.
    private mutating func budgetChanged(from before: Double) {
        if budget > before { for task in queue.forBudget { touch(task) } }
    }
}
