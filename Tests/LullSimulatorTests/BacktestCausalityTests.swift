import LullModel
import Testing

@testable import LullSimulator

/// A planted look into the future is found.
@Suite struct BacktestCausalityTests {
    private static let log = BacktestFixture.overTheStart
    /// A short log, for the tests that run the scheduler on it.
    private static let short = BacktestFixture.short

    private func launches(_ log: BacktestLog, foresight: Int64? = nil) -> [[Double]] {
        var backtest = Backtest(log, budget: 6, objective: .both)
        backtest.foresight = foresight
        return backtest.launches().map { $0.times.map(Double.init) }
    }

    @Test func `the tampered log has the same past and another future`() throws {
        let causality = try #require(BacktestCausality(Self.log))
        #expect(causality.cut == 1_769_525_414)
        let tampered = causality.tampered
        for (app, other) in zip(Self.log.apps, tampered.apps) {
            #expect(app.uses.filter { $0 <= causality.cut } == other.uses.filter { $0 <= causality.cut })
            let after = zip(
                app.uses.filter { $0 > causality.cut }, other.uses.filter { $0 > causality.cut })
            #expect(after.allSatisfy { (3 * 3600...9 * 3600).contains($1 - $0) })
        }
        #expect(Self.log.apps.contains { ($0.uses.last ?? 0) > causality.cut })
    }

    @Test func `what the scheduler launches depends on the past alone`() throws {
        let causality = try #require(BacktestCausality(Self.short))
        let original = launches(Self.short)
        #expect(causality.breaches(original, onTampered: launches(causality.tampered)).isEmpty)
        // And there was something to compare.
        let day = Double(causality.cut - 86_400)...Double(causality.cut)
        #expect(original.joined().contains { day.contains($0) })
    }

    @Test func `a scheduler that is asked for launches by one who sees the next use is caught`() throws {
        let causality = try #require(BacktestCausality(Self.short))
        let found = causality.breaches(
            launches(Self.short, foresight: 1200),
            onTampered: launches(causality.tampered, foresight: 1200))
        #expect(!found.isEmpty)
    }

    @Test func `a plan made from the uses to come is caught, and looks suspect`() throws {
        let causality = try #require(BacktestCausality(Self.log))
        func cheat(_ log: BacktestLog) -> [[Double]] { log.apps.map { $0.uses.map { Double($0 - 300) } } }
        let found = causality.breaches(cheat(Self.log), onTampered: cheat(causality.tampered))
        let first = try #require(found.first)
        #expect(first.first > Double(causality.cut - 300))
        #expect(BacktestScore(Self.log.apps, launches: cheat(Self.log)).isSuspect)
    }

    @Test func `a log of a day has no cut`() {
        #expect(BacktestCausality(BacktestLog([.init(app: "a", time: 5), .init(app: "a", time: 90)])) == nil)
    }
}
