import Foundation
import LullModel
import TestSupport
import Testing

/// `kill -9` of hosts, of the PostgreSQL server and of one of its sessions at random instants, while three hosts share many runs.
///
/// `LULL_FLEET_KILLS` says how often, `LULL_SEED` chooses the instants and who dies.
@Suite(.enabled(if: FleetYard.isPossible, FleetYard.absence))
struct FleetKillTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["LULL_FLEET_KILLS"].flatMap { Int($0) } ?? 100
    private static let seed = environment["LULL_SEED"].flatMap { UInt64($0) } ?? 1

    private static func tasks(_ notes: String) -> String {
        (0..<12).map { number in
            let name = "job\(number)"
            let run = FleetYard.run(name, notes, seconds: number < 9 ? 0.1 : 1)
            return "      \(name): { kind: processing, repeat: 1s, scope: any_host, \(run) }\n"
        }.joined()
            + "      minutely: { kind: processing, at: \"* * * * *\", missed: all, scope: any_host, "
            + FleetYard.run("minutely", notes, seconds: 1) + " }\n"
    }

    /// A server whose recovery process is killed exits a moment later.
    private func wait(for more: Int, _ word: String, in yard: FleetYard) throws {
        let before = yard.noted(word).count
        try yard.wait("\(more) more '\(word)'") {
            if !yard.server.isRunning { try yard.server.start() }
            return yard.noted(word).count >= before + more
        }
    }

    @Test func `whoever is killed under load, no slot is lost and none is done twice`() throws {
        let yard = try FleetYard(["a", "b", "c"], tasks: Self.tasks)
        var random = SeededGenerator(seed: Self.seed)
        var killed: [String: Int] = [:]
        let pause = DispatchSemaphore(value: 0)
        // There are no slots from before a host knew the task.
        try yard.start()
        try yard.wait(for: 3, "end")
        let first = try #require(yard.rows("select clock()").first)
        for round in 0..<Self.kills {
            if !yard.server.isRunning { try yard.server.start() }
            try yard.start()
            // A quarter of the instants are during the start, the others after a run has begun.
            if round % 4 != 3 { try wait(for: 1, "begin", in: yard) }
            _ = pause.wait(timeout: .now() + .microseconds(Int.random(in: 0...600_000, using: &random)))
            let victim = (yard.names + ["server", "session"]).randomElement(using: &random) ?? "server"
            killed[victim, default: 0] += 1
            switch victim {
            case "server": yard.server.kill()
            case "session":
                // The server then restarts all its sessions.
                if let session = yard.server.processes.randomElement(using: &random) {
                    kill(session, SIGKILL)
                }
            default: yard.kill(victim)
            }
        }
        if !yard.server.isRunning { try yard.server.start() }
        try yard.start()
        try wait(for: 3, "end", in: yard)
        let until = try yard.waitForAll()
        try yard.endAll()

        let faults = try yard.faults()
        let states = try yard.rows("select state, count(*) from slot group by 1 order by 1")
        let late = try yard.rows("select count(*) from slot where attempt > 1").joined()
        print(
            "\(killed.sorted { $0.key < $1.key }) kills (seed \(Self.seed)): slots \(states), \(late) of them taken over, "
                + "\(yard.noted("end").count) runs; \(faults.count) faults")
        #expect(faults == [], "seed \(Self.seed)")
        let minutes = try yard.rows(
            """
            select m from generate_series((\(first) / 60000 + 1) * 60000, \(until), 60000) m
            where not exists (select from slot where task like '%.minutely' and nominal = m
                and state not in ('open', 'leased'))
            """)
        #expect(minutes == [], "seed \(Self.seed): minutes without an end")
        #expect(yard.noted("end").count > Self.kills)
    }
}
