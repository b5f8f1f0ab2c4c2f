import Foundation
import LullModel
import Testing

@testable import LullWorkers

/// Plugins that can't be loaded: each message says what is wrong and what to do.
struct StartFailureTests {
    @Test(
        arguments: [
            ("NoEntry", "is not a plugin: it does not export 'lull_plugin_entry'"),
            (
                "WrongMajor",
                "was built against version 2.7 of the plugin interface, but this worker speaks 1."
            ),
            ("TooSmall", "says that its lull_plugin_entry has 8 bytes"),
            ("NoLaunch", "has no `launch` in its lull_plugin_entry"),
            ("RefusesStart", "refused to start: `start` returned 5 instead of 0"),
            ("UndefinedSymbol", "uses the symbol 'nobody_defines_this'"),
        ])
    func `a plugin that does not fit is refused with a sentence`(fixture: String, words: String) throws {
        let bench = try WorkerBench()
        try bench.start(fixture)
        let sentence = try bench.waitForFailure()
        #expect(sentence.contains(words), "\(sentence)")
        #expect(sentence.contains("\(fixture).so"))
        #expect(sentence.hasSuffix("."))
        #expect(try bench.pool.isEmpty)
    }

    @Test func `what a refusing plugin logged comes before its failure`() throws {
        let bench = try WorkerBench()
        try bench.start("RefusesStart")
        _ = try bench.waitForFailure()
        #expect(bench.lines == ["the feed is missing"])
    }

    @Test(
        arguments: [
            ("plain words\n", [], "but a text. Build the plugin as one"),
            ("INPUT(libreal.so.1)\n", [], "but a linker script. Give the library that it names."),
            ("int main(void) { return 0; }", ["-pie", "-fPIE"], "but a program. Build the plugin as one"),
            ("int x;", ["-c"], "but an object file"),
            (
                "int used(void); int use(void) { return used(); }",
                ["-shared", "-fPIC", "-L.", "-lneeded", "-Wl,-rpath,$ORIGIN"], "does not export"
            ),
        ] as [(String, [String], String)])
    func `a file that is no plugin is refused with a sentence`(text: String, options: [String], words: String)
        throws
    {
        let bench = try WorkerBench()
        let path = bench.folder + "/file.so"
        try "int used(void) { return 1; }".write(
            toFile: bench.folder + "/needed.c", atomically: true, encoding: .utf8)
        try bench.run("gcc", ["-shared", "-fPIC", "needed.c", "-o", "libneeded.so"])
        try text.write(toFile: bench.folder + "/file.c", atomically: true, encoding: .utf8)
        if options.isEmpty {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } else {
            try bench.run("gcc", ["file.c"] + options + ["-o", "file.so"])
        }
        try bench.pool.start(
            WorkerSpec(app: bench.app("file", plugin: path, tasks: []), stateFolder: bench.folder))
        let sentence = try bench.waitForFailure()
        #expect(sentence.hasPrefix("'\(path)'") && sentence.contains(words), "\(sentence)")
    }

    @Test func `a library that a plugin needs and that is not there is named`() throws {
        let bench = try WorkerBench()
        try "int used(void) { return 1; }".write(
            toFile: bench.folder + "/needed.c", atomically: true, encoding: .utf8)
        try bench.run("gcc", ["-shared", "-fPIC", "needed.c", "-o", "libneeded.so"])
        let include = WorkerBench.root.appending(path: "Sources/C/CLullPlugin/include").path
        let fixture = WorkerBench.root.appending(path: "Tests/Fixtures/Plugins/Good.c").path
        try bench.run(
            "gcc",
            [
                "-shared", "-fPIC", "-pthread", "-I", include, fixture, "-Wl,--no-as-needed", "-L.",
                "-lneeded",
                "-o", "Needy.so",
            ])
        let path = bench.folder + "/Needy.so"
        try bench.pool.start(
            WorkerSpec(app: bench.app("good", plugin: path, tasks: ["now"]), stateFolder: bench.folder))
        #expect(
            try bench.waitForFailure()
                == "'\(path)' needs the library 'libneeded.so', which is not found. Install it, or put it beside the "
                + "plugin and link with -rpath '$ORIGIN'.")
    }

    @Test func `a plugin that is cut short is refused, and does not kill the worker`() throws {
        let bench = try WorkerBench()
        let path = try bench.compile("Good")
        let whole = try Data(contentsOf: URL(filePath: path))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
        try bench.pool.start(
            WorkerSpec(app: bench.app("good", plugin: path, tasks: ["now"]), stateFolder: bench.folder))
        #expect(
            try bench.waitForFailure()
                == "'\(path)' is cut short: it has \(whole.count / 2) bytes of \(whole.count). Copy or build it again, "
                + "and wait until that has ended.")
    }

    @Test(arguments: ["WrongMajor", "NoEntry", "TooSmall", "NoLaunch", "Good"])
    func `nothing of a plugin runs that its file shows not to fit`(fixture: String) throws {
        let bench = try WorkerBench()
        let fixtures = WorkerBench.root.appending(path: "Tests/Fixtures/Plugins").path
        try """
        #include "\(fixtures)/\(fixture).c"
        #include <stdio.h>
        __attribute__((constructor)) static void begin(void) { puts("it runs"); fflush(stdout); }
        """.write(toFile: bench.folder + "/early.c", atomically: true, encoding: .utf8)
        let include = WorkerBench.root.appending(path: "Sources/C/CLullPlugin/include").path
        try bench.run(
            "gcc",
            ["-shared", "-fPIC", "-pthread", "-I", include, "-I", fixtures, "early.c", "-o", "early.so"])
        try bench.pool.start(
            WorkerSpec(
                app: bench.app("good", plugin: bench.folder + "/early.so", tasks: ["now"]),
                stateFolder: bench.folder))
        if fixture == "Good" {
            _ = try bench.waitForReady()
            try bench.pool.killAll(reason: "enough")
            _ = try bench.waitForExit()
        } else {
            _ = try bench.waitForFailure()
        }
        #expect(bench.printed(.output) == (fixture == "Good" ? "it runs\n" : ""))
    }

    @Test func `a file that is not there is named`() throws {
        let bench = try WorkerBench()
        let path = bench.folder + "/nowhere.so"
        try bench.pool.start(
            WorkerSpec(app: bench.app("none", plugin: path, tasks: []), stateFolder: bench.folder))
        #expect(try bench.waitForFailure().hasPrefix("There is no file '\(path)'."))
    }

    @Test func `a link to what is not there is named with what it leads to`() throws {
        let bench = try WorkerBench()
        let path = bench.folder + "/link.so"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "../builds/gone.so")
        try bench.pool.start(
            WorkerSpec(app: bench.app("none", plugin: path, tasks: []), stateFolder: bench.folder))
        #expect(
            try bench.waitForFailure().hasPrefix(
                "'\(path)' is a link to '../builds/gone.so', which is not there."))
    }

    @Test func `more memory for threads than a loaded library may have is told with what to build it with`()
        throws
    {
        let bench = try WorkerBench()
        let fixtures = WorkerBench.root.appending(path: "Tests/Fixtures/Plugins").path
        try """
        #include "\(fixtures)/Good.c"
        __attribute__((tls_model("initial-exec"))) __thread volatile char room[16384];
        char *where(void) { return (char *)room; }
        """.write(toFile: bench.folder + "/tls.c", atomically: true, encoding: .utf8)
        let include = WorkerBench.root.appending(path: "Sources/C/CLullPlugin/include").path
        try bench.run(
            "gcc", ["-shared", "-fPIC", "-pthread", "-I", include, "-I", fixtures, "tls.c", "-o", "tls.so"])
        try bench.pool.start(
            WorkerSpec(
                app: bench.app("tls", plugin: bench.folder + "/tls.so", tasks: []), stateFolder: bench.folder)
        )
        #expect(try bench.waitForFailure().contains("-ftls-model=global-dynamic"))
    }

    @Test func `a worker that is not installed holds each start back, and is no fault of the plugin`() throws
    {
        let bench = try WorkerBench(worker: "/nowhere/lull-worker")
        try bench.start("Good")
        let sentence = try bench.wait(for: "a start that is held back") {
            if case .heldBack(let sentence) = $0 { sentence } else { nil }
        }
        #expect(sentence.hasPrefix("There is no worker at '/nowhere/lull-worker'."))
    }

    @Test func `a crash in start is an end, not a refusal, and what it printed says why`() throws {
        let bench = try WorkerBench()
        try bench.start("CrashesInStart")
        let sentence = "ended by signal 11 (SIGSEGV) while it started; it printed last: the feed is missing"
        #expect(try bench.waitForExit() == sentence)
        #expect(bench.lines == ["looking for the feed", "the feed is missing"])
    }
}
