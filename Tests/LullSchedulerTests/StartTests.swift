import LullCalendar
import LullModel
import Testing

@testable import LullScheduler

/// Submits and cancels of an app while it starts for a due request.
struct StartTests {
    static let manifest = Sample.manifest([
        Sample.definition(Sample.cleaning, .processing) { $0.requires.idle = false },
        Sample.definition(Sample.indexing, .processing) { $0.requires.idle = false },
    ]) { $0.keepWarm = .seconds(2) }

    /// A host whose cold app starts for its request for 08:00.
    private func starting(
        _ change: (inout TestHost) -> Void = { host in
            _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(0, 8))
        }
    ) -> TestHost {
        var host = TestHost(Self.manifest)
        change(&host)
        host.pass(.hours(1))
        host.startsWorkers = false
        host.pass(.hours(7) + .seconds(1), completing: false) { $0.worker(Sample.feed) == .starting }
        return host
    }

    private func finishStart(_ host: inout TestHost) {
        host.handle(.workerReady(host.last(Sample.feed), registered: [Sample.cleaning, Sample.indexing]))
    }

    @Test func `what is due is launched though its app asks for a later time while it starts`() {
        var host = starting()
        for minute in 1...2 {
            _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(0, 9, minute))
        }
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(0, 8), .at(0, 9, 2)])
        #expect(host.closed(Sample.cleaning).isEmpty)
        finishStart(&host)
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 8)])
        host.startsWorkers = true
        host.pass(.hours(3))
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 8), .at(0, 9, 2)])
        #expect(host.state.pending(of: nil).isEmpty)
        #expect(host.names(Sample.cleaning).count { $0 == .replaced } == 1)
    }

    @Test func `what an operator, repeat or at asked for is launched all the same`() {
        func launches(_ change: (inout TaskDefinition) -> Void, ask: (inout TestHost) -> Void) -> [WallTime] {
            var host = starting { host in
                var manifest = Self.manifest
                change(&manifest.apps[0].tasks[0])
                host.load(manifest)
                ask(&host)
            }
            _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(1, 0))
            finishStart(&host)
            return host.launches(of: Sample.cleaning)
        }
        #expect(launches({ _ in }, ask: { _ = $0.submit(Sample.cleaning, begin: .at(0, 8)) }) == [.at(0, 8)])
        #expect(launches({ $0.at = try? ExactTimes("0 8 * * *") }, ask: { _ in }) == [.at(0, 8)])
        let byRepeat = launches({ $0.repeat = .hours(4) }, ask: { _ in })
        #expect(byRepeat == [.at(0, 0), .at(0, 4)])
    }

    @Test func `what an operator asks for while the app starts is not put off by it`() {
        var host = starting()
        _ = host.submit(Sample.indexing)
        _ = host.submit(Sample.indexing, from: Sample.feed, begin: .at(0, 9))
        finishStart(&host)
        #expect(host.launches(of: Sample.indexing) == [.at(0, 8)])
    }

    @Test func `a host that is cut off while the app starts gives it back`() {
        var host = starting()
        _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(0, 9))
        var next = TestHost(at: .at(0, 8, 10), ledger: host.state.ledger)
        next.startsWorkers = false
        next.load(Self.manifest)
        #expect(next.worker(Sample.feed) == .starting)
        _ = next.submit(Sample.cleaning, from: Sample.feed, begin: .at(0, 9, 10))
        finishStart(&next)
        #expect(next.launches(of: Sample.cleaning) == [.at(0, 8, 10)])
        #expect(next.state.pending(of: nil).map(\.earliestBegin) == [.at(0, 9, 10)])
    }

    @Test func `for the app it has left the queue`() {
        var host = starting()
        #expect(host.state.queuedRequests(of: Sample.feed).isEmpty)
        host.handle(.cancelled(Sample.feed, nil, reply: nil))
        _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(0, 9))
        #expect(host.state.queuedRequests(of: Sample.feed).map(\.earliestBegin) == [.at(0, 9)])
        host.handle(.cancelled(Sample.feed, nil, reply: nil))
        finishStart(&host)
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 8)])
        #expect(host.state.pending(of: nil).isEmpty)
    }

    @Test func `a start for one task puts off no other`() {
        var host = starting { host in
            _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(0, 8))
            _ = host.submit(Sample.indexing, from: Sample.feed, begin: .at(0, 8, 30))
        }
        _ = host.submit(Sample.indexing, from: Sample.feed, begin: .at(0, 12))
        // The request that comes sooner stays beside the new one.
        #expect(
            host.state.pending(of: nil).filter { $0.task == Sample.indexing }.map(\.earliestBegin) == [
                .at(0, 8, 30), .at(0, 12),
            ])
        finishStart(&host)
        host.startsWorkers = true
        host.pass(.hours(5))
        #expect(host.launches(of: Sample.indexing) == [.at(0, 8, 30), .at(0, 12)])
        var sooner = starting { host in
            _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(0, 8))
            _ = host.submit(Sample.indexing, from: Sample.feed, begin: .at(0, 8, 30))
        }
        _ = sooner.submit(Sample.indexing, from: Sample.feed, begin: .at(0, 8, 5))
        #expect(
            sooner.state.pending(of: nil).filter { $0.task == Sample.indexing }.map(\.earliestBegin) == [
                .at(0, 8, 5)
            ])
    }

    @Test func `what a withdrawn submit gives back was there at the start`() {
        var host = starting { host in
            _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(0, 8))
            _ = host.submit(Sample.indexing, from: Sample.feed, begin: .at(0, 8, 30))
        }
        let token = host.token()
        host.handle(
            .submitted(
                Submission(app: Sample.feed, task: Sample.indexing, earliestBegin: .at(0, 8, 5)),
                reply: token))
        host.handle(.withdrawn(reply: token))
        _ = host.submit(Sample.indexing, from: Sample.feed, begin: .at(0, 12))
        finishStart(&host)
        host.startsWorkers = true
        host.pass(.hours(5))
        #expect(host.launches(of: Sample.indexing) == [.at(0, 8, 30), .at(0, 12)])
    }

    @Test(arguments: [true, false])
    func `a manifest that gives or takes times while the app starts puts off nothing`(gives: Bool) throws {
        var timed = Self.manifest
        timed.apps[0].tasks[0].at = try ExactTimes("0 20 * * *")
        var host = starting { host in
            if !gives { host.load(timed) }
            _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(0, 8))
        }
        host.load(gives ? timed : Self.manifest)
        #expect(host.records.last { $0.event == .submitted }?.reason?.hasPrefix("requested again") == true)
        _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(0, 12))
        finishStart(&host)
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 8)])
    }

    @Test func `a submit after the start replaces nothing that waits for room, and a handler's does`() {
        var host = TestHost(
            Sample.manifest(Self.manifest.tasks) { app in
                app.keepWarm = .seconds(2)
                app.concurrency = 1
            })
        _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(0, 8))
        _ = host.submit(Sample.indexing, from: Sample.feed, begin: .at(0, 8))
        host.pass(.hours(8) + .seconds(1), completing: false)
        #expect(host.running.count == 1)
        _ = host.submit(Sample.indexing, from: Sample.feed, begin: .at(0, 12))
        host.complete()
        #expect(host.launches(of: Sample.indexing) == [.at(0, 8) + .seconds(1)])
        // Of the requests submitted since, the newest counts.
        _ = host.submit(Sample.indexing, from: Sample.feed, begin: .at(0, 13))
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(0, 13)])
    }

    @Test func `a submit that is withdrawn leaves the queue as it was`() {
        var host = starting()
        _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(0, 9))
        let token = host.token()
        host.handle(
            .submitted(
                Submission(app: Sample.feed, task: Sample.cleaning, earliestBegin: .at(0, 10)), reply: token))
        host.handle(.withdrawn(reply: token))
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(0, 8), .at(0, 9)])
    }
}
