import Foundation
import LullAnswers
import LullHistory
import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullFleet

/// Records of hosts, in a real database.
@Suite(.enabled(if: Postgres.isThere, Postgres.absence))
final class MirrorSchemaTests: MirrorBench {
    @Test func `a host without a cursor is told what is there, and what comes twice is there once`() throws {
        #expect(try send([]) == 0)
        let events = try (1...5).map { (Int64($0), try event(.launched, ago: .minutes(10 - $0), run: 1)) }
        #expect(try send(events) == 5)
        #expect(
            try send(Array(events.suffix(2)) + [(6, try event(.completed, ago: .minutes(1), run: 1))]) == 6)
        #expect(try send([]) == 6)
        #expect(try past().events.map(\.sequence) == [1, 2, 3, 4, 5, 6])
    }

    @Test func `events are read back as they were recorded, but for what no text can hold`() throws {
        var one = try event(.failed, ago: .minutes(3), run: 7, .failed)
        one.provenance = Provenance(manifest: "9f86d081", place: "jobs.yaml:14", lull: "0.2.0")
        _ = try send([(1, one)])
        let found = try #require(try past().events.first)
        one.reason = "It said \"so\"\n\u{1}\u{FFFD}."
        #expect(found.event == one && found.host == "p1-name" && found.place == "p1")
    }

    @Test func `what a host had deleted is a gap that is recorded`() throws {
        _ = try send([(11, try event(.used, ago: .minutes(9))), (12, try event(.used, ago: .minutes(8)))])
        _ = try send([(20, try event(.used, ago: .minutes(7))), (23, try event(.used, ago: .minutes(6)))])
        #expect(try sql("select missing, gap_after, gap_before from mirror") == "9|20|23")
    }

    @Test func `what stays on the host is no gap, and what was deleted beside it is`() throws {
        func send(_ seqs: [(Int64, withheld: Int)], before: Int = 0, through: Int64, withheld: Int = 0) throws
            -> String
        {
            let line = HistoryLines.encode(try event(.used, ago: .minutes(8)))
            let page = MirrorPage(
                lines: seqs.map { .init(sequence: $0.0, text: line, withheld: $0.withheld) }, outputs: [],
                after: 0, through: through, withheld: withheld, isFull: false, last: through)
            _ = try ask(
                "mirror_1", "{\"place\":\"p1\",\"name\":\"n\",\"after\":0,\"before\":\(before),\(page.body)}")
            return try sql("select through, missing, gap_after, gap_before from mirror")
        }
        #expect(try send([(11, 3), (14, 2)], through: 16, withheld: 2) == "16|0||")
        #expect(try send([(20, 1)], before: 2, through: 20) == "20|0||")
        #expect(try send([], before: 4, through: 30, withheld: 6) == "30|0||")
        #expect(try send([(35, 1), (37, 1)], before: 1, through: 37) == "37|2|30|35")
        #expect(try send([], before: 0, through: 40, withheld: 1) == "40|4|37|41")
        #expect(
            try sql("select string_agg(sequence::text, ',' order by sequence) from event") == "11,14,20,35,37"
        )
    }

    @Test func `what would leave a gap after a failover is not taken`() throws {
        _ = try send([(1, try event(.used, ago: .minutes(9)))])
        let line = HistoryLines.encode(try event(.used, ago: .minutes(8)))
        let page = MirrorPage(
            lines: [.init(sequence: 6, text: line)], outputs: [], after: 5, isFull: false, last: 6)
        let answer = try ask("mirror_1", "{\"place\":\"p1\",\"name\":\"n\",\"after\":5,\(page.body)}")
        #expect(try #require(FleetJSON.decode(FleetMirrorAnswer.self, answer)).through == 1)
        #expect(try sql("select count(*) || ' ' || max(missing) from event, mirror") == "1 0")
    }

    @Test func `each day has a partition, and no clock makes one that is not wanted`() throws {
        let ages: [Duration] = [.days(2000), .days(91), .days(30), .days(1), .zero, .days(-1), .days(-4000)]
        let events = try ages.enumerated().map { (Int64($0.offset + 1), try event(.used, ago: $0.element)) }
        #expect(try send(events) == 7)
        #expect(try sql("select string_agg(sequence::text, ',' order by sequence) from event") == "3,4,5,6,7")
        #expect(try sql("select count(*) from event_rest") == "0")
        let parts = try sql(
            "select count(*) from pg_inherits where inhparent = 'event'::regclass"
        ).trimmingCharacters(
            in: .whitespaces)
        // Yesterday, today, the next two days, the day a month ago, and the rest.
        #expect(parts == "6")
    }

    @Test func `rows that came before their day's partition move into it`() throws {
        _ = try send([(1, try event(.used, ago: .zero))])
        let day = try sql("select (now() at time zone 'utc')::date - 10")
        _ = try sql(
            "insert into event select number, 99, '\(day)', now(), 'used', 'a.b', null, null, '{}' from mirror"
        )
        #expect(try sql("select count(*) from event_rest") == "1")
        _ = try send([(100, try event(.used, ago: .days(10)))])
        #expect(try sql("select count(*) from event_rest") == "0")
        #expect(try sql("select count(*) from event where day = '\(day)'") == "2")
    }

    /// Without care, they would block each other at the partition for the rest, and find rows there that a new partition
    /// excludes.
    @Test func `hosts that meet a new day at once lose nothing`() throws {
        _ = try send([])
        _ = try sql(
            """
            do $$ declare r text; begin
              for r in select inhrelid::regclass::text from pg_inherits
                where inhparent in ('event'::regclass, 'output'::regclass)
                and inhrelid::regclass::text ~ '[0-9]{8}$' loop execute 'drop table ' || r; end loop; end $$
            """)
        let connections = try (0..<8).map { _ in try bench.connection(postgres.database) }
        var answers: [Result<String, FleetTrouble>] = []
        for (number, connection) in connections.enumerated() {
            for sequence in 1...5 {
                let line = HistoryLines.encode(try event(.used, ago: .days(sequence)))
                let page = MirrorPage(
                    lines: [.init(sequence: Int64(sequence), text: line)],
                    outputs: [.init(run: RunID(1), sequence: Int64(sequence), text: "x")], after: 0,
                    isFull: false, last: 0)
                let call = "{\"place\":\"q\(number)\",\"name\":\"n\",\(page.body)}"
                connection.call("mirror_1", call) { [bench] in
                    answers.append($0)
                    bench.loop.stop()
                }
            }
        }
        try bench.run { answers.count == 40 }
        for answer in answers { _ = try answer.get() }
        #expect(try sql("select count(*) from event") == "40")
        #expect(try sql("select count(*) from output") == "40")
    }

    @Test func `what is older than it is kept goes`() throws {
        _ = try send(
            [(1, try event(.used, ago: .zero))], outputs: [.init(run: RunID(1), sequence: 1, text: "x")])
        _ = try sql(
            """
            select mirror_days(array[(now() at time zone 'utc')::date - 95]);
            insert into event select number, 2, (now() at time zone 'utc')::date - 95, now(), 'used', 'a.b',
              null, null, '{}' from mirror;
            insert into use (app, at, place, arrived) values ('a.b', 1, 'p', now() - interval '91 d');
            update mirror_upkeep set done = now() - interval '11 min';
            """)
        _ = try send([])
        #expect(try sql("select count(*) from event") == "1")
        #expect(
            try sql(
                "select count(*) from pg_class where relname ~ '_[0-9]{8}$' and relname < 'event_' || to_char(now() - interval '93 d', 'YYYYMMDD') and relnamespace = current_schema()::regnamespace and relkind = 'r' and relname like 'event%'"
            ) == "0")
        #expect(try sql("select count(*) from use") == "0")
        #expect(try sql("select count(*) from output") == "1")
    }

    @Test func `the mirror fills the database through a connection, and goes on after it was away`() throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        func record(_ numbers: ClosedRange<Int>) throws {
            let events = try numbers.map { try event(.used, ago: .seconds(700 - $0)) }
            try history.append(HistoryBatch(events: events))
        }
        let read: FleetMirror.Read = { request, then in
            then(Result { try history.page(request) }.mapError { .init("\($0)") })
        }
        let sender = FleetMirror.Sender(host: "h", place: "p1", name: "b12")
        let caller = connection.caller
        let loop = bench.loop
        let mirror = try FleetMirror(sender, on: loop, read: read) { function, json, then in
            caller(function, json) {
                then($0)
                loop.stop()
            }
        }
        try record(1...450)
        mirror.connected()
        try bench.run { mirror.backlog == 0 && (try? sql("select through from mirror")) == "450" }
        mirror.disconnected()
        try record(451...650)
        mirror.recorded()
        mirror.connected()
        try bench.run { mirror.backlog == 0 && (try? sql("select through from mirror")) == "650" }
        #expect(try sql("select count(*) from event") == "650" && mirror.trouble == nil)
    }

    @Test func `an event that PostgreSQL refuses is one that the mirror takes apart`() throws {
        let trouble = #expect(throws: FleetTrouble.self) {
            try ask("mirror_1", #"{"place":"p1","name":"n","events":[{"seq":1,"line":{"reason":"\u0000"}}]}"#)
        }
        guard case .refused = FleetUnanswered(try #require(trouble)) else {
            Issue.record("\(String(describing: trouble))")
            return
        }
    }

    @Test func `uses go from host to host, each once`() throws {
        var found: [String: [FleetUse]] = [:]
        let app = try #require(AppIdentifier("a.b"))
        let caller = connection.caller
        let loop = bench.loop
        func uses(_ place: String) -> FleetUses {
            FleetUses(
                place: place, clock: { Clock.monotonic }, wall: { Clock.wall },
                call: { function, json, then in
                    caller(function, json) {
                        then($0)
                        loop.stop()
                    }
                }, found: { found[place, default: []] += $0 })
        }
        let (a, b) = (uses("a"), uses("b"))
        let times = (1...700).map { WallTime(seconds: now.seconds - Int64($0) * 60) }
        a.follow([app], history: [app: times])
        b.follow([app], history: [app: [times[3]]])
        a.connected()
        try bench.run { (try? sql("select count(*) from use")) == "700" }
        _ = try sql("update use set arrived = now() - interval '11 s'")
        b.connected()
        try bench.run { found["b"]?.count == 699 }
        #expect(Set(found["b"] ?? []).count == 699 && found["a"] == nil)
    }

    @Test func `each role may call what is its own, and sees no table`() throws {
        _ = try send([(1, try event(.used, ago: .zero))])
        let host = FleetSchema.hostRole(of: bench.fleet)
        let reader = FleetSchema.readerRole(of: bench.fleet)
        _ = try postgres.sql("select \(schema).mirror_1('{\"place\":\"p9\",\"events\":[]}')", user: host)
        _ = try postgres.sql("select \(schema).events_1('{}')", user: reader)
        for (user, statement) in [
            (reader, "select \(schema).mirror_1('{\"place\":\"p9\",\"events\":[]}')"),
            (reader, "select * from \(schema).event"), (host, "select * from \(schema).mirror"),
            (host, "select \(schema).mirror_keep()"),
        ] {
            #expect(throws: Nobody.Trouble.self, "\(statement)") { try postgres.sql(statement, user: user) }
        }
    }
}
