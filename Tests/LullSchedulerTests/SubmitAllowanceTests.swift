import LullModel
import Testing

@testable import LullScheduler

/// An app that submits without end harms only itself.
struct SubmitAllowanceTests {
    private static let exports = Sample.task("com.example.Feed.export.*")

    private func host() -> TestHost {
        var host = TestHost()
        host.registers[Sample.feed] = [Self.exports, Sample.cleaning]
        host.load(
            Sample.manifest([
                Sample.definition(Self.exports, .continued), Sample.definition(Sample.cleaning, .processing),
            ]))
        return host
    }

    @Test func `so many at once, then one each 4 s, and all of them again after a rest`() {
        var allowance = SubmitAllowance()
        let start = MonotonicTime(nanoseconds: 5)
        for _ in 0..<1000 { #expect(allowance.take(at: start) == nil) }
        #expect(allowance.take(at: start) == .seconds(4))
        #expect(allowance.take(at: start + .seconds(3)) == .seconds(1))
        #expect(allowance.take(at: start + .seconds(4)) == nil)
        #expect(allowance.take(at: start + .seconds(4)) == .seconds(4))
        let later = start + .hours(10)
        #expect((0..<1001).count { _ in allowance.take(at: later) == nil } == 1000)
    }

    @Test func `a plugin's submits beyond them are refused, another app's and an operator's are not`() throws
    {
        var host = host()
        let begin = host.now.wall + .days(30)
        for _ in 0..<1000 {
            guard case .accepted? = host.submit(Sample.cleaning, from: Sample.feed, begin: begin) else {
                Issue.record("a submit within what is allowed was refused")
                return
            }
        }
        let waiting = host.record(Sample.cleaning)?.pending
        let refusal = Refusal(
            .tooManyPending,
            "com.example.Feed submits too often: after a burst of 1000 it may submit one every 4 s. "
                + "Submit it again in 4 s.")
        #expect(host.submit(Sample.cleaning, from: Sample.feed, begin: begin) == .refused(refusal))
        #expect(host.record(Sample.cleaning)?.pending == waiting)
        host.advance(.seconds(4))
        guard case .accepted? = host.submit(Sample.cleaning, from: Sample.feed, begin: begin),
            case .refused? = host.submit(Sample.cleaning, from: Sample.feed, begin: begin),
            case .accepted? = host.submit(Sample.cleaning, begin: begin)
        else {
            Issue.record("one came back, and an operator's are not counted")
            return
        }
    }

    @Test func `cancels come out of the same allowance, and one too many leaves what waits`() {
        var host = TestHost(
            Sample.manifest([Sample.definition(Sample.cleaning, .processing) { $0.repeat = .days(30) }]))
        host.complete()
        for _ in 0..<1100 { host.handle(.cancelled(Sample.feed, Sample.cleaning, reply: nil)) }
        #expect(host.records.count { $0.event == .cancelled } == 1000)
        #expect(host.record(Sample.cleaning)?.pending != nil)
        let violations = host.records.filter { $0.event == .violation }
        #expect(violations.count == 100)
        #expect(
            violations.first?.reason
                == "It cancels too often: \(Sample.cleaning) goes on waiting. It may cancel again in 4 s.")
        host.handle(.cancelled(Sample.feed, Sample.cleaning, next: true, reply: host.token()))
        #expect(host.records.count { $0.event == .cancelled } == 1001)
    }

    @Test func `what fits a wildcard and is done is forgotten, the oldest first`() throws {
        var host = host()
        let tasks = (0..<300).map { Sample.task("com.example.Feed.export.\($0)") }
        for task in tasks {
            _ = host.submit(task, from: Sample.feed)
            for run in host.state.runs.values where run.task != tasks[0] {
                host.handle(.completed(run.id, success: true, summary: nil))
            }
            host.handle(.launchReturned(RunID(1)))
            host.advance(.seconds(10))
            host.handle(.progressed(RunID(1), .counted(completed: Int64(host.records.count), total: 0)))
        }
        // The first task runs all the while.
        let kept = Set(host.state.ledger.tasks.keys)
        let expected = Set([tasks[0]] + tasks.suffix(99))
        #expect(kept.symmetricDifference(expected) == [])
        #expect(host.launches(of: tasks[150]).count == 1)
    }
}
