import Foundation
import LullModel
import TestSupport
import Testing

/// A folder with a manifest, plugins and a state, in which the real host runs.
final class Workshop: Sendable {
    let folder: String
    var state: String { folder + "/state" }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder with the executables: beside this test, or where SwiftPM puts them.
    static let products: URL = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let arguments = CommandLine.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
        let places =
            [URL(fileURLWithPath: own).deletingLastPathComponent()]
            + [".build/debug", ".build/release"].map(root.appendingPathComponent) + arguments
        return places.first {
            FileManager.default.isExecutableFile(atPath: $0.appendingPathComponent("lull-worker").path)
        } ?? root.appendingPathComponent(".build/debug")
    }()

    static var lull: String { products.appendingPathComponent("lull").path }

    static let apps = (0..<4).compactMap { AppIdentifier("com.example.Busy\($0)") }

    /// A time before the start of all tested hosts, in milliseconds.
    static let past = Int64(Date().timeIntervalSince1970) * 1000 - 20 * 86_400_000

    /// The tasks that clients submit.
    static let tasks = apps.flatMap { app in
        ["quick0", "quick1", "slow0", "slow1", "fails0"].compactMap { TaskIdentifier($0, of: app) }
    }

    /// `rest`: without tasks that run on their own.
    init(rest: Bool = false) throws {
        folder = FileManager.default.temporaryDirectory.path + "/lull-crash-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder + "/plugins", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        var manifest = """
            version: 1
            defaults:
              concurrency: { host: 6, app: 4 }
              idle_after: never
              retry: { first: 1s, max: 2s }
            apps:

            """
        for app in Self.apps {
            manifest += "  \(app):\n    plugin: Busy\n    tasks:\n"
            let busy = rest ? [] : ["chain0", "chain1", "crash0"]
            for task in ["quick0", "quick1", "slow0", "slow1", "fails0"] + busy {
                let gap = task == "crash0" ? "repeat: 10s, " : ""
                manifest += "      \(task): { kind: processing, \(gap)requires: { idle: false } }\n"
            }
        }
        try manifest.write(toFile: folder + "/jobs.yaml", atomically: true, encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func compile(_ fixture: String) throws {
        let gcc = Process()
        gcc.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        gcc.arguments = [
            "gcc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-pthread",
            "-I", Self.root.appendingPathComponent("Sources/C/CLullPlugin/include").path,
            Self.root.appendingPathComponent("Tests/Fixtures/Plugins/\(fixture).c").path,
            "-o", folder + "/plugins/lib\(fixture).so",
        ]
        try gcc.run()
        gcc.waitUntilExit()
        try #require(gcc.terminationStatus == 0, "gcc refuses \(fixture).c")
    }

    /// Starts `lull` here, with the command `through` before it; its messages go to the file `log`.
    func start(
        _ arguments: [String], through: [String] = [], state: String? = nil, output: FileHandle = .nullDevice,
        executable: String = Workshop.lull
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            through + [executable] + arguments
            + ["--state", state ?? self.state, "--plugins", folder + "/plugins"]
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let log = folder + "/log"
        if !FileManager.default.fileExists(atPath: log) {
            _ = FileManager.default.createFile(atPath: log, contents: nil)
        }
        let words = try #require(FileHandle(forWritingAtPath: log))
        try words.seekToEnd()
        process.standardError = words
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// The messages of all hosts.
    var words: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

    /// Polls until the condition holds; false after `hangLimit`.
    static func waits(until isSo: () throws -> Bool) rethrows -> Bool {
        let pause = DispatchSemaphore(value: 0)
        let end = ContinuousClock.now + hangLimit
        while ContinuousClock.now < end {
            if try isSo() { return true }
            _ = pause.wait(timeout: .now() + .milliseconds(10))
        }
        return false
    }

    /// The last lines of all hosts' messages.
    var lastWords: String {
        let text = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(12).joined(separator: "\n")
    }

    /// The submits that the host accepted, as the plugins noted them.
    func acceptedByPlugins() -> [Account.Begin] {
        Self.apps.flatMap { app -> [Account.Begin] in
            let text = (try? String(contentsOfFile: state + "/apps/\(app)/accepted", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                guard words.count == 2, let time = Int64(words[1]) else { return nil }
                return Account.Begin(task: String(words[0]), milliseconds: time)
            }
        }
    }

    /// Processes that came from this host's workers, wherever they are now.
    static func descendants(ofHost pid: Int32) -> [Int32] {
        let marker = Data("LULL_WORKER=\(pid).".utf8)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { process in
            guard let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ"),
                environment.range(of: marker) != nil,
                let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            else { return false }
            return !state.contains(") Z ")
        }
    }
}
