import LullModel
import Testing

@testable import LullScheduler

/// The promises of Apple's documents about requests and launches, as the host keeps them.
struct AppleRulesTests {
    private func host(_ kind: Kind = .processing, concurrency: Int = 4) -> TestHost {
        TestHost(
            Sample.manifest(
                [
                    Sample.definition(Sample.cleaning, kind) { $0.requires.idle = false },
                    Sample.definition(Sample.indexing, .processing) { $0.requires.idle = false },
                ], concurrency: concurrency))
    }

    private func launches(_ host: inout TestHost) -> [Launch] {
        host.take().compactMap { if case .launch(let launch) = $0 { launch } else { nil } }
    }

    @Test func `one request is exactly one launch`() {
        var host = host()
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        host.pass(.days(3))
        #expect(host.launches(of: Sample.cleaning).count == 1)
        #expect(host.state.pending(of: nil).isEmpty)
    }

    @Test func `a request that is submitted in its own run is launched after that`() {
        var host = host()
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        #expect(host.launches(of: Sample.cleaning).count == 1 && host.state.pending(of: nil).count == 1)
        host.pass(.hours(1))
        #expect(host.launches(of: Sample.cleaning).count == 2)
    }

    @Test func `the request's kind decides the task's class and its time`() {
        var host = host()
        _ = host.take()
        let now = host.now.monotonic
        _ = host.submit(Sample.cleaning, from: Sample.feed, kind: .refresh)
        _ = host.submit(Sample.indexing, from: Sample.feed)
        host.pass(.days(3), completing: false) { $0.running.count == 2 }
        let launches = launches(&host)
        let refresh = launches.first { $0.task == Sample.cleaning }
        #expect(refresh?.kind == .refresh)
        #expect(refresh.flatMap { host.state.runs[$0.run]?.timeLimit } == .seconds(30))
        let processing = launches.first { $0.task == Sample.indexing }
        #expect(processing?.kind == .processing && processing?.deadline == now + .minutes(10))
    }

    @Test func `a health research request is a processing request that keeps its word on protection`() {
        var host = host()
        _ = host.take()
        let label = RequestLabel(protection: "NSFileProtectionComplete")
        host.handle(
            .submitted(
                Submission(app: Sample.feed, task: Sample.cleaning, kind: .processing, label: label),
                reply: host.token()))
        let launch = launches(&host).first
        #expect(launch?.kind == .processing && launch?.label == label)
    }

    @Test func `what is pending is what has been submitted and not launched`() {
        var host = host(concurrency: 1)
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        _ = host.submit(Sample.indexing, from: Sample.feed)
        #expect(host.state.pending(of: Sample.feed).map(\.task) == [Sample.indexing])
    }

    @Test func `cancelling leaves what runs alone`() {
        var host = host(concurrency: 1)
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        _ = host.submit(Sample.indexing, from: Sample.feed)
        host.handle(.cancelled(Sample.feed, nil, reply: nil))
        #expect(host.running.count == 1 && host.state.pending(of: nil).isEmpty)
        #expect(!host.names().contains(.expired))
        host.complete()
        #expect(host.record(Sample.cleaning)?.lastOutcome == .succeeded)
    }

    @Test func `a pending request outlives the host`() {
        var host = host(concurrency: 1)
        _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(2, 0))
        let next = TestHost(host.state.manifest, at: .at(1, 0), ledger: host.state.ledger)
        #expect(next.state.pending(of: Sample.feed).map(\.earliestBegin) == [.at(2, 0)])
    }

    @Test func `the earliest begin date is a floor`() {
        var host = host()
        _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(2, 0))
        host.pass(.days(3))
        #expect(host.launches(of: Sample.cleaning) == [.at(2, 0)])
    }

    @Test func `a run that says within its grace that it succeeded is taken at its word`() {
        var host = host()
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        let run = host.running[0]
        host.handle(.launchReturned(run))
        host.pass(.minutes(10) - .seconds(5), completing: false)
        #expect(host.names(Sample.cleaning).last == .expired)
        host.handle(.completed(run, success: true, summary: nil))
        #expect(host.record(Sample.cleaning)?.lastOutcome == .succeeded && host.worker(Sample.feed) == .warm)
        #expect(host.record(Sample.cleaning)?.failures == 0)
    }
}
