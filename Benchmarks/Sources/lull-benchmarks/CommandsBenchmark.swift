import CBenchmarks
import Foundation
import LullHistory
import LullModel
import LullSystem

/// A crontab of 1,000 lines that are due at one instant, imported as it is: the time until the last command begins, and until
/// all have ended and are recorded with their output.
///
/// The reference is a bare loop that starts as many `/bin/sh -c` and waits for them, in turns with it. Then 10,000 lines, 100 at
/// once: the processor time of each, and whether memory grows with their number.
struct CommandsBenchmark {
    let workshop: Workshop
    /// As many processes as a machine can have at once.
    private static let bareLines = 1000
    private static let rounds = 3

    func rows() throws -> [Row] {
        try burst(of: 1000, atOnce: 1000).times() + burst(of: 10_000, atOnce: 100).costs()
            + FloodBenchmark(workshop: workshop).rows()
    }

    /// The results of one minute.
    private struct Round {
        var bareLast, bareEnd, first, last, recorded: Double
        var host, worker: Double
        /// Bytes at the minute's end.
        var hostResident, workerResident: Double
        var threads: Int
    }

    private func burst(of lines: Int, atOnce: Int) throws -> Burst {
        Progress.say("  \(lines) commands, \(atOnce) at once …")
        let path = workshop.folder + "/stamps"
        guard let stamps = benchmarks_stamps_make(path, UInt32(lines)) else {
            throw BenchmarkError("no mapped file at \(path)")
        }
        let command = workshop.stamp + " " + path
        let host = try RealHost(
            workshop, name: "commands", manifest: try manifest(of: command, lines: lines, atOnce: atOnce))
        try host.settle(workers: "suspended")
        let history = try SQLiteHistory.open(folder: host.state, mode: .readOnly)
        let rounds = try (0..<Self.rounds).map { _ in try round(lines, stamps, command, host, history) }
        host.stop()
        let cron =
            lines > Self.bareLines
            ? nil : try CronReference().last(of: workshop.folder + "/crontab", stamps, lines: lines)
        return Burst(lines: lines, atOnce: atOnce, rounds: rounds, cron: cron)
    }

    /// The results of several minutes.
    private struct Burst {
        let lines, atOnce: Int
        let rounds: [Round]
        /// When Debian's cron had begun the last line; nil if it was not measured.
        let cron: Double?

        func times() -> [Row] {
            let name = "\(Figures.grouped(lines)) imported cron lines due at once"
            let last = (name: "a bare loop of `/bin/sh -c`, its last", sample: Sample(rounds.map(\.bareLast)))
            let end = (name: "that loop, all ended", sample: Sample(rounds.map(\.bareEnd)))
            let begun = Sample(rounds.map(\.last))
            let beside = cron.map {
                Row(
                    "… the same", begun, against: (name: "Debian's cron, its last", sample: Sample([$0])),
                    aim: "1 ×")
            }
            return [
                Row("\(name): the first command has begun", Sample(rounds.map(\.first)), against: last),
                Row("… the last has begun", begun, against: last, aim: "1.3 ×"),
            ] + [beside].compactMap { $0 } + [
                Row(
                    "… all ended, recorded durably with what they printed", Sample(rounds.map(\.recorded)),
                    against: end,
                    aim: "1.6 ×")
            ]
        }

        func costs() -> [Row] {
            let name = "\(Figures.grouped(lines)) lines, \(atOnce) at once: of the processor for a run"
            let bare = Sample(rounds.map { $0.bareEnd / Double(CommandsBenchmark.bareLines) })
            let both = Sample(rounds.map { ($0.host + $0.worker) / Double(lines) })
            let own = Sample(rounds.map { $0.worker / Double(lines) })
            func grown(_ resident: KeyPath<Round, Double>) -> String {
                guard let first = rounds.first, let last = rounds.last else { return "–" }
                return Figures.mebibytes(last[keyPath: resident] - first[keyPath: resident])
            }
            let reference = (name: "a bare command's time", sample: bare)
            return [
                Row("\(name), host and worker", both, against: reference, aim: "1 ms"),
                Row("… the worker", own, against: reference),
                Row(
                    "… that worker: resident, and threads",
                    "\(Figures.mebibytes(rounds.last?.workerResident ?? 0)), \(rounds.last?.threads ?? 0)",
                    against: "–", ratio: "–", aim: "8 MiB, 2"),
                Row(
                    "… grown from the first \(Figures.grouped(lines)) to the third: host, worker",
                    "\(grown(\.hostResident)), \(grown(\.workerResident))", against: "–", ratio: "–",
                    aim: "flat"),
            ]
        }
    }

    /// The manifest of `lull import crontab`, with another path of the plugin and another number of runs at once.
    private func manifest(of command: String, lines count: Int, atOnce: Int) throws -> String {
        let crontab = workshop.folder + "/crontab"
        let lines = String(repeating: "* * * * * \(command)\n", count: count)
        try lines.write(toFile: crontab, atomically: true, encoding: .utf8)
        let text = try workshop.output(
            of: workshop.lull, ["import", "crontab", crontab, "--user", NSUserName()])
        return text.replacingOccurrences(of: "plugin: Command", with: "plugin: \(workshop.command)")
            .replacingOccurrences(of: "host: 1000, app: 1000", with: "host: \(atOnce), app: \(atOnce)")
    }

    private func round(
        _ lines: Int, _ stamps: OpaquePointer, _ command: String, _ host: RealHost, _ history: SQLiteHistory
    ) throws -> Round {
        benchmarks_stamps_clear(stamps)
        let start = Clock.monotonic.nanoseconds
        let bareEnd = benchmarks_start_commands(command, UInt32(Self.bareLines))
        guard bareEnd >= 0 else { throw BenchmarkError("this machine does not start as many at once") }
        let bareLast = Self.times(stamps, since: start).max() ?? 0
        // Skips the current minute, which the bare loop has disturbed.
        while Self.nextMinute - Clock.wall > .seconds(2) { usleep(50_000) }
        let seen = try Self.last(history)
        benchmarks_stamps_clear(stamps)
        let due = Self.nextMinute
        let dueMonotonic = Clock.monotonic.nanoseconds + (due - Clock.wall).nanoseconds
        let before = (try ProcessUse(of: host.pid), try ProcessUse.workers(of: host.pid))
        var ended = 0
        var last = seen
        while ended < lines {
            usleep(20_000)
            guard Clock.wall - due < .seconds(50) else {
                throw BenchmarkError("only \(ended) of \(lines) commands ended within 50 s")
            }
            guard Clock.wall >= due else { continue }
            last = try history.follow(after: last, limit: 10_000) { event in
                if event.event == .completed { ended += 1 }
            }
        }
        let recorded = Double(Clock.monotonic.nanoseconds - dueMonotonic)
        let after = (try ProcessUse(of: host.pid), try ProcessUse.workers(of: host.pid))
        let begun = Self.times(stamps, since: dueMonotonic)
        let workers = after.1.map(\.time).reduce(0, +) - before.1.map(\.time).reduce(0, +)
        return Round(
            bareLast: bareLast, bareEnd: Double(bareEnd), first: begun.min() ?? 0, last: begun.max() ?? 0,
            recorded: recorded, host: after.0.time - before.0.time, worker: workers,
            hostResident: after.0.resident, workerResident: after.1.first?.resident ?? 0,
            threads: after.1.first?.threads ?? 0)
    }

    private static var nextMinute: WallTime {
        let minute: Int64 = 60_000
        return WallTime(milliseconds: (Clock.wall.milliseconds / minute + 1) * minute)
    }

    private static func times(_ stamps: OpaquePointer, since start: Int64) -> [Double] {
        (0..<benchmarks_stamps_count(stamps)).map { Double(benchmarks_stamps_at(stamps, $0) - start) }
    }

    private static func last(_ history: SQLiteHistory) throws -> Int64 {
        var last: Int64 = 0
        while case let next = try history.follow(after: last, limit: 10_000, { _ in }), next > last {
            last = next
        }
        return last
    }
}
