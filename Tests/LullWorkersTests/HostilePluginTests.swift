import Foundation
import LullModel
import LullSystem
import Testing

@testable import LullWorkers

/// A plugin's acts cost only its own run, and are named; the pool goes on.
struct HostilePluginTests {
    @Test func `a crash in a launch is named, and what was printed before is kept`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("CrashesInLaunch")
        try bench.launch(1, "now", of: app)
        let sentence = "it printed last: about to crash in org.example.good.now"
        #expect(try bench.waitForExit() == "ended by signal 6 (SIGABRT); \(sentence)")
        #expect(bench.printed(.output).contains("about to crash in org.example.good.now\n"))
    }

    @Test func `half of a line that was printed before a crash is kept`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("CrashesInLaunch", tasks: ["halfway"])
        try bench.launch(1, "halfway", of: app)
        #expect(try bench.waitForExit().hasSuffix("it printed last: half of a line"))
        #expect(bench.printed(.output).hasSuffix(".halfway\nhalf of a line"))
    }

    @Test func `a plugin that exits is named with its status`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("CallsExit")
        try bench.launch(1, "now", of: app)
        #expect(try bench.waitForExit() == "exited on its own with status 3")
    }

    @Test func `a hanging launch does not return, and its worker can be killed`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("HangsInLaunch")
        try bench.launch(1, "now", of: app)
        try bench.waitForLog("hanging")
        try bench.pool.kill(app, reason: "it did not return from launch within 5 s")
        #expect(try bench.waitForExit() == "killed by the host: it did not return from launch within 5 s")
        #expect(!bench.events.contains { if case .launchReturned = $0 { true } else { false } })
    }

    @Test func `a run that ignores its expiration stays open until it is killed`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("NeverCompletes")
        try bench.launch(1, "now", of: app)
        try bench.pool.expire(RunID(1), in: app, reason: "time is up")
        try bench.waitForLog("never mind")
        try bench.pool.kill(app, reason: "it did not end in its grace")
        #expect(try bench.waitForExit() == "killed by the host: it did not end in its grace")
        #expect(!bench.events.contains { if case .completed = $0 { true } else { false } })
    }

    @Test func `a run without an expiration handler fails when it expires`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("NeverCompletes", tasks: ["deaf"])
        try bench.launch(1, "deaf", of: app)
        try bench.pool.expire(RunID(1), in: app, reason: "time is up")
        #expect(try bench.waitForCompletion(of: 1) == false)
    }

    @Test func `completing twice and completing what was never launched are violations, and cost nothing`()
        throws
    {
        let bench = try WorkerBench()
        let app = try bench.start("CompletesTwice")
        try bench.launch(1, "now", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        let twice = try bench.waitForViolation()
        #expect(twice.sentence.hasPrefix("It completed a run that has ended."))
        #expect(!twice.isFatal)
        #expect(
            try bench.waitForViolation().sentence.hasPrefix(
                "It completed task 424242, which was never launched."))
        try bench.launch(2, "now", of: app)
        #expect(try bench.waitForCompletion(of: 2))
        #expect(bench.events.count { if case .completed = $0 { true } else { false } } == 2)
    }

    @Test func `a completion on another thread after the expiration handler counts`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("CompletesLate")
        try bench.launch(1, "now", of: app)
        try bench.pool.expire(RunID(1), in: app, reason: "time is up")
        #expect(try bench.waitForCompletion(of: 1))
    }

    @Test(arguments: ["now", "shut"])
    func `a plugin that closes the worker's socket is named and ended`(task: String) throws {
        let bench = try WorkerBench()
        let app = try bench.start("ClosesSocket", tasks: [task])
        try bench.launch(1, task, of: app)
        let violation = try bench.waitForViolation()
        #expect(violation.sentence == "It closed its socket to the host.")
        #expect(violation.isFatal)
        _ = try bench.waitForExit()
    }

    @Test(
        arguments: [
            (
                "garbage",
                "It wrote a frame of the unknown type 104 to its socket, which is the worker's alone."
            ),
            ("empty", "It wrote an empty frame to its socket, which is the worker's alone."),
            ("forged", "It completed run 153, which is not one of its open runs."),
        ])
    func `a plugin that writes to the worker's socket is named and killed`(task: String, sentence: String)
        throws
    {
        let bench = try WorkerBench()
        let app = try bench.start("GarbageOnSocket", tasks: [task])
        try bench.launch(1, task, of: app)
        let violation = try bench.waitForViolation()
        #expect(violation.sentence == sentence)
        #expect(violation.isFatal)
        #expect(try bench.waitForExit() == "killed by the host: \(sentence)")
    }

    @Test func `a flood of output holds up no other app`() throws {
        let bench = try WorkerBench()
        let flood = try bench.start("FloodsOutput", as: "flood", tasks: ["flood"])
        let good = try bench.start("Good")
        try bench.launch(1, "flood", of: flood)
        try bench.wait(for: "the flood") { if case .output = $0 { true } else { nil } }
        for run in 2...50 as ClosedRange<UInt64> {
            try bench.launch(run, "now", of: good)
            #expect(try bench.waitForCompletion(of: run))
        }
        try bench.pool.expire(RunID(1), in: flood, reason: "enough")
        #expect(try bench.waitForCompletion(of: 1))
    }

    @Test func `who slept through its suspension and completes an old run again is named, and goes on`()
        throws
    {
        let bench = try WorkerBench()
        let app = try bench.start("Sleeper")
        try bench.launch(1, "now", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        try bench.pool.suspend(app)
        try bench.wait(for: "the suspension") { if case .suspended = $0 { true } else { nil } }
        try bench.launch(2, "now", of: app)
        // One event comes from a separate thread, the other from the main thread: in either order.
        var violation: String?
        var isComplete = false
        try bench.wait(for: "the violation and the completion") { event in
            if case .violation(_, _, let sentence, _) = event { violation = sentence }
            if case .completed(RunID(2), true, _) = event { isComplete = true }
            return violation != nil && isComplete ? true : nil
        }
        #expect(violation?.hasPrefix("It completed a run that has ended.") == true)
    }

    @Test func `one worker's crash leaves another's run alone`() throws {
        let bench = try WorkerBench()
        let good = try bench.start("Good", tasks: ["wait"])
        let bad = try bench.start("CrashesInLaunch", as: "bad")
        try bench.launch(1, "wait", of: good)
        try bench.launch(2, "now", of: bad)
        _ = try bench.waitForExit()
        try bench.pool.expire(RunID(1), in: good, reason: "time is up")
        #expect(try bench.waitForCompletion(of: 1) == false)
    }
}
