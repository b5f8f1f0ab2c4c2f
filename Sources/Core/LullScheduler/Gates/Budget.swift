import LullModel

/// One budget of refresh launches for all apps, and the brake beside its price.
///
/// The refresh budget is the sum of the enabled refresh tasks' budgets. The price (`Price`) lets it be spent on
/// average. On a day with more uses than usual more is launched, but never more than twice the refresh budget in 24
/// hours.
struct Budget {
    /// Launches a day, of all apps together.
    let perDay: Double
    static let brake = 2.0

    /// When the next launch fits; nil: now. `distantFuture`: the budget is 0. `today`: the launches of the last 24
    /// hours, where the caller knows them.
    func nextLaunch(_ spending: Spending, today: Int? = nil, at now: WallTime) -> WallTime? {
        guard perDay > 0 else { return .distantFuture }
        let most = perDay * Self.brake
        guard most >= 1 else {
            // Less than one a day: one in as many days.
            guard let last = spending.last, last <= now else { return nil }
            let next = last + .milliseconds(Int64((86_400_000 / most).clamped(to: 0...1e15)))
            return next > now ? next : nil
        }
        return spending.falls(below: Int(most.clamped(to: 1...1e9)), today: today, at: now)
    }
}
