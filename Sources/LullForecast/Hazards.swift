public import LullModel
import RealModule

/// When the next use is likely to begin: for each quarter-hour from a moment on, the probability that it begins there,
/// given that none began before.
///
/// This is the discrete hazard of survival analysis (D. R. Cox, *Regression Models and Life-Tables*, 1972): from it follow the
/// chance of a use within any span that begins now, and the expected cost of every plan of launches.
public struct Hazards: Sendable, Equatable {
    public static let step: Duration = .minutes(15)
    static let stepSeconds = 900

    public let from: WallTime
    /// P(the next use begins in the step | none before it), each in 0..<1.
    public let values: [Float]

    package init(from: WallTime, values: [Float]) {
        self.from = from
        self.values = values
    }

    /// P(a use begins within `span` from the beginning on); a span beyond the last step counts up to there.
    public func probability(within span: Duration) -> Double {
        1 - survival(span.inSeconds / Double(Self.stepSeconds))
    }

    /// P(a use begins in [`start`, `end`) | none before `start`), both counted from the beginning.
    public func probability(from start: Duration, to end: Duration) -> Double {
        let before = survival(start.inSeconds / Double(Self.stepSeconds))
        guard before > 0 else { return 0 }
        return 1 - min(1, survival(end.inSeconds / Double(Self.stepSeconds)) / before)
    }

    /// P(no use begins in the first so many steps); steps are cut linearly in the logarithm.
    private func survival(_ steps: Double) -> Double {
        guard steps > 0 else { return 1 }
        let whole = min(values.count, Int(steps))
        var product = 1.0
        for index in 0..<whole { product *= 1 - Double(values[index]) }
        if whole < values.count {
            product *= Double.pow(1 - Double(values[whole]), steps - Double(whole))
        }
        return product
    }

    /// The same hazards by steps of another length, at most `count` of them.
    ///
    /// Within a quarter-hour the rate runs linearly from the middle of one to the middle of the next.
    public func resampled(step seconds: Int, count: Int) -> [Float] {
        guard seconds > 0, !values.isEmpty else { return [] }
        if seconds == Self.stepSeconds { return Array(values.prefix(count)) }
        let rates = values.map { -Float.log(1 - min($0, 0.999)) / Float(Self.stepSeconds) }
        let all = rates.count * Self.stepSeconds / seconds
        return (0..<min(count, all)).map { index in
            // A step longer than a quarter-hour is a sum of parts that are not.
            let parts = (seconds + Self.stepSeconds - 1) / Self.stepSeconds
            var sum: Float = 0
            for part in 0..<parts {
                let second =
                    Float(index * seconds) + (Float(part) + 0.5) * Float(seconds) / Float(parts)
                let place = second / Float(Self.stepSeconds) - 0.5
                let low = max(0, min(rates.count - 1, Int(place.rounded(.down))))
                let high = min(rates.count - 1, low + 1)
                let share = max(0, min(1, place - Float(low)))
                let own = rates[min(rates.count - 1, Int(second) / Self.stepSeconds)]
                // Where none can be, none leaks in from the neighbours, and none leaks out.
                let (before, after) = (rates[low] > 0 ? rates[low] : own, rates[high] > 0 ? rates[high] : own)
                let rate = own > 0 ? before * (1 - share) + after * share : 0
                sum += rate * Float(seconds) / Float(parts)
            }
            return 1 - Float.exp(-sum)
        }
    }
}
