import LullModel
import LullScheduler
import Testing

@testable import LullSimulator

@Suite struct BacktestTests {
    /// Three weeks of uses at about nine and about eighteen o'clock.
    private static func daily(apps: Int = 2) -> BacktestLog {
        var random = SeededGenerator(seed: 7)
        return BacktestLog(
            (0..<apps).flatMap { app in
                (0..<21).flatMap { day in
                    [9, 18].map { hour in
                        let spread = Int64.random(in: -1200...1200, using: &random)
                        return BacktestLog.Use(
                            app: "app\(app)",
                            time: 1_700_000_000 / 86_400 * 86_400
                                + Int64(day) * 86_400 + Int64(hour) * 3600 + spread)
                    }
                }
            })
    }

    private func times(_ backtest: Backtest) -> [[Double]] {
        backtest.launches().map { $0.times.map(Double.init) }
    }

    @Test func `the scheduler keeps the rules, and is fresher than a fixed interval`() {
        let log = Self.daily()
        let score = BacktestScore(
            log.apps, launches: times(Backtest(log, budget: 4, objective: .both)))
        #expect(score.idleLaunches == 0 && score.closeLaunches == 0)
        #expect(score.launches > 0)
        let interval = BacktestInterval(log.apps).at(score.launchesPerAppDay)
        #expect(score.hits[1] > interval.hits[1] + 0.2)
    }

    @Test func `the same log has the same launches`() {
        let log = Self.daily()
        let backtest = Backtest(log, budget: 3, objective: .hits)
        #expect(backtest.launches() == backtest.launches())
    }

    @Test func `nothing is launched for an app before its first use or when it is idle`() throws {
        let day = BacktestApp.day
        let start: Int64 = 1_700_000_000
        let uses = [0, 1, 2, 30, 31].map { BacktestLog.Use(app: "late", time: start + $0 * day) }
        let early = (-20..<32).map { BacktestLog.Use(app: "early", time: start + $0 * day) }
        let log = BacktestLog(uses + early)
        let launches = Backtest(log, budget: 8, objective: .both).launches()
        let late = try #require(launches.first { log.apps[$0.app].name == "late" })
        #expect(!late.times.isEmpty)
        #expect(late.times.allSatisfy { $0 > start })
        #expect(late.times.allSatisfy { $0 <= start + 9 * day || $0 > start + 30 * day })
    }

    @Test func `a manifest's tasks are replayed with their own budgets`() throws {
        let log = BacktestLog(
            Self.daily(apps: 1).uses.map { .init(app: "com.example.A", time: $0.time) })
        let name = try #require(AppIdentifier("com.example.A"))
        var app = App(identifier: name, plugin: "A")
        for (word, kind) in [("often", Kind.refresh), ("never", .refresh), ("heavy", .processing)] {
            let task = try #require(TaskIdentifier(word, of: name))
            var definition = TaskDefinition(identifier: task, app: name, kind: kind)
            definition.budget = word == "often" ? 8 : 0
            definition.enabled = word != "never"
            definition.requires.externalPower = true
            app.tasks.append(definition)
        }
        let launches = Backtest(log, manifest: Manifest(apps: [app]), zone: .utc).launches()
        #expect(launches.map(\.task.text) == ["com.example.A.often"])
        #expect(launches[0].times.count > 21)
    }

    /// Forty busy people of whom nothing is known at first: one to eight uses on four days of five, at any time of the day.
    private static let strangers: BacktestLog = {
        BacktestLog(
            (0..<40).flatMap { app -> [BacktestLog.Use] in
                var random = SeededGenerator(seed: 1000 + UInt64(app))
                let morning = Int64.random(in: 6..<10, using: &random) * 3600
                return (0..<Int64(28)).flatMap { day -> [BacktestLog.Use] in
                    guard !random.chance(0.2) else { return [] }
                    return (0...Int.random(in: 0..<2 * (1 + app % 4), using: &random)).map { _ in
                        let time = Int64.random(in: 0..<15 * 3600, using: &random)
                        return .init(app: "app\(app)", time: 1_700_006_400 + day * 86_400 + morning + time)
                    }
                }
            })
    }()

    @Test(arguments: [Objective.hits, .both])
    func `a new host keeps its budget from the first weeks on`(_ objective: Objective) {
        let launches = Backtest(Self.strangers, budget: 8, objective: objective).launches()
        let start: Int64 = 1_700_006_400
        func rate(_ days: Range<Int64>) -> Double {
            let span = start + days.lowerBound * 86_400..<start + days.upperBound * 86_400
            let count = launches.reduce(0) { $0 + $1.times.count { span.contains($0) } }
            return Double(count) / Double(days.count) / 40
        }
        // All are live from their first day on, or nearly.
        #expect(rate(0..<7) < 8 * 1.15)
        #expect(abs(rate(7..<28) - 8) < 8 * 0.05)
    }
}
