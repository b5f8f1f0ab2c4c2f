import Foundation
import LullModel
import LullSystem
import Testing

@testable import LullWorkers

/// The worker loads the file that was judged, or none.
struct PinnedPluginTests {
    /// A plugin that prints `word` when any of its code runs.
    private func compile(_ bench: WorkerBench, saying word: String, as name: String) throws -> String {
        let fixtures = WorkerBench.root.appending(path: "Tests/Fixtures/Plugins").path
        try """
        #include "\(fixtures)/Good.c"
        #include <stdio.h>
        __attribute__((constructor)) static void begin(void) { puts("\(word)"); fflush(stdout); }
        """.write(toFile: bench.folder + "/\(name).c", atomically: true, encoding: .utf8)
        let include = WorkerBench.root.appending(path: "Sources/C/CLullPlugin/include").path
        try bench.run(
            "gcc",
            [
                "-shared", "-fPIC", "-pthread", "-Wl,--build-id", "-I", include, "-I", fixtures, "\(name).c",
                "-o", "\(name).so",
            ])
        return "\(bench.folder)/\(name).so"
    }

    private func identity(of path: String) throws -> FileIdentity {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return FileIdentity(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), bytes: Int64(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }

    /// The digest of a file as another program computes it.
    private func digest(of path: String, _ bench: WorkerBench) throws -> String {
        try bench.run("sha256sum", [path])
        let words = try String(contentsOfFile: bench.folder + "/compiler.log", encoding: .utf8)
        return String(words.prefix(64))
    }

    private func start(
        _ plugin: String, pin: String? = nil, identity: FileIdentity? = nil, _ bench: WorkerBench
    ) throws {
        var app = try bench.app("good", plugin: plugin, tasks: ["now"])
        app.sha256 = pin
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder, identity: identity))
    }

    @Test func `a plugin with the pinned digest starts`() throws {
        let bench = try WorkerBench()
        let plugin = try compile(bench, saying: "right", as: "plugin")
        try start(plugin, pin: digest(of: plugin, bench), identity: identity(of: plugin), bench)
        _ = try bench.waitForReady()
        #expect(bench.printed(.output) == "right\n")
    }

    @Test func `another than the pinned one is named, and nothing of it runs`() throws {
        let bench = try WorkerBench()
        let plugin = try compile(bench, saying: "wrong", as: "plugin")
        let (found, pinned) = (try digest(of: plugin, bench), String(repeating: "0a", count: 32))
        try start(plugin, pin: pinned, bench)
        #expect(
            try bench.waitForFailure()
                == "'\(plugin)' is not the file that the manifest pins: its SHA-256 is \(found), but `sha256` says \(pinned). "
                + "Put the pinned file back; or, if you trust this one, write its digits into `sha256`."
        )
        #expect(bench.printed(.output) == "")
    }

    @Test func `one that was put in its place after it was judged is not loaded`() throws {
        let bench = try WorkerBench()
        let plugin = try compile(bench, saying: "judged", as: "plugin")
        let judged = try identity(of: plugin)
        let other = try compile(bench, saying: "other", as: "other")
        try #require(rename(other, plugin) == 0)
        try start(plugin, identity: judged, bench)
        #expect(
            try bench.waitForFailure()
                == "'\(plugin)' was replaced while it was being started. "
                + "Wait until it is built or installed, and start it again.")
        #expect(bench.printed(.output) == "")
    }

    @Test func `one that was changed in its place after it was judged is not loaded`() throws {
        let bench = try WorkerBench()
        let plugin = try compile(bench, saying: "judged", as: "plugin")
        let judged = try identity(of: plugin)
        let file = try #require(FileHandle(forWritingAtPath: plugin))
        try file.seekToEnd()
        try file.write(contentsOf: Data([0]))
        try file.close()
        try start(plugin, identity: judged, bench)
        #expect(try bench.waitForFailure().contains("was replaced while it was being started"))
        #expect(bench.printed(.output) == "")
    }

    /// The digest of a large file takes long enough to exchange the file meanwhile. A test that is late tries again.
    @Test func `one that is put in its place while its digest is made is noticed before it starts`() throws {
        for _ in 0..<20 {
            let bench = try WorkerBench()
            let plugin = try compile(bench, saying: "judged", as: "plugin")
            let other = try compile(bench, saying: "other", as: "other")
            try #require(truncate(plugin, 24 << 20) == 0)
            let pin = try digest(of: plugin, bench)
            try start(plugin, pin: pin, identity: identity(of: plugin), bench)
            let app = try #require(AppIdentifier("org.example.good"))
            func isReady() -> Bool { bench.events.contains { if case .ready = $0 { true } else { false } } }
            // While the file is open, it is being judged, and is not loaded yet.
            try bench.turn(until: "its file is open, or it has started") {
                let isJudged = try bench.pool.pid(of: app).map { Self.hasOpen(plugin, $0) } == true
                return isJudged || isReady()
            }
            try #require(rename(other, plugin) == 0)
            let failure = try bench.wait(for: "its failure or its start") {
                switch $0 {
                case .failed(let sentence): sentence
                case .ready: ""
                default: nil
                }
            }
            guard failure.contains("was replaced while it was being started") else { continue }
            #expect(!isReady())
            return
        }
        Issue.record("in 20 attempts, it was noticed in none")
    }

    private static func hasOpen(_ path: String, _ pid: Int32) -> Bool {
        let folder = "/proc/\(pid)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0)) == path
        }
    }
}
