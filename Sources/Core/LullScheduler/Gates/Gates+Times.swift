import LullCalendar
import LullModel

/// Whether a time of the task's `at` has come, and how late it is.
extension GateInput {
    var timetable: Timetable? {
        definition.flatMap { Timetable($0.value, zones: now.zones, host: host.identity) }
    }

    /// When the clock launches the request, whatever its origin; nil: it stands for no time of `at`.
    var due: WallTime? {
        guard let request, let time = request.occurrence?.time else {
            return request?.origin == .at ? request?.earliestBegin : nil
        }
        return request.origin == .at ? request.earliestBegin ?? timetable?.due(time) : timetable?.due(time)
    }

    /// When an operator wants it, which may be after its time by `repeat`; nil: no operator asked.
    var askedFor: WallTime? {
        guard let request, request.origin == .operator else { return nil }
        return request.earliestBegin ?? .distantPast
    }

    /// Whether it is launched by the clock alone: limits on frequent requests do not apply to it.
    var isTimed: Bool { definition?.at != nil && request?.origin == .at || isExact }

    /// Whether it is launched because its time has come: gates that look for a better moment do not hold it back.
    var isExact: Bool {
        guard definition?.at != nil, let due else { return false }
        return due <= now.wall
    }

    /// The failed attempts that the request follows; nil: it is no retry.
    private var tried: Int? { record?.value.tried(before: request) }

    /// When its time came, or the attempt after that, if the time belongs to an open day, such as the one before today.
    ///
    /// If its run was cut off, it is due since its time and not since it was requested again.
    func due(onOpen days: WindowCalendar) -> WallTime? {
        guard isExact, let due, let timetable else { return nil }
        // A request for a boot may have a time that is still to come.
        let time = request?.occurrence?.time.flatMap { timetable.due($0) <= now.wall ? $0 : nil }
        guard days.isOpen(at: time ?? due) else { return nil }
        return tried == nil ? time.map(timetable.due) ?? due : due
    }

    /// How late it may be before the time counts as missed; a pass can't be earlier than it is called.
    var tolerance: Duration { max(definition?.tolerance ?? .zero, host.passInterval ?? .zero) }

    /// When the time is given up; nil: never. A retry counts as begun in time.
    var lapse: WallTime? {
        guard definition?.missed == .skip, tried == nil, let request, request.origin == .at,
            request.triggerEvent == nil,
            request.occurrence?.time != nil
        else { return nil }
        return due.map { $0 + tolerance + .milliseconds(1) }
    }

    /// The `earliestBegin` gate of a task with `at`; nil: the request's own begin decides.
    func nextTime() -> GateFinding? {
        guard let request else { return nil }
        if request.awaitsBoot { return closed(.earliestBegin(.nextBoot), since: request.submitted) }
        guard let due else { return nil }
        if due <= now.wall { return open(.earliestBegin(arrived(due))) }
        // A request wants it at once, or for later than its next time.
        let begin =
            request.triggerEvent != nil
            ? .distantPast : request.origin == .at ? due : min(request.earliestBegin ?? .distantPast, due)
        guard begin > now.wall else { return nil }
        if let attempt = nextAttempt(at: begin) { return attempt }
        let shift = timetable?.shift ?? .zero
        let closure = definition?.days == nil ? nil : timetable?.closure(from: now.wall)
        return closed(
            .earliestBegin(
                closure.map { .nextOpenTime(begin, shift: shift, $0) } ?? .nextTime(begin, shift: shift)),
            since: request.submitted, until: begin)
    }

    /// The gate of a failed run that is tried again at `begin`; nil: the request is no retry.
    func nextAttempt(at begin: WallTime) -> GateFinding? {
        guard let request, let tried, let most = definition?.retry.attempts,
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
