import LullModel
import Testing

@testable import LullScheduler

/// A host that shuts down says goodbye to its fleet, so that it is not taken for lost.
struct FleetGoodbyeTests {
    private let fleet = FleetTests()

    private func goodbyes(_ effects: [Effect]) -> [(number: UInt64, host: String)] {
        fleet.calls(effects).compactMap {
            if case .leave(let leave) = $0.1 { ($0.0, leave.host) } else { nil }
        }
    }

    @Test func `who ends says goodbye last, once, and is gone when that is answered`() throws {
        var host = try fleet.host()
        fleet.go(to: FleetTests.nominal, &host)
        let claim = fleet.takeClaims(&host).first
        _ = try fleet.grant(claim, &host)
        let run = try #require(host.running.first)
        #expect(goodbyes(host.handle(.shutdown)).isEmpty)
        host.effects = []
        // The run's result is reported first.
        host.handle(.completed(run, success: true, summary: nil))
        #expect(goodbyes(host.effects).isEmpty && !host.effects.contains(.finished))
        let finish = try #require(fleet.finishes(host.effects).first)
        host.effects = []
        fleet.answer(finish.number, .finish(.init(now: 0, accepted: true)), &host)
        let goodbye = try #require(goodbyes(host.effects).first)
        #expect(goodbye.host == "h1" && !host.effects.contains(.finished))
        #expect(goodbyes(host.handle(.wake)).isEmpty)
        let effects = fleet.answer(goodbye.number, .leave(.init(now: 0)), &host)
        #expect(effects.contains(.finished))
    }

    @Test func `a database that does not answer keeps nobody longer than a moment`() throws {
        var host = try fleet.host()
        let asked = host.handle(.shutdown)
        #expect(goodbyes(asked).count == 1 && !asked.contains(.finished))
        host.advance(FleetTimes.goodbye - .milliseconds(1))
        #expect(!host.handle(.wake).contains(.finished))
        // After its goodbye the host sends nothing more, whatever the connection does.
        #expect(fleet.calls(host.handle(.fleet(.connected))).isEmpty)
        host.advance(.milliseconds(1))
        let effects = host.handle(.wake)
        #expect(effects.contains(.finished) && fleet.calls(effects).isEmpty)
    }

    @Test func `the host wakes when that moment is over`() throws {
        var host = try fleet.host()
        let deadlines = host.handle(.shutdown).compactMap {
            if case .arm(let deadline) = $0 { deadline } else { nil }
        }
        #expect(deadlines.last?.monotonic == host.now.monotonic + FleetTimes.goodbye)
    }

    @Test func `a database that is away is told nothing`() throws {
        var host = try fleet.host()
        host.handle(.fleet(.unreachable("no route")))
        let effects = host.handle(.shutdown)
        #expect(effects.contains(.finished) && fleet.calls(effects).isEmpty)
    }

    @Test func `a connection that breaks meanwhile is an answer, too`() throws {
        var host = try fleet.host()
        let goodbye = try #require(goodbyes(host.handle(.shutdown)).first)
        #expect(host.handle(.fleet(.failed(goodbye.number, "it broke"))).contains(.finished))
    }
}
