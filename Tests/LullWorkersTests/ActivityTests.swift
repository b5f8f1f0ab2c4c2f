import LullLoop
import LullModel
import Testing

@testable import LullWorkers

/// What keeps an app awake between its runs.
struct ActivityTests {
    /// The handlers are called five seconds before the end of the app's time: here that is a moment.
    private static let soon = Limits.activityWarning + .milliseconds(20)

    private func bench(
        time: Duration = Limits.activityTime, warning: Duration = Limits.activityWarning
    ) throws -> WorkerBench {
        let bench = try WorkerBench()
        try bench.pool.activityTime = time
        try bench.pool.activityWarning = warning
        return bench
    }

    private func waitForRefusal(_ bench: WorkerBench) throws -> String {
        try bench.wait(for: "a refused suspension") { event -> String? in
            if case .suspendRefused(_, let reason) = event { reason } else { nil }
        }
    }

    private func waitForSuspension(_ bench: WorkerBench) throws {
        try bench.wait(for: "the suspension") { event -> Bool? in
            if case .suspended = event { true } else { nil }
        }
    }

    @Test func `an app is suspended only when its last activity has ended`() throws {
        let bench = try bench(time: Self.soon)
        let app = try bench.start("Continued", tasks: ["begin"])
        try bench.launch(1, "begin", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        try bench.pool.suspend(app)
        #expect(try waitForRefusal(bench) == "the activity 'save' is under way")
        // Its handler is called when the time is nearly up, and ends it.
        try bench.waitForLog("save: time is up")
        try waitForSuspension(bench)
        let pid = try #require(try bench.pool.pid(of: app))
        // A stop is a signal: it takes effect a moment later.
        try bench.turn(until: "it is stopped") { WorkerBench.state(of: pid) == "T" }
    }

    @Test func `an activity that has ended keeps nobody awake`() throws {
        let bench = try bench()
        let app = try bench.start("Continued", tasks: ["short"])
        try bench.launch(1, "short", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        try bench.pool.suspend(app)
        try waitForSuspension(bench)
    }

    @Test func `who does not end an activity in time is killed, and every leak is named`() throws {
        let bench = try bench(time: .milliseconds(40), warning: .milliseconds(20))
        let app = try bench.start("Continued", tasks: ["leak"])
        try bench.launch(1, "leak", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        try bench.waitForLog("send: time is up")
        let violation = try bench.waitForViolation()
        #expect(violation.isFatal)
        #expect(
            violation.sentence
                == "It did not end the activities 'save', 'send' within the 40 ms that the app has. "
                + "End each activity, also in its expiration handler.")
        #expect(try bench.waitForExit().contains("killed by the host"))
        #expect(try bench.pool.pid(of: app) == nil)
    }

    @Test func `while a run is under way the time does not count`() throws {
        let bench = try bench(time: Self.soon)
        let app = try bench.start("Continued", tasks: ["leak", "time"])
        try bench.launch(1, "leak", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        try bench.launch(2, "time", of: app)
        #expect(try bench.waitForCompletion(of: 2))
        #expect(bench.lines.contains("it does not count"))
    }

    @Test func `a worker that is to end is let finish what it has begun`() throws {
        let bench = try bench(time: Self.soon)
        let app = try bench.start("Continued", tasks: ["begin"])
        try bench.launch(1, "begin", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        try bench.pool.evict(app)
        #expect(try bench.waitForExit() == "evicted by the host")
        #expect(bench.lines.contains("save: time is up"))
    }

    @Test func `ending what is no activity is a violation, and the worker goes on`() throws {
        let bench = try bench()
        let app = try bench.start("Continued", tasks: ["odd"])
        try bench.launch(1, "odd", of: app)
        let violation = try bench.waitForViolation()
        #expect(
            violation.sentence == "It ended activity 77, which is not open. End each activity once."
                && !violation.isFatal)
        #expect(try bench.waitForCompletion(of: 1))
    }
}
