import Foundation
import LullModel
import LullSystem
import Testing

@testable import LullWorkers

/// Processes and threads that a run has started and not ended: the host names them, and ends them with the worker, unless the
/// manifest lets them go on.
struct LeftRunningTests {
    private let bench: WorkerBench

    init() throws { bench = try WorkerBench() }

    /// The PIDs of the three processes that the run has left, and the sentence about them.
    private func left(_ leaves: WhatIsLeft, _ fixture: String = "LeavesAlone") throws -> (
        worker: WorkerID, pids: [Int32], sentence: String?
    ) {
        var app = try bench.app("good", plugin: bench.compile(fixture), tasks: ["now"])
        app.tasks[0].leaves = leaves
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        _ = try bench.waitForReady()
        try bench.launch(1, "now", of: app.identifier)
        #expect(try bench.waitForCompletion(of: 1))
        let pids = bench.lines.compactMap { $0.split(separator: " ").last.flatMap { Int32($0) } }
        try #require(pids.count == 3)
        let sentence = bench.events.lazy.compactMap {
            if case .leftRunning(RunID(1), let sentence) = $0 { sentence } else { nil }
        }.first
        return (WorkerID(app: app.identifier, number: 1), pids, sentence)
    }

    private func isAlive(_ pid: Int32) -> Bool {
        WorkerBench.state(of: pid).map { $0 != "Z" && $0 != "X" } ?? false
    }

    @Test func `whatever it is that a run leaves, it is named and ends with the run's worker`() throws {
        let left = try left(.ended)
        let sentence = try #require(left.sentence)
        for pid in left.pids { #expect(sentence.contains("(process \(pid))"), "\(sentence)") }
        #expect(sentence.contains("ended with it") && sentence.contains("`leaves: running`"))
        try bench.pool.evict(left.worker)
        #expect(try bench.waitForExit() == "evicted by the host")
        #expect(left.pids.allSatisfy { !isAlive($0) })
    }

    @Test func `what may go on keeps its worker until it has ended`() throws {
        try bench.pool.measureRarely = .milliseconds(20)
        let left = try left(.running)
        #expect(try #require(left.sentence).contains("running (`leaves: running`)"))
        try bench.pool.evict(left.worker)
        #expect(left.pids.allSatisfy(isAlive))
        for pid in left.pids { kill(pid, SIGKILL) }
        #expect(try bench.waitForExit() == "evicted by the host")
    }

    @Test func `what may go on ends with the host`() throws {
        let left = try left(.running)
        try bench.pool.evict(left.worker)
        #expect(left.pids.allSatisfy(isAlive))
        try bench.pool.leaveNothing()
        #expect(try bench.waitForExit() == "evicted by the host")
        #expect(left.pids.allSatisfy { !isAlive($0) })
    }

    @Test func `what may go on is held to the limits, and its end is told`() throws {
        // The pool looks only when this test calls `lookForShortage`.
        try bench.pool.measureOften = .seconds(6000)
        try bench.pool.measureRarely = .seconds(6000)
        var app = try bench.app("good", plugin: bench.compile("LeavesAlone"), tasks: ["now"])
        app.tasks[0].leaves = .running
        app.limits.processes = 4
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        _ = try bench.waitForReady()
        try bench.launch(1, "now", of: app.identifier)
        _ = try bench.waitForCompletion(of: 1)
        try bench.pool.evict(WorkerID(app: app.identifier, number: 1))
        // The two threads of the worker, and the three processes that its run has left.
        try bench.pool.lookForShortage()
        let violation = try bench.waitForViolation()
        let words = "that its last run had left running: it had 5 processes"
        #expect(!violation.isFatal && violation.sentence.contains(words), "\(violation)")
        #expect(try bench.waitForExit().contains("killed by the host"))
    }

    @Test func `of runs that share a process nobody says whose it is`() throws {
        #expect(try left(.ended, "LeavesChildren").sentence == nil)
    }

    @Test func `runs that share a process are blamed together, and each is named`() throws {
        try bench.pool.measureOften = .milliseconds(50)
        var app = try bench.app("good", plugin: bench.compile("Hungry"), tasks: ["memory", "idle"])
        app.limits.memory = 64 << 20
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        _ = try bench.waitForReady()
        try bench.launch(7, "idle", of: app.identifier)
        try bench.launch(8, "memory", of: app.identifier)
        let sentence = try bench.waitForExit()
        #expect(
            sentence.hasPrefix(
                "killed by the host: runs 7 and 8 share a process, so Lull can't tell which one caused this: it used "
            ),
            "\(sentence)")
    }
}
