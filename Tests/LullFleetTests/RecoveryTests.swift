import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullFleet

/// After the database was away.
@Suite(.enabled(if: Postgres.isThere, Postgres.absence))
struct RecoveryTests {
    @Test func `a server that is away for longer than a lease repeats no run that ended well`() throws {
        let postgres = try Postgres.shared.get()
        _ = try FleetInstall.run(FleetDefinition(database: postgres.database, name: "recovery"))
        // The test's clock in place of the server's.
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
            let leases = name == "a" ? [lease] : []
            _ = try bench.ask(link, .beat(FleetBeat(host: name, leases: leases, lease: 60_000)))
        }
        // As long as it takes for a lease and its grace to be over.
        try postgres.sql("update lull_recovery.hand set at = at + 91000")
        #expect(try claim("b", second).verdict == .leased)
        let end = FleetCall.finish(FleetFinish(host: "a", lease, .done))
        guard case .finish(let answer) = try bench.ask(first, end) else { throw Bench.Late() }
        #expect(answer.accepted)
        #expect(try claim("b", second).verdict == .ended)
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
