import CBenchmarks
import Foundation
import LullControl
import LullModel
import LullSystem

/// 1,000 no-op runs due at one instant: the time from then until the first and the last handler begin.
struct BurstBenchmark {
    let workshop: Workshop
    private static let runs = 1000
    private static let rounds = 5

    private struct Shape {
        let name: String
        let apps: Int
        let isWarm: Bool
    }

    func rows() throws -> [Row] {
        let shapes = [
            Shape(name: "1 warm app × 1,000", apps: 1, isWarm: true),
            Shape(name: "100 warm apps × 10", apps: 100, isWarm: true),
            Shape(name: "100 cold apps × 10", apps: 100, isWarm: false),
        ]
        let path = workshop.folder + "/stamps"
        guard let stamps = benchmarks_stamps_make(path, UInt32(Self.runs)) else {
            throw BenchmarkError("no mapped file at \(path)")
        }
        // Each app runs as an account of its own.
        chmod(path, 0o666)
        // Each submit is durable before it is answered, so the time of 1,000 submits depends on the disk.
        let write = try Durability(folder: workshop.folder).write(times: 20)
        let lead = Duration.seconds(4) + .nanoseconds(Int64(write * Double(Self.runs) * 6))
        let threads = try Sample.of(Self.rounds) { try started(benchmarks_start_threads(UInt32(Self.runs))) }
        let processes = try Sample.of(Self.rounds) {
            try started(benchmarks_start_processes(workshop.worker, 100))
        }
        let bareThreads = (name: "1,000 bare threads", sample: threads)
        let bareProcesses = (
            name: "100 bare processes of `lull-worker`, started and ended", sample: processes
        )
        var rows: [Row] = []
        for shape in shapes {
            Progress.say("  \(shape.name) …")
            let (first, last) = try measure(shape, stamps, path, lead)
            let name = "1,000 runs due at once, \(shape.name)"
            rows.append(
                Row(
                    "\(name): the first has begun", first, against: shape.isWarm ? bareThreads : bareProcesses
                ))
            rows.append(
                Row(
                    "… the last has begun", last, against: shape.isWarm ? bareThreads : bareProcesses,
                    aim: "50 ms"))
        }
        return rows
    }

    private func started(_ nanoseconds: Int64) throws -> Double {
        guard nanoseconds >= 0 else { throw BenchmarkError("this machine does not start as many at once") }
        return Double(nanoseconds)
    }

    private func measure(
        _ shape: Shape, _ stamps: OpaquePointer, _ path: String, _ lead: Duration
    ) throws -> (first: Sample, last: Sample) {
        let manifest = NoOpManifest(
            plugin: workshop.plugin, apps: shape.apps, tasksPerApp: Self.runs / shape.apps,
            keepWarm: shape.isWarm ? "1h" : "0s", runsAtOnce: Self.runs, stamps: path)
        let host = try RealHost(workshop, name: "burst", manifest: manifest.text)
        let tasks = (0..<Self.runs).compactMap { TaskIdentifier(manifest.task($0)) }
        var firsts: [Double] = []
        var lasts: [Double] = []
        var lead = lead
        while lasts.count < Self.rounds {
            try host.settle(workers: shape.isWarm ? "suspended" : "none")
            benchmarks_stamps_clear(stamps)
            let due = try submit(tasks, to: host, lead)
            try waitForAll(stamps)
            guard let due else {
                // Other work on the machine made the submits slow; a round with more time follows.
                lead = lead * 2
                guard lead < .seconds(60) else {
                    throw BenchmarkError("1,000 submits take longer than \(lead / 2)")
                }
                continue
            }
            let times = (0..<UInt32(Self.runs)).map { Double(benchmarks_stamps_at(stamps, $0) - due) }
            firsts.append(times.min() ?? 0)
            lasts.append(times.max() ?? 0)
        }
        return (Sample(firsts), Sample(lasts))
    }

    private func waitForAll(_ stamps: OpaquePointer) throws {
        let watch = Stopwatch()
        while benchmarks_stamps_count(stamps) < Self.runs {
            guard watch.nanoseconds < 120e9 else {
                throw BenchmarkError(
                    "only \(benchmarks_stamps_count(stamps)) of 1,000 runs began in two minutes")
            }
            usleep(50_000)
        }
    }

    /// Requests one launch of each task, all at one instant. Returns that instant on the monotonic clock, or nil if it came
    /// before all requests were made.
    private func submit(_ tasks: [TaskIdentifier], to host: RealHost, _ lead: Duration) throws -> Int64? {
        let due = Clock.wall + lead
        let client = try host.client()
        for task in tasks {
            _ = try client.ask(Ask.Submit(task, earliestBegin: due))
        }
        let wall = Clock.wall
        guard due - wall > .milliseconds(500) else { return nil }
        return Clock.monotonic.nanoseconds + (due - wall).nanoseconds
    }
}
