import LullModel
import TestSupport
import Testing

@testable import LullFleet

/// The manifest that hosts follow, in a PostgreSQL: the hosts that get it, and its withdrawal.
@Suite(.enabled(if: Postgres.isThere, Postgres.absence))
struct RolloutTests {
    private let postgres: Postgres
    private let definition: FleetDefinition
    private let desk: FleetDesk
    private var schema: String { "\"lull_\(definition.name)\"" }

    init() throws {
        postgres = try Postgres.shared.get()
        let name = "rollout_" + String(UInt32.random(in: 0 ... .max), radix: 16)
        definition = FleetDefinition(database: postgres.database, name: name)
        _ = try FleetInstall.run(definition)
        desk = try FleetDesk(definition, timeout: hangLimit)
        // However slow the machine is, no host falls silent and no watch ends by itself.
        try postgres.stopClock(of: schema)
    }

    // MARK: Hosts

    private func call(_ function: String, _ json: String) throws -> String {
        try postgres.sql("select \(schema).\(function)('\(json.replacing("'", with: "''"))')")
    }

    private func hello(_ name: String, follows: FleetManifestName? = FleetManifestName.none) throws {
        var hello = FleetHello(
            host: "host-" + name, place: "place-" + name, name: name, boot: "b", version: "1", manifest: "m",
            labels: [:], jobs: [])
        hello.follows = follows
        _ = try call("hello_1", FleetCall.hello(hello).json())
    }

    /// Sends a heartbeat; returns the manifest that the host should have.
    @discardableResult
    private func beat(_ name: String, follows: FleetManifestName? = FleetManifestName.none) throws
        -> FleetManifestName?
    {
        var beat = FleetBeat(host: "host-" + name, lease: 60_000)
        beat.follows = follows
        let call = FleetCall.beat(beat)
        guard case .beat(let answer) = try call.answer(self.call("beat_1", call.json())) else { return nil }
        return answer.manifest
    }

    /// Runs that begin and end `ago` seconds ago.
    private func runs(_ name: String, _ ends: [String], from first: Int = 1, ago: Int = 0) throws {
        let lines = ends.enumerated().flatMap { index, end in
            [(end: "launched", run: first + index), (end: end, run: first + index)]
        }
        let time = try postgres.sql(
            "select to_char(\(schema).mirror_at(\(schema).clock()) - \(ago) * interval '1 s', 'YYYY-MM-DD\"T\"HH24:MI:SS.MSOF')"
        )
        let events = lines.enumerated().map { index, line in
            #"{"seq": \#(2 * first + index), "line": {"time": "\#(time)", "event": "\#(line.end)", "app": "com.example.A", "task": "com.example.A.t", "run": \#(line.run)}}"#
        }
        let after = try postgres.sql(
            "select coalesce((select through from \(schema).mirror where place = 'place-\(name)'), 0)")
        _ = try call(
            "mirror_1",
            #"{"place": "place-\#(name)", "name": "\#(name)", "after": \#(after), "events": [\#(events.joined(separator: ", "))]}"#
        )
    }

    /// Judges the manifest, as a host does every ten seconds for all.
    private func judge(afterSeconds: Int = 0) throws {
        try postgres.sql(
            "set search_path = \(schema); select judge_manifest(clock() + \(afterSeconds * 1000))")
    }

    private func apply(_ text: String, share: Double = 100, watch: Duration = .hours(1)) throws
        -> FleetManifestName
    {
        let order = FleetDesk.Order(
            text, hash: "hash of " + text, by: "me", share: share, watch: watch,
            after: try desk.rollout()?.number)
        guard case .done(let number, _) = try desk.apply(order) else { throw Refused() }
        return FleetManifestName(number, hash: order.hash)
    }
    private struct Refused: Error {}

    private func rollout() throws -> FleetRollout { try #require(try desk.rollout()) }

    // MARK: Who is to have it

    @Test func `without a manifest hosts keep what they have`() throws {
        try hello("a")
        #expect(try beat("a") == nil && beat("a", follows: .init(7, hash: "x")) == nil)
        #expect(try desk.rollout() == nil && desk.manifest() == nil && desk.back(by: "me") == nil)
        // A host that does not follow gets no manifest.
        _ = try apply("one")
        try hello("b", follows: nil)
        #expect(try beat("b", follows: nil) == nil && rollout().followers == 1)
        // A host may also stop following.
        try hello("a", follows: nil)
        #expect(try rollout().followers == 0)
    }

    @Test func `all that follow are to have it at once, and it is whole after its time`() throws {
        try hello("a")
        try beat("a")
        let one = try apply("one")
        #expect(try beat("a") == one && desk.manifest() == nil && desk.manifest(1)?.text == "one")
        var now = try rollout()
        #expect(now.state == .watched && now.wanted == 1 && now.has == 0 && now.late == ["a"])
        // No host has tried it yet, so its watch does not end.
        try judge(afterSeconds: 7200)
        #expect(try rollout().state == .watched)
        #expect(try beat("a", follows: one) == one)
        try judge(afterSeconds: 3599)
        #expect(try rollout().state == .watched)
        try judge(afterSeconds: 3601)
        now = try rollout()
        #expect(now.state == .whole && now.current == 1 && now.has == 1 && now.late?.isEmpty == true)
        #expect(try desk.manifest()?.text == "one" && beat("a", follows: one) == one)
    }

    @Test func `canaries try it, one at least, and the others go on`() throws {
        let names = (0..<20).map { "h\($0)" }
        for name in names {
            try hello(name)
            try beat(name)
        }
        let one = try apply("one", watch: .zero)
        #expect(try rollout().state == .whole)
        for (share, count) in [(10.0, 2), (0.1, 1), (11, 3)] {
            let two = try apply("two", share: share)
            let wanted = try names.map { try beat($0, follows: one) }
            #expect(wanted.count { $0 == two } == count && wanted.count { $0 == one } == 20 - count)
            #expect(try rollout().canaries?.count == count && rollout().wanted == count)
        }
    }

    @Test func `without a host that follows there is nobody to try it`() throws {
        try hello("a", follows: nil)
        let order = FleetDesk.Order("one", hash: "h", by: "me", share: 5, watch: .hours(1), after: nil)
        #expect(try desk.apply(order) == .nobody && desk.rollout() == nil)
    }

    @Test func `of two who apply at once the second is told`() throws {
        let order = FleetDesk.Order("one", hash: "h", by: "me", share: 100, watch: .hours(1), after: nil)
        #expect(try desk.apply(order) == .done(1, followers: 0))
        #expect(try desk.apply(order) == .overtaken(1))
        #expect(try rollout().number == 1)
    }

    // MARK: The way back

    @Test func `it is taken back when more runs fail than did before`() throws {
        try hello("a")
        try beat("a")
        let one = try apply("one", watch: .zero)
        try beat("a", follows: one)
        // One in ten, as usual.
        try runs(
            "a", Array(repeating: "completed", count: 36) + Array(repeating: "failed", count: 4), ago: 60)
        let two = try apply("two")
        try beat("a", follows: two)
        try runs("a", ["failed", "failed"] + Array(repeating: "completed", count: 8), from: 101)
        try judge()
        #expect(try rollout().state == .watched, "two failures are no rise")
        #expect(try rollout().runs == 10 && rollout().failed == 2)
        try runs("a", Array(repeating: "completed", count: 8) + ["failed"], from: 201)
        try judge()
        #expect(try rollout().state == .watched, "3 of 19 is less than twice as many as always")
        try runs("a", ["failed", "failed", "failed"], from: 301)
        try judge()
        let now = try rollout()
        #expect(now.state == .withdrawn && now.current == 1)
        #expect(
            now.reason
                == "6 of 22 runs failed on hosts that had it, where in the day before 10 in a hundred did")
        #expect(try beat("a", follows: two) == one)
    }

    @Test func `runs that began before a host had it do not count`() throws {
        try hello("a")
        try beat("a")
        let one = try apply("one")
        try beat("a", follows: one)
        try runs("a", ["failed", "failed", "failed"], ago: 60)
        try judge()
        #expect(try rollout().state == .watched && rollout().runs == 0)
    }

    @Test func `it is taken back when a host can't take it, or a canary falls silent`() throws {
        try hello("a")
        try beat("a")
        let one = try apply("one", watch: .zero)
        try beat("a", follows: one)
        let two = try apply("two")
        _ = try call(
            "refuse_1",
            #"{"place": "place-a", "name": "a", "number": \#(two.number), "sentence": "fleet.yaml:3: no."}"#)
        #expect(try rollout().reason == "a can't take it: fleet.yaml:3: no.")
        #expect(try rollout().refusals.map(\.name) == ["a"] && beat("a", follows: one) == one)
        let three = try apply("three", share: 50)
        try beat("a", follows: three)
        try judge(afterSeconds: 119)
        #expect(try rollout().state == .watched)
        try judge(afterSeconds: 125)
        #expect(try rollout().reason == "a, which tried it, fell silent")
        // If all hosts are canaries, one that is switched off proves nothing.
        let four = try apply("four")
        try beat("a", follows: four)
        try judge(afterSeconds: 125)
        #expect(try rollout().state == .watched && rollout().refusals.isEmpty)
    }

    @Test func `only a host that is to have it takes it back`() throws {
        for name in ["a", "b"] {
            try hello(name)
            try beat(name)
        }
        try hello("stranger", follows: nil)
        func refuse(_ name: String, _ it: FleetManifestName) throws {
            _ = try call(
                "refuse_1",
                #"{"place": "place-\#(name)", "name": "\#(name)", "number": \#(it.number), "sentence": "no."}"#
            )
        }
        let one = try apply("one")
        try refuse("stranger", one)
        try refuse("nobody", one)
        #expect(try rollout().state == .watched && rollout().refusals.isEmpty)
        try refuse("a", one)
        #expect(try rollout().state == .withdrawn)
        let two = try apply("two", share: 50)
        let canary = try #require(["a", "b"].first { try beat($0) == two })
        try refuse(canary == "a" ? "b" : "a", two)
        #expect(try rollout().state == .watched)
        try refuse(canary, two)
        #expect(try rollout().reason == "\(canary) can't take it: no.")
    }

    @Test func `an operator takes back what is tried, or else what was applied last`() throws {
        try hello("a")
        let one = try apply("one", watch: .zero)
        let two = try apply("two", watch: .zero)
        let three = try apply("three")
        #expect(try desk.back(by: "me@desk").map { [$0.withdrawn, $0.inForce] } == [3, 2])
        #expect(try rollout().reason == "me@desk took it back")
        #expect(try beat("a", follows: three) == two)
        #expect(try desk.back(by: "me").map { [$0.withdrawn, $0.inForce] } == [2, 1])
        #expect(try beat("a", follows: two) == one)
        #expect(try desk.back(by: "me").map { [$0.withdrawn, $0.inForce] } == [1, 0])
        #expect(try beat("a", follows: one) == FleetManifestName.none)
        #expect(try desk.back(by: "me") == nil && desk.manifest() == nil)
    }

    @Test func `a database that begins anew is followed by no number alone`() throws {
        try hello("a")
        let one = try apply("one", watch: .zero)
        #expect(try beat("a", follows: .init(1, hash: "of another database")) == one)
        #expect(try rollout().has == 0)
        #expect(try beat("a", follows: one) == one && rollout().has == 1)
    }

    // MARK: Who may

    @Test func `hosts may not say what hosts run, and operators may`() throws {
        let (host, operatorRole) = (
            FleetSchema.hostRole(of: definition.name), FleetSchema.operatorRole(of: definition.name)
        )
        let apply =
            #"select \#(schema).apply_1('{"text": "x", "hash": "h", "author": "me", "share": 100, "watch": 0}')"#
        for statement in [apply, "select \(schema).back_1('{}')"] {
            #expect(throws: Nobody.Trouble.self) { try postgres.sql(statement, user: host) }
        }
        #expect(try postgres.sql(apply, user: operatorRole).contains("\"number\": 1"))
        #expect(try postgres.sql("select \(schema).manifest_1('{}')", user: host).contains("\"text\": \"x\""))
        let reader = FleetSchema.readerRole(of: definition.name)
        #expect(throws: Nobody.Trouble.self) {
            try postgres.sql("select \(schema).manifest_1('{}')", user: reader)
        }
        #expect(try postgres.sql("select \(schema).rollout_1('{}')", user: reader).contains("whole"))
    }
}
