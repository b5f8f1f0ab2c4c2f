import Foundation
import LullModel
import Testing

@testable import LullFleet

/// 200,000 slots are open after an outage, in tables without statistics: the rows that calls read and change.
@Suite(.enabled(if: Postgres.isThere, Postgres.absence))
struct OutageTests {
    private let postgres: Postgres
    private static let fleet = "outage"
    private static let start: Int64 = 1_772_409_600_000

    /// 1,000 tasks with 200 slots each, one a minute; those of the first 500 tasks are too late to start.
    init() throws {
        postgres = try Postgres.shared.get()
        _ = try FleetInstall.run(FleetDefinition(database: postgres.database, name: Self.fleet))
        try sql(
            """
            create table hand (at bigint); insert into hand values (\(Self.start));
            create or replace function clock() returns bigint language sql stable as 'select at from lull_outage.hand';
            alter table slot set (autovacuum_enabled = off);
            insert into slot (task, target, nominal, definition_hash, ends)
            select 'x.t' || t, '', clock() - m * 60000, 'm',
                clock() - m * 60000 + case when t <= 500 then 60000 else 864000000 end
            from generate_series(1, 1000) t, generate_series(1, 200) m;
            select hello_1('{"host":"h","place":"p","name":"n","boot":"b","version":"1","manifest":"m","labels":{},"jobs":[]}')
            """)
    }

    @discardableResult
    private func sql(_ statements: String) throws -> String {
        try postgres.sql("set search_path = lull_\(Self.fleet); \(statements)")
    }

    /// The answer to a call, and how many rows of all tables it reads and changes.
    private func call<Answer: Decodable>(
        _ call: FleetCall, as type: Answer.Type
    ) throws -> (answer: Answer, reads: Int, changes: Int) {
        let json = try call.json().replacing("'", with: "''")
        let printed = try sql(
            """
            begin; select \(call.function)('\(json)');
            select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), sum(n_tup_ins + n_tup_upd + n_tup_del)
            from pg_stat_xact_user_tables where schemaname = 'lull_\(Self.fleet)' and relname <> 'hand'; commit
            """
        ).split(separator: "\n")
        let figures = printed.last?.split(separator: "|").compactMap { Int($0) } ?? []
        try #require(figures.count == 2 && printed.count == 2, "\(printed)")
        return (
            try JSONDecoder().decode(type, from: Data(printed[0].utf8)), figures[0], figures[1]
        )
    }

    private func claim(_ task: Int) throws -> FleetCall {
        let task = try #require(TaskIdentifier("x.t\(task)"))
        let last = WallTime(milliseconds: Self.start - 60_000)
        return .claim(
            FleetClaim(
                host: "h", slot: SlotName(task, at: last), definitionHash: "m", through: last, lease: 60_000))
    }

    @Test
    func `with 200,000 open slots a claim reads those of its task, and what is too late ends in batches`()
        throws
    {
        func expectClaimed(_ task: Int) throws {
            let claimed = try call(claim(task), as: FleetClaim.Answer.self)
            #expect(claimed.answer.verdict == .claimed)
            #expect(claimed.reads <= 1_000 && claimed.changes <= 210, "\(claimed)")
        }
        try expectClaimed(1000)
        // The run stands for all other slots of the task.
        #expect(
            try sql(
                "select count(*) from slot where task = 'x.t1000' and state = 'skipped' and reason is not null"
            )
                == "199")
        var since: Int64? = Self.start
        for round in 1...4 {
            try sql("update hand set at = at + 10000")
            let beat = FleetBeat(host: "h", lease: 60_000, since: since)
            let beaten = try call(.beat(beat), as: FleetBeat.Answer.self)
            #expect(beaten.changes <= 510 && beaten.reads <= 5_000, "\(beaten.reads), \(beaten.changes)")
            #expect(beaten.answer.news.count <= 1_000)
            since = beaten.answer.cursor
            let expired = try sql("select count(*) from slot where state = 'expired' and reason is not null")
            #expect(expired == "\(round * 500)")
            // A claim costs as little as without expired slots.
            try expectClaimed(900 - round)
        }
        #expect(try sql("select count(*) from slot") == "200000")
    }
}
