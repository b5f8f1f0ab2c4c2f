import CBenchmarks
import Foundation
import LullControl
import LullModel

/// `lull run` as a service, on a manifest and a state of its own.
final class RealHost {
    let state: String
    private let process = Process()

    /// Returns once the host answers.
    init(_ workshop: Workshop, name: String, manifest: String) throws {
        let folder = try workshop.empty(name)
        state = folder + "/state"
        let file = folder + "/jobs.yaml"
        try manifest.write(toFile: file, atomically: true, encoding: .utf8)
        chmod(file, 0o644)
        process.executableURL = URL(fileURLWithPath: workshop.lull)
        process.arguments = ["run", file, "--state", state]
        process.environment = ProcessInfo.processInfo.environment.merging(["LULL_WORKER": workshop.worker]) {
            $1
        }
        let log = folder + "/log"
        guard FileManager.default.createFile(atPath: log, contents: nil) else {
            throw BenchmarkError("no file can be made in \(folder)")
        }
        process.standardError = FileHandle(forWritingAtPath: log)
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        benchmarks_end_with_me(process.processIdentifier)
        try wait(for: "the host to answer", log: log, pause: 20_000) {
            guard process.isRunning else { throw BenchmarkError("`lull run` ended: " + Self.end(of: log)) }
            return (try? ControlClient(stateFolder: state).ask(Ask.Pending())) != nil
        }
    }

    deinit { stop() }

    var pid: Int32 { process.processIdentifier }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
        benchmarks_end_with_me(0)
    }

    func client() throws -> ControlClient { try ControlClient(stateFolder: state) }

    /// Waits until every app has been discovered, nothing runs, and each worker is in this state.
    func settle(workers: String) throws {
        let client = try client()
        // The long answer is costly for the host, so this polls rarely.
        try wait(for: "the workers to be \(workers)", log: nil, pause: 500_000) {
            let report = try client.ask(Ask.Status())
            if let app = report.apps.first(where: { $0.trouble != nil }) {
                throw BenchmarkError("\(app.app): \(app.trouble ?? "")")
            }
            return report.apps.allSatisfy { $0.discovered != nil && $0.worker == workers }
                && report.tasks.allSatisfy { $0.running.isEmpty }
        }
    }

    private func wait(
        for what: String, log: String?, pause: UInt32, until isDone: () throws -> Bool
    ) throws {
        let watch = Stopwatch()
        while try !isDone() {
            guard watch.nanoseconds < 60e9 else {
                throw BenchmarkError(
                    "waited a minute for \(what)" + (log.map { ": " + Self.end(of: $0) } ?? ""))
            }
            usleep(pause)
        }
    }

    private static func end(of log: String) -> String {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(5).joined(separator: "\n")
    }
}
