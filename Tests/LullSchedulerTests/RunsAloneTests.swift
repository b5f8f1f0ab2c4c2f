import LullModel
import Testing

@testable import LullScheduler

/// A plugin with a worker of its own for each run: one run's resources and faults do not touch another run.
struct RunsAloneTests {
    private func host(concurrency: Int = 4) -> TestHost {
        var host = TestHost()
        host.runsAlone = true
        host.load(
            Sample.manifest(
                [Sample.cleaning, Sample.indexing].map { task in
                    Sample.definition(task, .processing) {
                        $0.requires.idle = false
                        $0.concurrency = 2
                    }
                }, concurrency: concurrency))
        return host
    }

    private func worker(of run: UInt64, _ host: TestHost) throws -> WorkerID {
        try #require(host.state.worker(of: RunID(run)))
    }

    @Test func `each run has a worker, which ends with it, and the next run has another`() throws {
        var host = host()
        _ = host.submit(Sample.cleaning)
        _ = host.submit(Sample.indexing)
        #expect(host.running == [RunID(1), RunID(2)])
        let (first, second) = (try worker(of: 1, host), try worker(of: 2, host))
        #expect(first != second)
        _ = host.take()
        host.handle(.completed(RunID(1), success: true, summary: nil))
        #expect(host.effects.contains(.evictWorker(first)) && host.running == [RunID(2)])
        _ = host.submit(Sample.cleaning)
        let third = try worker(of: 3, host)
        #expect(third != first && third != second)
    }

    @Test func `what ends one worker costs its own run and no other`() throws {
        var host = host()
        _ = host.submit(Sample.cleaning)
        _ = host.submit(Sample.indexing)
        host.handle(
            .workerExited(try worker(of: 1, host), sentence: "killed by the host: it used 9 GiB of memory"))
        #expect(host.running == [RunID(2)])
        let last = try #require(host.records.last { $0.event == .failed })
        #expect(last.run == RunID(1) && last.reason?.contains("it used 9 GiB of memory") == true)
        host.handle(.completed(RunID(2), success: true, summary: nil))
        #expect(host.records.last { $0.run == RunID(2) }?.outcome == .succeeded)
    }

    @Test func `a worker that takes its time to end keeps no run waiting`() throws {
        var host = host()
        _ = host.submit(Sample.cleaning)
        host.startsWorkers = false
        let first = try worker(of: 1, host)
        host.handle(.completed(RunID(1), success: true, summary: nil))
        #expect(host.state.worker(first)?.state == .leaving)
        _ = host.submit(Sample.indexing)
        let next = host.last(Sample.feed)
        #expect(next != first)
        host.handle(.workerReady(next, registered: [Sample.cleaning, Sample.indexing], runsAlone: true))
        #expect(host.running == [RunID(2)])
        // The first worker's exit comes late, and ends no other run.
        host.handle(.workerExited(first, sentence: "evicted by the host"))
        #expect(host.running == [RunID(2)] && host.state.worker(first) == nil)
    }

    @Test func `what is launched by hand at once waits for a worker each`() throws {
        var host = host()
        let tokens = [host.token(), host.token()]
        for (task, token) in zip([Sample.cleaning, Sample.indexing], tokens) {
            host.handle(.launchRequested(task, reply: token))
        }
        #expect(host.running == [RunID(1), RunID(2)])
        #expect(try worker(of: 1, host) != worker(of: 2, host))
    }

    @Test func `concurrency bounds the workers that run something`() {
        var host = host(concurrency: 1)
        _ = host.submit(Sample.cleaning)
        _ = host.submit(Sample.indexing)
        #expect(host.running == [RunID(1)])
        host.handle(.completed(RunID(1), success: true, summary: nil))
        #expect(host.running == [RunID(2)])
    }

    @Test func `after an edit each run of before is known as such`() throws {
        var host = host()
        _ = host.submit(Sample.cleaning)
        _ = host.submit(Sample.cleaning)
        _ = host.submit(Sample.indexing)
        let (old, now) = (host.running, host.now)
        host.load(host.state.manifest, stamp: "2")
        let outdated = host.state.report(at: now).tasks.flatMap { $0.outdated ?? [] }
        #expect(outdated.sorted() == old)
    }
}
