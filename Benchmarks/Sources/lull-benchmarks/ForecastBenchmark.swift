import LullForecast
import LullModel

/// The cost of the forecast: learning, a plan's hazards, and the bytes of an app.
struct ForecastBenchmark {
    private static let uses = 10_000_000
    private static let apps = 100_000
    private static let century = 400_000

    func rows() throws -> [Row] {
        let appends = Self.appends()
        var learned = UsageForecast()
        let learning = Sample([
            Stopwatch.time {
                for use in 0..<Self.uses {
                    // A new app for each century, because time must not go back.
                    if use % Self.century == 0 { learned = UsageForecast() }
                    learned.learn(useAt: Self.time(use), zone: .utc)
                }
            }
        ])
        let full = learned
        guard full.known == 512, let last = full.lastUse else {
            throw BenchmarkError("the forecast learned \(full.known) sessions of \(Self.uses) uses")
        }
        var sum: Float = 0
        let forecasting = Sample([
            Stopwatch.time {
                for app in 0..<Self.apps {
                    let from = last + .minutes(app % 1440)
                    sum += full.hazards(from: from, steps: 192, zone: .utc)?.values.last ?? 0
                }
            }
        ])
        guard sum > 0 else { throw BenchmarkError("100,000 plans foresee no use") }
        let against = "appending as many numbers to an array"
        return [
            Row(
                "learning \(Figures.grouped(Self.uses)) uses", learning,
                against: (against, appends)),
            Row(
                "… one use", Sample([learning.median / Double(Self.uses)]),
                against: (against + ", one", Sample([appends.median / Double(Self.uses)]))),
            Row(
                "the hazards of 48 h for \(Figures.grouped(Self.apps)) apps of 512 sessions", forecasting,
                against: ("learning", learning)),
            Row(
                "… one app", Sample([forecasting.median / Double(Self.apps)]),
                against: (against + ", one", Sample([appends.median / Double(Self.uses)])), aim: "200 µs"),
            Row(
                "bytes of an app with 512 sessions",
                "\(MemoryLayout<UsageForecast>.size + full.bytes)", against: "512 instants of 8 bytes: 4096",
                ratio: Figures.ratio(Double(MemoryLayout<UsageForecast>.size + full.bytes) / 4096),
                aim: "4096"),
        ]
    }

    /// A use every three hours and a bit, so that every hour of the week comes up.
    private static func time(_ use: Int) -> WallTime { WallTime(seconds: Int64(use % century) * 10_007) }

    private static func appends() -> Sample {
        Sample.of(3) {
            Stopwatch.time {
                var numbers: [Int64] = []
                for use in 0..<uses { numbers.append(time(use).milliseconds) }
                precondition(numbers.count == uses, "every number is kept")
            }
        }
    }
}
