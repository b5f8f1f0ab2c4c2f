import Foundation
import LullModel
import LullSimulator
import TestSupport
import Testing

@testable import LullFleet

/// The functions in PostgreSQL and their model give the same answers, call after call, on any connection.
@Suite(.enabled(if: Postgres.isThere, Postgres.absence))
struct DifferentialTests {
    private static let seeds =
        ProcessInfo.processInfo.environment["LULL_FLEET_SEEDS"].flatMap(UInt64.init) ?? 8
    private static let steps = 1_500

    @Test(arguments: 1...seeds) func `the model answers as the database does`(seed: UInt64) throws {
        let postgres = try Postgres.shared.get()
        let fleet = "differential\(seed)"
        let definition = FleetDefinition(database: postgres.database, name: fleet)
        _ = try FleetInstall.run(definition)
        let schema = FleetSchema.quoted(FleetSchema.name(of: fleet))
        // Replaces the server's clock with the test's.
        try postgres.sql(
            """
            create table \(schema).hand (at bigint); insert into \(schema).hand values (0);
            create or replace function \(schema).clock() returns bigint language sql stable
            as 'select at from \(schema).hand';
            """)
        let bench = try Bench(fleet)
        let connections = try (0..<3).map { _ in try bench.connection(postgres.database) }
        let admin = try #require(
            PostgresDial(
                database: postgres.database, credentials: nil, timeout: hangLimit,
                statementTimeout: hangLimit
            ).connect().get() as PostgresLink?)
        var calls = RandomCalls(seed: seed)
        var random = SeededGenerator(seed: ~seed)
        var model = FleetDatabase()
        var verdicts: [FleetClaim.Verdict: Int] = [:]
        for step in 0..<Self.steps {
            let act = calls.next()
            _ = admin.run("update \(schema).hand set at = \(calls.now.milliseconds)")
            let connection = connections[Int.random(in: 0..<connections.count, using: &random)]
            let isAlike: Bool
            switch act {
            case .call(let call):
                let real = try bench.ask(connection, call)
                let modelled = model.answer(call, at: calls.now)
                isAlike = real == modelled
                #expect(isAlike, "seed \(seed), step \(step): \(call)\nreal \(real)\nmodel \(modelled)")
                calls.heard(real, to: call)
                if case .claim(let answer) = real { verdicts[answer.verdict, default: 0] += 1 }
            case .drain(let host, let by, let reason, let span):
                var more: [String: Any] = [:]
                (more["by"], more["reason"]) = (by, reason)
                more["span"] = span?.milliseconds
                let real = try operate("drain_1", host, connection, bench, with: more)["places"] as? [String]
                isAlike = real?.count == model.drain(host, by: by, reason: reason, for: span, at: calls.now)
                #expect(isAlike, "seed \(seed), step \(step): drain \(host)")
            case .resume(let host):
                let real = try operate("resume_1", host, connection, bench)["places"] as? [String]
                isAlike = real?.count == model.resume(host)
                #expect(isAlike, "seed \(seed), step \(step): resume \(host)")
            case .forget(let host):
                let real = try operate("forget_1", host, connection, bench)
                let modelled = model.forget(host, at: calls.now)
                isAlike =
                    real["forgotten"] as? Int == modelled.forgotten && real["freed"] as? Int == modelled.freed
                    && real["living"] as? [String] == modelled.living
                #expect(isAlike, "seed \(seed), step \(step): forget \(host): \(real), \(modelled)")
            }
            // Later differences would only follow from this one.
            guard isAlike else { return }
        }
        let text = try postgres.sql(
            """
            set search_path = \(schema);
            select jsonb_agg(slot_status(s, clock()) order by nominal, task, target) from slot s
            """)
        let real = try JSONDecoder().decode([SlotStatus].self, from: Data(text.utf8))
        #expect(real == model.slotStatuses(at: calls.now))
        #expect(verdicts.count >= 7, "the calls are too much alike: \(verdicts)")
    }

    private func operate(
        _ function: String, _ host: String, _ connection: FleetConnection, _ bench: Bench,
        with more: [String: Any] = [:]
    ) throws -> [String: Any] {
        var answer: Result<String, FleetTrouble>?
        let question = try JSONSerialization.data(withJSONObject: more.merging(["host": host]) { $1 })
        connection.call(function, String(decoding: question, as: UTF8.self), .question) {
            answer = $0
            bench.loop.stop()
        }
        try bench.run { answer != nil }
        let text = try #require(try answer?.get())
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
}
