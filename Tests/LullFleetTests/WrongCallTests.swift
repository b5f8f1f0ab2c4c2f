import Foundation
import LullModel
import LullSystem
import Testing

@testable import LullFleet

/// What a host sends that no Lull would send harms no call of other hosts.
@Suite(.enabled(if: Postgres.isThere, Postgres.absence))
final class WrongCallTests {
    private let postgres: Postgres
    private let bench: Bench
    private let fleet = "wrong" + UUID().uuidString.prefix(8).lowercased()
    private let connection: FleetConnection
    private let task: TaskIdentifier
    private var schema: String { FleetSchema.quoted(FleetSchema.name(of: fleet)) }

    init() throws {
        postgres = try Postgres.shared.get()
        bench = try Bench(fleet)
        _ = try FleetInstall.run(FleetDefinition(database: postgres.database, name: fleet))
        connection = try bench.connection(postgres.database)
        task = try #require(TaskIdentifier("a.b.night"))
        // A lease is as long as its beat said, however late the test looks.
        try postgres.stopClock(of: schema)
        for host in ["good", "bad"] { _ = try bench.ask(connection, .hello(Bench.hello(host, task: task))) }
    }

    private func call(_ function: String, _ json: String) throws -> String {
        try postgres.sql("select \(schema).\(function)(\(FleetSchema.literal(json)))")
    }

    private func value(_ expression: String) throws -> String {
        try postgres.sql("set search_path = \(schema); select \(expression)")
    }

    private func beat(_ more: String) throws {
        _ = try call("beat_1", #"{"host":"bad","leases":[],"lease":60000,"offers":[],\#(more)}"#)
    }

    /// The good host's beat, which makes the summary for all.
    private func summary() throws -> FleetBeat.Answer {
        _ = try postgres.sql("update \(schema).round set made = made - 10000")
        let answer = try bench.ask(
            connection,
            .beat(
                FleetBeat(
                    host: "good", lease: 60_000, scores: [task.text: 0.25], since: 0)))
        guard case .beat(let beat) = answer else { throw FleetTrouble.ended }
        return beat
    }

    @Test(arguments: [
        #"{"a.b.night":"x","a.b.c":null,"a.b.d":{},"a.b.e":[1]}"#, #""x""#, "[1,2]", "7",
        #"{"a.b.night":-1e900}"#,
    ]) func `a score that is no number counts for nothing`(scores: String) throws {
        try beat(#""reports":[],"scores":\#(scores)"#)
        #expect(try summary().best == [task.text: 0.25])
    }

    @Test func `a score is one at most`() throws {
        try beat(#""reports":[],"scores":{"a.b.night":1e900}"#)
        #expect(try summary().best == [task.text: 1])
    }

    @Test func `a lease lasts a day at most, and a minute at least`() throws {
        let slot = #""slot":{"task":"a.b.night","nominal":\#(Clock.wall.milliseconds),"target":""}"#
        func left() throws -> String {
            try value("lease_end - clock() = 86400000 from slot")
        }
        let claim = try call(
            "claim_1", #"{"host":"bad",\#(slot),"definitionHash":"m","limit":1,"lease":99000000000}"#)
        #expect(claim.contains("claimed"))
        #expect(try left() == "t")
        let number = try value("number from slot")
        let lease = #"{\#(slot),"number":\#(number),"length":99000000000}"#
        _ = try call(
            "beat_1",
            #"{"host":"bad","leases":[\#(lease)],"lease":1,"offers":[],"scores":{},"reports":[]}"#)
        #expect(try left() == "t")
        _ = try call(
            "beat_1",
            #"{"host":"bad","leases":[{\#(slot),"number":\#(number)}],"lease":-5,"offers":[],"scores":{},"reports":[]}"#
        )
        #expect(try value("lease_end - clock() = 60000 from slot") == "t")
    }

    @Test func `what can't be read is not kept, so that others can read the rest`() throws {
        for (half, most) in [(#""x""#, "[]"), ("1e30", "{}"), ("1.5", "-1")] {
            try beat(
                #""scores":{},"reports":[3,"x",[{}],{"task":"no name","gates":[]},{"task":"a.b.night","gates":[1,"power"],"reason":[4],"half":\#(half),"most":\#(most)}]"#
            )
            let why = try call("why_1", #"{"task":"a.b.night"}"#)
            #expect(why.contains(#""gates": ["power"]"#) && !why.contains("most\": {"), "\(why)")
        }
        for labels in ["5", #""x""#, "[1]", #"{"zone":5,"rack":{"a":1},"role":"web"}"#] {
            _ = try call(
                "hello_1",
                #"{"host":"bad","place":"p","name":"n","boot":"b","version":"1","manifest":"m","labels":\#(labels),"jobs":[{"task":"no name","definitionHash":"m","scope":"any_host"},{"task":"a.b.c","definitionHash":"m","scope":"x"},{"task":"a.b.d","definitionHash":"m","scope":"each_host"}]}"#
            )
            let kept = try value("labels from host where host = 'bad'")
            #expect(kept == "{}" || kept == #"{"role": "web"}"#)
            #expect(try value("string_agg(task, ',') from definition_hash where host = 'bad'") == "a.b.d")
        }
    }

    @Test func `the next run of a task comes in a year that all can read`() throws {
        func slot(_ nominal: String) -> String {
            #""slot":{"task":"a.b.night","nominal":\#(nominal),"target":""}"#
        }
        let call = #"{"host":"bad",\#(slot("0")),"definitionHash":"m","limit":1,"lease":60000"#
        for every in [Int64.min, -9_000_000_000_000_000_000, 9_000_000_000_000_000_000] {
            #expect(throws: Nobody.Trouble.self) {
                try self.call("claim_1", call + #","every":\#(every)}"#)
            }
        }
        #expect(try self.call("claim_1", call + #","every":60000}"#).contains("claimed"))
        let lease = #"{\#(slot(try value("nominal from slot"))),"number":\#(try value("number from slot"))}"#
        #expect(throws: Nobody.Trouble.self) {
            try self.call(
                "finish_1",
                #"{"host":"bad","lease":\#(lease),"state":"failed","reason":"r","next":\#(Int64.min)}"#)
        }
        #expect(try summary().news.count == 1)
    }

    @Test func `a host's clock is one that all can read`() throws {
        for (clock, isKept) in [("\(Int64.min)", false), (#""x""#, false), ("1e30", false), ("1e12", true)] {
            try beat(#""reports":[],"scores":{},"clock":\#(clock)"#)
            #expect(
                try value("ahead is not null from host where host = 'bad'") == (isKept ? "t" : "f"),
                "\(clock)")
        }
    }

    @Test func `a slot of a task that no manifest can name reaches no host`() throws {
        let slot = #""slot":{"task":"no name","nominal":\#(Clock.wall.milliseconds),"target":""}"#
        #expect(throws: Nobody.Trouble.self) {
            try call("claim_1", #"{"host":"bad",\#(slot),"definitionHash":"m","limit":1,"lease":60000}"#)
        }
        #expect(throws: Nobody.Trouble.self) {
            try call(
                "beat_1",
                #"{"host":"bad","leases":[],"lease":60000,"offers":[{\#(slot),"definitionHash":"m"}],"scores":{},"reports":[]}"#
            )
        }
        #expect(try summary().news.isEmpty)
        #expect(try value("count(*) from slot") == "0")
    }
}
