import LullModel

/// The requests of `repeat` and `at`, to which an operator's launches are extra.
///
/// A task has one pending request, so an operator's request carries the time at which `repeat` is due
/// (`Occurrence.repeat`). Launched before that time, it leaves the time as it was; launched later, it serves both. The
/// times of `at` come from the calendar and stay anyway.
extension SchedulerState {
    /// When `repeat` is due; nil: no pending request carries it.
    func repeatDue(of task: TaskDefinition) -> WallTime? {
        guard task.repeat != nil, let pending = ledger.tasks[task.identifier]?.pending else { return nil }
        return pending.repeatDue
    }

    mutating func askForRepeat(_ task: TaskDefinition, at due: WallTime, reason: String? = nil) {
        guard let gap = task.repeat else { return }
        // A postponed repeat counts from its own last time, and not from when it was requested.
        let base = due > now.wall + gap ? Occurrence(repeat: due - gap) : nil
        makeRequest(task, origin: .repeat, earliestBegin: due, reason: reason, occurrence: base)
    }

    /// After a launch: the next request of `repeat`, or of an operator who asked for later.
    mutating func askForRepeat(afterLaunchFor request: TaskRequest?, isExtra: Bool, _ task: TaskDefinition) {
        guard let gap = task.repeat, ledger.tasks[task.identifier]?.pending == nil else { return }
        let due = isExtra ? request?.repeatDue : nil
        if let request, request.origin == .operator, let begin = request.earliestBegin, begin > now.wall {
            makeRequest(
                task, kind: request.kind, origin: .operator, earliestBegin: begin, requires: request.requires,
                label: request.label, reason: "it was requested for this time or later",
                occurrence: Occurrence(repeat: due ?? now.wall + gap), params: request.params,
                by: request.by)
        } else {
            askForRepeat(task, at: due ?? now.wall + gap)
        }
    }

    /// Skips the next time of `at` for an operator; the operator's request or launch itself takes that of `repeat`. An
    /// operator's earlier request has the next time with it.
    mutating func skipNextTime(of task: TaskDefinition, _ reason: String) {
        guard let pending = ledger.tasks[task.identifier]?.pending, let time = pending.occurrence?.time
        else { return }
        let begin: WallTime? =
            switch pending.origin {
            case .at: pending.earliestBegin
            case .operator: timetable(of: task)?.due(time)
            case .plugin, .repeat, .event, .push, .transfers: nil
            }
        guard let begin, begin > now.wall else { return }
        endPending(of: task.identifier, .cancelled, reason, occurrence: Occurrence(time: time))
    }

    // MARK: In words

    func when(_ time: WallTime) -> String { Phrase.when(time, seenFrom: now.wall, in: now.zones.host) }

    /// When the task comes by `repeat` or `at`: "tomorrow at 01:00"; nil: it does not, or somebody holds it back.
    func nextTime(of task: TaskIdentifier) -> String? {
        switch nextLaunch(of: task, ofItsOwn: true) {
        case .at(let time): when(time) + endOfPause(of: task, at: time)
        case .notBefore(let time):
            "not before \(Phrase.instant(time, seenFrom: now.wall, in: now.zones.host))"
                + endOfPause(of: task, at: time)
        case .onceOpen: "at once, when its gates are open"
        case .afterBoot: "after the next boot"
        case .held, .onEvent, nil: nil
        }
    }

    private func endOfPause(of task: TaskIdentifier, at time: WallTime) -> String {
        gateInput(for: task).paused().until == time ? ", when its pause ends" : ""
    }

    /// Why `repeat` and `at` do not launch a task, and the remedy; nil: they do.
    func heldTimes(of task: TaskIdentifier) -> String? {
        guard let definition = definition(of: task), definition.repeat != nil || definition.at != nil,
            let gate = verdict(for: task, at: now).closed.first(where: \.needsSomebody)
        else { return nil }
        return "Its own times wait: \(gate.reason)" + (gate.remedy.map { "; \($0)." } ?? ".")
    }

    /// A sentence on a closed gate that an operator who asked for a launch may not expect; nil: none.
    func heldBack(_ task: TaskIdentifier) -> String? {
        let closed = verdict(for: task, at: now).closed
        // A request for later waits for its own time first.
        let isLater = closed.contains { $0.gate == .earliestBegin }
        let gate = closed.first {
            $0.gate == .paused || $0.gate == .backoff || $0.gate == .window && !isLater
        }
        guard let gate else { return nil }
        var waits = ": " + gate.reason
        if case .paused(.by(let pause)) = gateInput(for: task).paused().fact {
            waits =
                " for the end of the pause" + (pause.until.map { " " + when($0) } ?? "")
                + " (\(pause.words ?? "by an operator"))"
        }
        return "The request waits\(waits). `lull launch \(task)` would run it now."
    }

    /// A sentence on the time of `at` that is due already, which the operator's new request stands for; nil: none is.
    func standing(of task: TaskDefinition) -> String? {
        guard let pending = ledger.tasks[task.identifier]?.pending, pending.origin == .operator,
            !pending.givesParams(at: now.wall), let time = pending.occurrence?.time,
            let table = timetable(of: task), table.due(time) <= now.wall
        else { return nil }
        return "It stands for its time \(when(table.due(time))) as well."
    }

    /// A sentence on the task's own next time, for an operator who asked for a launch.
    func rhythm(of task: TaskDefinition, wasInstead: Bool) -> String? {
        guard task.repeat != nil || task.at != nil, let next = nextTime(of: task.identifier) else {
            return nil
        }
        return wasInstead
            ? "This takes the place of its next time; the one after is \(next)."
            : "Its own next time stays: \(next)."
    }
}

extension TaskRequest {
    /// When `repeat` is due according to this request; nil: it carries no repeat.
    var repeatDue: WallTime? {
        switch origin {
        case .repeat: earliestBegin ?? submitted
        case .operator: occurrence?.repeat
        case .plugin, .at, .event, .push, .transfers: nil
        }
    }

    /// When it may be launched at the earliest; nil: at once. A request that carries a repeat is launched when that is
    /// due, at the latest.
    var opens: WallTime? {
        if triggerEvent != nil, origin != .event { return nil }
        guard let earliestBegin, origin == .operator, let due = occurrence?.repeat else {
            return earliestBegin
        }
        return min(earliestBegin, due)
    }
}
