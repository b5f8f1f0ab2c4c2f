import Foundation
import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullWorkers

/// Processes: their environment, their suspension, and what they leave behind.
struct ProcessTests {
    @Test func `a worker leads a session of its own, with four descriptors and a clean environment`() throws {
        setenv("LD_LULL_TEST", "1", 1)
        let bench = try WorkerBench()
        let app = try bench.start("Good")
        _ = try bench.waitForReady()
        let pid = try #require(try bench.pool.pid(of: app))
        #expect(getsid(pid) == pid)
        #expect(getpgid(pid) == pid)
        let environment = try String(contentsOfFile: "/proc/\(pid)/environ", encoding: .utf8)
        #expect(!environment.contains("LD_"))
        #expect(environment.contains("PATH="))
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").compactMap {
            Int($0)
        }
        #expect(descriptors.sorted().starts(with: [0, 1, 2, 3]))
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd")
                == FileManager.default.currentDirectoryPath)
    }

    @Test(arguments: [true, false])
    func `a worker that something outside killed is lost, and one that the host killed is not`(
        isLost: Bool
    ) throws {
        let bench = try WorkerBench()
        let app = try bench.start("Good")
        _ = try bench.waitForReady()
        if isLost {
            kill(try #require(try bench.pool.pid(of: app)), SIGKILL)
        } else {
            try bench.pool.kill(app, reason: "the test is over")
        }
        let sentence = isLost ? "ended by signal 9 (SIGKILL)" : "killed by the host: the test is over"
        try bench.wait(for: "its end") { $0 == .exited(sentence: sentence, isLost: isLost) ? true : nil }
    }

    @Test func `a suspended worker is stopped, and a launch lets it go on`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("Good")
        _ = try bench.waitForReady()
        let pid = try #require(try bench.pool.pid(of: app))
        try bench.suspendAndWait(app)
        // The stop is a signal: it takes effect a moment later.
        try bench.turn(until: "it is stopped") { WorkerBench.state(of: pid) == "T" }
        try bench.launch(1, "now", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        try bench.suspendAndWait(app)
        try bench.pool.resume(app)
        try bench.turn(until: "it goes on") { WorkerBench.state(of: pid) != "T" }
    }

    @Test func `a suspended worker can be evicted and killed`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("Good")
        _ = try bench.waitForReady()
        try bench.suspendAndWait(app)
        try bench.pool.evict(app)
        #expect(try bench.waitForExit() == "evicted by the host")
        try bench.start("Good")
        _ = try bench.waitForReady()
        try bench.suspendAndWait(app)
        try bench.pool.killAll(reason: "the host ends")
        #expect(try bench.waitForExit() == "killed by the host: the host ends")
    }

    @Test func `a worker with a run under way is not suspended before the run is over`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("Good", tasks: ["wait"])
        try bench.launch(1, "wait", of: app)
        _ = try bench.waitForReady()
        try bench.pool.suspend(app)
        #expect(try bench.waitForRefusal() == "a run is under way")
        try bench.pool.expire(RunID(1), in: app, reason: "time is up")
        _ = try bench.waitForCompletion(of: 1)
        try bench.suspendAndWait(app)
    }

    @Test(arguments: ["take", "open"])
    func `a worker that holds a file lock is suspended once it has dropped it`(how: String) throws {
        let bench = try WorkerBench()
        let app = try bench.start("HoldsLock", tasks: [how, "drop"])
        try bench.launch(1, how, of: app)
        _ = try bench.waitForCompletion(of: 1)
        try bench.waitForReturn(of: 1)
        try bench.pool.suspend(app)
        #expect(try bench.waitForRefusal().hasSuffix("holds a file lock"))
        try bench.launch(2, "drop", of: app)
        _ = try bench.waitForCompletion(of: 2)
        try bench.suspendAndWait(app)
    }

    @Test func `orphans that have ended are reaped at once, and leave no zombie to the host`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("LeavesOrphan")
        try bench.launch(1, "now", of: app)
        let orphan = try bench.waitForNumber(of: "orphan")
        _ = try bench.waitForCompletion(of: 1)
        try bench.turn(until: "it is gone") { WorkerBench.state(of: orphan) == nil }
    }

    @Test func `what a worker leaves behind goes with it`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("LeavesChildren")
        let other = try bench.start("LeavesChildren", as: "other")
        try bench.launch(1, "now", of: app)
        let left = try bench.waitForChildren()
        try bench.launch(2, "now", of: other)
        let others = try bench.waitForChildren()
        #expect(left.count == 3 && others.count == 3)
        #expect((left + others).allSatisfy { WorkerBench.state(of: $0) != nil })
        try bench.pool.evict(app)
        _ = try bench.waitForExit()
        try bench.waitUntilGone(left)
        #expect(others.allSatisfy { WorkerBench.state(of: $0) != nil })
        try bench.pool.kill(other, reason: "the test ends")
        _ = try bench.waitForExit()
        try bench.waitUntilGone(others)
    }
}

extension WorkerBench {
    func suspendAndWait(_ app: AppIdentifier) throws {
        try pool.suspend(app)
        try wait(for: "the suspension") { if case .suspended = $0 { true } else { nil } }
    }

    func waitForRefusal() throws -> String {
        try wait(for: "a refused suspension") {
            if case .suspendRefused(let reason) = $0 { reason } else { nil }
        }
    }

    /// Waits until the worker has no open run and its launch function has returned.
    func waitForReturn(of run: UInt64) throws {
        try launch(run + 1000, "nothing", of: #require(AppIdentifier("org.example.good")))
        _ = try waitForCompletion(of: run + 1000)
    }

    /// The PIDs that `LeavesChildren` logs in one run.
    func waitForChildren() throws -> [Int32] {
        try ["child", "apart", "daemon"].map(waitForNumber)
    }

    func waitForNumber(of word: String) throws -> Int32 {
        let message = try wait(for: "the number of the \(word)") { event -> String? in
            guard case .log(_, _, let message) = event, message.hasPrefix(word + " ") else { return nil }
            return message
        }
        return try #require(Int32(message.dropFirst(word.count + 1)), "\(message)")
    }

    func waitUntilGone(_ pids: [Int32]) throws {
        try turn(until: "they are gone: \(pids)") {
            try pool.orphans.count == 0 && pids.allSatisfy { Self.state(of: $0) == nil }
        }
    }

    /// Turns the loop until a condition holds for which there is no event.
    func turn(until what: String, holds: () throws -> Bool) throws {
        let limit = Clock.monotonic + hangLimit
        loop.onAlarm = { [unowned self] in loop.stop() }
        while try !holds() {
            try #require(Clock.monotonic < limit, "it never came to this: \(what)")
            loop.arm(wall: nil, monotonic: Clock.monotonic + .milliseconds(5))
            loop.run()
        }
    }
}
