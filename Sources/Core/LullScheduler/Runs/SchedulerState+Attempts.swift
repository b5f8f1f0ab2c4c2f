import LullModel

/// `retry: { attempts }`: what failed is run again for the same time, event or turn of `repeat`.
///
/// The `failed` of the history says when the next attempt begins (`earliestBegin`). People, heartbeats and tasks that follow are
/// told of the last failure alone.
extension SchedulerState {
    struct Attempt: Sendable {
        /// From 2 on.
        let number: Int
        let most: Int
        let time: WallTime

        var phrase: String { Phrase.attempt(number, of: most) }
    }

    /// The attempt that follows a run which ended so; nil: none.
    func nextAttempt(after run: RunRecord?, _ end: HistoryEvent) -> Attempt? {
        guard end.isFailure, end.outcome != .unloadable, end.outcome != .interrupted, let run,
            run.isExtra != true, let request = run.request,
            let definition = definition(of: run.task), definition.enabled,
            let most = definition.retry.attempts
        else { return nil }
        let record = ledger.tasks[run.task]
        let lease = ledger.slots.entries.values.first { $0.run == run.run }?.lease
        // In the fleet other hosts may have tried before.
        let tried = max((record?.tried ?? 0) + 1, lease.flatMap { fleet?.held[$0]?.attempt } ?? 1)
        guard tried < most, !Mutation.forgetsAttempts.isOn else { return nil }
        func attempt(after failures: Int) -> Attempt {
            Attempt(
                number: tried + 1, most: most,
                time: now.wall + Backoff(retry: definition.retry).delay(after: failures))
        }
        let next = attempt(after: tried)
        let pending = record?.pending
        switch request.origin {
        case .at:
            // What somebody else asked for, or a time that comes before, stands for it.
            guard let table = timetable(of: definition), pending == nil || pending?.origin == .at else {
                return nil
            }
            return pending?.occurrence?.time.map { table.due($0) <= next.time } == true ? nil : next
        case .event:
            // The events of a lease are those of its slot, which ends with it.
            guard lease == nil, !definition.on.isEmpty else { return nil }
            guard let pending, !pending.awaitsBoot else { return next }
            // What somebody else asked for, or the host for a time before that, stands for it.
            let isOfHost = (pending.origin == .at || pending.origin == .repeat) && pending.triggerEvent == nil
            return isOfHost && pending.earliestBegin ?? .distantPast > next.time ? next : nil
        case .repeat:
            // As its gate has it, which counts failures of earlier turns.
            let mayBeAsked = definition.repeat != nil && pending.map { $0.origin == .repeat } ?? true
            return mayBeAsked && lease == nil ? attempt(after: (record?.failures ?? 0) + 1) : nil
        case .plugin, .operator, .push, .transfers: return nil
        }
    }

    mutating func attempt(_ next: Attempt, after run: RunRecord) {
        guard let definition = definition(of: run.task), let request = run.request else { return }
        let reason = "\(next.phrase), for run \(run.run) failed"
        switch request.origin {
        case .at: timeAgain(definition, request, reason: reason, from: next.time)
        case .repeat: repeatNow(definition, reason: reason)
        default:
            if ledger.tasks[run.task]?.pending != nil {
                endPending(of: run.task, .merged, "\(next.phrase) comes before that")
            }
            makeRequest(
                definition, origin: .event, earliestBegin: next.time, reason: reason,
                triggerEvent: request.triggerEvent)
        }
    }

    /// Which attempt a launch for this request is; nil: nobody counts them.
    func attempt(
        for request: TaskRequest?, of definition: TaskDefinition, _ held: FleetState.Held?
    ) -> (number: Int, most: Int)? {
        guard let most = definition.retry.attempts, let origin = request?.origin,
            [.at, .event, .repeat].contains(origin)
        else { return nil }
        let number = max((ledger.tasks[definition.identifier]?.tried ?? 0) + 1, held?.attempt ?? 1)
        // Of hosts that were lost the fleet has counted more.
        return (number, max(most, number))
    }
}
