import Foundation
import LullFleet
import LullModel

/// The cost of a fleet for its database: claims beside many open slots, many hosts that want one slot, and the heartbeats of
/// ten thousand hosts.
///
/// The reference is the queue that people write by hand: one table, `FOR UPDATE SKIP LOCKED`, no numbers and no reasons.
struct FleetBenchmark {
    let workshop: Workshop
    private static let (slots, tasks, hosts, rounds) = (200_000, 200, 10_000, 3)

    func rows() throws -> [Row] {
        guard PostgresServer.isThere else {
            Progress.say("  left out: PostgreSQL is not there (apt-get install postgresql)")
            return []
        }
        let server = try PostgresServer(workshop)
        _ = try FleetInstall.run(FleetDefinition(database: server.database, name: "bench"))
        Progress.say("  \(Figures.grouped(Self.slots)) open slots …")
        try server.sql(Self.world)
        return try claims(server) + [crowd(server)] + beats(server)
    }

    /// Without statistics, as just after an outage.
    private static let world = """
        set search_path = lull_bench;
        alter table slot set (autovacuum_enabled = off);
        insert into host select 'h' || g, 'p' || g, 'n' || g, 'b', '1', 'm', '{}', clock(), clock()
        from generate_series(1, \(hosts)) g;
        insert into slot (task, target, nominal, definition_hash, ends)
        select 'x.t' || g % \(tasks), '', clock() - g / \(tasks) * 1000 - 1000, 'm', clock() + 864000000
        from generate_series(1, \(slots)) g;
        create table public.job (id bigserial primary key, task text, run_at timestamptz,
            state text not null default 'open', holder text, lease_end timestamptz);
        create index on public.job (run_at) where state = 'open';
        insert into public.job (task, run_at)
        select 'x.t' || g % \(tasks), now() - g * interval '1 ms' from generate_series(1, \(slots)) g;
        """

    private static func claim(_ task: String, _ nominal: String, every: Bool, limit: Int) -> String {
        """
        select lull_bench.claim_1(jsonb_build_object('host', 'h' || :h, 'slot', jsonb_build_object(
            'task', \(task), 'nominal', \(nominal), 'target', ''), 'definitionHash', 'm', 'through', 0,
            'every', \(every ? "3600000" : "null::int"), 'limit', \(limit), 'lease', 600000));

        """
    }
    private static let host = "\\set h random(1, \(hosts))\n"
    private static let byHand = """
        update public.job set state = 'leased', holder = 'h1', lease_end = now() + interval '60 s'
        where id = (select id from public.job where state = 'open' and run_at <= now()
            order by run_at limit 1 for update skip locked) returning id;

        """

    private func claims(_ server: PostgresServer) throws -> [Row] {
        let script =
            Self.host + "\\set t random(0, \(Self.tasks - 1))\n"
            + Self.claim("'x.t' || :t", "0", every: true, limit: 100_000)
        var (own, hand): ([Sample], [Sample]) = ([], [])
        var (late, handLate): ([Double], [Double]) = ([], [])
        for _ in 0..<Self.rounds {
            let times = try server.load(script, clients: 2, seconds: 5).each
            let others = try server.load(Self.byHand, clients: 2, seconds: 5).each
            (own, hand) = (own + [Sample(times)], hand + [Sample(others)])
            (late, handLate) = (late + [Self.late(times)], handLate + [Self.late(others)])
        }
        let name = "a claim beside \(Figures.grouped(Self.slots)) open slots without statistics"
        return [
            Row(
                "\(name): the median", Sample(own.map(\.median)),
                against: (name: "a `SKIP LOCKED` queue by hand", sample: Sample(hand.map(\.median)))),
            Row(
                "… one in a hundred takes longer than", Sample(late),
                against: (name: "that queue", sample: Sample(handLate)), aim: "5 ms"),
        ]
    }

    private static func late(_ times: [Double]) -> Double { times[times.count * 99 / 100] }

    /// A thousand hosts claim the same slot at once, through a pooler's fifty connections.
    private func crowd(_ server: PostgresServer) throws -> Row {
        Progress.say("  1,000 hosts want one slot …")
        var (own, hand): ([Double], [Double]) = ([], [])
        for round in 0..<Self.rounds {
            let nominal = try server.sql("select lull_bench.clock() - 1000")
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let script = Self.host + Self.claim("'x.one\(round)'", nominal, every: false, limit: 1)
            own.append(try server.load(script, clients: 50, each: 20).all)
            let states = try server.sql(
                "select count(*), sum(attempt) from lull_bench.slot where task = 'x.one\(round)'")
            guard states.hasPrefix("1|1") else { throw BenchmarkError("it was leased \(states)") }
            try server.sql(
                "delete from public.job; insert into public.job (task, run_at) values ('one', now())")
            hand.append(try server.load(Self.byHand, clients: 50, each: 20).all)
        }
        return Row(
            "1,000 hosts want one slot: until one has it and all others know", Sample(own),
            against: (name: "1,000 looks at a queue by hand with one row", sample: Sample(hand)))
    }

    private func beats(_ server: PostgresServer) throws -> [Row] {
        Progress.say("  \(Figures.grouped(Self.hosts)) hosts that beat …")
        let scores = (0..<20).map { "\"x.t\($0)\":0.\($0 + 10)" }.joined(separator: ",")
        let reports = (0..<20).map {
            "{\"task\":\"x.t\($0)\",\"gates\":[\"power\",\"idle\"],\"reason\":\"on battery, 40 % left\",\"half\":3600000}"
        }.joined(separator: ",")
        let script =
            Self.host + """
                select lull_bench.beat_1(jsonb_build_object('host', 'h' || :h, 'leases', '[]'::jsonb, 'lease', 60000,
                    'offers', '[]'::jsonb, 'scores', '{\(scores)}'::jsonb, 'reports', '[\(reports)]'::jsonb,
                    'since', lull_bench.clock() - 15000));

                """
        let bare = Self.host + "update lull_bench.host set seen = seen where host = 'h' || :h;\n"
        // As many changes as 50 runs a day and host make in the 20 s that a beat covers, if any host may take one run in ten.
        try server.sql(
            """
            set search_path = lull_bench; delete from slot;
            insert into slot (task, target, nominal, definition_hash, ends, state, last_name, number, attempt, changed)
            select 'x.t' || g, '', g, 'm', g, 'done', 'n' || g, g, 1, clock() + 600000 from generate_series(1, 23) g
            """)
        // The first beat of a host writes its state; later beats only compare.
        _ = try server.load(script, clients: 4, seconds: 10)
        var (own, other): ([Double], [Double]) = ([], [])
        for _ in 0..<Self.rounds {
            let beats = try server.load(script, clients: 4, seconds: 5)
            own.append(beats.processors / Double(beats.each.count))
            let updates = try server.load(bare, clients: 4, seconds: 5)
            other.append(updates.processors / Double(updates.each.count))
        }
        let perSecond = Double(Self.hosts) / FleetTimes.beat.inSeconds
        func share(_ sample: Sample) -> String {
            Figures.number(sample.median * perSecond / 2e9 * 100) + " %"
        }
        return [
            Row(
                "a host's beat, of 20 tasks and with 23 news: time of the server's processors", Sample(own),
                against: (name: "one row updated", sample: Sample(other))),
            Row(
                "… of \(Figures.grouped(Self.hosts)) hosts, each \(Int(FleetTimes.beat.inSeconds)) s: of two processors",
                share(Sample(own)), against: "one row updated as often: \(share(Sample(other)))",
                ratio: Figures.ratio(Sample(own).median / Sample(other).median), aim: "25 %"),
        ]
    }
}
