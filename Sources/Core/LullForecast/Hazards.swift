public import LullModel
import RealModule

/// When the next use is likely to begin: for each quarter-hour from a moment on, the probability that it begins there,
/// given that none began before.
///
/// This is the discrete hazard of survival analysis (D. R. Cox, *Regression Models and Life-Tables*, 1972). It gives the
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

    /// P(a use begins within `span` from the beginning on); a longer span counts up to the end of the last step.
    public func probability(within span: Duration) -> Double {
        1 - Survival(self).survival(until: span)
    }

    /// P(a use begins in [`start`, `end`) | none before `start`), both counted from the beginning.
    public func probability(from start: Duration, to end: Duration) -> Double {
        Survival(self).probability(from: start, to: end)
    }

    /// The expected number of uses in each step of another length, for `count` steps at most; the hazard is 1 − e^-x.
    ///
    /// The rate is linear from the middle of a quarter-hour to the middle of the next. A quarter-hour in which no use can begin
    /// stays at 0 and does not lower its neighbours.
    public func rates(step seconds: Int, count: Int) -> [Float] {
        guard seconds > 0, count > 0, !values.isEmpty else { return [] }
        let whole = values.map { -Float.log(1 - min($0, 0.999)) }
        if seconds == Self.stepSeconds { return Array(whole.prefix(count)) }
        if seconds < Self.stepSeconds, Self.stepSeconds % seconds == 0 {
            return Self.parts(whole, of: Self.stepSeconds / seconds, count: count)
        }
        // Any other length is a sum of minutes.
        let minutes = Self.parts(whole, of: Self.stepSeconds / 60, count: .max)
        let all = minutes.count * 60 / seconds
        return minutes.withUnsafeBufferPointer { minutes in
            (0..<min(count, all)).map { index in
                let first = index * seconds / 60
                var sum: Float = 0
                for minute in first..<max(first + 1, (index + 1) * seconds / 60) { sum += minutes[minute] }
                return sum
            }
        }
    }

    /// Divides each quarter-hour into `number` parts of equal length.
    private static func parts(_ whole: [Float], of number: Int, count: Int) -> [Float] {
        // How far the middle of each part lies from the middle of the quarter-hour.
        let places = (0..<number).map { (Float($0) + 0.5) / Float(number) - 0.5 }
        let all = whole.count * number
        let rates = [Float](unsafeUninitializedCapacity: all) { rates, initialized in
            rates.initialize(repeating: 0)
            initialized = all
            for (index, own) in whole.enumerated() where own > 0 {
                let before = index > 0 && whole[index - 1] > 0 ? whole[index - 1] : own
                let after = index + 1 < whole.count && whole[index + 1] > 0 ? whole[index + 1] : own
                let first = index * number
                for (part, place) in places.enumerated() {
                    let neighbour = place < 0 ? before : after
                    rates[first &+ part] = (own + (neighbour - own) * abs(place)) / Float(number)
                }
            }
        }
        return count < all ? Array(rates.prefix(count)) : rates
    }
}
