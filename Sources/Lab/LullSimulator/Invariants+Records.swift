import LullModel

/// Checks that the ledger balances: each request ends once, each run ends once, and nothing comes from nowhere.
extension Invariants {
    /// The records from here on were decided in this frame.
    mutating func begin(_ frame: Frame) {
        clock = frame.clock
        idleness.clock = frame.clock
        times.begin(frame)
        beginRhythm(frame)
        fresh = []
        unfinished = []
        telling.news = []
        events.begin()
    }

    /// An event that is durable now.
    mutating func record(_ event: HistoryEvent) {
        for sentence in idleness.note(event) { fault(sentence) }
        // A request behind another one counts for its own times once that one is over.
        let isBehind = event.event == .submitted && heads.contains { $0.task == event.task }
        if !isBehind, let sentence = times.note(event, ending: event.request.flatMap { pending[$0] }) {
            fault(sentence)
        }
        events.note(event)
        switch event.event {
        case .submitted: submitted(event)
        case .replaced, .merged, .cancelled, .givenUp:
            guard let request = event.request else { return fault("\(event.event) without a request") }
            end(request, event)
        case .launched: launched(event)
        case .completed, .failed, .interrupted: finished(event)
        case .expired: if let run = event.run { running[run]?.expiredBy = event.gates ?? [] }
        case .discovered:
            registered[event.app] = Set(event.registered ?? [])
            if stamps[event.app] != event.stamp { transfers.pluginChanged(event.app) }
            stamps[event.app] = event.stamp
            startFailures[event.app] = nil
        case .enabled:
            if let task = event.task { disabledTasks.remove(task) } else { disabled.remove(event.app) }
        case .disabled:
            if let task = event.task { disabledTasks.insert(task) } else { disabled.insert(event.app) }
        case .paused, .resumed: notePause(event)
        case .watched: break
        case .happened: if let id = event.request { take(event.triggerEvent, into: id) }
        case .reported: if let run = event.run { running[run]?.isReported = true }
        case .restored: unreported[event.app] = nil
        case .used, .refused, .deferred, .idleSoon, .idled, .revived, .violation, .absent, .conditions,
            .reloaded:
            break
        case .slot:
            guard event.slot?.act == .elsewhere else { break }
            guard let request = event.request else { return fault("a slot ends elsewhere without a request") }
            end(request, event)
        case .transfer: for sentence in transfers.note(event) { fault(sentence) }
        case .notice: noticed(event)
        case .notified: notified(event)
        case .notification: for sentence in notifications.note(event, in: zones) { fault(sentence) }
        }
        if let reason = event.reason, reason.isEmpty { fault("\(event.event) has an empty reason") }
    }

    private mutating func submitted(_ event: HistoryEvent) {
        guard let id = event.request, let task = event.task, let kind = event.kind else {
            return fault("a request is recorded without its number, task or kind")
        }
        if pending[id] != nil || ended.contains(id) { return fault("request \(id) is submitted twice") }
        let others = pending.values.filter { $0.task == task }
        // A request that replaces the one in front leaves the one behind it where it is.
        if others.contains(where: { !behind.contains($0.id) }) {
            if others.count > 1 || event.origin != .plugin || kind == .continued {
                fault("\(task) has two pending requests, \(id) and \(others.map(\.id))")
            }
            behind.insert(id)
        }
        let request = TaskRequest(
            id: id, task: task, app: event.app, kind: kind, origin: event.origin ?? .operator,
            submitted: event.time,
            earliestBegin: event.earliestBegin, requires: event.requires ?? .none,
            occurrence: event.occurrence,
            triggerEvent: event.triggerEvent, push: event.push)
        pending[id] = request
        if kind == .continued { continued.insert(event.app) }
        if event.push?.isUrgent == true { urgent.insert(event.app) }
        if stories[task]?.waitsSince == nil { stories[task, default: Story()].waitsSince = event.time }
        // The quota does not hold for a request that the host repeats, which has a reason.
        if request.origin == .plugin, event.reason == nil { checkQuota(of: event.app, kind) }
    }

    /// A request that carries events is launched without waiting for its time.
    private mutating func take(_ triggerEvent: TriggerEvent?, into id: RequestID) {
        guard pending[id] != nil else {
            return fault("an event is taken into request \(id), which does not wait")
        }
        if pending[id]?.triggerEvent == nil { pending[id]?.triggerEvent = triggerEvent }
    }

    private mutating func checkQuota(of app: AppIdentifier, _ kind: Kind) {
        // A request behind another counts in its place: for the app, the one in front has left the queue.
        let held = pending.values.filter { $0.app == app && $0.origin == .plugin }
        let last = Dictionary(held.map { ($0.task, $0) }) { $0.id > $1.id ? $0 : $1 }
        let count = last.values.count { $0.kind == kind }
        let limit =
            switch kind {
            case .refresh: Limits.pendingRefreshRequests
            case .processing: Limits.pendingProcessingRequests
            case .continued: Limits.pendingContinuedRequests
            case .push, .transfers: 0
            }
        if count > limit { fault("\(app) has \(count) \(kind.rawValue) requests pending, of \(limit)") }
    }

    private mutating func end(_ id: RequestID, _ event: HistoryEvent) {
        guard let request = pending.removeValue(forKey: id) else {
            let how = ended.contains(id) ? "a second time" : "and was never made"
            return fault("request \(id) ends as \(event.event) \(how)")
        }
        if request.task != event.task || request.app != event.app {
            fault("request \(id) of \(request.task) ends as one of \(event.app)")
        }
        ended.insert(id)
        let wasBehind = behind.remove(id) != nil
        switch event.event {
        // The replacement goes on waiting in its place.
        case .replaced, .merged: break
        case _ where wasBehind: break
        default:
            let next = pending.values.first { $0.task == request.task }
            if let next { behind.remove(next.id) }
            stories[request.task]?.waitsSince = next.map { _ in event.time }
            if event.event != .launched { stories[request.task]?.tried = 0 }
        }
        if event.event != .launched, event.reason == nil {
            fault("request \(id) ends as \(event.event) without a reason")
        }
    }

    private mutating func launched(_ event: HistoryEvent) {
        guard let run = event.run, let task = event.task else {
            return fault("launched without a run or a task")
        }
        if running[run] != nil || over.contains(run) { fault("run \(run) is launched twice") }
        let request = event.request.flatMap { pending[$0] }
        if let request, request.task != task { fault("request \(request.id) is launched as another task") }
        running[run] = Run(
            task: task, app: event.app, request: request, isExtra: event.origin == .operator)
        notePush(launchedBy: event)
        announced.insert(run)
        fresh.append(run)
        let before = stories[task]?.milliseconds ?? 0
        stories[task, default: Story()].pause = before
        stories[task]?.milliseconds = 0
        stories[task]?.last = run
        // A time that came while an attempt waited begins a new count.
        if event.attempt?.number == 1 { stories[task]?.tried = 0 }
        if let id = event.request {
            waited = waited.count > 64 ? [:] : waited
            waited[id] = stories[task]?.waitsSince
            end(id, event)
        }
    }

    private mutating func finished(_ event: HistoryEvent) {
        guard let run = event.run else {
            if event.outcome == .crashed {
                startFailures[event.app] = ((startFailures[event.app]?.count ?? 0) + 1, event.time)
            } else if event.outcome == .unloadable {
                startFailures[event.app] = nil
            }
            return
        }
        guard let known = running.removeValue(forKey: run) else {
            let how = over.contains(run) ? "a second time" : "and was never launched"
            return fault("run \(run) ends as \(event.event) \(how)")
        }
        over.insert(run)
        guard let outcome = event.outcome else { return fault("run \(run) ends without an outcome") }
        if outcome.isSuccess != (event.event == .completed) {
            fault("run \(run) ends as \(event.event), and its outcome is \(outcome)")
        }
        notePush(endedBy: event, known)
        checkQuote(of: run, outcome, event)
        // Only the failure of the last attempt is notified.
        if event.earliestBegin == nil { tellingOf(run, known, outcome) }
        if !outcome.isSuccess { unfinished.append((known, outcome, event.earliestBegin)) }
        note(outcome, of: known, event)
    }

    /// A failure quotes what its run printed, and nothing that it did not print.
    private mutating func checkQuote(of run: RunID, _ outcome: Outcome, _ event: HistoryEvent) {
        let lines = PrintedLast(event.reason ?? "").lines
        let since = quotable.removeValue(forKey: run)
        if !lines.isEmpty, since == nil { fault("run \(run) is told to have printed \(lines), and did not") }
        guard outcome != .succeeded, event.event != .interrupted, let since, let clock,
            since < clock.monotonic,
            lines.isEmpty
        else { return }
        fault("run \(run) ends as \(outcome) and printed something, which its reason does not quote")
    }

    private mutating func note(_ outcome: Outcome, of run: Run, _ event: HistoryEvent) {
        var story = stories[run.task] ?? Story()
        if event.event != .interrupted {
            story.ended = clock?.trueTime
            if story.last == event.run { story.milliseconds = event.milliseconds ?? 0 }
        }
        if outcome.isSuccess {
            story.failures = 0
            if !run.isExtra { story.tried = 0 }
        } else if !run.isExtra || outcome == .interrupted, outcome != .unloadable,
            outcome.isFailure(endedBy: run.expiredBy)
        {
            story.failures += 1
            story.failed = event.time
        }
        stories[run.task] = story
    }
}
