import LullModel

/// `retry: { attempts }`: a failed run is repeated for the same time, event or turn of `repeat`.
///
/// The `failed` of the history says when the next attempt begins (`earliestBegin`). People, heartbeats and tasks that
/// follow are notified of the last failure alone.
extension SchedulerState {
    struct NextAttempt: Sendable {
        let attempt: Attempt
        let time: WallTime
    }

    /// The attempt that follows a run with this end; nil: none.
    func nextAttempt(after run: RunRecord?, _ end: HistoryEvent) -> NextAttempt? {
        guard end.isFailure, end.outcome != .unloadable, end.outcome != .interrupted, let run,
            run.isExtra != true, let request = run.request,
            let definition = definition(of: run.task), definition.enabled,
            let most = definition.retry.attempts,
            definition.retry.exitCodes.map({ end.exitCode.map($0.contains) ?? false }) ?? true
        else { return nil }
        let record = ledger.tasks[run.task]
        let lease = ledger.slots.entries.values.first { $0.run == run.run }?.lease
        // In the fleet other hosts may have tried before.
        let tried = max((record?.tried ?? 0) + 1, lease.flatMap { fleet?.held[$0]?.attempt } ?? 1)
        guard tried < most, !Mutation.forgetsAttempts.isOn else { return nil }
        let next = NextAttempt(
            attempt: Attempt(tried + 1, of: most),
            time: now.wall + Backoff(retry: definition.retry).delay(after: tried))
        let pending = record?.pending
        switch request.origin {
        case .at:
            // A request of another origin, or an earlier time, takes its place.
            guard let table = timetable(of: definition), pending == nil || pending?.origin == .at else {
                return nil
            }
            return pending?.occurrence?.time.map { table.due($0) <= next.time } == true ? nil : next
        case .event:
            // The events of a lease are those of its slot, which ends with it.
            guard lease == nil, !definition.on.isEmpty else { return nil }
            guard let pending, !pending.awaitsBoot else { return next }
            // A request of another origin, or the host's for an earlier time, takes its place.
            let isOfHost = (pending.origin == .at || pending.origin == .repeat) && pending.triggerEvent == nil
            return isOfHost && pending.earliestBegin ?? .distantPast > next.time ? next : nil
        case .repeat:
            let mayBeAsked = definition.repeat != nil && pending.map { $0.origin == .repeat } ?? true
            return mayBeAsked && lease == nil ? next : nil
        case .plugin, .operator, .push, .transfers: return nil
        }
    }

    mutating func attempt(_ next: NextAttempt, after run: RunRecord) {
        guard let definition = definition(of: run.task), let request = run.request else { return }
        let reason = "\(next.attempt.phrase), because run \(run.run) failed"
        switch request.origin {
        case .at: timeAgain(definition, request, reason: reason, from: next.time)
        case .repeat:
            repeatNow(definition, reason: reason, params: definition.paramsToGive(again: request.params))
        default:
            if ledger.tasks[run.task]?.pending != nil {
                endPending(of: run.task, .merged, "\(next.attempt.phrase) comes before that")
            }
            makeRequest(
                definition, origin: .event, earliestBegin: next.time, reason: reason,
                triggerEvent: request.triggerEvent)
        }
    }

    /// Which attempt a launch for this request is; nil: attempts are not counted.
    func attempt(
        for request: TaskRequest?, of definition: TaskDefinition, _ held: FleetState.Held?,
        _ covered: Occurrence?
    ) -> Attempt? {
        guard let most = definition.retry.attempts, let request,
            [.at, .event, .repeat].contains(request.origin)
        else { return nil }
        // The next time of `at` has come meanwhile, and has attempts of its own.
        if held == nil, request.origin == .at, let own = request.occurrence?.time,
            let time = covered?.time, time != own
        {
            return Attempt(1, of: most)
        }
        // The fleet may have counted more attempts, by hosts that were lost.
        return Attempt(
            max((ledger.tasks[definition.identifier]?.tried(before: request) ?? 0) + 1, held?.attempt ?? 1),
            of: most)
    }
}
