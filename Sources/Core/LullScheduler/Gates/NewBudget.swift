import LullModel
import RealModule

/// The first months of a refresh budget, in which the price is still looked for.
///
/// What is spent too much until it is found is spent for good, so the price also answers to the last days' spending: the less,
/// the older the refresh budget is, and the fewer launches it holds, for of few the number is chance. A fold of the recorded launches, as the
/// price is.
struct NewBudget: Sendable, Equatable, Codable {
    let began: WallTime
    /// How many days' budgets were spent beyond what was allowed, as of the last launch; what lies back is forgotten.
    private var excess = 0.0

    /// A refresh budget that is older is like any other.
    static let days = 120.0
    /// While little is known of an app the hazards promise too much: by this much the logarithm of the price is higher at first.
    static let premium = 0.45
    private static let premiumFades = 12.0
    private static let strictnessFades = 30.0
    private static let excessFades = 3.0
    /// In a refresh budget of so many launches a day half of an excess is taken for chance.
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

    /// What is added to the gain of the price.
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
