import ArgumentParser
import LullModel
import LullSimulator

/// Weeks full of trouble for the host, one a seed; the first seed that breaks an invariant is shown and can be replayed.
@main
struct LullSimulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lull-simulate",
        abstract: "Put the host through simulated weeks of faults, and look for broken invariants.",
        discussion: """
            Runs scheduler, history and workers on a virtual clock, with the same decisions as the real host. \
            Each seed is one week, the same on every machine. docs/evidence.md says which faults it has and \
            what must hold.

            Examples:
              lull-simulate --seeds 2000
              lull-simulate --seed 4711
              lull-simulate --seeds 2000 --theme pushes
            """)

    @Option(help: "Replay this seed and show what led to its first fault.") var seed: UInt64?
    @Option(help: "How many seeds.") var seeds: UInt64 = 1000
    @Option(help: "The first seed.") var from: UInt64 = 0
    @Option(help: "Which faults happen besides the usual ones.") var theme = RoughWeek.Theme.usual
    @Flag(help: "Simulate days of a fleet of hosts instead, on a model of its database.") var fleet = false
    @Option(help: "How many lines before a fault are shown; 0: all of them.") var lines = 60

    func validate() throws {
        guard lines >= 0 else { throw ValidationError("--lines is 0 or more.") }
        guard seeds > 0, !from.addingReportingOverflow(seeds).overflow else {
            throw ValidationError("--seeds is 1 or more, and --from leaves room for them.")
        }
    }

    func run() throws {
        if fleet { return try FleetDays(seeds: from..<from + seeds, seed: seed, lines: lines).run() }
        if let seed { return try replay(seed) }
        let range = from..<from + seeds
        let results = Weeks(range, of: theme).run()
        let broken = results.filter { !$0.faults.isEmpty }
        var digest: UInt64 = 0
        for result in results { digest = digest &* 0x0000_0100_0000_01b3 ^ result.digest }
        for result in broken.prefix(10) { print(result.faults.prefix(3).joined(separator: "\n")) }
        let events = results.reduce(0) { $0 + $1.events }
        let busiest = results.max { $0.events < $1.events }
        print(
            "\(results.count) weeks, \(results.count * RoughWeek.days) host-days, \(events) recorded events; "
                + "\(busiest?.events ?? 0) at most, in seed \(busiest?.seed ?? 0); \(broken.count) with broken invariants; digest \(String(digest, radix: 16))."
        )
        guard let first = broken.first else { return }
        print("Seed \(first.seed), as it went:\n")
        try replay(first.seed)
    }

    /// Shows what led to the first fault; fails if there is one.
    private func replay(_ seed: UInt64) throws {
        let replay = Replay(seed: seed, of: theme, lines: lines)
        for line in replay.lines { print(line) }
        print(
            "digest \(String(replay.trace.digest, radix: 16)), \(replay.trace.events.count) recorded events")
        if replay.trace.faults.isEmpty { return print("Seed \(seed) breaks no invariant.") }
        print(
            "\nSeed \(seed) breaks an invariant. To replay it: lull-simulate --seed \(seed)"
                + (theme == .usual ? "" : " --theme \(theme.rawValue)")
        )
        throw ExitCode.failure
    }
}

extension RoughWeek.Theme: ExpressibleByArgument {}
