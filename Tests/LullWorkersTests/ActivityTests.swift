import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullWorkers

/// Background activities, which keep an app awake between its runs.
struct ActivityTests {
    private func bench(
        time: Duration = Limits.activityTime, warning: Duration = Limits.activityWarning
    ) throws -> WorkerBench {
        let bench = try WorkerBench()
        try bench.pool.activityTime = time
        try bench.pool.activityWarning = warning
        return bench
    }

    /// The handlers are called after `span`; then the app has until `hangLimit` to end its activities.
    private func bench(warnedAfter span: Duration) throws -> WorkerBench {
        try bench(time: hangLimit + span, warning: hangLimit)
    }

    /// The violation of a task's app that had little time, but enough for the handlers that `areHeard` looks for.
    ///
    /// A worker that is late is killed before its handlers are called. Then a fresh one gets twice the time.
    private func violation(
        of task: String, areHeard: (WorkerBench, _ sentence: String) -> Bool
    ) throws -> (bench: WorkerBench, sentence: String, isFatal: Bool) {
        var warning = Duration.milliseconds(20)
        while warning < .minutes(2) {
            let bench = try bench(time: warning * 2, warning: warning)
            let app = try bench.start("Continued", tasks: [task])
            try bench.launch(1, task, of: app)
            #expect(try bench.waitForCompletion(of: 1))
            let (sentence, isFatal) = try bench.waitForViolation()
            if areHeard(bench, sentence) { return (bench, sentence, isFatal) }
            warning = warning * 2
        }
        throw Missing(what: "the handlers' call", events: [])
    }

    private func waitForRefusal(_ bench: WorkerBench) throws -> String {
        try bench.wait(for: "a refused suspension") { event -> String? in
            if case .suspendRefused(let reason) = event { reason } else { nil }
        }
    }

    private func waitForSuspension(_ bench: WorkerBench) throws {
        try bench.wait(for: "the suspension") { event -> Bool? in
            if case .suspended = event { true } else { nil }
        }
    }

    @Test func `an app is suspended only when its last activity has ended`() throws {
        let bench = try bench(warnedAfter: .milliseconds(20))
        let app = try bench.start("Continued", tasks: ["begin"])
        try bench.launch(1, "begin", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        try bench.pool.suspend(app)
        #expect(try waitForRefusal(bench) == "the activity 'save' is under way")
        // The handler is called when the time is nearly up, and ends the activity.
        try bench.waitForLog("save: time is up")
        try bench.waitForLog("the time counts: 1, another begins: 0")
        try waitForSuspension(bench)
        let pid = try #require(try bench.pool.pid(of: app))
        // The stop is a signal: it takes effect a moment later.
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
        let (bench, sentence, isFatal) = try violation(of: "leak") { bench, _ in
            bench.lines.contains("send: time is up")
        }
        #expect(isFatal)
        let time = Phrase.span(try bench.pool.activityTime)
        #expect(
            sentence
                == "It did not end the activities 'save', 'send' within the \(time) that the app has. "
                + "End each activity, also in its expiration handler.")
        #expect(try bench.waitForExit().contains("killed by the host"))
        let app = try #require(AppIdentifier("org.example.good"))
        #expect(try bench.pool.pid(of: app) == nil)
    }

    @Test func `who ends one of their activities in time is killed for the other`() throws {
        let (_, sentence, isFatal) = try violation(of: "half") { bench, sentence in
            bench.lines.contains("save: time is up") && !sentence.contains("'save'")
        }
        #expect(isFatal && sentence.hasPrefix("It did not end the activity 'send' within"))
    }

    @Test func `a run that begins stops the clock of what is under way`() throws {
        let bench = try bench(warnedAfter: .milliseconds(60))
        let app = try bench.start("Continued", tasks: ["leak", "hold"])
        try bench.launch(1, "leak", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        try bench.launch(2, "hold", of: app)
        let over = Clock.monotonic + .milliseconds(200)
        try bench.turn(until: "the time would be over") { Clock.monotonic > over }
        #expect(!bench.lines.contains("send: time is up"))
        try bench.pool.expire(RunID(2), in: app, reason: "it is to end")
        #expect(try !bench.waitForCompletion(of: 2))
        try bench.waitForLog("send: time is up")
    }

    @Test func `while a run is under way the time does not count`() throws {
        let bench = try bench(warnedAfter: .milliseconds(20))
        let app = try bench.start("Continued", tasks: ["leak", "time"])
        try bench.launch(1, "leak", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        try bench.launch(2, "time", of: app)
        #expect(try bench.waitForCompletion(of: 2))
        #expect(bench.lines.contains("it does not count"))
    }

    @Test func `a worker that is to end is let finish what it has begun`() throws {
        let bench = try bench(warnedAfter: .milliseconds(20))
        let app = try bench.start("Continued", tasks: ["begin"])
        try bench.launch(1, "begin", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        try bench.pool.evict(app)
        #expect(try bench.waitForExit() == "evicted by the host")
        #expect(bench.lines.contains("save: time is up"))
    }

    @Test func `one activity more than there may be is not begun, and is a violation`() throws {
        let bench = try bench()
        let app = try bench.start("Continued", tasks: ["many"])
        try bench.launch(1, "many", of: app)
        let violation = try bench.waitForViolation()
        #expect(
            violation.sentence
                == "It began the activity 'save' while 1000 were open. End each activity once."
                && !violation.isFatal)
        #expect(try bench.waitForCompletion(of: 1))
        #expect(bench.lines.contains("begun 1000 of 1001"))
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
