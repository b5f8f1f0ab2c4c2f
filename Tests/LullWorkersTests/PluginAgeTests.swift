import Foundation
import LullModel
import LullWire
import Testing

@testable import LullWorkers

/// Plugins built against older and newer headers than this worker's.
struct PluginAgeTests {
    private func run(_ bench: WorkerBench, _ plugin: String) throws -> PluginIdentity {
        let app = try bench.app("good", plugin: plugin, tasks: ["now"])
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        let identity = try bench.waitForReady().plugin
        try bench.launch(1, "now", of: app.identifier)
        #expect(try bench.waitForCompletion(of: 1))
        return identity
    }

    @Test func `a plugin built against the header of 1.0 runs, as it was frozen`() throws {
        let bench = try WorkerBench()
        let frozen = WorkerBench.root.appending(path: "Tests/Fixtures/Headers/1.0").path
        let identity = try run(bench, bench.compile("Later", against: frozen))
        #expect(identity.abiMajor == 1 && identity.abiMinor == 0)
        #expect(bench.lines == ["accepted"])
    }

    @Test func `a plugin built against 1.9 runs, and sees that its host is older`() throws {
        let bench = try WorkerBench()
        let identity = try run(
            bench,
            bench.compile("Later", against: Self.makeLaterHeader(in: bench.folder), defining: ["NEWER"]))
        #expect(identity.abiMajor == 1 && identity.abiMinor == 9)
        // Its request is longer than this worker knows; without the rest it means the same.
        #expect(bench.lines == ["an older host", "an older launch", "accepted"])
    }

    /// Today's header with a later minor version and one more field at the end of each struct.
    static func makeLaterHeader(in folder: String) throws -> String {
        let today = WorkerBench.root.appending(path: "Sources/C/CLullPlugin/include/lull_plugin.h")
        var text = try String(contentsOf: today, encoding: .utf8)
        func replace(_ old: String, _ new: String) throws {
            try #require(text.contains(old), "the header has no '\(old)'")
            text = text.replacing(old, with: new, maxReplacements: 1)
        }
        let minor = try #require(text.firstMatch(of: /#define LULL_ABI_MINOR \d+/))
        try replace(String(minor.0), "#define LULL_ABI_MINOR 9")
        try replace("} lull_request;", "    int64_t later;\n} lull_request;")
        try replace("} lull_launch;", "    const char *later;\n} lull_launch;")
        try replace("} lull_plugin;", "    void (*LULL_NULLABLE later)(void);\n} lull_plugin;")
        let host = try #require(text.firstMatch(of: /struct lull_host \{(?s).*?\n\};/))
        try replace(
            String(host.0), String(host.0.dropLast(2)) + "    int64_t (*later)(const lull_host *host);\n};")
        let result = folder + "/later"
        try FileManager.default.createDirectory(atPath: result, withIntermediateDirectories: true)
        try text.write(toFile: result + "/lull_plugin.h", atomically: true, encoding: .utf8)
        return result
    }
}
