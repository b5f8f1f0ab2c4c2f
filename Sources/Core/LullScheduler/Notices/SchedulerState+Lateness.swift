import LullCalendar
public import LullModel

/// Which tasks are late: not launched by when they were expected, or short of what an operator expects of them.
extension SchedulerState {
    /// Whether a heartbeat or a notice needs the expected launch of a task; for others it is not worked out.
    private func isAwaited(_ definition: TaskDefinition) -> Bool {
        definition.heartbeat != nil || definition.notify.contains { $0.on.contains(.overdue) }
    }

    /// Works out the expectations when a manifest is read.
    mutating func loadExpectations() {
        let before = awaited
        awaited = Set(
            manifest.tasks.filter { isAwaited($0) || $0.expect != nil }.map(\.identifier))
        for task in before.subtracting(awaited) { agenda[.lateness(task)] = nil }
        for task in awaited.sorted() { checkLateness(of: task) }
    }

    /// By when a request that is about to be made is expected to be launched, wrong about once in a hundred months;
    /// nil: it is not needed, or it may never be launched.
    func expectedBy(_ request: TaskRequest, _ definition: TaskDefinition) -> WallTime? {
        guard options.sendsNotices, !awaited.isEmpty, isAwaited(definition) else { return nil }
        let due = max(request.earliestBegin ?? now.wall, now.wall)
        // Futures are not drawn so far ahead.
        guard due - now.wall < Lateness.horizon * 2 else { return due + Lateness.untold }
        var record =
            ledger.tasks[request.task]
            ?? TaskRecord(task: request.task, app: request.app, touched: now.wall)
        record.pending = request
        record.forgetWaiting()
        // A run that is under way, which most requests come from, is taken to succeed.
        if ledger.runs.values.contains(where: { $0.task == request.task }) {
            record.lastFresh = record.lastLaunched ?? record.lastFresh
        }
        guard
            let futures = OutlookFutures(
                of: request.task, in: self, with: record, until: due + Lateness.horizon, at: now,
                draws: Lateness.futures)
        else { return nil }
        // A time that is left out has no launch.
        guard futures.unknown == nil, !futures.hasSkipped else {
            return due + max(Lateness.untold, record.wait * Lateness.doubt)
        }
        return Lateness.expectedBy(
            launches: futures.launches, of: futures.count, due: due, longestWait: record.wait,
            repeat: definition.repeat)
    }

    /// By when the pending request is expected to be launched, in view of what has happened since; nil: it is not.
    func expectedBy(of task: TaskIdentifier, at now: Now) -> WallTime? {
        guard let record = ledger.tasks[task], let request = record.pending,
            let expected = request.expectedBy, mayBeAwaited(task, at: now)
        else { return nil }
        let due = max(request.earliestBegin ?? request.submitted, request.submitted)
        var late = expected
        // Time for which the whole app was held back does not count as lateness.
        let app = ledger.apps[request.app]
        for begin in [app?.revivedAt, app?.enabledAt] {
            if let begin, begin > due { late = max(late, begin + (expected - due)) }
        }
        return late + ledger.away.length(from: request.submitted, until: now.wall)
    }

    /// When the operator's expectation is broken, unless the task succeeds before; nil: there is none.
    func breaks(_ task: TaskIdentifier, at now: Now) -> WallTime? {
        guard let definition = definition(of: task), let expectation = definition.expect,
            mayBeAwaited(task, at: now),
            let app = ledger.apps[definition.app]
        else { return nil }
        let record = ledger.tasks[task]
        let successes = record?.successes ?? []
        guard let begin = record?.countedFrom ?? record?.lastLaunched ?? app.discovered else { return nil }
        let last =
            successes.count >= expectation.count ? successes[successes.count - expectation.count] : begin
        return max(last, begin) + expectation.span
    }

    /// Whether the task can be late: nothing is expected of a disabled one, of one whose days are over, or of an app that the
    /// week rule holds back.
    private func mayBeAwaited(_ task: TaskIdentifier, at now: Now) -> Bool {
        guard let definition = definition(of: task), definition.enabled, let app = app(definition.app),
            app.enabled, let record = ledger.apps[definition.app]
        else { return false }
        let zone = now.zones.seen(by: app.identifier)[definition.timezone]
        return record.disabledAt == nil && record.idledAt == nil
            && definition.days?.isOver(on: zone.day(of: now.wall)) != true
    }

    /// Why a task is late, with the gates that are to blame; nil: it is not.
    func lateness(of task: TaskIdentifier, at now: Now) -> String? {
        var words: [String] = []
        if let expected = expectedBy(of: task, at: now), expected <= now.wall {
            let time = Phrase.moment(expected, seenFrom: now.wall, in: now.zones.host)
            words.append("it should have been launched by \(time)")
        }
        if let broken = breaks(task, at: now), broken <= now.wall,
            let expectation = definition(of: task)?.expect
        {
            let count = (ledger.tasks[task]?.successes ?? []).count { $0 > now.wall - expectation.span }
            let times =
                count == 0 ? "has not succeeded" : count == 1 ? "succeeded once" : "succeeded \(count) times"
            let wanted = expectation.count == 1 ? "once" : "\(expectation.count) times"
            words.append(
                "it \(times) in the last \(Phrase.span(expectation.span)), but at least \(wanted) is expected"
            )
        }
        guard !words.isEmpty else { return nil }
        if runs.count(of: task) > 0 {
            return words.joined(separator: "; ") + "; a run is under way"
        }
        let closed = verdict(for: task, at: now).closed.map { "\($0.gate.rawValue): \($0.reason)" }
        return (words + (closed.isEmpty ? ["no gate holds it back"] : closed)).joined(separator: "; ")
    }

    /// Why a task does not meet its operator's expectation, with the gates that are to blame; nil: it does.
    public func brokenExpectation(of task: TaskIdentifier, at now: Now) -> String? {
        guard let broken = breaks(task, at: now), broken <= now.wall else { return nil }
        return lateness(of: task, at: now)
    }

    /// Sends a notice of a late task, once until it succeeds, and checks again when it may be late.
    mutating func checkLateness(of task: TaskIdentifier) {
        guard awaited.contains(task) else { return }
        let times = [expectedBy(of: task, at: now), breaks(task, at: now)].compactMap { $0 }
        if times.contains(where: { $0 <= now.wall }), !ledger.notices.late.contains(task.text),
            let app = definition(of: task)?.app, let sentence = lateness(of: task, at: now)
        {
            let event = HistoryEvent(.notice, at: now.wall, app: app, task: task)
            tell(.overdue, event, sentence)
        }
        agenda[.lateness(task)] = times.filter { $0 > now.wall }.min()
    }

    /// Checks lateness again after an event that may have changed it.
    mutating func reconsiderLateness(after event: HistoryEvent) {
        switch event.event {
        case .submitted, .launched, .completed, .failed:
            if let task = event.task { checkLateness(of: task) }
        case .discovered, .revived, .enabled, .idled, .disabled, .paused, .resumed:
            for task in app(event.app)?.tasks ?? [] { checkLateness(of: task.identifier) }
        default: break
        }
    }
}

extension TaskRecord {
    /// The longest that it has lately waited once it was due.
    var wait: Duration { .milliseconds(longestWait ?? 0) }

    /// Keeps the longest wait, which fades within three months.
    mutating func note(wait: Duration, at time: WallTime) {
        let days = waitedAt.map { max(0, (time - $0).inSeconds) / 86_400 } ?? 0
        let kept = Double(longestWait ?? 0) * max(0, 1 - days / 90)
        let milliseconds = Double(max(.zero, wait).milliseconds)
        if milliseconds >= kept {
            (longestWait, waitedAt) = (Int64(milliseconds), time)
        } else if days > 1 {
            (longestWait, waitedAt) = (Int64(kept), time)
        }
    }

    mutating func note(successAt time: WallTime) {
        successes = ((successes ?? []) + [time]).suffix(Expectation.mostCount)
    }
}
