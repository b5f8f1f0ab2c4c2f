import LullModel
import Testing

@testable import LullScheduler

/// An app whose entry changes while it runs: later launches follow the new entry.
struct RetirementTests {
    private static let sentence = "ended by signal 11 (SIGSEGV)"

    /// Two tasks of one app, of which `cleaning` runs in its first worker.
    private func running(_ change: (inout Manifest) -> Void = { _ in }) -> TestHost {
        var manifest = Sample.manifest([
            Sample.definition(Sample.cleaning, .processing) { $0.requires.idle = false },
            Sample.definition(Sample.indexing, .processing) { $0.requires.idle = false },
        ])
        change(&manifest)
        var host = TestHost(manifest)
        _ = host.submit(Sample.cleaning)
        _ = host.take()
        return host
    }

    private func worker(of run: UInt64, _ host: TestHost) -> WorkerID? { host.state.worker(of: RunID(run)) }

    @Test func `what is launched after an edit has a new worker, and the old one ends with its last run`() {
        var host = running()
        let old = host.last(Sample.feed)
        host.load(host.state.manifest, stamp: "2")
        // The new entry is discovered at once, beside the run, so its registrations are known.
        let new = host.last(Sample.feed)
        #expect(new != old && host.records.last?.event == .discovered && host.records.last?.stamp == "2")
        #expect(!host.effects.contains(.evictWorker(old)) && host.running == [RunID(1)])
        _ = host.submit(Sample.indexing)
        #expect(worker(of: 2, host) == new && worker(of: 1, host) == old)
        host.handle(.completed(RunID(1), success: true, summary: nil))
        #expect(host.effects.contains(.evictWorker(old)) && host.running == [RunID(2)])
        #expect(host.records.last?.outcome == .succeeded && host.state.worker(old) == nil)
        #expect(host.worker(Sample.feed) == .warm)
    }

    @Test func `provenance names the manifest and the plugin that a run really has`() {
        func plugin(_ id: String) -> Provenance.Plugin { .init(buildID: id, sdk: "c", abi: "1.1") }
        var options = SchedulerOptions()
        options.traces = true
        var manifest = Sample.simple { $0.concurrency = 2 }
        manifest.hash = "one"
        var host = TestHost(options: options)
        host.startsWorkers = false
        host.load(manifest)
        host.handle(.workerReady(host.last(Sample.feed), registered: [Sample.cleaning], plugin: plugin("a")))
        _ = host.submit(Sample.cleaning)
        manifest.hash = "two"
        host.load(manifest, stamp: "2")
        _ = host.submit(Sample.cleaning)
        #expect(host.running == [RunID(1)], "its worker is not ready yet")
        host.handle(.workerReady(host.last(Sample.feed), registered: [Sample.cleaning], plugin: plugin("b")))
        let launches = host.records.filter { $0.event == .launched }.compactMap(\.provenance)
        #expect(launches.map(\.manifest) == ["one", "two"])
        #expect(launches.map(\.plugin?.buildID) == ["a", "b"])
    }

    @Test func `the death of one worker ends its own runs, and a killed run takes none of the others along`()
    {
        var host = running()
        let old = host.last(Sample.feed)
        host.load(host.state.manifest, stamp: "2")
        _ = host.submit(Sample.indexing)
        var other = host
        host.handle(.workerExited(old, sentence: Self.sentence))
        #expect(host.running == [RunID(2)] && host.records.last?.run == RunID(1))
        other.handle(.violation(old, RunID(1), sentence: "it sent half a frame", isFatal: true))
        #expect(other.running == [RunID(2)])
        let killed = other.effects.contains { if case .killWorker(old, _) = $0 { true } else { false } }
        #expect(killed && other.worker(Sample.feed) == .warm)
        other.handle(.workerExited(other.last(Sample.feed), sentence: Self.sentence))
        #expect(other.running.isEmpty && other.records.last?.outcome == .crashed)
    }

    @Test func `edits may follow each other while older workers still run`() {
        var host = running { $0.apps[0].concurrency = 2 }
        var workers = [host.last(Sample.feed)]
        host.load(host.state.manifest, stamp: "2")
        _ = host.submit(Sample.indexing)
        workers.append(host.last(Sample.feed))
        for stamp in 3...9 {
            host.load(host.state.manifest, stamp: "\(stamp)")
            // A worker without a run exits before the next one starts.
            #expect(host.state.apps[Sample.feed]?.workers.count == 3)
        }
        _ = host.submit(Sample.cleaning)
        _ = host.submit(Sample.indexing)
        // A task that runs in an older worker counts as running, and so does its app.
        #expect(host.running == [RunID(1), RunID(2)])
        #expect(host.closed(Sample.cleaning).contains(.concurrency))
        host.handle(.completed(RunID(1), success: true, summary: nil))
        #expect(worker(of: 3, host) == host.last(Sample.feed))
        #expect(host.state.apps[Sample.feed]?.workers.map(\.id) == [workers[1], host.last(Sample.feed)])
        host.complete()
        #expect(host.state.apps[Sample.feed]?.workers.count == 1)
    }

    @Test func `while a worker leaves none is started beside it`() {
        var host = running()
        host.startsWorkers = false
        let old = host.last(Sample.feed)
        host.handle(.completed(RunID(1), success: true, summary: nil))
        host.load(host.state.manifest, stamp: "2")
        #expect(host.effects.contains(.evictWorker(old)) && host.last(Sample.feed) == old)
        host.handle(.workerExited(old, sentence: "ended by itself (status 0)"))
        #expect(host.last(Sample.feed) != old && host.worker(Sample.feed) == .starting)
    }

    @Test func `a worker that starts when the entry changes is started again for who waits`() {
        var host = TestHost()
        host.startsWorkers = false
        host.load(Sample.simple())
        let old = host.last(Sample.feed)
        let token = host.token()
        host.handle(.launchRequested(Sample.cleaning, reply: token))
        host.load(host.state.manifest, stamp: "2")
        #expect(host.effects.contains(.evictWorker(old)))
        host.handle(.workerReady(old, registered: [Sample.cleaning]))
        #expect(host.running.isEmpty)
        host.handle(.workerExited(old, sentence: "ended by itself (status 0)"))
        host.handle(.workerReady(host.last(Sample.feed), registered: [Sample.cleaning]))
        #expect(host.reply(to: token, in: host.effects) == .launched(RunID(1)))
        #expect(worker(of: 1, host) == host.last(Sample.feed) && host.last(Sample.feed) != old)
    }

    @Test func `where the new one can't be started the old one finishes, and nothing goes back to it`() {
        var host = running()
        let old = host.last(Sample.feed)
        host.startsWorkers = false
        host.load(host.state.manifest, stamp: "2")
        host.handle(.workerFailed(host.last(Sample.feed), sentence: "undefined symbol: sqlite3_open"))
        #expect(host.records.last?.outcome == .unloadable && host.running == [RunID(1)])
        _ = host.submit(Sample.indexing)
        #expect(host.running == [RunID(1)] && host.closed(Sample.indexing) == [.registered])
        guard case .refused(let refusal)? = host.launch(Sample.indexing) ?? launchTold(&host) else {
            Issue.record("it is not refused")
            return
        }
        #expect(refusal.sentence.contains("undefined symbol"))
        host.handle(.completed(RunID(1), success: true, summary: nil))
        #expect(host.effects.contains(.evictWorker(old)))
    }

    /// The reply to a forced launch, which tries the plugin again and fails as before.
    private func launchTold(_ host: inout TestHost) -> Reply? {
        let effects = host.handle(
            .workerFailed(host.last(Sample.feed), sentence: "undefined symbol: sqlite3_open"))
        for case .reply(_, let reply) in effects { return reply }
        return nil
    }

    @Test func `a task that was added is launched, and one that was removed is not`() {
        var host = running()
        var manifest = host.state.manifest
        manifest.apps[0].tasks[1] = Sample.definition(Sample.refresh, .processing) {
            $0.requires.idle = false
        }
        host.registers[Sample.feed] = [Sample.cleaning, Sample.refresh]
        host.load(manifest, stamp: "2")
        guard case .launched(let run, _)? = host.launch(Sample.refresh) else {
            Issue.record("it is not launched")
            return
        }
        #expect(host.state.worker(of: run) == host.last(Sample.feed))
        guard case .refused? = host.launch(Sample.indexing) else {
            Issue.record("it is launched")
            return
        }
    }

    @Test func `an app that is removed and added again while it runs comes back as it is written now`() {
        var host = running()
        let (manifest, old) = (host.state.manifest, host.last(Sample.feed))
        host.load(Manifest())
        host.load(manifest, stamp: "2")
        _ = host.submit(Sample.indexing)
        #expect(worker(of: 2, host) != old && worker(of: 1, host) == old)
        // An entry that comes back unchanged is the worker's own entry again.
        var same = running()
        same.load(Manifest())
        same.load(manifest)
        _ = same.submit(Sample.indexing)
        #expect(worker(of: 2, same) == worker(of: 1, same))
    }

    @Test func `an app that is turned off while it runs launches nothing, and its run ends as it would`() {
        var host = running()
        var manifest = host.state.manifest
        manifest.apps[0].enabled = false
        host.load(manifest)
        _ = host.submit(Sample.indexing)
        guard case .refused? = host.launch(Sample.indexing) else {
            Issue.record("it is launched")
            return
        }
        host.handle(.completed(RunID(1), success: true, summary: nil))
        #expect(host.records.last?.outcome == .succeeded)
    }

    @Test func `time limit and zone of the next launch are those in force, in the same worker`() {
        var host = running { $0.apps[0].tasks[0].concurrency = 2 }
        var manifest = host.state.manifest
        manifest.apps[0].tasks[0].timeLimit = .minutes(2)
        host.load(manifest)
        _ = host.submit(Sample.cleaning)
        let (first, second) = (host.state.runs[RunID(1)], host.state.runs[RunID(2)])
        #expect(first?.worker == second?.worker)
        #expect(first?.timeLimit == .minutes(10) && second?.timeLimit == .minutes(2))
    }

    @Test func `what a retiring worker registers late is nobody's, and what waited for that is given up`() {
        let export = Sample.task("com.example.Feed.export")
        var host = running {
            $0.apps[0].tasks.append(Sample.definition(export, of: Sample.feed, .continued))
            $0.hostConcurrency = 1
        }
        host.registers[Sample.feed] = [Sample.cleaning, Sample.indexing]
        let old = host.last(Sample.feed)
        host.handle(.registered(old, export))
        host.load(host.state.manifest, stamp: "2")
        host.handle(.registered(old, export))
        #expect(host.state.apps[Sample.feed]?.lateHandlers.isEmpty == true)
    }

    @Test func `a host that ends waits for every worker of an app`() {
        var host = running()
        let old = host.last(Sample.feed)
        host.load(host.state.manifest, stamp: "2")
        _ = host.submit(Sample.indexing)
        host.handle(.shutdown)
        #expect(!host.hasFinished)
        host.handle(.completed(RunID(2), success: true, summary: nil))
        #expect(!host.hasFinished && host.effects.contains(.evictWorker(host.last(Sample.feed))))
        host.handle(.completed(RunID(1), success: true, summary: nil))
        #expect(host.effects.contains(.evictWorker(old)) && host.hasFinished)
    }

    @Test func `a run in an older worker is said to be one, and the app runs`() {
        var host = running()
        #expect(host.state.report(at: host.now).tasks.allSatisfy { $0.outdated == nil })
        host.load(host.state.manifest, stamp: "2")
        var report = host.state.report(at: host.now)
        #expect(report.tasks.map(\.outdated) == [[RunID(1)], nil] && report.apps[0].worker == "running")
        host.handle(.completed(RunID(1), success: true, summary: nil))
        report = host.state.report(at: host.now)
        #expect(report.tasks.allSatisfy { $0.outdated == nil } && report.apps[0].worker == "warm")
    }
}
