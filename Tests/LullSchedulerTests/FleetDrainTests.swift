import LullModel
import Testing

@testable import LullScheduler

/// Why a task of the fleet does not run on a host that gets no slots.
struct FleetDrainTests {
    private let fleet = FleetTests()

    private func tell(_ drain: FleetDrain?, _ host: inout TestHost) {
        fleet.nextBeat(&host, isAnswered: false)
        answerBeats(drain, &host)
    }

    private func answerBeats(_ drain: FleetDrain?, _ host: inout TestHost) {
        let waiting = fleet.calls(host.effects)
        host.effects.removeAll { if case .askFleet(_, .beat) = $0 { true } else { false } }
        for (number, call) in waiting {
            guard case .beat = call else { continue }
            var answer = FleetBeat.Answer(now: host.now.wall.milliseconds, known: true)
            answer.drain = drain
            fleet.answer(number, .beat(answer), &host)
        }
    }

    private func gate(_ host: TestHost) throws -> GateVerdict {
        let verdict = host.state.verdict(for: FleetTests.task, at: host.now)
        return try #require(verdict.gates.first { $0.gate == .fleet })
    }

    @Test func `a drained host says who drained it, why and until when`() throws {
        var host = try fleet.host()
        tell(FleetDrain(by: "ops@desk", reason: "new disk", ago: 60_000, left: nil), &host)
        var gate = try self.gate(host)
        #expect(
            gate.reason == "this host is drained by ops@desk (new disk), and takes no slots of the fleet")
        #expect(gate.since == host.now.wall - .minutes(1) && gate.needsSomebody)
        let outlook = host.state.outlook(for: FleetTests.task, at: host.now, futures: 10)
        #expect(
            outlook.certain == nil && outlook.gates.contains { $0.gate == .fleet && $0.opening == .never })
        #expect(host.state.report(at: host.now).tasks.first?.next == .held(.fleet))
        tell(FleetDrain(by: "ops@desk", ago: 80_000, left: 3_600_000), &host)
        gate = try self.gate(host)
        #expect(gate.reason.hasPrefix("this host is drained by ops@desk until ") && !gate.needsSomebody)
        #expect(gate.until == host.now.wall + .hours(1))
        tell(nil, &host)
        #expect(try self.gate(host).isOpen)
    }

    @Test func `when a drain is over the host asks, and a database that is behind is not asked without end`()
        throws
    {
        var host = try fleet.host()
        let end = FleetTests.nominal + .minutes(1)
        while host.now.wall < end {
            #expect(fleet.takeClaims(&host).isEmpty)
            answerBeats(FleetDrain(left: (end - host.now.wall).milliseconds), &host)
            host.advance(.seconds(5))
            host.handle(.wake)
        }
        let claim = try #require(fleet.takeClaims(&host).first)
        fleet.answer(claim.number, .claim(.init(now: host.now.wall.milliseconds, .draining)), &host)
        #expect(fleet.takeClaims(&host).isEmpty)
        #expect(try gate(host).reason.hasPrefix("this host is drained"))
        tell(nil, &host)
        #expect(fleet.takeClaims(&host).count == 1)
    }

    @Test func `a database that does not answer is said to be the reason`() throws {
        var host = try fleet.host()
        host.handle(.fleet(.unreachable("no route")))
        #expect(try gate(host).reason.hasPrefix("the fleet's database has not answered for"))
        let outlook = host.state.outlook(for: FleetTests.task, at: host.now, futures: 10)
        #expect(outlook.certain == nil && outlook.unknown == "the fleet's database does not answer")
    }
}
