import LullModel
import LullSimulator
import RealModule

/// Made-up apps that are used by the clock: every working day at 08:30, each Saturday, every six hours.
///
/// The people whose logs are trained on are never that exact, and a network that has seen only them does not believe an exact
/// habit. Scripts and offices have them, so beside the people stand apps of this kind, in every degree of exactness.
enum Clockwork {
    private static let day = 86400.0
    /// A Monday.
    private static let begin = 1_704_067_200.0

    /// The uses of so many apps. The first half of each is learned from, so each is made twice as long as it is to be.
    static func uses(apps: Int, seed: UInt64) -> [BacktestLog.Use] {
        (0..<apps).flatMap { app -> [BacktestLog.Use] in
            var random = SeededGenerator(seed: seed &* 7_919 &+ UInt64(app))
            let offset = [-480, -300, 0, 60, 120, 330, 540].randomElement(using: &random) ?? 0
            let weeks = 2 * ([2, 3, 4, 6, 8, 12, 20].randomElement(using: &random) ?? 4)
            // From half a minute to 25 minutes.
            let deviation: Double = 60 * Double.exp(Double.random(in: -0.7...3.2, using: &random))
            let misses: [Double] = [0, 0, 0.02, 0.05, 0.1, 0.2]
            let missing = misses.randomElement(using: &random) ?? 0
            let times =
                app % 9 == 8
                ? interval(weeks: weeks, using: &random)
                : daily(weeks: weeks, kind: app % 8, offset: offset, using: &random)
            return sessions(
                times.compactMap { time in
                    random.chance(missing) ? nil : time + deviation * normal(using: &random)
                }
            ).map { .init(app: "clockwork\(app)", time: $0, offset: offset * 60) }
        }
    }

    private static func interval(weeks: Int, using random: inout SeededGenerator) -> [Double] {
        let choices: [Double] = [1, 2, 3, 4, 6, 8, 12, 24, 48]
        let step: Double = (choices.randomElement(using: &random) ?? 6) * 3600
        let first: Double = begin + Double.random(in: 0..<day, using: &random)
        let end: Double = begin + Double(weeks) * 7 * day
        return Array(stride(from: first, to: end, by: step))
    }

    /// At one to four times of the day, on working days, on all days, on some or at week-ends.
    private static func daily(
        weeks: Int, kind: Int, offset: Int, using random: inout SeededGenerator
    ) -> [Double] {
        let count = [1, 1, 2, 3, 4].randomElement(using: &random) ?? 1
        let times = (0..<count).map { _ in Double.random(in: 5.5..<23, using: &random) * 3600 }
        let some = Set((0..<3).map { _ in Int.random(in: 0..<7, using: &random) })
        return (0..<weeks * 7).flatMap { number -> [Double] in
            let weekday = number % 7
            let isUsed =
                switch kind {
                case 0...2: weekday < 5
                case 3...5: true
                case 6: some.contains(weekday)
                default: weekday >= 5
                }
            guard isUsed else { return [] }
            let midnight: Double = begin + Double(number) * day - Double(offset) * 60
            return times.map { midnight + $0 }
        }
    }

    /// Half an hour apart at least, ascending.
    private static func sessions(_ times: [Double]) -> [Int64] {
        var sessions: [Int64] = []
        for time in times.map({ Int64($0) }).sorted() where time - (sessions.last ?? .min / 2) >= 1800 {
            sessions.append(time)
        }
        return sessions
    }

    /// From the normal distribution (G. E. P. Box, M. E. Muller, 1958).
    private static func normal(using random: inout SeededGenerator) -> Double {
        let length = Double.random(in: 0..<1, using: &random)
        let turn = Double.random(in: 0..<1, using: &random)
        return (-2 * Double.log(1 - length)).squareRoot() * Double.cos(2 * Double.pi * turn)
    }
}
