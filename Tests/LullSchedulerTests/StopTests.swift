import LullModel
import Testing

@testable import LullScheduler

/// A run that an operator stops is over: it counts as no failure, and the next time stays.
struct StopTests {
    private func host(_ change: (inout TaskDefinition) -> Void = { _ in }) -> TestHost {
        TestHost(
            Sample.manifest([
                Sample.definition(Sample.cleaning, .processing) {
                    $0.requires.idle = false
                    $0.grace = .seconds(3)
                    $0.notify = [NoticeSink(.journal, on: [.failed])]
                    change(&$0)
                },
                Sample.definition(Sample.indexing, .processing) {
                    $0.requires.idle = false
                    $0.on = [.after(Sample.cleaning, .failure), .after(Sample.cleaning, .any)]
                },
            ]))
    }

    private func stop(_ host: inout TestHost) -> String {
        if case .done(let sentence)? = host.tell({ .expireRequested(Sample.cleaning, reply: $0) }) {
            return sentence
        }
        return ""
    }

    @Test(arguments: [true, false])
    func `a stopped run is not tried again, whether it ends in its grace or is killed`(isKilled: Bool) {
        var host = host { $0.repeat = .hours(6) }
        #expect(host.running.count == 1)
        let answer = stop(&host)
        #expect(
            answer.hasPrefix(
                "Told run 1 of com.example.Feed.cleaning to end; Lull kills what has not ended after 3 s, "
                    + "and does not retry it. Its own next time stays:"), "\(answer)")
        #expect(answer.contains("06:00"), "\(answer)")
        host.handle(.launchReturned(RunID(1)))
        if isKilled {
            host.pass(.seconds(4), completing: false)
        } else {
            host.handle(.completed(RunID(1), success: false, summary: nil))
        }
        let end = host.records.last { $0.event == .failed }
        #expect(end?.outcome == .stopped && end?.isFailure == false)
        #expect(end?.reason?.contains("an operator stopped it") == true)
        let record = host.record(Sample.cleaning)
        #expect(record?.failures == 0 && record?.pending?.earliestBegin == .at(0, 6))
        #expect(!host.names().contains(.notice) && host.record(Sample.indexing)?.lastLaunched == nil)
        host.pass(.hours(7))
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 0), .at(0, 6)])
    }

    @Test func `a run that succeeds in spite of that has succeeded`() {
        var host = host()
        _ = host.submit(Sample.cleaning)
        _ = stop(&host)
        host.complete()
        #expect(host.record(Sample.cleaning)?.lastOutcome == .succeeded)
    }

    @Test func `what was being stopped when the host was cut off is not begun again`() {
        var host = host()
        _ = host.submit(Sample.cleaning)
        _ = stop(&host)
        let next = TestHost(host.state.manifest, at: .at(0, 1), ledger: host.state.ledger)
        let end = next.records.first { $0.task == Sample.cleaning }
        #expect(end?.event == .interrupted && end?.outcome == .stopped && end?.isFailure == false)
        #expect(!next.names().contains(.notice) && next.record(Sample.cleaning)?.failures == 0)
        #expect(next.state.pending(of: nil).isEmpty && next.running.isEmpty)
    }
}
