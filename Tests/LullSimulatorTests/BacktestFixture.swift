@testable import LullSimulator

/// Three apps with idle weeks, zones and a shift of the clock; its expected figures were computed independently.
enum BacktestFixture {
    /// From 120 days before the start of scoring, Monday 2026-01-05, to 120 days after it: scored from then on.
    static let overTheStart = log(start: 1_767_571_200 - 120 * 86_400, days: 240)
    static let launchesOverTheStart = launches(start: 1_767_571_200 - 120 * 86_400, days: 240)
    /// Wholly before it: the second half of each app is scored.
    static let before = log(start: 1_700_000_000, days: 150)
    static let launchesBefore = launches(start: 1_700_000_000, days: 150)

    /// Three weeks.
    static let short = log(start: 1_700_000_000, days: 21)

    /// The linear congruential generator of the C standard's example.
    private struct Random {
        var state: Int64
        mutating func below(_ limit: Int64) -> Int64 {
            state = (state * 1_103_515_245 + 12345) % 2_147_483_648
            return (state >> 8) % limit
        }
    }

    private static func log(start: Int64, days: Int64) -> BacktestLog {
        var uses: [BacktestLog.Use] = []
        for (app, minutes) in [60, -300, 0].enumerated() {
            var random = Random(state: Int64(17 + app))
            for day in 0..<days {
                if (day / 17 + Int64(app)) % 4 == 3 { continue }
                if random.below(10) < 3 { continue }
                for _ in 0..<1 + random.below(3) {
                    let time = start + day * 86_400 + random.below(14 * 3600) + 6 * 3600
                    let offset = (minutes + (day > 90 ? 60 : 0)) * 60
                    uses.append(.init(app: "app\(app)", time: time, offset: offset))
                }
            }
        }
        return BacktestLog(uses)
    }

    private static func launches(start: Int64, days: Int64) -> [[Double]] {
        (0..<3).map { app in
            var random = Random(state: Int64(1000 + app))
            return (0..<days).flatMap { day in
                (0..<random.below(8)).map { _ in Double(start + day * 86_400 + random.below(86_400)) }
            }
        }
    }
}
