import Foundation
import LullModel
import Testing

@testable import LullWorkers

/// An app can undo a stop, which is a signal. So the host measures it while it is stopped, and stops its processes again or ends
/// them.
struct EscapeTests {
    private let bench: WorkerBench

    init() throws { bench = try WorkerBench() }

    /// Disables the pool's own measurements, so that only `look` measures.
    private func lookMyself() throws {
        try bench.pool.measureOften = .seconds(6000)
        try bench.pool.measureRarely = .seconds(6000)
    }

    private func look() throws { try bench.pool.lookForShortage() }

    private var violations: [String] {
        bench.events.compactMap { if case .violation(_, _, let sentence, _) = $0 { sentence } else { nil } }
    }

    private func suspend(_ way: String) throws -> AppIdentifier {
        let app = try bench.start("WakesItself", tasks: [way])
        try bench.launch(1, way, of: app)
        #expect(try bench.waitForCompletion(of: 1))
        try bench.suspendAndWait(app)
        return app
    }

    private func expectStoppedAgain(_ process: String = "") throws {
        let violation = try bench.waitForViolation()
        #expect(!violation.isFatal && violation.sentence.hasPrefix("wakes (process \(process)"))
        #expect(violation.sentence.contains(" kept running while it was suspended, and was stopped again;"))
    }

    private func expectEnded(_ process: String = "") throws {
        let violation = try bench.waitForViolation()
        #expect(violation.isFatal && violation.sentence.hasPrefix("wakes (process \(process)"))
        #expect(violation.sentence.contains("(`begin_activity`, `beginBackgroundTask`)"))
        #expect(try bench.waitForExit() == "killed by the host: \(violation.sentence)")
    }

    /// An entry of `/proc/PID/stat` with these ticks in user mode and in the kernel.
    private func entry(_ user: Int, _ kernel: Int, state: String = "R") throws -> ProcessTable.Entry {
        let stat = "\(state) 1 9 9 0 -1 4194304 0 0 0 0 \(user) \(kernel) 0 0 20 0 1 0 77 0"
        return try #require(ProcessTable.Entry(pid: 9, stat: ArraySlice(stat.utf8)))
    }

    @Test func `a large write that the kernel ends before the stop is no escape`() throws {
        let before = try entry(100, 100)
        let second = Int(Consumption.ticksPerSecond)
        #expect(try !entry(100, 100 + 10 * second).hasRun(since: before))
        #expect(try !entry(100 + second / 20, 100).hasRun(since: before))
        #expect(try entry(101 + second / 20, 100).hasRun(since: before))
        #expect(try entry(100, 100 + second).used == before.used + Int64(second))
    }

    @Test func `who wakes itself by a timer is stopped again, and the second time its app is ended`() throws {
        try bench.pool.measureOften = .milliseconds(200)
        _ = try suspend("timer")
        try expectStoppedAgain()
        try expectEnded()
    }

    @Test func `who goes on when its parent ends is stopped again, and the second time its app is ended`()
        throws
    {
        try lookMyself()
        _ = try suspend("parent")
        let (second, third) = (try number("second"), try number("third"))
        for pid in [second, third] {
            try bench.turn(until: "it is stopped") { WorkerBench.state(of: pid) == "T" }
        }
        // Processor time before all were stopped is no violation.
        try look()
        #expect(violations.isEmpty)
        try end(try number("first"), until: second)
        try look()
        try expectStoppedAgain(String(second))
        try bench.turn(until: "it is stopped again") { WorkerBench.state(of: second) == "T" }
        try end(second, until: third)
        try look()
        try expectEnded(String(third))
    }

    /// Ends `pid` once `other` has used some processor time.
    private func end(_ pid: Int32, until other: Int32) throws {
        let before = ProcessTable.entry(of: other)?.used ?? 0
        kill(pid, SIGKILL)
        try bench.turn(until: "the other goes on") {
            (ProcessTable.entry(of: other)?.used ?? 0) > before + Consumption.ticksPerSecond / 10
        }
    }

    /// The number that the plugin logs after this word.
    private func number(_ which: String) throws -> Int32 {
        let line = try #require(bench.lines.first { $0.hasPrefix(which + " ") })
        return try #require(Int32(line.dropFirst(which.utf8.count + 1)))
    }

    @Test func `a suspended app is held to its memory`() throws {
        try lookMyself()
        var app = try bench.app("good", plugin: bench.compile("WakesItself"), tasks: ["memory"])
        app.limits.memory = 48 << 20
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        try bench.launch(1, "memory", of: app.identifier)
        let child = try bench.waitForNumber(of: "child")
        #expect(try bench.waitForCompletion(of: 1))
        try bench.suspendAndWait(app.identifier)
        try bench.turn(until: "it has taken more") {
            let statm = try String(contentsOfFile: "/proc/\(child)/statm", encoding: .utf8)
            let pages = statm.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return pages * Int(sysconf(Int32(_SC_PAGESIZE))) > 64 << 20
        }
        try look()
        let sentence = try bench.waitForExit()
        #expect(sentence.hasPrefix("killed by the host: it used "), "\(sentence)")
        #expect(sentence.hasSuffix(" of memory, but may use 48 MiB (`limits: { memory }`)"), "\(sentence)")
    }

    @Test func `what went on once is stopped again, and goes on with its app`() throws {
        try lookMyself()
        let app = try bench.start("LeavesChildren")
        try bench.launch(1, "now", of: app)
        let child = try #require(try bench.waitForChildren().first)
        #expect(try bench.waitForCompletion(of: 1))
        try bench.suspendAndWait(app)
        try bench.turn(until: "it is stopped") { WorkerBench.state(of: child) == "T" }
        for _ in 0..<3 { try look() }
        #expect(violations.isEmpty)
        kill(child, SIGCONT)
        try bench.turn(until: "it goes on") { WorkerBench.state(of: child) == "S" }
        try look()
        #expect(violations.count == 1)
        #expect(violations.first?.contains("(process \(child))") == true, "\(violations)")
        try bench.turn(until: "it is stopped again") { WorkerBench.state(of: child) == "T" }
        for _ in 0..<3 { try look() }
        #expect(violations.count == 1)
        try bench.pool.resume(app)
        try bench.turn(until: "it goes on with its app") { WorkerBench.state(of: child) == "S" }
        try look()
        #expect(violations.count == 1)
    }

    @Test func `what was long ago ends nobody`() throws {
        try lookMyself()
        // With this, no escape counts as recent.
        try bench.pool.escapeMemory = .zero
        let app = try bench.start("LeavesChildren")
        try bench.launch(1, "now", of: app)
        let child = try #require(try bench.waitForChildren().first)
        #expect(try bench.waitForCompletion(of: 1))
        try bench.suspendAndWait(app)
        for count in 1...3 {
            try bench.turn(until: "it is stopped") { WorkerBench.state(of: child) == "T" }
            for _ in 0..<3 { try look() }
            kill(child, SIGCONT)
            try bench.turn(until: "it goes on") { WorkerBench.state(of: child) == "S" }
            try look()
            #expect(violations.count == count)
        }
        #expect(try bench.pool.pid(of: app) != nil)
    }
}
