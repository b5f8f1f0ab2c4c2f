import LullModel
import RealModule

/// The first months of a refresh budget, in which the price has yet to settle.
///
/// What is overspent until then is not regained, so the price also reacts to the last days' spending. It reacts less as
/// the refresh budget grows old, and less to a small one, whose counts are chance. A fold of the recorded launches, as
/// the price is.
struct NewBudget: Sendable, Equatable, Codable {
    let began: WallTime
    /// How many days' budgets were spent beyond the allowance, as of the last launch; older excess decays.
    private var excess = 0.0

    /// An older refresh budget is treated as any other.
    static let days = 120.0
    /// The hazards promise too much while little is known of an app: the logarithm of the price is this much higher at
    /// first.
    static let premium = 0.45
    private static let premiumFades = 12.0
    private static let strictnessFades = 30.0
    private static let excessFades = 3.0
    /// For a refresh budget of this many launches a day, half of an excess is taken for chance.
    private static let chance = 16.0

    init(at time: WallTime) { began = time }

    func age(at now: WallTime) -> Double { max(0, (now - began).inSeconds / 86400) }

    mutating func note(launchAfter days: Double, perDay budget: Double) {
        excess = excess(after: days) + 1 / max(budget, 0.1)
    }

    /// How much dearer a launch is than by the multiplier alone, `days` after the last.
    func premium(at now: WallTime, after days: Double, perDay budget: Double) -> Double {
        let answer = 0.6 * strictness(at: now, perDay: budget) * boundedExcess(after: days)
        return Double.exp(Self.premium * Double.exp(-age(at: now) / Self.premiumFades) + answer)
    }

    /// The addition to the gain of the price.
    func gain(at now: WallTime, after days: Double, perDay budget: Double) -> Double {
        2 * strictness(at: now, perDay: budget) * abs(boundedExcess(after: days))
    }

    private func strictness(at now: WallTime, perDay budget: Double) -> Double {
        Double.exp(-age(at: now) / Self.strictnessFades) * budget / (budget + Self.chance)
    }

    private func boundedExcess(after days: Double) -> Double { excess(after: days).clamped(to: -1...1) }

    private func excess(after days: Double) -> Double {
        let kept = Double.exp(-days / Self.excessFades)
        return excess * kept - Self.excessFades * (1 - kept)
    }
}
