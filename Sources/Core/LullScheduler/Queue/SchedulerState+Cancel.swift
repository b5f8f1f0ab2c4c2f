import LullModel

/// Requests that are cancelled: by the plugin that submitted them, or by an operator.
extension SchedulerState {
    /// An operator's cancel leaves the request made by `repeat` or `at`, unless `next` is set.
    mutating func cancel(_ app: AppIdentifier, _ task: TaskIdentifier?, next: Bool, _ token: Token?) {
        let candidates =
            task.map { [$0] }
            ?? (self.app(app)?.tasks.map(\.identifier) ?? []) + tasksUnderWildcards(of: app)
        var stopped = 0
        var cancelled: [TaskRequest] = []
        var kept: [TaskIdentifier] = []
        for task in candidates {
            // An operator's cancel stops continued runs as well; a plugin ends its own run by itself.
            if token != nil { stopped += stopContinued(task) }
            guard let record = ledger.tasks[task], record.app == app, let request = record.pending else {
                continue
            }
            if let following = record.following {
                if token == nil, !mayCancel(app, task) { continue }
                endFollowing(of: task, .cancelled, Self.reason(isByPlugin: token == nil))
                cancelled.append(following)
            }
            // For the app this request is no longer in the queue.
            if token == nil, isTakenOut(request) { continue }
            let isOfHost = request.origin == .repeat || request.origin == .at
            if token != nil, isOfHost, !next, !Mutation.movesRhythm.isOn {
                kept.append(task)
                continue
            }
            // A plugin cancels what it asked for: times of the clock and events are the operator's.
            if token == nil, request.origin == .at || request.origin == .event { continue }
            // A plugin can't withdraw a push or the launch for its transfers.
            if token == nil, request.origin == .push || request.origin == .transfers { continue }
            if token == nil, !mayCancel(app, task) { continue }
            cancel(request, isByPlugin: token == nil)
            cancelled.append(request)
        }
        guard let token else { return }
        if cancelled.isEmpty, stopped == 0, let first = kept.first {
            return reply(token, .refused(refusalToCancel(kept, first, task?.text ?? app.text)))
        }
        let sentence = answer(toCancelOf: task?.text ?? app.text, cancelled, stopped: stopped)
        reply(token, cancelled.isEmpty && stopped == 0 ? .unchanged(sentence) : .done(sentence))
    }

    private mutating func cancel(_ request: TaskRequest, isByPlugin: Bool) {
        let definition = definition(of: request.task)
        // Times that came while it waited are cancelled with it.
        let due = definition.flatMap { covered(by: request, of: $0) }
        let occurrence = due?.time == nil ? Occurrence(time: request.occurrence?.time) : due
        let rhythm = definition.flatMap { repeatDue(of: $0) }
        endPending(
            of: request.task, .cancelled, Self.reason(isByPlugin: isByPlugin),
            occurrence: request.origin == .at ? occurrence : nil)
        guard let definition else { return }
        // A plugin can't undo an event.
        if isByPlugin, let triggerEvent = request.triggerEvent {
            return take(triggerEvent, for: request.task)
        }
        ensureTimes(definition)
        guard definition.enabled else { return }
        if request.origin == .operator, let rhythm {
            askForRepeat(definition, at: rhythm, reason: "the request beside it was cancelled")
        } else if let gap = definition.repeat {
            // `repeat` is the operator's: only this occurrence is cancelled.
            let later = isByPlugin ? nil : rhythm.map { $0 + gap }.flatMap { $0 > now.wall ? $0 : nil }
            let next = later ?? now.wall + gap
            askForRepeat(definition, at: next, reason: "the next repeat after a cancelled one")
        }
    }

    private static func reason(isByPlugin: Bool) -> String {
        isByPlugin ? "the plugin cancelled it" : "it was cancelled on request"
    }

    private func refusalToCancel(_ kept: [TaskIdentifier], _ first: TaskIdentifier, _ what: String) -> Refusal
    {
        let skips = "`lull cancel \(first) --next` skips it."
        let running = runs.values.filter { kept.contains($0.task) }.min { $0.id < $1.id }
        if let run = running {
            return Refusal(
                .unavailable,
                "Run \(run.id) of \(run.task) is under way: `lull stop \(run.task)` ends it. Nobody has asked for another. "
                    + "The next time of `repeat` or `at` stays; `lull cancel \(run.task) --next` skips it."
            )
        }
        let own = kept.count == 1 ? nextTime(of: first).map { " Its own next time, \($0), stays;" } : nil
        return Refusal(
            .unavailable,
            "Neither an operator nor the plugin has asked for \(what)."
                + (own ?? " The next time of `repeat` or `at` stays;") + " " + skips)
    }

    private func answer(toCancelOf what: String, _ cancelled: [TaskRequest], stopped: Int) -> String {
        if cancelled.isEmpty {
            return stopped > 0
                ? "Told \(Phrase.count(stopped, "run")) of \(what) to end."
                : "No request of \(what) is pending."
        }
        let done = "Cancelled \(Phrase.count(cancelled.count, "request")) of \(what)."
        guard cancelled.count == 1, let request = cancelled.first else { return done }
        guard let next = nextTime(of: request.task) else {
            return done + (heldTimes(of: request.task).map { " " + $0 } ?? "")
        }
        return done
            + (request.origin == .repeat || request.origin == .at
                ? " Its next time is \(next)." : " Its own next time stays: \(next).")
    }
}
