import LullCalendar
import LullModel

/// Whether a time of the task's `at` has come, and how late it is.
extension GateInput {
    var timetable: Timetable? {
        definition.flatMap { Timetable($0.value, zones: now.zones, host: host.identity) }
    }

    /// When the request is launched whoever asked for it; nil: no time of `at` stands behind it.
    var due: WallTime? {
        guard let request, let time = request.occurrence?.time else {
            return request?.origin == .at ? request?.earliestBegin : nil
        }
        return request.origin == .at ? request.earliestBegin ?? timetable?.due(time) : timetable?.due(time)
    }

    /// When an operator wants it, which may be after the time at which `repeat` would have it; nil: none asked.
    var askedFor: WallTime? {
        guard let request, request.origin == .operator else { return nil }
        return request.earliestBegin ?? .distantPast
    }

    /// It is launched by the clock alone: what holds back those that ask too often does not concern it.
    var isTimed: Bool { definition?.at != nil && request?.origin == .at || isExact }

    /// It is launched because its time has come: nothing that looks for a better moment holds it back.
    var isExact: Bool {
        guard definition?.at != nil, let due else { return false }
        return due <= now.wall
    }

    /// How late it may be before the time counts as missed; a pass can't be earlier than it is called.
    var tolerance: Duration { max(definition?.tolerance ?? .zero, host.passInterval ?? .zero) }

    /// From here on the time is given up; nil: it is not. What is tried again has begun in time.
    var lapse: WallTime? {
        guard definition?.missed == .skip, record?.tried == nil, let request, request.origin == .at,
            request.triggerEvent == nil,
            request.occurrence?.time != nil
        else { return nil }
        return due.map { $0 + tolerance + .milliseconds(1) }
    }

    /// The gate of the earliest begin date for a task with `at`; nil: what was asked for says it.
    func nextTime() -> GateFinding? {
        guard let request else { return nil }
        if request.awaitsBoot { return closed(.earliestBegin(.nextBoot), since: request.submitted) }
        guard let due else { return nil }
        if due <= now.wall { return open(.earliestBegin(arrived(due))) }
        // Somebody asked for it at once, or for later than its next time.
        let begin =
            request.triggerEvent != nil
            ? .distantPast : request.origin == .at ? due : min(request.earliestBegin ?? .distantPast, due)
        guard begin > now.wall else { return nil }
        if let attempt = nextAttempt(at: begin) { return attempt }
        return closed(
            .earliestBegin(.nextTime(begin, shift: timetable?.shift ?? .zero)),
            since: request.submitted, until: begin)
    }

    /// That a failed run is tried again then; nil: it is asked for otherwise.
    func nextAttempt(at begin: WallTime) -> GateFinding? {
        guard let tried = record?.tried, let most = definition?.retry.attempts, let request,
            request.origin == .at || request.origin == .event
        else { return nil }
        return closed(
            .earliestBegin(.nextAttempt(Attempt(tried + 1, of: most), begin)),
            since: request.submitted,
            until: begin)
    }

    private func arrived(_ due: WallTime) -> GateFact.Begin {
        guard request?.occurrence?.time != nil else { return .booted }
        return now.wall - due > tolerance
            ? .timeMissed(due, definition?.missed ?? .one) : .timeCome(due)
    }
}
