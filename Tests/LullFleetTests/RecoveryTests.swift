import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullFleet

/// The fleet after the database was away.
@Suite(.enabled(if: Postgres.isThere, Postgres.absence))
struct RecoveryTests {
    @Test func `a server that is away for longer than a lease repeats no run that ended well`() throws {
        let postgres = try Postgres.shared.get()
        _ = try FleetInstall.run(FleetDefinition(database: postgres.database, name: "recovery"))
        // Replaces the server's clock with the test's.
        try postgres.sql(
            """
            set search_path = lull_recovery;
            create table hand (at bigint); insert into hand values (1772409600000);
            create or replace function clock() returns bigint language sql stable
            as 'select at from lull_recovery.hand';
            """)
        let bench = try Bench("recovery")
        let (first, second) = (
            try bench.connection(postgres.database), try bench.connection(postgres.database)
        )
        let task = try #require(TaskIdentifier("x.t"))
        let slot = SlotName(task, at: WallTime(milliseconds: 1_772_409_600_000))
        func claim(_ host: String, _ link: FleetConnection) throws -> FleetClaim.Answer {
            let claim = FleetClaim(
                host: host, slot: slot, definitionHash: "m", through: slot.nominal, lease: 60_000)
            guard case .claim(let answer) = try bench.ask(link, .claim(claim)) else { throw Bench.Late() }
            return answer
        }
        _ = try bench.ask(first, .hello(Bench.hello("a", task: task)))
        _ = try bench.ask(second, .hello(Bench.hello("b", task: task)))
        let lease = try #require(try claim("a", first).lease)
        for (name, link) in [("a", first), ("b", second)] {
            let leases = name == "a" ? [FleetBeat.Renewal(lease)] : []
            _ = try bench.ask(link, .beat(FleetBeat(host: name, leases: leases, lease: 60_000)))
        }
        // As long as a lease and its grace.
        try postgres.sql("update lull_recovery.hand set at = at + 91000")
        #expect(try claim("b", second).verdict == .leased)
        let end = FleetCall.finish(FleetFinish(host: "a", lease, .done))
        guard case .finish(let answer) = try bench.ask(first, end) else { throw Bench.Late() }
        #expect(answer.accepted)
        #expect(try claim("b", second).verdict == .ended)
    }

    /// The same outage, and the holder is lost: another host waits for the length of the lease.
    @Test func `each lease lasts as long as it was claimed and renewed for`() throws {
        let postgres = try Postgres.shared.get()
        _ = try FleetInstall.run(FleetDefinition(database: postgres.database, name: "lengths"))
        // Replaces the server's clock with the test's.
        let start: Int64 = 1_772_409_600_000
        try postgres.sql(
            """
            set search_path = lull_lengths;
            create table hand (at bigint); insert into hand values (\(start));
            create or replace function clock() returns bigint language sql stable
            as 'select at from lull_lengths.hand';
            """)
        let bench = try Bench("lengths")
        let link = try bench.connection(postgres.database)
        func beat(_ host: String, _ leases: [FleetBeat.Renewal] = []) throws -> FleetBeat.Answer {
            let call = FleetCall.beat(FleetBeat(host: host, leases: leases, lease: 60_000))
            guard case .beat(let answer) = try bench.ask(link, call) else { throw Bench.Late() }
            return answer
        }
        /// Time passes, with heartbeats of the other host.
        func pass(to seconds: Int64) throws {
            for time in stride(from: try now() + 15, to: seconds, by: 15) + [seconds] {
                try postgres.sql("update lull_lengths.hand set at = \(start + time * 1000)")
                _ = try beat("b")
            }
        }
        func now() throws -> Int64 {
            let text = try postgres.sql("select (at - \(start)) / 1000 from lull_lengths.hand")
            return try #require(Int64(text))
        }
        func claim(_ task: String, by host: String, lease: Int64) throws -> FleetClaim.Answer {
            let slot = SlotName(try #require(TaskIdentifier(task)), at: WallTime(milliseconds: start))
            let claim = FleetClaim(
                host: host, slot: slot, definitionHash: "m", through: slot.nominal, lease: lease)
            guard case .claim(let answer) = try bench.ask(link, .claim(claim)) else { throw Bench.Late() }
            return answer
        }
        for host in ["a", "b"] { _ = try bench.ask(link, .hello(Bench.hello(host))) }
        let long = try #require(try claim("x.long", by: "a", lease: 600_000).lease)
        let short = try #require(try claim("x.short", by: "a", lease: 60_000).lease)
        try pass(to: 30)
        let leases: [FleetBeat.Renewal] = [.init(long, length: 600_000), .init(short)]
        #expect(try beat("a", leases).held == [long, short])
        // This was the last heartbeat of `a`.
        try pass(to: 119)
        let waiting = try claim("x.short", by: "b", lease: 60_000)
        #expect(waiting.verdict == .leased && waiting.slotStatus?.left == -29_000)
        try pass(to: 121)
        #expect(try claim("x.short", by: "b", lease: 60_000).verdict == .claimed)
        let still = try claim("x.long", by: "b", lease: 600_000)
        #expect(still.verdict == .leased && still.slotStatus?.left == 509_000)
        try pass(to: 659)
        #expect(try claim("x.long", by: "b", lease: 600_000).verdict == .leased)
        try pass(to: 661)
        #expect(try claim("x.long", by: "b", lease: 600_000).verdict == .claimed)
    }

    @Test func `who has results comes back first`() {
        for pause in [1.0, 4, 64, 1_000] {
            for share in [0.5, 1, 1.5] {
                let span = FleetConnection.Pauses.next(after: pause, share: share, hurries: true)
                #expect(span <= 9 && span <= pause * share)
            }
        }
        #expect(FleetConnection.Pauses.next(after: 64, share: 1, hurries: false) == 60)
    }
}
