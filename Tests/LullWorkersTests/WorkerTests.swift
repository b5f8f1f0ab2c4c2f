import Foundation
import LullModel
import LullSystem
import LullWire
import Testing

@testable import LullWorkers

/// The life of a worker whose plugin behaves.
struct WorkerTests {
    @Test func `a plugin is loaded, registers what is permitted, and says who made it`() throws {
        let bench = try WorkerBench()
        try bench.start("Good", tasks: ["now", "wait"])
        let ready = try bench.waitForReady()
        #expect(ready.registered.map(\.text) == ["org.example.good.now", "org.example.good.wait"])
        #expect(ready.plugin.sdk == "c")
        #expect(ready.plugin.abiMajor == 1 && ready.plugin.abiMinor == 3)
        #expect(ready.plugin.buildID.count == 40)
    }

    @Test func `a launch completes inside of launch, and on another thread`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("Good", tasks: ["now", "thread"])
        _ = try bench.waitForReady()
        try bench.launch(1, "now", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        try bench.launch(2, "thread", of: app)
        #expect(try bench.waitForCompletion(of: 2))
    }

    @Test func `a launch before the worker is ready waits for it`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("Good")
        try bench.launch(1, "now", of: app)
        #expect(try bench.waitForCompletion(of: 1))
    }

    @Test func `several runs are under way at once and end in any order`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("Good", tasks: ["wait", "now"])
        _ = try bench.waitForReady()
        for run in 1...8 as ClosedRange<UInt64> { try bench.launch(run, "wait", of: app) }
        try bench.launch(9, "now", of: app)
        #expect(try bench.waitForCompletion(of: 9))
        for run in (1...8 as ClosedRange<UInt64>).reversed() {
            try bench.pool.expire(RunID(run), in: app, reason: "time is up")
            #expect(try bench.waitForCompletion(of: run) == false)
        }
        #expect(bench.lines.filter { $0 == "told to end" }.count == 8)
    }

    @Test func `settings reach the plugin by pointer and as text, and so does its folder`() throws {
        let bench = try WorkerBench()
        var app = try bench.app(
            "good", plugin: bench.compile("Good"), tasks: ["settings"],
            settings: .object(["feed": .string("a\"b")]))
        app.tasks[0].settings = .object(["depth": .integer(3)])
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        try bench.launch(1, "settings", of: app.identifier)
        #expect(try bench.waitForCompletion(of: 1))
        #expect(
            bench.lines == [
                "/depth=3 (1)", "/feed=a\"b (3)", "/nothing= (-1)", bench.folder, "{\"depth\":3}",
            ])
    }

    @Test func `settings longer than a frame arrive whole`() throws {
        let bench = try WorkerBench()
        let long = String(repeating: "ä", count: 200_000)
        let app = try bench.start(
            "Good", tasks: ["settings"], settings: .object(["feed": .string("short"), "a": .string(long)]))
        try bench.launch(1, "settings", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        #expect(bench.lines.contains("/feed=short (5)"))
    }

    @Test func `a submit inside of start is answered`() throws {
        let bench = try WorkerBench()
        try bench.start("Good", settings: .object(["submit": .bool(true)]))
        let request = try bench.wait(for: "a submit") {
            if case .submit(_, _, let request) = $0 { request } else { nil }
        }
        #expect(request.task.text == "org.example.good.now")
        #expect(request.kind == .refresh)
        _ = try bench.waitForReady()
        #expect(bench.lines == ["accepted"])
    }

    @Test func `the thread that hears the answers can itself ask`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("Good", tasks: ["ask"])
        bench.verdict = { _ in Refusal(.tooManyPending, "There are 10 already.") }
        let task = try #require(TaskIdentifier("ask", of: app))
        bench.pending = (1...600).map {
            TaskRequest(
                id: RequestID($0), task: task, app: app, kind: .processing, origin: .plugin,
                submitted: WallTime(seconds: 0))
        }
        try bench.launch(1, "ask", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        #expect(bench.lines.last == "status 2, 'There are 10 already.', 600 pending")
        let request = try #require(
            bench.events.compactMap { if case .submit(_, _, let request) = $0 { request } else { nil } }
                .first)
        // Rounded up to the next millisecond.
        #expect(request.earliestBegin == WallTime(milliseconds: 1501))
        #expect(request.requires == Requirements(network: .any))
    }

    @Test func `a request that makes no sense is refused with a sentence, and the host not asked`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("Good", tasks: ["odd"])
        try bench.launch(1, "odd", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        #expect(bench.lines.count == 2)
        #expect(bench.lines.first?.hasPrefix("status 1, This worker knows no requests of kind 77.") == true)
        #expect(bench.lines.last?.hasPrefix("status 1, The request is smaller than") == true)
        #expect(!bench.events.contains { if case .submit = $0 { true } else { false } })
    }

    @Test func `a submit without an answer is withdrawn, and refused to the plugin`() throws {
        let bench = try WorkerBench()
        bench.verdict = nil
        try bench.start("Good", settings: .object(["submit": .bool(true)]))
        let id = try bench.wait(for: "a submit") { if case .submit(let id, _, _) = $0 { id } else { nil } }
        let withdrawn = try bench.wait(for: "its withdrawal") {
            if case .withdrawn(let id) = $0 { id } else { nil }
        }
        #expect(id == withdrawn)
        _ = try bench.waitForReady()
        #expect(bench.lines == ["refused"])
    }

    @Test func `what a handler prints is there before its completion, and the rest before the worker's end`()
        throws
    {
        let bench = try WorkerBench()
        let app = try bench.start("Good", tasks: ["print"])
        try bench.launch(1, "print", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        let before = bench.printed(.output)
        try bench.pool.evict(app)
        _ = try bench.waitForExit()
        #expect(before == "out\nno end")
        #expect(bench.printed(.error) == "err\n")
    }

    @Test func `what a run prints by its number is that run's, whichever others are open`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("Good", tasks: ["own", "wait"])
        try bench.launch(1, "wait", of: app)
        try bench.launch(2, "own", of: app)
        #expect(try bench.waitForCompletion(of: 2))
        var bytes: [PrintedStream: [UInt8]] = [:]
        for case (let worker, .printed(let run, let stream, let piece)) in bench.heard {
            #expect(run == RunID(2) && worker == WorkerID(app: app, number: 1))
            bytes[stream, default: []] += piece
        }
        #expect(bytes[.output] == [97, 0, 98])
        #expect(bytes[.error]?.count == 100_000)
        #expect(bench.printed(.output).isEmpty)
    }

    @Test func `progress comes at once or with the end, the last word always`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("Good", tasks: ["progress"])
        try bench.launch(1, "progress", of: app)
        _ = try bench.waitForCompletion(of: 1)
        let steps = bench.events.compactMap {
            if case .progress(_, let completed, 3, let message) = $0 {
                "\(completed) \(message)"
            } else {
                nil
            }
        }
        #expect(steps.first == "1 first")
        #expect(steps.last == "3 third")
    }

    @Test func `an evicted worker ends by itself`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("Good")
        _ = try bench.waitForReady()
        try bench.pool.evict(app)
        #expect(try bench.waitForExit() == "evicted by the host")
        #expect(try bench.pool.isEmpty)
    }

    @Test func `an older, smaller entry is run without what it does not have`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("WithoutRun")
        try bench.launch(1, "now", of: app)
        #expect(try bench.waitForCompletion(of: 1))
    }

    @Test func `many runs follow one another in one worker`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("Good")
        _ = try bench.waitForReady()
        for run in 1...1000 as ClosedRange<UInt64> { try bench.launch(run, "now", of: app) }
        #expect(try bench.waitForCompletion(of: 1000))
        let completed = bench.events.count { if case .completed = $0 { true } else { false } }
        #expect(completed == 1000)
    }
}
