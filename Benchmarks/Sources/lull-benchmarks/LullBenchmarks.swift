import CBenchmarks
import Foundation

/// Measures what Lull costs, and prints one table of ratios.
@main
struct LullBenchmarks {
    static let usage = """
        usage: lull-benchmarks --plugin NoOp.so --programs DIR [NAME…]
        NAME is one of launch, burst, commands, starts, idle, manifest, decisions, forecast, backtest, simulate, load, history, transfers, fleet, instructions; all of them when none is given.
        """

    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        // This program is also the other side of the bare round trip.
        if arguments.first == EchoProcess.role {
            benchmarks_echo(0, EchoProcess.frameBytes)
            return
        }
        var options: [String: String] = [:]
        while let name = arguments.first, name.hasPrefix("--") {
            options[name] = arguments.dropFirst().first ?? ""
            arguments = arguments.dropFirst(2)
        }
        if options["--names"] != nil { return print(benchmarks.map(\.name).joined(separator: " ")) }
        guard let plugin = options["--plugin"], let programs = options["--programs"] else {
            Progress.say(usage)
            exit(64)
        }
        do {
            let workshop = try Workshop(plugin: plugin, programs: programs)
            print(Figures.table(try rows(Array(arguments), workshop)))
        } catch {
            Progress.say("lull-benchmarks: \(error)")
            exit(1)
        }
    }

    private static let benchmarks: [(name: String, rows: @Sendable (Workshop) throws -> [Row])] = [
        ("launch", { try LaunchBenchmark(workshop: $0).rows() }),
        ("burst", { try BurstBenchmark(workshop: $0).rows() }),
        ("commands", { try CommandsBenchmark(workshop: $0).rows() }),
        ("starts", { try StartBenchmark(workshop: $0).rows() }),
        ("idle", { try IdleBenchmark(workshop: $0).rows() }),
        ("manifest", { try ManifestBenchmark(workshop: $0).rows() }),
        ("decisions", { _ in try DecisionBenchmark().rows() }),
        ("forecast", { _ in try ForecastBenchmark().rows() }),
        ("backtest", { _ in try BacktestBenchmark().rows() }),
        ("simulate", { try SimulateBenchmark(workshop: $0).rows() }),
        ("load", { try LoadBenchmark(workshop: $0).rows() }),
        ("history", { try HistoryBenchmark(workshop: $0).rows() }),
        ("transfers", { try TransfersBenchmark(workshop: $0).rows() }),
        ("fleet", { try FleetBenchmark(workshop: $0).rows() }),
        ("instructions", { try InstructionBenchmark(workshop: $0).rows() }),
    ]

    private static func rows(_ names: [String], _ workshop: Workshop) throws -> [Row] {
        for name in names where !benchmarks.contains(where: { $0.name == name }) {
            throw BenchmarkError("there is no benchmark '\(name)'\n\(usage)")
        }
        return try benchmarks.flatMap { benchmark -> [Row] in
            guard names.isEmpty || names.contains(benchmark.name) else { return [] }
            Progress.say("\(benchmark.name) …")
            return try benchmark.rows(workshop)
        }
    }
}
