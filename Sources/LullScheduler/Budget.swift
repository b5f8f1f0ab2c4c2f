import LullModel

/// What a refresh launch costs: one pot of launches for all apps, and one price that keeps the pot from
/// running dry.
///
/// The pot is the sum of the enabled refresh tasks' budgets, launches in any 24 hours. The price is a
/// probability: a launch is worth making when a use within its hour is likelier than that. With r the
/// launches of the last week as a share of what the week allows, the price is `floor + (1 − floor) · x²`,
/// where x goes from 0 at r = ¾ to 1 at r = 1. So while little is spent whatever may be useful is launched,
/// and near the plan only the near-certain is.
struct Budget {
    /// Launches a day, of all apps together.
    let perDay: Double
    /// A launch less likely to be of use is worth nothing at any balance.
    static let floor = 0.05

    func price(_ spending: Spending, at now: WallTime) -> Double {
        guard perDay > 0 else { return 1 }
        let share = spending.pace(at: now) / perDay
        let excess = ((share - 0.75) * 4).clamped(to: 0...1)
        return Self.floor + (1 - Self.floor) * excess * excess
    }

    /// When the next launch fits; nil: now. `distantFuture`: the budget is 0.
    func nextLaunch(_ spending: Spending, at now: WallTime) -> WallTime? {
        guard perDay > 0 else { return .distantFuture }
        guard perDay >= 1 else {
            // Less than one a day: one in as many days.
            guard let last = spending.last, last <= now else { return nil }
            let next = last + .milliseconds(Int64((86_400_000 / perDay).clamped(to: 0...1e15)))
            return next > now ? next : nil
        }
        return spending.falls(below: Int(perDay.clamped(to: 1...1e9)), at: now)
    }
}
