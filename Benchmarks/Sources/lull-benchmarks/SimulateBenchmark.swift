import Foundation
import LullManifest
import LullModel
import LullScheduler
import LullSimulator

/// A run of `lull simulate`: the next 35 days of a crontab with two lines due in each minute.
struct SimulateBenchmark {
    private static let tasks = 38
    private static let days = 35
    private static let launches = 2 * 60 * 24 * days

    let workshop: Workshop

    func rows() throws -> [Row] {
        let result = ManifestReader(pluginPath: []).read(
            text: Array(Self.text(plugin: workshop.plugin).utf8), path: "jobs.yaml")
        guard let manifest = result.manifest else {
            throw BenchmarkError(
                result.diagnostics.map { $0.rendered(colour: false) }.joined(separator: "\n"))
        }
        // A Monday.
        let start = WallTime(seconds: 1_735_516_800)
        var launches: [Rehearsal.Launched] = []
        let played = try Sample.of(3) {
            var rehearsal = Rehearsal(
                Ledger(), manifest, conditions: Conditions(), zones: .utc, from: start,
                options: SchedulerOptions(), timeline: [])
            let spent = Stopwatch.time { rehearsal.run(until: start + .days(Self.days)) }
            launches = rehearsal.launches
            guard launches.count == Self.launches else {
                throw BenchmarkError("\(launches.count) launches came of \(Self.launches) times")
            }
            return spent
        }
        let lines = launches.map { Line(time: $0.time.milliseconds, task: $0.task.text) }
        let written = try Sample.of(3) { try Stopwatch.time { _ = try JSONEncoder().encode(lines) } }
        return [
            Row(
                "\(Self.days) days of \(Self.tasks) tasks, \(Figures.grouped(Self.launches)) launches",
                played,
                against: ("their list as JSON, by Foundation", written), aim: "5 s")
        ]
    }

    private struct Line: Encodable {
        let time: Int64
        let task: String
    }

    private static func text(plugin: String) -> String {
        let lines = (0..<tasks).map { task in
            "      task\(task): { kind: processing, at: \"\(task % 19)-59/19 * * * *\", requires: { idle: false } }"
        }
        return """
            version: 1
            apps:
              com.example.Jobs:
                plugin: \(plugin)
                idle_after: never
                tasks:

            """ + lines.joined(separator: "\n")
    }
}
