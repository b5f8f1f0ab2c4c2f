import LullModel
import Testing

@testable import LullScheduler

/// A failure is reported with the last lines that its run printed.
struct QuotedLinesTests {
    private func host(_ change: (inout TaskDefinition) -> Void = { _ in }) -> TestHost {
        TestHost(
            Sample.simple {
                $0.repeat = .days(1)
                $0.timeLimit = .seconds(60)
                change(&$0)
            })
    }

    private func reason(_ host: TestHost) -> String? { host.records.last { $0.event == .failed }?.reason }

    @Test(
        arguments: [
            ("exit code 3.", "exit code 3; it printed last: one\ntwo"),
            (nil, "its handler reported a failure; it printed last: one\ntwo"),
        ] as [(String?, String)])
    func `what a run reports is followed by its lines`(summary: String?, reason: String) throws {
        var host = host()
        let run = try #require(host.running.first)
        host.handle(.lastLines([run: ["a"], RunID(99): ["of nobody"]]))
        host.handle(.lastLines([run: ["one", "two"]]))
        host.handle(.completed(run, success: false, summary: summary))
        #expect(self.reason(host) == reason)
        #expect(host.record(Sample.cleaning)?.lastReason == reason)
        let gate = host.gate(.backoff, of: Sample.cleaning)
        #expect(gate?.reason.contains("printed") == false, "the gate goes on after it")
    }

    @Test func `a run that is killed at its limit says where it stood`() throws {
        var host = host()
        let run = try #require(host.running.first)
        host.handle(.launchReturned(run))
        host.handle(.lastLines([run: ["waiting for a lock"]]))
        host.pass(.seconds(70), completing: false)
        #expect(reason(host)?.hasSuffix("; it printed last: waiting for a lock") == true)
        #expect(host.records.last { $0.event == .failed }?.outcome == .killed)
    }

    @Test func `of a crash its own lines stand in the place of its worker's`() throws {
        var host = host()
        let run = try #require(host.running.first)
        host.handle(.lastLines([run: ["loading", "Fatal error"]]))
        let sentence = PrintedLast(sentence: "ended by signal 4", lines: ["Fatal error"]).reason
        host.handle(.workerExited(host.last(Sample.feed), sentence: sentence))
        #expect(reason(host)?.hasSuffix("ended by signal 4; it printed last: loading\nFatal error") == true)
    }

    @Test func `a success quotes nothing, and a line that was logged too is not said twice`() throws {
        var host = host()
        let run = try #require(host.running.first)
        host.handle(.lastLines([run: ["note: 2 files"]]))
        host.handle(.completed(run, success: true, summary: "done"))
        #expect(host.records.last { $0.event == .completed }?.reason == "done")
        var other = self.host()
        let again = try #require(other.running.first)
        other.handle(.lastLines([again: ["no route"]]))
        other.handle(.completed(again, success: false, summary: "sync: no route"))
        #expect(reason(other) == "sync: no route")
    }

    @Test(arguments: [".", "a", "port"])
    func `a line is quoted though its letters stand in the sentence`(line: String) throws {
        var host = host()
        let run = try #require(host.running.first)
        host.handle(.lastLines([run: [line]]))
        host.handle(.completed(run, success: false, summary: "its handler reported a2."))
        #expect(reason(host) == "its handler reported a2; it printed last: \(line)")
    }

    @Test func `a long sentence leaves the lines their room`() throws {
        var host = host()
        let run = try #require(host.running.first)
        host.handle(.lastLines([run: ["one", "the cause"]]))
        let long = String(repeating: "x", count: 5 * Limits.reasonBytes)
        host.handle(.completed(run, success: false, summary: long))
        let reason = try #require(self.reason(host))
        #expect(reason.hasSuffix("…; it printed last: one\nthe cause"))
        #expect(reason.utf8.count <= Limits.reasonBytes + Limits.quotedBytes)
    }
}
