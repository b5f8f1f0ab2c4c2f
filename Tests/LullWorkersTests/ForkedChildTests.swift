import LullModel
import Testing

@testable import LullWorkers

/// A process that a plugin forks is not the worker, whatever it does. The host names the run that ends the worker's thread, not
/// the next run.
struct ForkedChildTests {
    @Test func `a completion in a forked child counts for nothing and is named, and the parent's counts`()
        throws
    {
        let bench = try WorkerBench()
        let app = try bench.start("Forks", tasks: ["completes", "now"])
        try bench.launch(1, "completes", of: app)
        let violation = try bench.waitForViolation()
        #expect(violation.sentence.hasPrefix("A process that it forked called a function of the host"))
        #expect(!violation.isFatal)
        #expect(try bench.waitForCompletion(of: 1), "the child said that it failed")
        try bench.launch(2, "now", of: app)
        #expect(try bench.waitForCompletion(of: 2))
        #expect(!bench.lines.contains("the child's line"))
        #expect(bench.events.count { if case .completed = $0 { true } else { false } } == 2)
    }

    @Test
    func `a forked child that returns from launch is ended and named, and reads nothing of the worker's`()
        throws
    {
        let bench = try WorkerBench()
        let app = try bench.start("Forks", tasks: ["returns", "now"])
        try bench.launch(1, "returns", of: app)
        let violation = try bench.wait(for: "a violation") {
            if case .violation(let run, _, let sentence, let isFatal) = $0 {
                (run, sentence, isFatal)
            } else {
                nil
            }
        }
        #expect(violation.0 == RunID(1) && !violation.2)
        #expect(
            violation.1.hasPrefix(
                "A process that it forked returned from launch of org.example.good.returns, which only the worker may do"
            ),
            "\(violation.1)")
        #expect(try bench.waitForCompletion(of: 1))
        for run in 2...9 as ClosedRange<UInt64> {
            try bench.launch(run, "now", of: app)
            #expect(try bench.waitForCompletion(of: run))
        }
    }

    @Test func `who ends the thread that calls it is named at once, with the run that did it`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("Forks", tasks: ["exits"])
        try bench.launch(1, "exits", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        let violation = try bench.wait(for: "a violation") {
            if case .violation(let run, _, let sentence, let isFatal) = $0 {
                (run, sentence, isFatal)
            } else {
                nil
            }
        }
        #expect(violation.0 == RunID(1) && violation.2)
        #expect(
            violation.1.hasPrefix("Its launch of org.example.good.exits ended the thread that had called it"),
            "\(violation.1)")
        _ = try bench.waitForExit()
    }
}
