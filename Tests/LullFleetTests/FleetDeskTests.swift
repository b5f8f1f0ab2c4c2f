import Foundation
import LullAnswers
import LullModel
import TestSupport
import Testing

@testable import LullFleet

/// The questions and orders of operators, against a PostgreSQL.
@Suite(.enabled(if: Postgres.isThere, Postgres.absence))
struct FleetDeskTests {
    private let postgres: Postgres
    private let definition: FleetDefinition

    init() throws {
        postgres = try Postgres.shared.get()
        let name = "desk_" + String(UInt32.random(in: 0 ... .max), radix: 16)
        definition = FleetDefinition(database: postgres.database, name: name)
    }

    private var schema: String { "\"lull_\(definition.name)\"" }

    /// The clock stands still, so no host falls silent because the machine is slow.
    private func install() throws {
        _ = try FleetInstall.run(definition)
        try postgres.stopClock(of: schema)
    }

    private func hello(
        _ host: String, place: String, name: String, home: String = "", definitionHash: String
    ) throws {
        let json =
            #"{"host": "\#(host)", "place": "\#(place)", "name": "\#(name)", "home": "\#(home)", "boot": "b", "version": "0.2.0", "#
            + #""manifest": "m", "labels": {"zone": "a"}, "jobs": [{"task": "com.example.A.t", "definitionHash": "\#(definitionHash)", "#
            + #""scope": "any_host"}]}"#
        try postgres.sql("select \(schema).hello_1('\(json)')")
    }

    private func claim(_ host: String, definitionHash: String) throws {
        let json =
            #"{"host": "\#(host)", "slot": {"task": "com.example.A.t", "nominal": 1000000000000, "target": ""}, "#
            + #""definitionHash": "\#(definitionHash)", "through": 1000000000000, "tolerance": 3000000000000, "limit": 1, "lease": 60000}"#
        try postgres.sql("select \(schema).claim_1('\(json)')")
    }

    @Test func `a report has the hosts, who means what, and the slots of each task`() throws {
        try install()
        let desk = try FleetDesk(definition, timeout: hangLimit)
        let empty = try desk.report()
        #expect(empty.hosts.isEmpty && empty.tasks.isEmpty && empty.version == FleetSchema.version)
        try hello("h1", place: "p1", name: "web1", definitionHash: "x")
        try hello("h2", place: "p2", name: "web2", definitionHash: "y")
        try hello("h3", place: "p3", name: "web3", definitionHash: "x")
        try claim("h1", definitionHash: "x")
        try postgres.sql(
            """
            insert into \(schema).slot (task, target, nominal, definition_hash, ends) values
                ('com.example.A.t', '', 7, 'x', 9), ('com.example.A.u', '', 7, 'x', 9);
            insert into \(schema).slot (task, target, nominal, definition_hash, ends, state, reason, changed) values
                ('com.example.A.u', '', 8, 'x', 9, 'failed', 'because', \(schema).clock()),
                ('com.example.A.u', '', 9, 'x', 9, 'failed', 'of old', 1),
                ('com.example.A.u', '', 10, 'x', 9, 'expired', 'because', \(schema).clock());
            """)
        let report = try desk.report()
        #expect(report.hosts.map(\.name) == ["web1", "web2", "web3"])
        #expect(report.hosts.map(\.leases) == [1, 0, 0] && report.hosts.allSatisfy(\.lives))
        #expect(report.hosts.map(\.ahead) == [nil, nil, nil])
        #expect(report.hosts[0].labels == ["zone": "a"] && report.hosts[0].manifest == "m")
        let (t, u) = (TaskIdentifier("com.example.A.t"), TaskIdentifier("com.example.A.u"))
        #expect(
            report.tasks == [
                FleetReport.Task(
                    try #require(t),
                    definitionHashes: [.init("x", hosts: ["web1", "web3"]), .init("y", hosts: ["web2"])],
                    open: 1,
                    leased: 1),
                FleetReport.Task(try #require(u), open: 1, failed: 1, expired: 1),
            ])
        #expect(report.disputed.count == 1)
    }

    @Test func `a process that is over is no host any more once its place has another`() throws {
        try install()
        let desk = try FleetDesk(definition, timeout: hangLimit)
        try hello("h1", place: "p1", name: "web1", definitionHash: "x")
        try claim("h1", definitionHash: "x")
        try hello("h2", place: "p2", name: "web2", definitionHash: "x")
        // As if another host had been heard since.
        try postgres.sql(
            "update \(schema).host set seen = seen - 100000; update \(schema).round set made = \(schema).clock()"
        )
        #expect(try desk.report().hosts.map(\.lives) == [false, false])
        try hello("h3", place: "p1", name: "web1", definitionHash: "x")
        let hosts = try desk.report().hosts
        #expect(hosts.map(\.host) == ["h3", "h2"] && hosts.map(\.lives) == [true, false])
        // Two living processes with one place are two hosts.
        try hello("h4", place: "p1", name: "web1", definitionHash: "x")
        #expect(try desk.report().hosts.map(\.host) == ["h3", "h4", "h2"])
        // A process that was started again in its folder is one host.
        for host in ["h5", "h6"] {
            try hello(host, place: "p5", name: "web5", home: "f", definitionHash: "x")
        }
        #expect(try desk.report().hosts.map(\.host) == ["h3", "h4", "h2", "h6"])
        let living = try postgres.sql("select \(schema).counts_1() -> 'living'")
        #expect(living.hasPrefix("3"))
    }

    @Test func `what a host said of a task holds until it says more of it, or all anew`() throws {
        try install()
        try hello("h1", place: "p1", name: "web1", definitionHash: "x")
        let task = try #require(TaskIdentifier("com.example.A.t"))
        func beat(_ names: [String], _ gate: String) throws {
            var beat = FleetBeat(host: "h1", lease: 60_000)
            beat.reports = try names.map { name in
                .init(
                    task: try #require(TaskIdentifier("com.example.A." + name)), gates: [gate], reason: nil,
                    half: 1, most: 2)
            }
            try postgres.sql("select \(schema).beat_1('\(FleetCall.beat(beat).json())')")
        }
        func gates() throws -> [String]? {
            try FleetWhy.read(task, from: Asking(definition: definition)).hosts.first?.gates
        }
        try beat(["t", "u"], "idle")
        for names in [[], ["u"], []] { try beat(names, "load") }
        #expect(try gates() == ["idle"])
        try beat(["t"], "load")
        #expect(try gates() == ["load"])
        #expect(
            try postgres.sql("select jsonb_array_length(reports) from \(schema).told") == "2")
        try hello("h1", place: "p1", name: "web1", definitionHash: "y")
        #expect(try gates() == nil)
    }

    private struct Asking: FleetReader {
        let definition: FleetDefinition
        func ask(_ function: String, _ question: JSONValue) throws(FleetReadError) -> String {
            do { return try FleetQuestion.ask(function, question.text, of: definition) } catch {
                throw FleetReadError(error.message)
            }
        }
    }

    @Test func `slots are read by what they are, of a day, and what is due from either end on`() throws {
        try install()
        try postgres.sql(
            """
            insert into \(schema).slot (task, target, nominal, definition_hash, ends, state, reason, changed) values
                ('com.example.A.t', '', 1, 'x', 9, 'open', null, 0), ('com.example.A.t', '', 2, 'x', 9, 'open', null, 0),
                ('com.example.A.t', '', 9000000000000, 'x', 9, 'open', null, 0),
                ('com.example.A.t', '', 3, 'x', 9, 'failed', 'of old', 1),
                ('com.example.A.t', '', 4, 'x', 9, 'failed', 'just now', \(schema).clock()),
                ('com.example.A.u', '', 5, 'x', 9, 'done', null, \(schema).clock());
            """)
        func times(_ question: String) throws -> [Int64] {
            struct Answer: Decodable { let slots: [SlotStatus] }
            let text = try FleetQuestion.ask("slots_1", question, of: definition)
            return try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).slots.map(
                \.slot.nominal.milliseconds)
        }
        #expect(try times("{}") == [9_000_000_000_000, 5, 4, 3, 2, 1])
        #expect(try times(#"{"task": "com.example.A.u'", "most": 5}"#) == [])
        #expect(try times(#"{"state": "open", "most": 2}"#) == [9_000_000_000_000, 2])
        #expect(try times(#"{"state": "open", "due": true}"#) == [1, 2])
        #expect(try times(#"{"state": "open", "due": true, "newest": true}"#) == [2, 1])
        #expect(try times(#"{"state": "failed", "span": 86400000}"#) == [4])
        #expect(try times(#"{"task": "com.example.A.t", "ended": true}"#) == [4, 3])
    }

    @Test func `a beat says how wrong a host's clock is`() throws {
        try install()
        let desk = try FleetDesk(definition, timeout: hangLimit)
        try hello("h1", place: "p1", name: "web1", definitionHash: "x")
        let now = try desk.report().now
        let beat = FleetBeat(host: "h1", lease: 60_000, clock: now + 2_400_000)
        try postgres.sql("select \(schema).beat_1('\(FleetCall.beat(beat).json())')")
        let ahead = try #require(try desk.report().hosts.first?.ahead)
        // The time since the beat is subtracted.
        #expect((2_300_000...2_400_000).contains(ahead))
    }

    @Test func `a host that said goodbye is stopped, and one that is only silent is not`() throws {
        try install()
        let desk = try FleetDesk(definition, timeout: hangLimit)
        for (host, name) in [("h1", "web1"), ("h2", "web2")] {
            try hello(host, place: "p-" + host, name: name, definitionHash: "x")
        }
        try postgres.sql("select \(schema).leave_1('{\"host\": \"h1\"}')")
        #expect(try desk.report().hosts.map(\.stopped) == [true, false])
        // Its definition no longer counts in the comparison.
        #expect(try desk.report().tasks.first?.definitionHashes.first?.hosts == ["web2"])
        try postgres.sql(
            "update \(schema).host set seen = seen - 100000; update \(schema).round set made = \(schema).clock()"
        )
        #expect(try desk.report().hosts.map(\.isSilent) == [false, true])
        #expect(try postgres.sql("select \(schema).counts_1() -> 'living'") == "0")
        // It comes back as another process of the same place.
        try hello("h3", place: "p-h1", name: "web1", definitionHash: "x")
        #expect(try desk.report().hosts.map(\.host) == ["h3", "h2"])
        #expect(try desk.report().hosts.map(\.stopped) == [false, false])
    }

    @Test func `a place is drained and resumed, and one that is gone is forgotten`() throws {
        try install()
        let desk = try FleetDesk(definition, timeout: hangLimit)
        try hello("h1", place: "p1", name: "web1", definitionHash: "x")
        try claim("h1", definitionHash: "x")
        try desk.drain("p1")
        #expect(try desk.report().hosts.map(\.draining) == [true])
        #expect(try desk.hosts().first?.drain?.left == nil)
        let tomorrow = WallTime(milliseconds: try desk.report().now) + .days(1)
        try desk.drain("p1", by: "ops@desk", reason: "it's \"old\"", until: .time(tomorrow))
        let drain = try #require(try desk.hosts().first?.drain)
        #expect(drain.by == "ops@desk" && drain.reason == "it's \"old\"")
        #expect(try #require(drain.left) <= Duration.days(1).milliseconds && drain.ago >= 0)
        // Past its end a drain needs no resume; the database's clock decides.
        try desk.drain("p1", until: .span(.hours(2)))
        try postgres.sql("update \(schema).drained set until = until - 7200000")
        #expect(try desk.report().hosts.map(\.draining) == [false])
        try desk.drain("p1")
        try desk.resume("p1")
        #expect(try desk.report().hosts.map(\.draining) == [false])
        // A living host stays.
        #expect(try desk.forget("h1") == 0)
        #expect(try desk.report().hosts.count == 1)
        try postgres.sql("update \(schema).host set seen = seen - 100000")
        #expect(try desk.forget("h1") == 1)
        let report = try desk.report()
        #expect(report.hosts.isEmpty && report.tasks.map(\.open) == [1] && report.tasks.map(\.leased) == [0])
    }

    @Test func `a server that is too old is named, whoever installs`() throws {
        let dial = PostgresDial(
            database: postgres.database, credentials: nil, timeout: hangLimit,
            statementTimeout: hangLimit)
        guard
            case .fault(let state, let words) = try dial.connect().get().run(FleetInstall.demanding(990_000))
        else {
            Issue.record("a server of today was taken for one of the year 2100")
            return
        }
        #expect(
            words.contains("it is PostgreSQL 1") && words.contains("the fleet's schema needs 99 or later"))
        let trouble = FleetTrouble.refused(place: postgres.database, state: state, words: words)
        #expect(trouble.fix?.hasPrefix("Upgrade the server") == true)
        // Both the installation and the printed SQL check the version first.
        #expect(FleetInstall.sql(fleet: "x").hasPrefix(FleetInstall.demanding(FleetInstall.least)))
    }

    @Test func `what is not there is said with its remedy`() throws {
        #expect(throws: FleetTrouble.self) { try FleetDesk(FleetDefinition(database: "host=/nowhere")) }
        let desk = try FleetDesk(definition, timeout: hangLimit)
        do throws(FleetTrouble) {
            _ = try desk.report()
            Issue.record("there is no schema")
        } catch {
            #expect(error.fix == "Install the fleet's schema: `lull fleet init`.")
        }
    }
}
