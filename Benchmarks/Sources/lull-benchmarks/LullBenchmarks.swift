import CBenchmarks
import Foundation

/// Measures what Lull costs, and prints one table of ratios.
@main
struct LullBenchmarks {
    static let usage = """
        usage: lull-benchmarks --plugin NoOp.so --programs DIR [NAME…]
        NAME is one of launch, burst, commands, starts, idle, manifest, decisions, forecast, backtest, load; all of them when none is given.
        """

    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        // The other side of the bare round trip is this program again.
        if arguments.first == EchoProcess.role {
            benchmarks_echo(0, EchoProcess.frameBytes)
            return
        }
        var options: [String: String] = [:]
        while let name = arguments.first, name.hasPrefix("--") {
            options[name] = arguments.dropFirst().first ?? ""
            arguments = arguments.dropFirst(2)
        }
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

    private static func rows(_ names: [String], _ workshop: Workshop) throws -> [Row] {
        let benchmarks: [(name: String, rows: () throws -> [Row])] = [
            ("launch", LaunchBenchmark(workshop: workshop).rows),
            ("burst", BurstBenchmark(workshop: workshop).rows),
            ("commands", CommandsBenchmark(workshop: workshop).rows),
            ("starts", StartBenchmark(workshop: workshop).rows),
            ("idle", IdleBenchmark(workshop: workshop).rows),
            ("manifest", ManifestBenchmark(workshop: workshop).rows),
            ("decisions", DecisionBenchmark().rows),
            ("forecast", ForecastBenchmark().rows),
            ("backtest", BacktestBenchmark().rows),
            ("load", LoadBenchmark(workshop: workshop).rows),
        ]
        for name in names where !benchmarks.contains(where: { $0.name == name }) {
            throw BenchmarkError("there is no benchmark '\(name)'\n\(usage)")
        }
        return try benchmarks.flatMap { benchmark -> [Row] in
            guard names.isEmpty || names.contains(benchmark.name) else { return [] }
            Progress.say("\(benchmark.name) …")
            return try benchmark.rows()
        }
    }
}
