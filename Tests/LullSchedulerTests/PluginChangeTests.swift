import LullModel
import Testing

@testable import LullScheduler

/// The files of a plugin are compared before anything is launched in a worker that has loaded them.
struct PluginChangeTests {
    private func host(_ change: (inout Manifest) -> Void = { _ in }) -> TestHost {
        var options = SchedulerOptions()
        options.comparesPlugins = true
        var manifest = Sample.manifest([
            Sample.definition(Sample.cleaning, .processing) { $0.requires.idle = false },
            Sample.definition(Sample.indexing, .processing) { $0.requires.idle = false },
        ])
        change(&manifest)
        return TestHost(manifest, options: options)
    }

    private func asksToCompare(_ worker: WorkerID, _ host: TestHost) -> Int {
        host.effects.count { $0 == .comparePlugin(worker) }
    }

    @Test func `a launch waits until they were compared, and each launch has them compared anew`() {
        var host = host()
        let worker = host.last(Sample.feed)
        _ = host.submit(Sample.cleaning)
        #expect(host.running.isEmpty && asksToCompare(worker, host) == 1 && host.state.isBusy)
        host.handle(.wake)
        #expect(asksToCompare(worker, host) == 1, "it is under way")
        host.handle(.pluginCompared(worker, stamp: "1"))
        #expect(host.running == [RunID(1)] && host.state.worker(of: RunID(1)) == worker)
        host.handle(.completed(RunID(1), success: true, summary: nil))
        _ = host.submit(Sample.indexing)
        #expect(asksToCompare(worker, host) == 2 && host.running.isEmpty)
        // A disk that does not answer holds nothing up.
        host.handle(.pluginCompared(worker, stamp: nil))
        #expect(host.running == [RunID(2)] && host.state.worker(of: RunID(2)) == worker)
    }

    @Test func `others mean another worker, for which the launch waits`() {
        var host = host()
        let old = host.last(Sample.feed)
        _ = host.submit(Sample.cleaning)
        host.handle(.pluginCompared(old, stamp: "2"))
        let new = host.last(Sample.feed)
        #expect(new != old && host.effects.contains(.evictWorker(old)))
        #expect(host.state.worker(of: RunID(1)) == new)
        #expect(host.records.last { $0.event == .discovered }?.stamp == "2")
    }

    @Test func `a worker with open runs finishes them, and what comes next runs in another`() {
        var host = host { $0.apps[0].concurrency = 2 }
        let old = host.last(Sample.feed)
        _ = host.submit(Sample.cleaning)
        host.handle(.pluginCompared(old, stamp: "1"))
        _ = host.submit(Sample.indexing)
        host.handle(.pluginCompared(old, stamp: "2"))
        let new = host.last(Sample.feed)
        #expect(
            host.state.worker(of: RunID(1)) == old && host.state.worker(of: RunID(2)) == new && new != old)
        host.handle(.completed(RunID(1), success: true, summary: nil))
        #expect(host.effects.contains(.evictWorker(old)) && host.running == [RunID(2)])
    }

    @Test func `what an operator launches is launched in what was built last`() {
        var host = host()
        let old = host.last(Sample.feed)
        host.handle(.launchRequested(Sample.cleaning, reply: Token(7)))
        #expect(host.running.isEmpty)
        host.handle(.pluginCompared(old, stamp: "2"))
        #expect(host.running == [RunID(1)] && host.state.worker(of: RunID(1)) != old)
        let isTold = host.effects.contains {
            if case .reply(Token(7), .launched(RunID(1), _)) = $0 { true } else { false }
        }
        #expect(isTold)
    }

    @Test func `an answer of a worker that is gone does nothing, and what waited for it has another`() {
        var host = host()
        let old = host.last(Sample.feed)
        host.handle(.launchRequested(Sample.cleaning, reply: Token(7)))
        host.handle(.workerExited(old, sentence: "ended by signal 11 (SIGSEGV)"))
        #expect(host.running == [RunID(1)] && host.state.worker(of: RunID(1)) != old)
        host.handle(.pluginCompared(old, stamp: "2"))
        #expect(host.running == [RunID(1)] && !host.state.workers.isBusy)
    }

    @Test
    func `a worker is known by the files that it is started with, and not by those of the manifest's time`() {
        var host = host()
        host.startsWorkers = false
        host.load(host.state.manifest, stamp: "2")
        host.handle(.workerExited(host.started[0], sentence: "ended by itself (status 0)"))
        let worker = host.last(Sample.feed)
        host.handle(.pluginCompared(worker, stamp: "3"))
        host.handle(.workerReady(worker, registered: [Sample.cleaning, Sample.indexing]))
        #expect(host.records.last { $0.event == .discovered }?.stamp == "3")
        _ = host.submit(Sample.cleaning)
        host.handle(.pluginCompared(worker, stamp: "3"))
        #expect(host.state.worker(of: RunID(1)) == worker)
    }

    @Test func `a worker's death after its last run is told with that run, and as the app's fault`() {
        var host = host()
        let worker = host.last(Sample.feed)
        _ = host.submit(Sample.cleaning)
        host.handle(.pluginCompared(worker, stamp: "1"))
        host.handle(.completed(RunID(1), success: true, summary: nil))
        host.handle(.workerExited(worker, sentence: "ended by signal 6 (SIGABRT); it printed last: no"))
        let violation = host.records.last { $0.event == .violation }
        #expect(violation?.run == RunID(1) && violation?.task == Sample.cleaning)
        #expect(
            violation?.reason
                == "its worker ended while nothing ran, after run 1: ended by signal 6 (SIGABRT); it printed last: no"
        )
        let status = host.state.report(at: host.now).apps.first
        #expect(status?.fault == violation?.reason && status?.faultAt == host.now.wall)
    }
}
