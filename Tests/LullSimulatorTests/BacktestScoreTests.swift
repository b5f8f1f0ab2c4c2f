import Testing

@testable import LullSimulator

/// The figures are those that the scorer of the public usage files gives for the same log and launches.
@Suite struct BacktestScoreTests {
    private func close(_ value: Double?, _ expected: Double) -> Bool {
        value.map { abs($0 - expected) < 1e-9 * max(1, abs(expected)) } ?? false
    }

    @Test func `a log over the beginning of scoring is scored from then on`() {
        let apps = BacktestFixture.overTheStart.apps
        #expect(apps.map(\.name) == ["app0", "app1", "app2"])
        #expect(apps.map(\.from) == [1_767_571_200, 1_767_571_200, 1_767_571_200])
        #expect(apps.map(\.to) == [1_777_890_604, 1_777_715_973, 1_777_886_902])
        #expect(apps.map(\.uses.count) == [268, 237, 242])
        #expect(apps.map(\.scored.lowerBound) == [148, 104, 116])
        let days = [98.05769675925926, 105.66877314814815, 96.02]
        #expect(zip(apps, days).allSatisfy { close($0.liveDays, $1) })
    }

    @Test func `any other log is scored in its second half`() {
        let apps = BacktestFixture.before.apps
        #expect(apps.map(\.from) == [1_706_497_513, 1_706_527_975, 1_706_478_607])
        #expect(apps.map(\.to) == [1_712_943_652, 1_712_931_908, 1_712_928_533])
        #expect(apps.map(\.scored.lowerBound) == [85, 69, 86])
        let days = [63.95268518518518, 60.95752314814815, 62.448935185185185]
        #expect(zip(apps, days).allSatisfy { close($0.liveDays, $1) })
    }

    @Test func `launches are scored, and those that break a rule are charged and refresh nothing`() {
        let score = BacktestScore(
            BacktestFixture.overTheStart.apps, launches: BacktestFixture.launchesOverTheStart)
        #expect(score.uses == 379 && score.launches == 1264)
        #expect(close(score.launchesPerAppDay, 4.2168970343185475))
        let hits = [0.07387862796833773, 0.11873350923482849, 0.24010554089709762]
        #expect(zip(score.hits, hits).allSatisfy { close($0, $1) })
        #expect(close(score.meanAge, 8.173249047200235) && close(score.medianAge, 5.435277777777777))
        #expect(close(score.hitMeanOfApps, 0.11907546644388749))
        let spread = [3.818527547078301, 4.220736048242992, 4.605198225413717]
        #expect(zip(score.spread, spread).allSatisfy { close($0, $1) })
        #expect(score.idleLaunches == 188 && score.closeLaunches == 39)
        #expect(close(score.medianHitAge, 27.166666666666668) && !score.isSuspect)
    }

    @Test func `of a log that is scored in its halves the figures are right too`() {
        let score = BacktestScore(BacktestFixture.before.apps, launches: BacktestFixture.launchesBefore)
        #expect(score.uses == 248 && score.launches == 784)
        #expect(close(score.launchesPerAppDay, 4.184476856996892))
        let hits = [0.07661290322580645, 0.14516129032258066, 0.2661290322580645]
        #expect(zip(score.hits, hits).allSatisfy { close($0, $1) })
        #expect(close(score.meanAge, 7.808067876344086) && close(score.medianAge, 5.384444444444444))
        #expect(score.idleLaunches == 111 && score.closeLaunches == 33)
    }

    @Test func `a fixed interval is held against a scheduler at the scheduler's launches`() {
        let point = BacktestInterval(BacktestFixture.overTheStart.apps).at(4.2168970343185475)
        let hits = [0.10762067359925497, 0.19512649386931552, 0.312773552692845]
        #expect(zip(point.hits, hits).allSatisfy { close($0, $1) })
        #expect(close(point.meanAge, 3.16390623716401) && close(point.medianAge, 2.8282533196584847))
    }

    @Test func `so are learned active hours`() {
        let curve = BacktestActiveHours(BacktestFixture.overTheStart.apps).curve
        let point = curve.at(4.2168970343185475)
        let hits = [0.14112712265746566, 0.27183546444760165, 0.5028076584804817]
        #expect(zip(point.hits, hits).allSatisfy { close($0, $1) })
        #expect(close(point.meanAge, 4.028085492636944) && close(point.medianAge, 2.015263532763533))
    }

    @Test func `the bound is the best that any launches could reach`() {
        let bound = BacktestBound(BacktestFixture.overTheStart.apps)
        #expect(bound.at(4.2168970343185475).hits.allSatisfy { close($0, 0.9868073878627969) })
        let hits = [0.28212121628554676, 0.32961461997947816, 0.39293915823805337]
        #expect(zip(bound.at(0.3).hits, hits).allSatisfy { close($0, $1) })
    }

    @Test func `the longest gap leaves idle time out`() throws {
        // Live from 0 to 10 d and from 20 d on, to 21 d; scored from 10.5 d.
        let day = BacktestApp.day
        let uses = [0, 3, 20, 21].map { BacktestLog.Use(app: "a", time: $0 * day) }
        let app = try #require(BacktestLog(uses).apps.first)
        #expect(app.from == 10 * day + day / 2)
        #expect(close(app.liveDays, 1))
        let score = BacktestScore([app], launches: [[20.25, 20.75].map { $0 * Double(day) }])
        #expect(close(score.longestGap, 0.5 * Double(day)))
        #expect(close(BacktestScore([app], launches: [[]]).longestGap, Double(day)))
    }

    @Test func `hits right after the launch are suspect`() throws {
        let uses = (0..<40).map { BacktestLog.Use(app: "a", time: $0 * 86_400) }
        let app = try #require(BacktestLog(uses).apps.first)
        let early = BacktestScore([app], launches: [app.uses.map { Double($0 - 1800) }])
        let late = BacktestScore([app], launches: [app.uses.map { Double($0 - 300) }])
        #expect(early.hits == [1, 1, 1] && !early.isSuspect)
        #expect(late.hits == [1, 1, 1] && late.isSuspect)
    }

    @Test func `a log without a scored day gives no figures and no trap`() {
        let log = BacktestLog([.init(app: "a", time: 5), .init(app: "a", time: 5)])
        let score = BacktestScore(log.apps, launches: [[1, 2]])
        #expect(score.launchesPerAppDay == 0 && score.spread.isEmpty)
        #expect(BacktestBound(log.apps).at(1).hits == [0, 0, 0])
        #expect(BacktestInterval(log.apps).at(0).hits == [0, 0, 0])
        #expect(BacktestActiveHours(log.apps).curve.at(1).hits == [0, 0, 0])
        #expect(BacktestScore([], launches: []).hits == [0, 0, 0])
    }

    @Test func `one odd offset moves no clock`() {
        let offsets = [0, 3600, 3600, 3600, -3600, 3600]
        let log = BacktestLog(
            offsets.enumerated().map { .init(app: "a", time: Int64($0) * 3600, offset: $1) })
        #expect(log.apps.first?.offsets == [0, 0, 0, 3600, 3600, 3600])
    }

    @Test func `the checksum is the one of ISO 3309`() {
        #expect(CRC32.of("123456789".utf8) == 0xCBF4_3926)
    }
}
