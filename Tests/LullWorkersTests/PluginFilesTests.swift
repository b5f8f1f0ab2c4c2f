import Foundation
import LullModel
import Testing

@testable import LullWorkers

/// The files that a worker has mapped, and changes of them while it lives.
struct PluginFilesTests {
    /// A plugin that needs a library in a folder beside it, which needs one of its own.
    private func compile(_ bench: WorkerBench) throws -> String {
        let parts = bench.folder + "/parts"
        try FileManager.default.createDirectory(atPath: parts, withIntermediateDirectories: true)
        let include = WorkerBench.root.appending(path: "Sources/C/CLullPlugin/include").path
        let fixtures = WorkerBench.root.appending(path: "Tests/Fixtures/Plugins").path
        for (name, source) in [
            ("inner", "int inner(void) { return 1; }"),
            ("outer", "int inner(void); int outer(void) { return inner(); }"),
            ("plugin", "#include \"\(fixtures)/Good.c\"\nint outer(void); int use(void) { return outer(); }"),
        ] {
            try source.write(toFile: "\(bench.folder)/\(name).c", atomically: true, encoding: .utf8)
        }
        let shared = ["-shared", "-fPIC", "-pthread", "-Wl,--no-as-needed"]
        try bench.run("gcc", shared + ["inner.c", "-o", "parts/libinner.so"])
        try bench.run(
            "gcc",
            shared + ["outer.c", "-o", "parts/libouter.so", "-Lparts", "-linner", "-Wl,-rpath,$ORIGIN"])
        try bench.run(
            "gcc",
            shared + [
                "-I", include, "-I", fixtures, "plugin.c", "-o", "plugin.so", "-Lparts", "-louter",
                "-Wl,-rpath,${ORIGIN}/parts", "-Wl,-rpath-link,parts",
            ])
        return bench.folder + "/plugin.so"
    }

    @Test func `are the plugin and what it finds beside it, and what that finds in its turn`() throws {
        let bench = try WorkerBench()
        let plugin = try compile(bench)
        let files = PluginFiles(of: plugin)
        let names = files.identities.keys.map { URL(fileURLWithPath: $0).lastPathComponent }.sorted()
        #expect(names == ["libinner.so", "libouter.so", "plugin.so"])
        #expect(files == PluginFiles(of: plugin) && files.overwritten.isEmpty)
        #expect(PluginFiles(of: bench.folder + "/nowhere.so").identities.isEmpty)
    }

    @Test func `know which file or folder is at each path of the limits`() throws {
        let bench = try WorkerBench()
        var app = App(
            identifier: try #require(AppIdentifier("com.example.App")), plugin: bench.folder + "/nowhere.so")
        let share = bench.folder + "/share"
        app.limits.write = .under([share])
        let without = PluginFiles(of: app)
        try FileManager.default.createDirectory(atPath: share, withIntermediateDirectories: false)
        let with = PluginFiles(of: app)
        #expect(with != without && PluginFiles(of: app, known: without) == with)
        _ = FileManager.default.createFile(atPath: share + "/file", contents: nil)
        #expect(PluginFiles(of: app) == with, "what lies in it does not matter")
        app.limits.keepsPrivileges = true
        #expect(PluginFiles(of: app) == without)
    }

    @Test func `are others when one was exchanged, and overwritten only when one was written in place`()
        throws
    {
        let bench = try WorkerBench()
        let plugin = try compile(bench)
        let inner = bench.folder + "/parts/libinner.so"
        let before = PluginFiles(of: plugin)
        try FileManager.default.copyItem(atPath: inner, toPath: inner + ".new")
        try #require(rename(inner + ".new", inner) == 0)
        let after = PluginFiles(of: plugin)
        #expect(after != before && before.overwritten.isEmpty)
        let handle = try #require(FileHandle(forWritingAtPath: inner))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("more".utf8))
        try handle.close()
        #expect(PluginFiles(of: plugin) != after)
        #expect(after.overwritten.map { $0.hasSuffix("/libinner.so") } == [true])
    }

    @Test(arguments: [false, true])
    func `a worker that dies of a file written in place says so, and how to replace one`(isRunning: Bool)
        throws
    {
        let bench = try WorkerBench()
        let plugin = try bench.compile("Good")
        let app = try bench.app("good", plugin: plugin, tasks: ["now"])
        try bench.pool.start(
            WorkerSpec(app: app, stateFolder: bench.folder, files: PluginFiles(of: plugin)))
        _ = try bench.waitForReady()
        if !isRunning {
            try bench.launch(1, "now", of: app.identifier)
            #expect(try bench.waitForCompletion(of: 1))
        }
        try #require(truncate(plugin, 0) == 0)
        try bench.launch(2, "now", of: app.identifier)
        let sentence = try bench.waitForExit()
        #expect(
            sentence.hasPrefix("ended by signal 7 (SIGBUS). '\(plugin)' was written in place"), "\(sentence)")
        #expect(sentence.contains("with `install` or `mv`"))
    }

    @Test func `of a worker that dies while its file was only exchanged nothing is said of that`() throws {
        let bench = try WorkerBench()
        let plugin = try bench.compile("CrashesInLaunch")
        let app = try bench.app("good", plugin: plugin, tasks: ["now"])
        try bench.pool.start(
            WorkerSpec(app: app, stateFolder: bench.folder, files: PluginFiles(of: plugin)))
        _ = try bench.waitForReady()
        try FileManager.default.copyItem(atPath: plugin, toPath: plugin + ".new")
        try #require(rename(plugin + ".new", plugin) == 0)
        try bench.launch(1, "now", of: app.identifier)
        #expect(!(try bench.waitForExit().contains("in place")))
    }

    @Test func `what it says after its last run is quoted when it dies, without the trace`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("LastWords")
        try bench.launch(1, "now", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        let sentence = try bench.waitForExit()
        #expect(
            sentence == "ended by signal 6 (SIGABRT); it printed last: panic: nobody closed the ledger")
    }
}
