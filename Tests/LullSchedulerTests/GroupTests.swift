import LullCalendar
import LullModel
import Testing

@testable import LullScheduler

/// Tasks of a group, whatever their app: at most as many run at once as `groups` says.
struct GroupTests {
    @Test func `one task of a group runs at once, and the other begins when it has ended`() {
        var host = TestHost.grouped(most: nil)
        #expect(host.state.runs.values.map(\.task) == [Sample.cleaning])
        #expect(host.closed(Sample.otherWork) == [.concurrency])
        #expect(
            host.gate(.concurrency, of: Sample.otherWork)?.reason
                == "it waits for com.example.Feed.cleaning, which has had the group db since 00:00")
        let deferred = host.records.last { $0.event == .deferred }
        #expect(deferred?.task == Sample.otherWork && deferred?.gates == ["concurrency"])
        host.advance(.minutes(5))
        host.complete(success: false)
        #expect(host.state.runs.values.map(\.task) == [Sample.otherWork])
        #expect(host.launches(of: Sample.otherWork) == [.at(0, 0, 5)])
    }

    @Test func `what waits for a run of its app, or for its own, says so in the history`() throws {
        let app = Sample.manifest([
            Sample.definition(Sample.cleaning, .processing) { $0.requires.idle = false },
            Sample.definition(Sample.otherWork, .processing) { $0.requires.idle = false },
        ]) { $0.concurrency = 1 }
        var host = TestHost(app)
        _ = host.submit(Sample.cleaning)
        _ = host.submit(Sample.otherWork)
        #expect(host.running.count == 1)
        let deferred = host.records.filter { $0.event == .deferred && $0.task == Sample.otherWork }
        #expect(deferred.map(\.gates) == [["concurrency"]])
        #expect(
            deferred.first?.reason
                == "concurrency: 1 run of its app is under way, and the app may have 1 at once")
        // A time of `at` that comes during the task's own run.
        let times = try ExactTimes("* * * * *")
        var timed = TestHost(
            Sample.manifest([Sample.definition(Sample.cleaning, .processing) { $0.at = times }]),
            at: .at(0, 0, 0))
        timed.pass(.minutes(2), completing: false) { !$0.running.isEmpty }
        for run in timed.state.runs.keys { timed.handle(.launchReturned(run)) }
        timed.pass(.seconds(70), completing: false) { _ in false }
        #expect(timed.records.last { $0.event == .deferred }?.gates == ["concurrency"])
        timed.complete()
        #expect(timed.running.count == 1)
    }

    @Test func `what waits while the worker of another app starts says so once that one runs`() {
        let tasks = [(Sample.cleaning, Sample.feed), (Sample.otherWork, Sample.other)].map {
            Sample.definition($0.0, of: $0.1, .processing) { $0.requires.idle = false }
        }
        var host = TestHost(Sample.manifest(tasks, concurrency: 1) { $0.idleAfter = nil })
        // The workers of the discovery exit.
        host.pass(.hours(1))
        host.startsWorkers = false
        _ = host.submit(Sample.cleaning)
        _ = host.submit(Sample.otherWork, from: Sample.other)
        #expect(host.running.isEmpty)
        #expect(!host.records.contains { $0.gates == ["concurrency"] })
        host.handle(.workerReady(host.last(Sample.feed), registered: [Sample.cleaning]))
        #expect(host.running.count == 1)
        let waits = host.records.filter { $0.gates == ["concurrency"] }
        #expect(waits.map(\.task) == [Sample.otherWork], "\(waits)")
    }

    @Test func `as many run at once as groups says`() {
        var host = TestHost.grouped(most: 2)
        #expect(host.state.runs.values.map(\.task) == [Sample.cleaning, Sample.cleaning])
        #expect(host.closed(Sample.otherWork) == [.concurrency])
        host.load(TestHost.manifest(most: 3))
        #expect(host.running.count == 3)
    }

    @Test func `a task of another group, or of none, waits for nobody`() {
        for group in ["web", nil] {
            var host = TestHost(TestHost.manifest(most: 1, other: group))
            _ = host.submit(Sample.cleaning)
            _ = host.submit(Sample.otherWork)
            #expect(host.running.count == 2)
        }
    }

    @Test func `an operator does not launch it beside the one that has the group`() {
        var host = TestHost.grouped(most: 1)
        let reply = host.launch(Sample.otherWork)
        guard case .refused(let refusal)? = reply else {
            return #expect(Bool(false), "\(String(describing: reply))")
        }
        #expect(refusal.sentence.contains("which has had the group db"))
        #expect(refusal.sentence.hasSuffix(". `lull why \(Sample.otherWork)` says what to do."))
        #expect(host.running.count == 1)
    }

    @Test func `what was launched keeps its group when the manifest changes`() {
        var host = TestHost.grouped(most: 1)
        host.load(TestHost.manifest(most: 1, first: "web"))
        #expect(host.closed(Sample.otherWork) == [.concurrency])
        host.complete()
        #expect(host.launches(of: Sample.otherWork).count == 1)
    }
}

extension TestHost {
    static func manifest(most: Int?, first: String? = "db", other: String? = "db") -> Manifest {
        var manifest = Sample.manifest([
            Sample.definition(Sample.cleaning, .processing) {
                $0.requires.idle = false
                $0.concurrency = 9
                $0.group = first
            },
            Sample.definition(Sample.otherWork, of: Sample.other, .processing) {
                $0.requires.idle = false
                $0.group = other
            },
        ])
        manifest.groups = most.map { ["db": $0] } ?? [:]
        return manifest
    }

    /// The first task runs as often as its group allows, and the other waits for it.
    static func grouped(most: Int?) -> TestHost {
        var host = TestHost(manifest(most: most))
        for _ in 0..<(most ?? 1) { _ = host.submit(Sample.cleaning) }
        _ = host.submit(Sample.otherWork)
        return host
    }
}
