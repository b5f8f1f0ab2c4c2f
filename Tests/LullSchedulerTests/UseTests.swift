import LullModel
import Testing

@testable import LullScheduler

/// The single entry point for uses.
struct UseTests {
    private func uses(_ host: TestHost) -> [WallTime] {
        host.records.filter { $0.event == .used }.map(\.time)
    }

    @Test func `a use of the future is refused, and one of a clock that is a little ahead is one of now`() {
        var host = TestHost(Sample.simple(), ledger: Ledger())
        let effects = host.handle(.used(Sample.feed, at: host.now.wall + .minutes(6), reply: host.token()))
        guard case .reply(_, .refused(let refusal)) = effects.first(where: { $0.isReply }) else {
            return #expect(Bool(false), "\(effects)")
        }
        #expect(refusal.sentence.contains("is in the future, when nobody can have used com.example.Feed yet"))
        #expect(uses(host).isEmpty)
        let near = host.handle(.used(Sample.feed, at: host.now.wall + .minutes(4), reply: host.token()))
        #expect(near.contains { if case .reply(_, .done) = $0 { true } else { false } })
        #expect(uses(host) == [host.now.wall])
    }

    @Test(arguments: [3, 300])
    func `uses that a source tells of are recorded, none after now`(count: Int) {
        var host = TestHost(Sample.simple(), ledger: Ledger())
        let now = host.now.wall
        host.handle(
            .usesFound((0..<count).map { Use(app: Sample.feed, time: now + .minutes(2 - count + $0)) }))
        #expect(uses(host).count == count && uses(host).allSatisfy { $0 <= now })
        #expect(host.state.ledger.apps[Sample.feed]?.lastUsed == now)
    }
}

extension Effect {
    fileprivate var isReply: Bool { if case .reply = self { true } else { false } }
}
