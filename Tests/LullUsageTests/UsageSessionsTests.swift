import LullModel
import Testing

@testable import LullUsage

/// A burst is one use.
struct UsageSessionsTests {
    private let now = UsageTimeTests.reference

    private func judge(_ minutes: [Int], recorded: [Int] = []) -> [Int] {
        var sessions = UsageSessions(
            recorded: recorded.map { now + .minutes($0) }, horizon: now - .days(100))
        return minutes.compactMap { minute in
            guard case .use(let time) = sessions.judge(now + .minutes(minute), now: now) else { return nil }
            return Int((time - now).milliseconds / 60_000)
        }
    }

    @Test func `a session's start is a use, then one in half an hour`() {
        #expect(judge([-300]) == [-300])
        #expect(judge([-300, -300, -299, -271, -270, -269, -241, -240, -100]) == [-300, -270, -240, -100])
        // Every ten minutes for two hours.
        #expect(judge(Array(stride(from: -120, through: 0, by: 10))) == [-120, -90, -60, -30, 0])
    }

    @Test func `what the history holds already is not recorded again`() {
        #expect(judge([-300, -200, -100], recorded: [-310, -95]) == [-200])
    }

    @Test func `a late line counts where nothing else does`() {
        #expect(judge([-100, -300, -110, -71, -200]) == [-100, -300, -200])
    }

    @Test func `the future is left out, and a fast clock is forgiven`() {
        var sessions = UsageSessions(horizon: now - .days(1))
        #expect(sessions.judge(now + .seconds(61), now: now) == .fromTheFuture)
        #expect(sessions.judge(now + .seconds(60), now: now) == .use(now))
        #expect(sessions.judge(.distantFuture, now: now) == .fromTheFuture)
    }

    @Test func `what lies too far back is left out`() {
        var sessions = UsageSessions(horizon: now - .days(200))
        #expect(sessions.judge(now - .days(112), now: now) == .use(now - .days(112)))
        #expect(sessions.judge(now - .days(112) - .milliseconds(1), now: now) == .tooOld)
        #expect(sessions.judge(.distantPast, now: now) == .tooOld)
        var recent = UsageSessions(horizon: now - .days(2))
        #expect(recent.judge(now - .days(3), now: now) == .tooOld)
    }

    @Test func `a use that others recorded counts`() {
        var sessions = UsageSessions(horizon: now - .days(2))
        sessions.note(now - .minutes(20), now: now)
        #expect(sessions.judge(now, now: now) == .sameSession)
        #expect(sessions.judge(now - .minutes(60), now: now) == .use(now - .minutes(60)))
    }

    @Test(arguments: 0..<30)
    func `whatever comes, uses are half an hour apart and a second reading adds none`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var sessions = UsageSessions(horizon: now - .days(100))
        let times = (0..<300).map { _ in now - .seconds(Int.random(in: -120...86_400, using: &random)) }
        var uses: [WallTime] = []
        for time in times {
            if case .use(let use) = sessions.judge(time, now: now) { uses.append(use) }
        }
        let sorted = uses.sorted()
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 >= UsageSessions.gap })
        #expect(sorted.allSatisfy { $0 <= now })
        var again = UsageSessions(recorded: uses, horizon: now - .days(100))
        for time in times.shuffled(using: &random) {
            if case .use(let use) = again.judge(time, now: now) { Issue.record("\(use) again") }
        }
    }
}
