import LullModel
import Testing

@testable import LullScheduler

/// The manifest read again, and the host started again.
struct ReloadTests {
    @Test func `requests of a task that was removed are given up with the reason`() {
        var host = TestHost(RequestTests.manifest, conditions: RequestTests.dark)
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        var manifest = RequestTests.manifest
        manifest.apps[0].tasks.removeLast()
        host.load(manifest)
        let given = host.records.last { $0.event == .givenUp }
        #expect(
            given?.request == RequestID(1)
                && given?.reason == "com.example.Feed.cleaning was removed from jobs.yaml"
                && given?.gates == ["permitted"])
        #expect(host.state.pending(of: nil).isEmpty)
        let verdict = host.state.verdict(for: Sample.cleaning, at: host.now)
        #expect(verdict.gates.map(\.gate) == [.permitted] && !verdict.mayRun)
    }

    @Test func `a run of a removed task goes on, and the worker of a removed app goes with its last run`() {
        var host = TestHost(Sample.simple())
        _ = host.submit(Sample.cleaning)
        host.load(Manifest())
        #expect(host.running == [RunID(1)])
        let said = "is no longer in jobs.yaml, and run 1 of it goes on"
        #expect(host.state.names.tasks == [Sample.cleaning])
        #expect(host.state.verdict(for: Sample.cleaning, at: host.now).gates.map(\.reason) == ["it " + said])
        let report = host.state.report(at: host.now)
        #expect(
            report.remarks == [
                "com.example.Feed.cleaning " + said + ". `lull stop com.example.Feed.cleaning` ends it."
            ])
        #expect(host.state.report(of: .task(Sample.cleaning), at: host.now).remarks == nil)
        _ = host.take()
        host.complete()
        #expect(host.state.names.tasks.isEmpty && host.state.report(at: host.now).remarks == nil)
        #expect(
            host.names().last == .completed && host.effects.contains(.evictWorker(host.last(Sample.feed))))
    }

    @Test func `repeat taken away, made shorter or longer, and a kind changed`() {
        func pending(after change: (inout TaskDefinition) -> Void) -> ([TaskRequest], TestHost) {
            var host = TestHost(Sample.simple { $0.repeat = .hours(4) })
            host.complete()
            host.pass(.hours(1))
            var manifest = host.state.manifest
            change(&manifest.apps[0].tasks[0])
            host.load(manifest)
            return (host.state.pending(of: nil), host)
        }
        let (gone, host) = pending { $0.repeat = nil }
        #expect(
            gone.isEmpty
                && host.records.last?.reason == "jobs.yaml no longer repeats com.example.Feed.cleaning")
        #expect(pending { $0.repeat = .hours(2) }.0.map(\.earliestBegin) == [.at(0, 2)])
        #expect(pending { $0.repeat = .hours(8) }.0.map(\.earliestBegin) == [.at(0, 8)])
        #expect(pending { $0.kind = .refresh }.0.map(\.kind) == [.refresh])
        #expect(pending { $0.priority = 1 }.0.map(\.id) == [RequestID(2)])
    }

    @Test
    func `a run that the host was cut off in is named, and what it was launched for is asked for again`() {
        var host = TestHost(Sample.simple { $0.repeat = .days(7) })
        host.pass(.seconds(4), completing: false)
        var after = TestHost(host.state.manifest, at: .at(0, 1), ledger: host.state.ledger)
        #expect(after.records.prefix(3).map(\.event) == [.interrupted, .merged, .submitted])
        #expect(after.records.first?.run == RunID(1) && after.records.first?.outcome == .interrupted)
        #expect(after.running.isEmpty && after.closed(Sample.cleaning) == [.backoff])
        after.pass(.seconds(30), completing: false)
        #expect(after.running == [RunID(2)])
    }

    @Test func `a plugin's request of an interrupted run is asked for again, unless a newer one waits`() {
        var host = TestHost(Sample.simple())
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        let after = TestHost(Sample.simple(), at: .at(0, 1), ledger: host.state.ledger)
        #expect(after.state.pending(of: nil).map(\.origin) == [.plugin])
        _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(3, 0))
        let newer = TestHost(Sample.simple(), at: .at(0, 1), ledger: host.state.ledger)
        #expect(newer.state.pending(of: nil).map(\.earliestBegin) == [.at(3, 0)])
    }

    @Test func `what waited before a restart waits after it, for as long in all`() {
        let manifest = Sample.simple {
            $0.requires.idle = nil; $0.latest = .hours(10)
        }
        let busy = Conditions(presence: .known(.active))
        var host = TestHost(manifest, conditions: busy)
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        host.pass(.hours(4))
        var after = TestHost(manifest, at: .at(0, 6), ledger: host.state.ledger, conditions: busy)
        #expect(after.closed(Sample.cleaning) == [.moment])
        after.pass(.hours(24)) { !$0.running.isEmpty || $0.names().contains(.launched) }
        #expect(after.now.wall == .at(0, 10))
    }

    @Test func `missed repeats become one request`() {
        var host = TestHost(Sample.simple { $0.repeat = .hours(4) })
        host.complete()
        var after = TestHost(host.state.manifest, at: .at(2, 0), ledger: host.state.ledger)
        let launched = after.records.filter { $0.event == .launched }
        #expect(launched.map(\.reason) == ["stands for 12 repeats, which came due while it waited"])
        after.complete()
        #expect(after.state.pending(of: nil).map(\.earliestBegin) == [.at(2, 4)])
    }

    @Test func `a shutdown expires what runs, launches nothing more, and is finished when all is gone`() {
        var host = TestHost(RequestTests.manifest)
        host.startsWorkers = false
        _ = host.submit(Sample.cleaning)
        _ = host.take()
        #expect(!host.state.isEndedByShutdown(RunID(1)))
        host.handle(.shutdown)
        #expect(host.state.isEndedByShutdown(RunID(1)))
        #expect(
            host.effects.contains(
                .expire(RunID(1), host.last(Sample.feed), reason: "the host was shutting down")))
        #expect(host.effects.contains(.evictWorker(host.last(Sample.other))) && !host.hasFinished)
        #expect(host.launch(Sample.refresh) != nil && host.running == [RunID(1)])
        if case .refused(let refusal)? = host.submit(Sample.refresh, from: Sample.feed) {
            #expect(refusal.code == .unavailable)
        } else {
            Issue.record("a submit was accepted while the host shuts down")
        }
        #expect(host.gate(.shuttingDown, of: Sample.cleaning)?.isOpen == false)
        host.handle(.workerExited(host.last(Sample.other), sentence: "ended by itself (status 0)"))
        host.handle(.completed(RunID(1), success: false, summary: nil))
        #expect(host.effects.contains(.evictWorker(host.last(Sample.feed))) && !host.hasFinished)
        host.handle(.workerExited(host.last(Sample.feed), sentence: "ended by itself (status 0)"))
        #expect(host.hasFinished)
        // The operator's request is not lost.
        #expect(host.state.pending(of: nil).map(\.task) == [Sample.cleaning])
    }

    @Test(arguments: [false, true])
    func `a run that ends with its host is no failure of its task, and says so`(isKilled: Bool) throws {
        var host = TestHost(Sample.simple { $0.repeat = .days(1) })
        host.startsWorkers = false
        host.handle(.shutdown)
        if isKilled {
            host.handle(.workerExited(host.last(Sample.feed), sentence: "ended by signal 9 (SIGKILL)"))
        } else {
            host.handle(.completed(RunID(1), success: false, summary: nil))
        }
        let end = try #require(host.records.last { $0.event == .failed })
        #expect(end.gates == ["shutting_down"] && !end.isFailure)
        #expect(end.reason?.contains("the host was shutting down") == true, "\(end)")
        let after = TestHost(host.state.manifest, at: .at(0, 6), ledger: host.state.ledger)
        let status = try #require(after.state.report(at: after.now).tasks.first)
        #expect(after.record(Sample.cleaning)?.failures == 0)
        // It is asked for again, and begun at once.
        #expect(after.launches(of: Sample.cleaning) == [.at(0, 6)] && !status.isFailing)
        // The log alone gives the same ledger.
        #expect(host.records.reduce(into: Ledger()) { $0.apply($1, zones: .utc) } == host.state.ledger)
    }

    @Test func `a shutdown of a host without workers is finished at once`() {
        var host = TestHost()
        host.handle(.shutdown)
        #expect(host.hasFinished)
    }

    @Test func `a restart does not undo a cancel`() {
        var host = TestHost(Sample.simple { $0.repeat = .days(1) })
        host.pass(.hours(12))
        host.handle(.cancelled(Sample.feed, Sample.cleaning, reply: nil))
        let after = TestHost(host.state.manifest, at: .at(0, 13), ledger: host.state.ledger)
        #expect(after.state.pending(of: nil).map(\.earliestBegin) == [.at(1, 12)])
        #expect(!after.names().contains(.replaced))
    }

    @Test
    func `a repeat made shorter while the host was off, or after a cancel, holds from the last occurrence`() {
        var host = TestHost(Sample.simple { $0.repeat = .days(7) })
        host.pass(.hours(12))
        let shorter = Sample.simple { $0.repeat = .days(1) }
        let after = TestHost(shorter, at: .at(0, 13), ledger: host.state.ledger)
        #expect(after.state.pending(of: nil).map(\.earliestBegin) == [.at(1, 0)])
        host.handle(.cancelled(Sample.feed, Sample.cleaning, reply: nil))
        let later = TestHost(shorter, at: .at(0, 13), ledger: host.state.ledger)
        #expect(later.state.pending(of: nil).map(\.earliestBegin) == [.at(1, 12)])
        host.load(shorter)
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(1, 12)])
    }

    @Test(arguments: [false, true])
    func `a clock that was set back puts no repeat off for longer than its gap`(restarts: Bool) {
        let manifest = Sample.manifest([
            Sample.definition(Sample.cleaning, .processing) { $0.repeat = .minutes(15) }
        ]) {
            $0.idleAfter = nil
        }
        var host = TestHost(manifest, at: .at(0, 12))
        host.complete()
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 12)])
        if restarts {
            let ledger = host.state.ledger
            host = TestHost(manifest, at: .at(0, 6), ledger: ledger)
        } else {
            host.now.wall = .at(0, 6)
            host.handle(.wake)
        }
        host.complete()
        host.pass(.hours(1))
        #expect(host.launches(of: Sample.cleaning).suffix(4) == (1...4).map { .at(0, 6, $0 * 15) })
    }
}
