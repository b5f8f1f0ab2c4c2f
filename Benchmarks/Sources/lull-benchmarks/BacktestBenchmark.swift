import Dispatch
import LullModel
import LullSimulator
import Synchronization

/// How long the backtest of a year of 1,000 apps takes, beside the same year under a fixed interval.
struct BacktestBenchmark {
    private static let apps = 1_000
    private static let days = 365
    private static let budget = 4.0

    func rows() throws -> [Row] {
        let uses = Self.year()
        var log = BacktestLog([])
        let reading = Stopwatch.time { log = BacktestLog(uses) }
        // The least that any replay does: go through the uses, and score a fixed interval at each.
        let reference = Sample.of(3) {
            Stopwatch.time { _ = BacktestInterval(log.apps).score(budget: Self.budget) }
        }
        var launches: [Backtest.Launches] = []
        let replay = Sample([
            Stopwatch.time {
                let backtest = Backtest(log, budget: Self.budget, objective: .both)
                let parts = backtest.parts
                let played = Mutex<[Int: [Backtest.Launches]]>([:])
                // As `lull backtest` does it: a part on each of two cores.
                DispatchQueue.concurrentPerform(iterations: parts.count) { part in
                    let launches = parts[part].launches()
                    played.withLock { $0[part] = launches }
                }
                launches = backtest.joined(
                    played.withLock { played in parts.indices.map { played[$0] ?? [] } })
            }
        ])
        var score = BacktestScore([], launches: [])
        let scoring = Sample([
            Stopwatch.time {
                score = BacktestScore(log.apps, launches: launches.map { $0.times.map(Double.init) })
            }
        ])
        let made = launches.reduce(0) { $0 + $1.times.count }
        guard score.idleLaunches == 0, score.closeLaunches == 0, made > 0 else {
            throw BenchmarkError("the backtest broke a rule or launched nothing")
        }
        let name = "a year of \(Figures.grouped(Self.apps)) apps (\(Figures.grouped(uses.count)) uses)"
        let against = "a fixed interval made and scored over the same log"
        return [
            Row(
                "\(name), \(Figures.grouped(made)) launches: the scheduler's replay", replay,
                against: (against, reference), aim: "60 s"),
            Row(
                "… per use and launch", Sample([replay.median / Double(uses.count + made)]),
                against: (against, reference)),
            Row("… the log sorted by app", Sample([reading]), against: (against, reference)),
            Row("… scored", scoring, against: (against, reference)),
        ]
    }

    /// Uses at habitual hours, from one a week to three a day, fewer on weekends, with weeks away; the same on each call.
    private static func year() -> [BacktestLog.Use] {
        var random = SeededGenerator(seed: 365)
        // A Monday.
        let start: Int64 = 1_735_516_800
        let rates = [0.15, 0.5, 0.5, 1, 1, 2, 3]
        return (0..<apps).flatMap { app -> [BacktestLog.Use] in
            let rate = rates[app % rates.count]
            let hours = (0..<3).map { _ in Double.random(in: 6..<23, using: &random) }
            let away = Int.random(in: 0..<days, using: &random)
            let offset = Int.random(in: -5...5, using: &random) * 3600
            return (0..<days).flatMap { day -> [BacktestLog.Use] in
                guard !(away..<away + 14).contains(day) else { return [] }
                return hours.compactMap { hour in
                    guard random.chance(rate / 3 * (day % 7 < 5 ? 1.2 : 0.5)) else { return nil }
                    // The mean of three is close enough to a normal distribution.
                    let spread = (0..<3).reduce(0.0) { sum, _ in
                        sum + .random(in: -3600...3600, using: &random)
                    }
                    let second = day * 86_400 + Int(hour * 3600 + spread / 3) - offset
                    return .init(app: "app\(app)", time: start + Int64(second), offset: offset)
                }
            }
        }
    }
}
