import CBenchmarks
import Foundation
import LullControl
import LullModel

/// A command launched by hand: `true`, and one that prints a gibibyte.
struct FloodBenchmark {
    let workshop: Workshop
    private static let gibibytes = "yes | head -c 1G"

    func rows() throws -> [Row] {
        let manifest = """
            version: 1
            defaults: { idle_after: never, keep_warm: 1h, limits: { write: all, privileges: keep } }
            apps:
              com.example.Command:
                plugin: \(workshop.command)
                user: \(NSUserName())
                tasks:
                  nothing: { kind: processing, settings: { run: "true" } }
                  flood: { kind: processing, time_limit: 10m, settings: { run: "\(Self.gibibytes)" } }
            """
        let host = try RealHost(workshop, name: "flood", manifest: manifest)
        let client = try host.client()
        guard let nothing = TaskIdentifier("com.example.Command.nothing"),
            let flood = TaskIdentifier("com.example.Command.flood")
        else { return [] }
        try LaunchBenchmark.launch(nothing, client)
        var shells: [Double] = []
        var launches: [Double] = []
        for _ in 0..<30 {
            shells.append(Double(benchmarks_start_commands("true", 1)))
            launches.append(try Stopwatch.time { try LaunchBenchmark.launch(nothing, client) })
        }
        let before = try ProcessUse(of: host.pid)
        let read = Double(benchmarks_read_output(Self.gibibytes))
        let flooded = try Stopwatch.time { try LaunchBenchmark.launch(flood, client) }
        let after = try ProcessUse(of: host.pid)
        return [
            Row(
                "`true` as a task, asked over the control socket, to its recorded end", Sample(launches),
                against: (name: "`sh -c true`", sample: Sample(shells)), aim: "3 ×"),
            Row(
                "`\(Self.gibibytes)` as a task", Sample([flooded]),
                against: (name: "read from a pipe", sample: Sample([read])), aim: "1 ×"),
            Row(
                "… the host has grown by", Figures.mebibytes(after.resident - before.resident), against: "–",
                ratio: "–", aim: "nothing"),
        ]
    }
}
