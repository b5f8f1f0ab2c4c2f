import LullModel
import RealModule

/// The probability that no use has begun, by the time since the beginning of some hazards.
///
/// The products over the steps are computed once, for any number of spans.
public struct Survival: Sendable {
    private let hazards: [Float]
    /// P(no use begins before each step), and before the end of the last.
    private let products: [Double]

    public init(_ hazards: Hazards) {
        self.hazards = hazards.values
        var product = 1.0
        products =
            [1]
            + hazards.values.map { hazard in
                product *= 1 - Double(hazard)
                return product
            }
    }

    /// P(a use begins in [`start`, `end`) | none before `start`), both counted from the beginning.
    public func probability(from start: Duration, to end: Duration) -> Double {
        let before = survival(until: start)
        guard before > 0 else { return 0 }
        return 1 - min(1, survival(until: end) / before)
    }

    /// P(no use begins within `span`); a part of a step counts linearly in the logarithm.
    func survival(until span: Duration) -> Double {
        let steps = span.inSeconds / Double(Hazards.stepSeconds)
        guard steps > 0 else { return 1 }
        let whole = min(hazards.count, Int(steps))
        guard whole < hazards.count else { return products[whole] }
        return products[whole] * Double.pow(1 - Double(hazards[whole]), steps - Double(whole))
    }
}
