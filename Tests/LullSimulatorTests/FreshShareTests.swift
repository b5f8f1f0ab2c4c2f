import LullModel
import Testing

@testable import LullSimulator

/// The budget names a share of fresh uses instead of a number of launches, and the price finds the launches it takes.
@Suite struct FreshShareTests {
    private static let days: Int64 = 90
    private static let start: Int64 = 1_700_006_400

    /// Three months of a person with habits: about eight, half past twelve and seven on most days, and now and then at
    /// any time of the day.
    private static let log: BacktestLog = {
        var random = SeededGenerator(seed: 11)
        var uses: [BacktestLog.Use] = []
        for day in 0..<days {
            var minutes: [Int64] = []
            for (middle, spread, often) in [(480, 25, 90), (750, 20, 75), (1140, 60, 85)]
                as [(Int64, Int64, Int)]
            where Int.random(in: 0..<100, using: &random) < often {
                minutes.append(middle + Int64.random(in: -spread...spread, using: &random))
            }
            if Int.random(in: 0..<100, using: &random) < 30 {
                minutes.append(Int64.random(in: 420...1380, using: &random))
            }
            uses += minutes.map { .init(app: "com.example.A", time: start + day * 86_400 + $0 * 60) }
        }
        return BacktestLog(uses)
    }()

    @Test func `a share of fresh uses is met, with fewer launches than a fixed interval takes`() throws {
        let name = try #require(AppIdentifier("com.example.A"))
        let task = try #require(TaskIdentifier("refresh", of: name))
        var app = App(identifier: name, plugin: "A")
        var definition = TaskDefinition(identifier: task, app: name, kind: .refresh)
        definition.freshShare = 0.7
        definition.objective = .hits
        app.tasks = [definition]
        let backtest = Backtest(Self.log, manifest: Manifest(apps: [app]), zone: .utc)
        let launches = try #require(backtest.launches().first).times

        let lastMonth = Self.start + (Self.days - 30) * 86_400
        let uses = Self.log.apps[0].uses.filter { $0 >= lastMonth }
        let fresh = uses.count { use in launches.contains { (use - 3600...use).contains($0) } }
        #expect(abs(Double(fresh) / Double(uses.count) - 0.7) < 0.08)
        // A launch every hour makes all uses fresh: without a forecast, 70 % of them take 17 launches a day.
        #expect(launches.count { $0 >= lastMonth } < 30 * 8)
    }
}
