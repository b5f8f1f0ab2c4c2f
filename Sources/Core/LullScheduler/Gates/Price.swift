import LullModel
import RealModule

/// What a launch costs, in what its objective counts; it adapts so that the budget is spent, and no more.
///
/// One price for all apps makes the best of a common budget: launches go where uses can be foreseen. It is the
/// multiplier of Lagrange's method, which the host finds as it runs: each launch raises the price a little, and time
/// lowers it, so that it is constant when launches match the budget (dual ascent; a leaky bucket whose level is the
/// logarithm of the price).
enum Price {
    /// By how much the logarithm rises a day when twice the budget is spent; of a new refresh budget by more
    /// (`NewBudget`).
    static let gain = 0.05
    /// The most days that count between two launches: the host may have been off.
    private static let longestPause = 2.0
    static let range = 0.02...50.0

    /// The price that spends the budget for people like those in the usage logs that the weights were learned from: a
    /// launch must bring so many hits, or save so many hours of age.
    static func base(_ objective: Objective, perDay budget: Double) -> Double {
        let budget = budget.clamped(to: 0.1...96)
        return switch objective {
        case .hits: min(0.9, 0.058 * Double.pow(4 / budget, 1.25))
        case .staleness: 0.29 * Double.pow(4 / budget, 1.85)
        case .both: 0.68 * Double.pow(4 / budget, 1.65)
        }
    }

    /// The factor of the base at `now`, for a refresh budget of `budget` launches a day.
    static func factor(_ spending: Spending, at now: WallTime, perDay budget: Double) -> Double {
        guard spending.priced != nil else { return spending.multiplier * Double.exp(NewBudget.premium) }
        let premium = spending.newBudget?.premium(at: now, after: pause(spending, now), perDay: budget) ?? 1
        return multiplier(spending, at: now, perDay: budget) * premium
    }

    /// The multiplier at `now`: what it was after the last launch, lowered by the time since.
    static func multiplier(_ spending: Spending, at now: WallTime, perDay budget: Double) -> Double {
        let days = pause(spending, now)
        return (spending.multiplier * Double.exp(-gain(spending, at: now, perDay: budget) * days)).clamped(
            to: range)
    }

    /// The multiplier after a launch at `now`, of `budget` that may be made a day.
    static func multiplier(afterLaunchAt now: WallTime, _ spending: Spending, perDay budget: Double) -> Double
    {
        guard budget > 0 else { return spending.multiplier }
        let rise = gain(spending, at: now, perDay: budget) / max(budget, 0.1)
        return (multiplier(spending, at: now, perDay: budget) * Double.exp(rise)).clamped(to: range)
    }

    /// Days since the last launch that was priced, as far as they count.
    static func pause(_ spending: Spending, _ now: WallTime) -> Double {
        guard let last = spending.priced, last < now else { return 0 }
        return min((now - last).inSeconds / 86400, longestPause)
    }

    private static func gain(_ spending: Spending, at now: WallTime, perDay budget: Double) -> Double {
        gain + (spending.newBudget?.gain(at: now, after: pause(spending, now), perDay: budget) ?? 0)
    }

    /// By how much the logarithm moves with a use that found its data fresh, or not.
    private static let gainOfUse = 0.15

    /// The multiplier of a task that is to be fresh for `share` of the uses, after one more use.
    static func multiplier(_ before: Double, wasFresh: Bool, share: Double) -> Double {
        (before * Double.exp(gainOfUse * ((wasFresh ? 1 : 0) - share))).clamped(to: range)
    }
}
