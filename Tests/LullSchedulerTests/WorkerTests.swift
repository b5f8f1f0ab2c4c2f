import LullModel
import Testing

@testable import LullScheduler

struct WorkerTests {
    /// An app whose worker is warm after its discovery, on a clock that has not moved.
    private func host(_ change: (inout App) -> Void = { _ in }) -> TestHost {
        var manifest = RequestTests.manifest
        manifest.apps.removeLast()
        for place in manifest.apps.indices { change(&manifest.apps[place]) }
        var host = TestHost(manifest)
        _ = host.take()
        return host
    }

    private func step(_ host: inout TestHost, _ span: Duration) -> [Effect] {
        host.advance(span)
        return host.handle(.wake)
    }

    @Test func `a worker is suspended after the settling time and evicted when it is cold`() {
        var host = host()
        #expect(host.worker(Sample.feed) == .warm)
        #expect(!step(&host, .seconds(2) - .milliseconds(1)).contains(.suspendWorker(host.last(Sample.feed))))
        #expect(step(&host, .milliseconds(1)).contains(.suspendWorker(host.last(Sample.feed))))
        #expect(host.worker(Sample.feed) == .suspended)
        #expect(!step(&host, .minutes(10) - .milliseconds(1)).contains(.evictWorker(host.last(Sample.feed))))
        #expect(step(&host, .milliseconds(1)).contains(.evictWorker(host.last(Sample.feed))))
        #expect(host.worker(Sample.feed) == WorkerState.none && !host.names().contains(.violation))
    }

    @Test func `a launch resumes a suspended worker, and the record comes first`() {
        var host = host()
        _ = step(&host, .seconds(2))
        _ = host.take()
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        let order = host.effects.compactMap { effect -> String? in
            switch effect {
            case .record(let event): event.event.rawValue
            case .resumeWorker: "resume"
            case .launch: "launch"
            default: nil
            }
        }
        #expect(order == ["submitted", "launched", "resume", "launch"])
        // It is not suspended again while something runs.
        host.handle(.launchReturned(RunID(1)))
        #expect(!step(&host, .minutes(5)).contains(.suspendWorker(host.last(Sample.feed))))
    }

    @Test func `a worker is suspended when the last of its runs has completed`() throws {
        var host = host()
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        _ = host.submit(Sample.refresh, from: Sample.feed)
        for run in host.running { host.handle(.launchReturned(run)) }
        try #require(host.running.count == 2)
        host.handle(.completed(host.running[0], success: true, summary: nil))
        #expect(!step(&host, .seconds(2)).contains(.suspendWorker(host.last(Sample.feed))), "one still runs")
        host.handle(.completed(host.running[0], success: true, summary: nil))
        #expect(host.running.isEmpty)
        #expect(!step(&host, .seconds(2) - .milliseconds(1)).contains(.suspendWorker(host.last(Sample.feed))))
        #expect(step(&host, .milliseconds(1)).contains(.suspendWorker(host.last(Sample.feed))))
    }

    @Test func `with keep_warm 0 a worker is evicted after the settling time`() {
        var host = host { $0.keepWarm = .zero }
        #expect(step(&host, .seconds(2)).contains(.evictWorker(host.last(Sample.feed))))
    }

    @Test func `memory pressure evicts what is suspended at once, and nothing that runs`() {
        var host = host()
        _ = step(&host, .seconds(2))
        #expect(
            !host.handle(.conditionsChanged(Conditions(memoryPressure: 0.09))).contains(
                .evictWorker(host.last(Sample.feed))))
        #expect(
            host.handle(.conditionsChanged(Conditions(memoryPressure: 0.1))).contains(
                .evictWorker(host.last(Sample.feed))))
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        _ = host.take()
        host.handle(.conditionsChanged(Conditions(memoryPressure: 0.5)))
        #expect(!host.effects.contains(.evictWorker(host.last(Sample.feed))))
    }

    @Test func `what comes up while a worker leaves waits for its exit`() {
        var host = host()
        host.startsWorkers = false
        _ = step(&host, .seconds(2))
        _ = step(&host, .minutes(10))
        #expect(host.worker(Sample.feed) == .leaving)
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        let reply = host.launch(Sample.refresh)
        #expect(reply == nil && host.running.isEmpty)
        _ = host.take()
        host.handle(.workerExited(host.last(Sample.feed), sentence: "ended by itself (status 0)"))
        #expect(host.effects.contains(.startWorker(host.last(Sample.feed))))
        host.handle(.workerReady(host.last(Sample.feed), registered: [Sample.cleaning, Sample.refresh]))
        #expect(host.running.count == 2)
        #expect(host.effects.contains { if case .reply(_, .launched) = $0 { true } else { false } })
    }

    @Test func `a plugin that is not ready in time is killed, and tried again later or when it changes`() {
        var host = TestHost()
        host.startsWorkers = false
        host.load(Sample.simple { $0.repeat = .hours(1) })
        let effects = step(&host, .seconds(30))
        #expect(
            effects.contains(
                .killWorker(host.last(Sample.feed), reason: "its plugin was not ready within 30 s")))
        #expect(host.records.last?.outcome == .crashed && host.records.last?.stamp == "1")
        host.handle(.workerExited(host.last(Sample.feed), sentence: "ended by signal 9 (SIGKILL)"))
        _ = host.take()
        host.load(host.state.manifest)
        #expect(!host.effects.contains(.startWorker(host.last(Sample.feed))))
        var edited = host
        edited.load(host.state.manifest, stamp: "2")
        #expect(edited.effects.contains(.startWorker(edited.last(Sample.feed))))
        let again = step(&host, .seconds(30))
        #expect(again.contains(.startWorker(host.last(Sample.feed))))
    }

    @Test func `a worker that dies while nothing runs is recorded and started when it is needed`() {
        var host = host()
        host.handle(.workerExited(host.last(Sample.feed), sentence: "ended by signal 9 (SIGKILL)"))
        #expect(host.records.last?.event == .violation && host.worker(Sample.feed) == WorkerState.none)
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        #expect(host.running.count == 1)
    }

    @Test func `several tasks of an app run at once in one worker`() {
        var host = host()
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        _ = host.submit(Sample.refresh, from: Sample.feed)
        #expect(host.running.count == 2)
        #expect(!host.effects.contains(.startWorker(host.last(Sample.feed))))
        #expect(host.state.report(at: host.now).apps.first?.worker == "running")
    }
}
