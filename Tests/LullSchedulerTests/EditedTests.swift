import LullModel
import Testing

@testable import LullScheduler

/// Whether an edit of the manifest has changed how a task runs since its last launch.
struct EditedTests {
    private static func manifest(_ change: (inout TaskDefinition) -> Void = { _ in }) -> Manifest {
        Sample.simple {
            $0.repeat = .hours(1)
            $0.settings = .object(["run": .string("exit 1")])
            change(&$0)
        }
    }

    private static let tracing: SchedulerOptions = {
        var options = SchedulerOptions()
        options.traces = true
        return options
    }()

    private func isEdited(_ host: TestHost) -> Bool? {
        host.state.report(at: host.now).tasks.first { $0.task == Sample.cleaning }?.isEdited
    }

    private func failing() -> TestHost {
        var host = TestHost(Self.manifest(), options: Self.tracing)
        host.complete(success: false)
        return host
    }

    @Test func `an edit of its settings or limits is one, until the next launch`() {
        for change: (inout TaskDefinition) -> Void in [
            { $0.settings = .object(["run": .string("exit 0")]) }, { $0.timeLimit = .seconds(5) },
        ] {
            var host = failing()
            #expect(isEdited(host) == nil)
            host.load(Self.manifest(change), stamp: "2")
            #expect(isEdited(host) == true)
            host.pass(.hours(2), completing: false) { !$0.running.isEmpty }
            #expect(isEdited(host) == nil)
        }
    }

    @Test func `where it stands, when it runs and whom it tells make no difference`() {
        var host = failing()
        host.load(
            Self.manifest {
                $0.line = 80
                $0.repeat = .hours(3)
                $0.description = "said anew"
            })
        #expect(isEdited(host) == nil)
    }

    @Test func `a restart knows it from the history`() {
        let before = failing()
        let ledger = before.records.reduce(into: Ledger()) { $0.apply($1, zones: .utc) }
        let edited = Self.manifest { $0.settings = .object([:]) }
        // The task has not been tried again yet.
        let host = TestHost(edited, at: TestHost.monday + .seconds(5), ledger: ledger, options: Self.tracing)
        #expect(isEdited(host) == true)
    }

    @Test func `why a task failed does not stand in the gate that holds it back`() {
        var host = TestHost(Self.manifest(), options: Self.tracing)
        for run in host.running { host.handle(.completed(run, success: false, summary: "disk full")) }
        #expect(
            host.gate(.backoff, of: Sample.cleaning)?.reason
                == "it failed, and runs no sooner than 30 s after that")
    }

    @Test func `the report says since when its manifest is in force`() {
        var host = TestHost(Self.manifest())
        host.pass(.hours(1))
        host.load(Self.manifest())
        let same = host.state.report(at: host.now).inForce
        #expect(same?.since == TestHost.monday && same?.tasks == 1)
        host.load(Self.manifest { $0.timeLimit = .seconds(7) })
        #expect(host.state.report(at: host.now).inForce?.since == host.now.wall)
    }
}
