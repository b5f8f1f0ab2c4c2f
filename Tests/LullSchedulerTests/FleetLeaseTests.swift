import LullModel
import Testing

@testable import LullScheduler

/// Leases with their own length: the cost of a database outage, and the times that count from the last beat.
extension FleetTests {
    /// A host whose run for any host has a lease of this length; nil: the length that suits its time limit.
    private func running(
        lease: Duration?, limit: Duration = .hours(4)
    ) throws -> (host: TestHost, run: RunID, granted: [Effect], claim: FleetClaim) {
        var host = try host {
            $0.fleet.scope = .anyHost
            $0.fleet.lease = lease
            $0.timeLimit = limit
        }
        go(to: Self.nominal, &host)
        let claim = try #require(takeClaims(&host).first)
        let granted = try grant(claim, &host)
        return (host, try #require(host.running.first), granted, claim.claim)
    }

    private func renewals(_ host: TestHost) -> [FleetBeat.Renewal] {
        calls(host.effects).compactMap { if case .beat(let beat) = $0.1 { beat.leases } else { nil } }.last
            ?? []
    }

    @Test func `the database may be away for nearly as long as a lease, counted from the last beat`() throws {
        var (host, run, _, claim) = try running(lease: .minutes(10))
        #expect(claim.lease == 600_000)
        nextBeat(&host, isAnswered: false)
        #expect(renewals(host) == [.init(SlotLease(claim.slot, number: 7), length: 600_000)])
        host.effects = []
        host.handle(.fleet(.unreachable("the server is gone")))
        host.pass(.minutes(5), completing: false)
        #expect(host.running == [run] && !host.names().contains(.expired))
        // The database is back, and the host still has the lease.
        connect(&host)
        host.handle(.fleet(.unreachable("the server is gone")))
        let last = host.now.wall
        host.pass(.minutes(20), completing: false) { $0.names().contains(.expired) }
        let event = try #require(host.records.last { $0.event == .expired })
        let definition = try #require(host.state.definition(of: Self.task))
        #expect(event.time - last == .minutes(10) - FleetTimes.margin - definition.grace)
        #expect(event.gates == ["fleet"])
        #expect(
            event.reason
                == "its lease in the fleet of 10 min could not be renewed: the database has not answered since "
                + "the last heartbeat, 9 min 45 s ago")
    }

    @Test func `the same outage ends a run whose lease is a minute`() throws {
        var (host, _, _, claim) = try running(lease: .minutes(1))
        #expect(claim.lease == 60_000)
        let began = host.now.wall
        host.handle(.fleet(.unreachable("the server is gone")))
        host.pass(.minutes(5), completing: false) { $0.names().contains(.expired) }
        let event = try #require(host.records.last { $0.event == .expired })
        let definition = try #require(host.state.definition(of: Self.task))
        #expect(event.time - began <= .seconds(50) - definition.grace)
        #expect(event.time - began > .seconds(49) - definition.grace)
        #expect(event.reason?.contains("of 1 min could not be renewed") == true)
        #expect(event.reason?.hasSuffix("has not answered since the last heartbeat, 45 s ago") == true)
    }

    @Test(arguments: [
        (Duration.minutes(10), Duration.minutes(1)), (.minutes(12), .minutes(1)),
        (.minutes(30), .seconds(150)), (.hours(4), .minutes(10)), (.days(1), .minutes(10)),
    ])
    func `where the manifest does not say a lease is a share of the time limit`(
        limit: Duration, length: Duration
    ) throws {
        var (host, _, _, claim) = try running(lease: nil, limit: limit)
        #expect(claim.lease == length.milliseconds)
        nextBeat(&host, isAnswered: false)
        // The renewal of a lease of the usual length names no length.
        #expect(renewals(host).map(\.length) == [length == .minutes(1) ? nil : length.milliseconds])
    }

    @Test func `a supervisor ends the run 15 s after its own lease, and each renewal puts that off`() throws {
        func ends(_ effects: [Effect]) -> [Duration] {
            effects.compactMap { if case .keepWorker(_, let end) = $0 { end } else { nil } }
        }
        var (host, _, granted, _) = try running(lease: .minutes(10))
        let asked = host.now.boot
        #expect(ends(granted) == [asked + .minutes(10) + FleetTimes.lateness])
        host.effects = []
        nextBeat(&host, isAnswered: false)
        let sent = host.now.boot
        let (number, _) = try #require(
            calls(host.effects).last { if case .beat = $0.1 { true } else { false } })
        host.advance(.seconds(3))
        var told = FleetBeat.Answer(now: host.now.wall.milliseconds, known: true)
        told.held = renewals(host).map(\.lease)
        // Counted from when the beat was sent, not from its answer.
        #expect(
            ends(answer(number, .beat(told), &host)) == [sent + .minutes(10) + FleetTimes.lateness])
    }

    @Test func `a lease that the database no longer has is named with its last beat`() throws {
        var (host, run, _, _) = try running(lease: .minutes(10))
        let began = host.now.wall
        host.effects = []
        nextBeat(&host, holds: false)
        let event = try #require(host.records.last { $0.event == .expired && $0.run == run })
        #expect(
            event.reason
                == "the fleet's database no longer has its lease, which was renewed "
                + "\(Phrase.span(event.time - began)) ago")
    }

    @Test func `an edit of the manifest is for the next lease`() throws {
        var (host, _, _, _) = try running(lease: .minutes(10))
        let manifest = try Self.manifest {
            $0.fleet.scope = .anyHost
            $0.fleet.lease = .minutes(1)
            $0.timeLimit = .hours(4)
        }
        host.load(manifest)
        host.effects = []
        nextBeat(&host, isAnswered: false)
        #expect(renewals(host).map(\.length) == [600_000])
    }
}
