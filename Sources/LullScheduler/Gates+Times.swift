import LullModel

/// Whether a time of the task's `at` has come, and how late it is.
extension GateInput {
    var timetable: Timetable? {
        definition.flatMap { Timetable($0, zones: now.zones, host: host.identity) }
    }

    /// When the request is launched whoever asked for it; nil: no time of `at` stands behind it.
    var due: WallTime? {
        guard let request, let time = request.occasion?.time else {
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

    /// From here on the time is given up; nil: it is not.
    var lapse: WallTime? {
        guard definition?.missed == .skip, let request, request.origin == .at, request.occasion?.time != nil
        else { return nil }
        return due.map { $0 + tolerance + .milliseconds(1) }
    }

    /// The gate of the earliest begin date for a task with `at`; nil: what was asked for says it.
    func nextTime() -> GateVerdict? {
        guard let request else { return nil }
        if request.awaitsBoot {
            return closed(
                .earliestBegin, "it is launched after the next boot of the host", since: request.submitted,
                remedy: "launch it now with `lull launch \(task)`")
        }
        guard let due else { return nil }
        if due <= now.wall { return open(.earliestBegin, arrived(due)) }
        // Somebody asked for it at once, or for later than its next time.
        let begin = request.origin == .at ? due : min(request.earliestBegin ?? .distantPast, due)
        guard begin > now.wall else { return nil }
        return closed(
            .earliestBegin, "its next time is \(time(begin)), in \(Phrase.span(begin - now.wall))\(shifted)",
            since: request.submitted, until: begin, remedy: "launch it now with `lull launch \(task)`")
    }

    private func time(_ time: WallTime) -> String { Phrase.time(time, seenFrom: now.wall, in: windowZone) }

    private var shifted: String {
        guard let shift = timetable?.shift, shift > .zero else { return "" }
        return ", with the \(Phrase.span(shift)) that `spread` shifts it on this host"
    }

    private func arrived(_ due: WallTime) -> String {
        guard request?.occasion?.time != nil else { return "the host was booted" }
        let late = now.wall - due
        guard late > tolerance else { return "its time, \(time(due)), has come" }
        let then =
            switch definition?.missed ?? .one {
            case .one: "it is made up for as soon as it may be, with one launch for all that it missed"
            case .all: "it is made up for as soon as it may be, and so is each later one"
            case .skip: "it is skipped"
            }
        return "its time, \(time(due)), was missed \(Phrase.span(late)) ago; \(then)"
    }
}
