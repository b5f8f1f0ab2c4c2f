import Foundation

/// The cost of short commands in user-space instructions, which other work on the machine does not change.
///
/// Callgrind counts them. No host runs, so each command reads manifest and history itself.
struct InstructionBenchmark {
    let workshop: Workshop
    private static let valgrind = "/usr/bin/valgrind"

    func rows() throws -> [Row] {
        guard FileManager.default.isExecutableFile(atPath: Self.valgrind) else {
            throw BenchmarkError("there is no \(Self.valgrind): install it, or leave `instructions` out")
        }
        let lull = try bare(workshop.lull, "lull")
        // `lull` expects a worker beside it.
        try FileManager.default.createSymbolicLink(
            atPath: workshop.folder + "/bare/lull-worker", withDestinationPath: workshop.worker)
        let state = try workshop.empty("counted")
        let manifest = workshop.folder + "/counted.yaml"
        let apps = NoOpManifest(
            plugin: workshop.plugin, apps: 10, tasksPerApp: 100, keepWarm: "0s", repeat: "7d")
        try apps.text.write(toFile: manifest, atomically: true, encoding: .utf8)
        _ = try workshop.output(of: workshop.lull, ["run", "--once", manifest, "--state", state])
        let nothing = try count(try bare(try Self.ownPath(), "nothing"), [EchoProcess.role])
        return try [
            ("`lull --version`", ["--version"]),
            ("`lull status`, 1,000 tasks", ["status", "--state", state, "--manifest", manifest]),
            ("`lull why` of one of them", ["why", apps.task(0), "--state", state, "--manifest", manifest]),
            ("`lull used`", ["used", "com.example.NoOp0", "--state", state, "--manifest", manifest]),
        ].map { name, arguments in
            let own = try count(lull, arguments)
            return Row(
                "\(name): instructions", Self.millions(own),
                against: "a Swift process that does nothing: \(Self.millions(nothing))",
                ratio: Figures.ratio(own / nothing), aim: "–")
        }
    }

    private static func millions(_ count: Double) -> String { Figures.number(count / 1_000_000) + " million" }

    private static func ownPath() throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }

    /// A copy without the debugging information, which valgrind may not be able to read.
    private func bare(_ program: String, _ name: String) throws -> String {
        let folder = workshop.folder + "/bare"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let copy = folder + "/" + name
        _ = try workshop.output(of: "/usr/bin/strip", ["--strip-debug", "-o", copy, program])
        return copy
    }

    private func count(_ program: String, _ arguments: [String]) throws -> Double {
        let log = workshop.folder + "/callgrind.log"
        _ = try workshop.output(
            of: Self.valgrind,
            [
                "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=\(log)", program,
            ] + arguments)
        let text = try String(contentsOfFile: log, encoding: .utf8)
        guard let count = text.firstMatch(of: /Collected : (\d+)/).flatMap({ Double($0.1) }) else {
            throw BenchmarkError("valgrind counted nothing of \(program) \(arguments):\n\(text)")
        }
        return count
    }
}
