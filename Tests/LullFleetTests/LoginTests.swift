import Foundation
import LullModel
import LullSimulator
import LullSystem
import Testing

@testable import LullFleet

/// What a login of one host may do, in a real database and in its model.
@Suite(.enabled(if: Postgres.isThere, Postgres.absence))
final class LoginTests {
    private let postgres: Postgres
    private let bench: Bench
    private let fleet = "own" + UUID().uuidString.prefix(8).lowercased()
    private var schema: String { FleetSchema.quoted(FleetSchema.name(of: fleet)) }
    private var model = FleetDatabase()
    private var connections: [String: FleetConnection] = [:]
    private let task: TaskIdentifier
    private let now = WallTime(seconds: Clock.wall.seconds)

    init() throws {
        postgres = try Postgres.shared.get()
        task = try #require(TaskIdentifier("a.b.night"))
        bench = try Bench(fleet)
        _ = try FleetInstall.run(FleetDefinition(database: postgres.database, name: fleet))
        let host = FleetSchema.quoted(FleetSchema.hostRole(of: fleet))
        for login in ["shared", "one", "two"] { _ = try postgres.sql("create role \(name(login)) login") }
        _ = try postgres.sql("grant \(host) to \(name("shared")), \(name("one")), \(name("two"))")
    }

    /// Roles belong to the whole server.
    private func name(_ login: String) -> String { login + fleet }

    private func own(_ login: String, host: String? = nil) throws {
        let more = host.map { ", \(FleetSchema.literal($0))" } ?? ""
        _ = try postgres.sql("select \(schema).own_login('\(name(login))'\(more))")
        model.own(login, place: host)
    }

    /// Whether the database, and its model alike, let the login make the call; the database's answer.
    private func ask(_ login: String, _ call: FleetCall) throws -> FleetAnswer? {
        let database = postgres.database.replacingOccurrences(
            of: "user=postgres", with: "user=" + name(login))
        let connection = try connections[login] ?? bench.connection(database)
        connections[login] = connection
        let answer = try #require(try bench.ask([(connection, call)]).first)
        let modelled = model.answer(call, by: login, at: now)
        switch answer {
        case .success(let answer):
            #expect(modelled != nil, "the model refuses \(login): \(call)")
            return answer
        case .failure(.refused(_, let state, let words)):
            #expect(state == "42501" && modelled == nil, "\(login): \(call): \(words)")
            return nil
        case .failure(let trouble): throw trouble
        }
    }

    private func hello(_ host: String, place: String? = nil) -> FleetCall {
        var hello = Bench.hello(host, task: task)
        hello.place = place ?? hello.place
        return .hello(hello)
    }

    private func claim(_ host: String, minute: Int = 0) -> FleetCall {
        let slot = SlotName(task, at: now - .minutes(minute + 1))
        return .claim(
            FleetClaim(host: host, slot: slot, definitionHash: "m", through: nil, limit: 9, lease: 60_000))
    }

    private func lease(_ login: String, _ call: FleetCall) throws -> SlotLease {
        guard case .claim(let answer)? = try ask(login, call) else { throw FleetTrouble.ended }
        return try #require(answer.lease)
    }

    /// Whether the login may run the statement.
    private func may(_ login: String, _ statement: String, isWhole: Bool = false) -> Bool {
        (try? postgres.sql(statement, user: isWhole ? login : name(login))) != nil
    }

    @Test func `a login of one host acts for that host, and for no other`() throws {
        try own("one")
        try own("two")
        #expect(try ask("one", hello("h1")) != nil && ask("two", hello("h2")) != nil)
        let lease = try lease("one", claim("h1"))
        let done = FleetCall.finish(FleetFinish(host: "h1", lease, .done))
        // Each is refused of the other's login, and changes nothing.
        let beat = FleetCall.beat(FleetBeat(host: "h1", lease: 60_000))
        for call in [
            hello("h1"), hello("h3", place: "place-h1"), beat, claim("h1", minute: 9), done,
            .leave(FleetLeave(host: "h1")),
        ] {
            #expect(try ask("two", call) == nil, "\(call)")
        }
        // Nor does another place of its own process, or another's process at its own place, lead there.
        #expect(try ask("two", hello("h1", place: "place-h2")) == nil)
        let other = FleetCall.finish(FleetFinish(host: "h2", lease, .done))
        guard case .finish(let answer)? = try ask("two", other) else { throw FleetTrouble.ended }
        #expect(!answer.accepted)
        #expect(try ask("one", beat) != nil)
        guard case .finish(let answer)? = try ask("one", done) else { throw FleetTrouble.ended }
        #expect(answer.accepted && answer.slotStatus?.state == .done)
    }

    @Test func `a process that has drawn another place keeps its login, and its first place stays bound`()
        throws
    {
        try own("one")
        try own("two")
        #expect(try ask("one", hello("h1")) != nil && ask("one", hello("h1", place: "drawn")) != nil)
        #expect(try ask("one", hello("h1-next")) == nil, "a place that nobody was at is not taken in passing")
        #expect(try ask("one", hello("h0", place: "place-h1")) != nil)
        #expect(try ask("two", hello("h2", place: "drawn")) == nil)
        #expect(try ask("two", hello("h2", place: "place-h1")) == nil)
        // Its installation is new, and the operator binds its login anew.
        try own("one")
        #expect(try ask("one", hello("h9")) != nil)
    }

    @Test func `an operator binds a login to a host that is there already`() throws {
        #expect(try ask("shared", hello("h1")) != nil)
        try own("two")
        _ = try postgres.sql("select \(schema).own_login('\(name("one"))', 'name-h1')")
        model.own("one", place: "place-h1")
        #expect(try ask("two", hello("h2", place: "place-h1")) == nil)
        #expect(try ask("shared", hello("h1")) == nil && ask("one", hello("h1")) != nil)
        #expect(throws: Nobody.Trouble.self) {
            try postgres.sql("select \(schema).own_login('\(name("two"))', 'nobody')")
        }
    }

    @Test func `a login that hosts share works as before beside those of one host`() throws {
        try own("one")
        #expect(try ask("one", hello("h1")) != nil)
        #expect(try ask("shared", hello("h2")) != nil && ask("shared", hello("h3")) != nil)
        let lease = try lease("shared", claim("h2"))
        guard case .finish(let answer)? = try ask("shared", .finish(FleetFinish(host: "h2", lease, .done)))
        else { throw FleetTrouble.ended }
        #expect(answer.accepted)
        #expect(try ask("shared", claim("h1", minute: 5)) == nil, "h1 has a login of its own")
    }

    @Test func `a login of one host drains nobody, reads no output, and sends no other's history`() throws {
        try own("one")
        try own("two")
        #expect(try ask("one", hello("h1")) != nil && ask("two", hello("h2")) != nil)
        func call(_ function: String, _ json: String) -> String { "select \(schema).\(function)('\(json)')" }
        for statement in [
            call("drain_1", #"{"host":"name-h2"}"#), call("resume_1", #"{"host":"name-h2"}"#),
            call("forget_1", #"{"host":"name-h2"}"#), call("output_1", #"{"host":"name-h2","run":1}"#),
            call("events_1", "{}"), call("runs_1", #"{"task":"a.b.night","since":0}"#), call("apply_1", "{}"),
            call("mirror_1", #"{"place":"place-h2","events":[]}"#),
            call("uses_1", #"{"place":"place-h2","apps":[]}"#),
            call("refuse_1", #"{"place":"place-h2","number":1}"#), "select \(schema).own_login('x')",
            "select * from \(schema).bound",
        ] {
            #expect(!may("one", statement), "\(statement)")
        }
        for statement in [
            call("mirror_1", #"{"place":"place-h1","events":[]}"#),
            call("uses_1", #"{"place":"place-h1","apps":[]}"#), call("hosts_1", "{}"), call("why_1", "{}"),
            call("manifest_1", "{}"),
        ] {
            #expect(may("one", statement), "\(statement)")
        }
        #expect(may("shared", call("drain_1", #"{"host":"name-h2"}"#)))
    }

    private func helloJSON(_ host: String, place: String) -> String {
        """
        {"host":"\(host)","place":"\(place)","name":"n","boot":"b","version":"1","manifest":"m","labels":{},"jobs":[]}
        """
    }

    @Test func `a login of one host draws no place where another host was`() throws {
        try own("one")
        #expect(try ask("shared", hello("h2")) != nil && ask("one", hello("h1")) != nil)
        #expect(try ask("one", hello("h1", place: "place-h2")) == nil)
        #expect(try ask("one", .leave(FleetLeave(host: "h2"))) == nil)
        #expect(try ask("shared", .leave(FleetLeave(host: "h2"))) != nil)
        #expect(try ask("one", hello("h1", place: "place-h2")) == nil)
        // A host that was forgotten has left its history.
        #expect(may("shared", "select \(schema).mirror_1('{\"place\":\"place-h3\",\"events\":[]}')"))
        #expect(!may("one", "select \(schema).hello_1('\(helloJSON("h1", place: "place-h3"))')"))
        #expect(may("one", "select \(schema).hello_1('\(helloJSON("h1", place: "place-h4"))')"))
    }

    @Test func `the first hello of a login binds no place where a host was`() throws {
        #expect(try ask("shared", hello("h1")) != nil)
        try own("one")
        #expect(try ask("one", hello("h1")) == nil && ask("one", hello("h2", place: "place-h1")) == nil)
        #expect(try ask("shared", hello("h1")) != nil)
        #expect(may("shared", "select \(schema).mirror_1('{\"place\":\"place-h3\",\"events\":[]}')"))
        #expect(!may("one", "select \(schema).hello_1('\(helloJSON("h3", place: "place-h3"))')"))
        // The owner says which host it is, by its place if only its history is left.
        _ = try postgres.sql("select \(schema).own_login('\(name("one"))', 'place-h3')")
        #expect(may("one", "select \(schema).hello_1('\(helloJSON("h3", place: "place-h3"))')"))
    }

    @Test func `a login of one host takes and offers no slot that is another host's`() throws {
        try own("one")
        try own("two")
        #expect(try ask("one", hello("h1")) != nil && ask("two", hello("h2")) != nil)
        for (target, isItsOwn) in [("place-h1", true), ("place-h2", false), ("place-h3", false), ("", true)] {
            let slot = SlotName(task, at: now - .minutes(1), target: target)
            let offer = FleetBeat.Offer(slot: slot, definitionHash: "m", tolerance: nil)
            let beat = FleetCall.beat(FleetBeat(host: "h1", lease: 60_000, offers: [offer]))
            #expect(try (ask("one", beat) != nil) == isItsOwn, "\(target)")
            let claim = FleetClaim(
                host: "h1", slot: slot, definitionHash: "m", through: nil, limit: 9, lease: 60_000)
            #expect(try (ask("one", .claim(claim)) != nil) == isItsOwn, "\(target)")
        }
    }

    @Test func `the role alone makes a login one host's own, whatever its name becomes`() throws {
        try own("one")
        #expect(try ask("shared", hello("h2")) != nil && ask("one", hello("h1")) != nil)
        let own = FleetSchema.quoted(FleetSchema.ownRole(of: fleet))
        _ = try postgres.sql("alter role \(name("one")) rename to \(name("four"))")
        // Its place is bound to its former name, so it acts for nobody until the owner says so.
        #expect(!may("four", "select \(schema).hello_1('\(helloJSON("h2", place: "place-h2"))')"))
        #expect(!may("four", "select \(schema).hello_1('\(helloJSON("h1", place: "place-h1"))')"))
        _ = try postgres.sql("select \(schema).own_login('\(name("four"))', 'place-h1')")
        #expect(may("four", "select \(schema).hello_1('\(helloJSON("h1", place: "place-h1"))')"))
        // Granted by hand, also through a group.
        _ = try postgres.sql(
            """
            create role \(name("group")); grant \(own) to \(name("group"));
            create role \(name("five")) login; grant \(name("group")) to \(name("five"));
            """)
        #expect(!may("five", "select \(schema).hello_1('\(helloJSON("h2", place: "place-h2"))')"))
        #expect(may("five", "select \(schema).hello_1('\(helloJSON("h5", place: "place-h5"))')"))
        #expect(!may("five", "select \(schema).hello_1('\(helloJSON("h6", place: "place-h6"))')"))
    }

    @Test func `a login that keeps more rights than one host needs can't be one host's own`() throws {
        let host = FleetSchema.quoted(FleetSchema.hostRole(of: fleet))
        _ = try postgres.sql(
            """
            create role \(name("group")); grant \(host) to \(name("group"));
            grant \(name("group")) to \(name("one")); create role \(name("root")) superuser;
            """)
        #expect(!may("postgres", "select \(schema).own_login('\(name("one"))')", isWhole: true))
        #expect(!may("postgres", "select \(schema).own_login('\(name("root"))')", isWhole: true))
        #expect(try ask("one", hello("h1")) != nil, "nothing has changed")
        _ = try postgres.sql("revoke \(name("group")) from \(name("one"))")
        try own("one")
        // A second time there is nothing to revoke, and no warning.
        let again = try postgres.sql(
            "do $$ begin perform \(schema).own_login('\(name("one"))'); end $$ ; select 1")
        #expect(again == "1")
    }
}
