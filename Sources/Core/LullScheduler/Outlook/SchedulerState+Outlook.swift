import LullForecast
public import LullModel

/// The part of the answer to `why` that is about the future.
extension SchedulerState {
    /// How many futures are drawn for one answer: the standard error of a chance of one half is then 2.5 points.
    public static let futures = 400

    /// When the closed gates of a task are likely to open, how likely it runs by when, and what would let it run
    /// now. `by`: one more time to give the chance for.
    public func outlook(
        for task: TaskIdentifier, by: WallTime? = nil, at now: Now,
        futures draws: Int = SchedulerState.futures
    ) -> Outlook {
        var outlook = Outlook(task: task, time: now.wall)
        var input = gateInput(for: task)
        input.now = now
        input.plan = tasks[task]?.plan
        let asked = by.map { min($0, now.wall + Outlook.farthest) }
        let end = max(now.wall + Outlook.horizon, asked ?? now.wall)
        guard let futures = OutlookFutures(of: task, in: self, until: end, at: now, draws: draws) else {
            let gate = input.permitted()
            outlook.gates = [.init(.permitted, .never)]
            outlook.now = OutlookChanges(input, [gate], isReloadNeeded: true).now
            return outlook
        }
        let closed = input.evaluate().verdicts.filter { !$0.isOpen }
        let changes = OutlookChanges(input, closed, isReloadNeeded: false)
        outlook.now = changes.now
        outlook.lasting = changes.lasting
        outlook.gates = closed.map {
            .init($0.gate, futures.opening(of: $0, isLast: closed.count == 1))
        }
        if input.request?.awaitsBoot == true { outlook.isAtBoot = true }
        if nextLaunch(of: task, closed: closed, at: now) == .onEvent { outlook.awaitsEvent = true }
        // The futures are played as if the fleet gave this host all that it asks for.
        let fleet = closed.first { $0.gate == .fleet }
        outlook.unknown = futures.unknown
        if let fleet, !fleet.fact.needsSomebody {
            outlook.unknown = outlook.unknown ?? fleet.fact.unknownInFleet
        }
        // It is not known whether its next start succeeds.
        let failedStart = input.app.flatMap { startFailure(of: $0.identifier) }
        if let failedStart {
            outlook.unknown = outlook.unknown ?? "its app could not be started: \(failedStart.reason)"
        }
        if outlook.unknown == nil, fleet == nil { giveChances(futures, to: &outlook, asked, now) }
        // It is not known which task of a group is the first.
        let shares = definition(of: task)?.group.map { listing.members(of: $0).count > 1 } ?? false
        outlook.certain = fleet == nil && failedStart == nil && !shares ? futures.certain : nil
        outlook.leftOut = futures.hasSkipped ? input.due : nil
        return outlook
    }

    private func giveChances(
        _ futures: OutlookFutures, to outlook: inout Outlook, _ asked: WallTime?, _ now: Now
    ) {
        func chance(by time: WallTime) -> Outlook.Chance {
            let count = futures.launches.count { $0 <= time }
            return Outlook.Chance(by: time, probability: Double(count) / Double(futures.count))
        }
        outlook.chances = Outlook.spans.map { chance(by: now.wall + $0) }
        outlook.asked = asked.map(chance)
        outlook.most = futures.quantile(0.9).flatMap { $0 <= now.wall + Outlook.horizon ? $0 : nil }
    }
}
