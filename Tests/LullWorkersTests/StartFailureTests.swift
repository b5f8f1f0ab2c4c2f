import Foundation
import LullModel
import Testing

@testable import LullWorkers

/// Plugins that can't be loaded: each says what is wrong, and what to do about it.
struct StartFailureTests {
    @Test(
        arguments: [
            ("NoEntry", "is no plugin: it does not export 'lull_plugin_entry'"),
            (
                "WrongMajor",
                "was built against version 2.7 of the plugin interface, and this worker speaks 1.0"
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

    @Test func `a text file is no shared library`() throws {
        let bench = try WorkerBench()
        let path = bench.folder + "/text.so"
        try "this is a text, and long enough not to be mistaken for a header".write(
            toFile: path, atomically: true, encoding: .utf8)
        try bench.pool.start(
            WorkerSpec(app: bench.app("text", plugin: path, tasks: []), stateFolder: bench.folder))
        let sentence = try bench.waitForFailure()
        #expect(sentence.hasPrefix("'\(path)' is not a shared library. Build the plugin as one"))
    }

    @Test func `a file that is not there is named`() throws {
        let bench = try WorkerBench()
        let path = bench.folder + "/nowhere.so"
        try bench.pool.start(
            WorkerSpec(app: bench.app("none", plugin: path, tasks: []), stateFolder: bench.folder))
        #expect(try bench.waitForFailure().hasPrefix("There is no file '\(path)'."))
    }

    @Test func `a worker that is not installed fails each start`() throws {
        let bench = try WorkerBench(worker: "/nowhere/lull-worker")
        try bench.start("Good")
        #expect(try bench.waitForFailure().hasPrefix("There is no worker at '/nowhere/lull-worker'."))
    }

    @Test func `a crash in start is an end, not a refusal, and what it printed says why`() throws {
        let bench = try WorkerBench()
        try bench.start("CrashesInStart")
        let sentence = "ended by signal 11 (SIGSEGV) while it started; it printed last: the feed is missing"
        #expect(try bench.waitForExit() == sentence)
        #expect(bench.lines == ["looking for the feed", "the feed is missing"])
    }
}
