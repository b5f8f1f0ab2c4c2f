import Foundation
import TestSupport
import Testing

/// Sixteen ways in which apps for iOS keep their tasks going: each task is launched again and again. The second launch of
/// processing finds the worker cold, so the app starts and submits once more.
struct HabitTests {
    struct Habits: Sendable {
        var fixture: String
        var app: String
        var refresh: [String]
        var processing: [String]

        var identifiers: [String] { (refresh + processing).map { "com.example.\(app).\($0)" } }

        /// Short spans in place of the defaults; workers are cold in between.
        var manifest: String {
            let plugin = Workshop.products.appendingPathComponent("libFixture\(fixture).so").path
            let tasks =
                refresh.map { "\($0): { kind: refresh, budget: 1440, min_gap: 1s, latest: 1s }" }
                + processing.map { "\($0): { kind: processing, requires: { idle: false }, latest: 1s }" }
            return """
                version: 1
                apps:
                  com.example.\(app):
                    plugin: \(plugin)
                    idle_after: never
                    keep_warm: 1s
                    settings: { wait: 3 }
                    tasks:
                \(tasks.map { "      " + $0 }.joined(separator: "\n"))
                """
        }
    }

    static let habits = [
        Habits(
            fixture: "HabitsDelegate", app: "Delegate", refresh: ["refresh"],
            processing: ["deferred", "after", "unless_pending", "cancelled"]),
        Habits(
            fixture: "HabitsScene", app: "Scene", refresh: ["refresh"],
            processing: ["scene", "observed", "polled"]),
        Habits(
            fixture: "HabitsApp", app: "Habits", refresh: ["refresh"], processing: ["registered", "grouped"]),
        Habits(
            fixture: "HabitsActors", app: "Actors", refresh: [],
            processing: ["actor", "maintenance", "raced", "retried"]),
    ]

    @Test(arguments: habits)
    func `what an app asks for as apps for iOS do is launched again and again`(
        habits: Habits
    ) throws {
        let workshop = try Workshop()
        try workshop.write(habits.manifest, to: "jobs.yaml")
        let host = try workshop.start("run", "jobs.yaml")
        var launches: [String: Int] = [:]
        while habits.identifiers.contains(where: { launches[$0, default: 0] < 2 }) {
            let line = try host.readLine(waitingFor: "a second launch of each task")
            guard let task = line.firstMatch(of: /\ launched (\S+) run=/) else { continue }
            launches[String(task.1), default: 0] += 1
        }
        #expect(!host.said.contains("error: com.example"), "\(host.said)")
        #expect(!host.said.contains(" violation "), "\(host.said)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }
}
