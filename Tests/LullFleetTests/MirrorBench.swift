import Foundation
import LullAnswers
import LullHistory
import LullModel
import LullSystem
import Testing

@testable import LullFleet

/// A fleet of its own in the tests' database, and the calls of hosts to it.
class MirrorBench {
    let postgres: Postgres
    let bench: Bench
    let connection: FleetConnection
    let schema: String
    let now = Clock.wall

    init() throws {
        postgres = try Postgres.shared.get()
        let fleet = "mirror" + UUID().uuidString.prefix(8).lowercased()
        schema = FleetSchema.quoted(FleetSchema.name(of: fleet))
        _ = try FleetInstall.run(FleetDefinition(database: postgres.database, name: fleet))
        bench = try Bench(fleet)
        connection = try bench.connection(postgres.database)
    }

    /// Calls the read functions through the test's connection.
    final class Reader: FleetReader {
        let tests: MirrorBench
        init(_ tests: MirrorBench) { self.tests = tests }
        func ask(_ function: String, _ question: JSONValue) throws(FleetReadError) -> String {
            do {
                return try tests.ask(function, question.text)
            } catch {
                throw FleetReadError("\(error)")
            }
        }
    }

    func ask(_ function: String, _ json: String) throws -> String {
        var answer: Result<String, FleetTrouble>?
        connection.call(function, json, .question) { [bench] in
            answer = $0
            bench.loop.stop()
        }
        try bench.run { answer != nil }
        return try #require(answer).get()
    }

    func sql(_ text: String) throws -> String {
        try postgres.sql("set search_path = \(schema); " + text)
    }

    func task() throws -> TaskIdentifier { try #require(TaskIdentifier("a.b.night")) }

    func event(
        _ name: HistoryEvent.Name, ago: Duration, run: UInt64? = nil, _ outcome: Outcome? = nil
    ) throws -> HistoryEvent {
        let app = try #require(AppIdentifier("a.b"))
        return HistoryEvent(
            name, at: now - ago, app: app, task: try task(), run: run.map { RunID($0) }, outcome: outcome,
            reason: "It said \"so\"\n\u{1}\u{0}.")
    }

    func send(
        _ events: [(Int64, HistoryEvent)], outputs: [MirrorPage.Output] = [], place: String = "p1"
    ) throws -> Int64 {
        let lines = events.map { MirrorPage.Line(sequence: $0.0, text: HistoryLines.encode($0.1)) }
        let page = MirrorPage(lines: lines, outputs: outputs, after: 0, isFull: false, last: 0)
        let answer = try ask("mirror_1", "{\"place\":\"\(place)\",\"name\":\"\(place)-name\",\(page.body)}")
        return try #require(FleetJSON.decode(FleetMirrorAnswer.self, answer)).through
    }

    func past(_ query: FleetQuery = FleetQuery()) throws -> FleetPast {
        try FleetPast.read(query, from: Reader(self))
    }
}
