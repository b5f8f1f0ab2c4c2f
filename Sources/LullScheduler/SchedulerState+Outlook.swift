import LullForecast
public import LullModel

/// The answer to `why`, as far as it is about the future.
extension SchedulerState {
    /// Futures that are drawn for one answer: a chance of a half is then right within 2.5 points as a rule.
    public static let futures = 400

    /// When the closed gates of a task are likely to open, how likely it runs by when, and what would let it run
    /// now. `by`: one more time to give the chance for.
    public func outlook(
        for task: TaskIdentifier, by: WallTime? = nil, at now: Now, futures: Int = SchedulerState.futures
    ) -> Outlook {
        var outlook = Outlook(task: task, time: now.wall)
        var input = gateInput(for: task, explains: true)
        input.now = now
        input.plan = tasks[task]?.plan
        guard place(of: task) != nil else {
            let gate = input.permitted()
            outlook.gates = [.init(.permitted, .never)]
            outlook.now = OutlookChanges(input, [gate], isReloadNeeded: true).now
            return outlook
        }
        let evaluation = input.evaluate()
        let closed = evaluation.verdicts.filter { !$0.isOpen }
        let changes = OutlookChanges(input, closed, isReloadNeeded: false)
        outlook.now = changes.now
        outlook.lasting = changes.lasting
        let asked = by.map { min($0, now.wall + Outlook.farthest) }
        let end = max(now.wall + Outlook.horizon, asked ?? now.wall)
        let prospect = OutlookProspect(
            input, closed: closed, history: ledger.conditions, until: end, isStarting: isStarting(input))
        outlook.gates = closed.map { .init($0.gate, prospect.opening(of: $0)) }
        switch prospect.future() {
        case .never: giveChances([], of: 1, to: &outlook, asked, now)
        case .unknown(let why): outlook.unknown = why
        case .drawn(var future):
            var random = OutlookRandom(task: task, at: now.wall)
            let certain = future.certain
            let count = certain != nil ? 1 : futures
            var launches: [WallTime] = []
            for _ in 0..<count {
                if let launch = future.launch(&random) { launches.append(launch) }
            }
            launches.sort()
            outlook.certain = certain
            giveChances(launches, of: count, to: &outlook, asked, now)
        }
        return outlook
    }

    /// The app has not been discovered, and is about to be.
    private func isStarting(_ input: GateInput) -> Bool {
        if input.isChanged { return true }
        return input.appRecord?.discovered == nil && input.appRecord?.trouble == nil
    }

    private func giveChances(
        _ launches: [WallTime], of count: Int, to outlook: inout Outlook, _ asked: WallTime?, _ now: Now
    ) {
        func chance(by time: WallTime) -> Outlook.Chance {
            Outlook.Chance(by: time, probability: Double(launches.count { $0 <= time }) / Double(count))
        }
        outlook.chances = Outlook.spans.map { chance(by: now.wall + $0) }
        outlook.asked = asked.map(chance)
        let needed = (count * 9 + 9) / 10
        if launches.count >= needed {
            let most = launches[needed - 1]
            outlook.most = most <= now.wall + Outlook.horizon ? most : nil
        }
    }
}
