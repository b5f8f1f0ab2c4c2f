import LullModel
import Testing

@testable import LullScheduler

/// A task whose run met its time limit waits for its next time, a day at most, unless the limit is raised.
struct LimitMetTests {
    private func host(_ change: (inout TaskDefinition) -> Void = { _ in }) -> TestHost {
        TestHost(
            Sample.simple {
                $0.repeat = .days(1)
                $0.timeLimit = .seconds(60)
                $0.line = 12
                change(&$0)
            })
    }

    /// The run under way meets its limit, and completes within its grace or is killed after it.
    private func meetLimit(_ host: inout TestHost, killed: Bool = false) {
        for run in host.running { host.handle(.launchReturned(run)) }
        host.pass(.seconds(56), completing: false)
        if killed { return host.pass(.seconds(10), completing: false) }
        for run in host.running { host.handle(.completed(run, success: false, summary: "the end")) }
    }

    @Test(arguments: [false, true])
    func `it waits for its next time, and why says so`(killed: Bool) throws {
        var host = host()
        let launched = try #require(host.launches(of: Sample.cleaning).first)
        meetLimit(&host, killed: killed)
        let gate = try #require(host.gate(.backoff, of: Sample.cleaning))
        #expect(!gate.isOpen && gate.until == launched + .days(1))
        #expect(
            gate.reason
                == "its last run was ended by its time limit of 1 min, and Lull does not run it again before its next time"
        )
        #expect(gate.remedy?.hasPrefix("raise `time_limit` at jobs.yaml:12, or try it now") == true)
        host.pass(.hours(23), completing: false)
        #expect(host.launches(of: Sample.cleaning).count == 1)
        host.pass(.hours(2), completing: false) { !$0.running.isEmpty }
        #expect(host.launches(of: Sample.cleaning).last == launched + .days(1))
    }

    @Test func `runs that had another limit are not counted with it`() throws {
        var host = host { $0.repeat = .hours(1) }
        for _ in 0..<2 {
            meetLimit(&host)
            host.pass(.hours(2), completing: false) { !$0.running.isEmpty }
        }
        host.complete(success: false)
        #expect(host.record(Sample.cleaning)?.overLimit == nil)
        var record = TaskRecord(task: Sample.cleaning, app: Sample.feed, touched: host.now.wall)
        for limit: Int64 in [5_000, 5_000, 5_000, 20_000] { record.note(.expired, limit: limit) }
        #expect(record.overLimit == 1 && record.limit == 20_000)
    }

    @Test func `how often is counted and told, until a run does not`() throws {
        var host = host { $0.repeat = .hours(1) }
        for _ in 0..<3 {
            meetLimit(&host)
            host.pass(.hours(2), completing: false) { !$0.running.isEmpty }
        }
        func told() -> String? {
            host.state.report(at: host.now).tasks.first { $0.task == Sample.cleaning }?.overLimit
        }
        #expect(
            told()
                == "its last 3 runs were ended by their time limit of 1 min, and the next will be unless it is quicker: "
                + "raise `time_limit` at jobs.yaml:12")
        host.complete()
        #expect(told() == nil && host.record(Sample.cleaning)?.overLimit == nil)
    }

    @Test func `a longer limit lets it be tried again after its backoff`() throws {
        var host = host()
        meetLimit(&host)
        #expect(host.gate(.backoff, of: Sample.cleaning)?.until ?? .distantPast > host.now.wall + .hours(20))
        host.load(
            Sample.simple {
                $0.repeat = .days(1)
                $0.timeLimit = .minutes(5)
            })
        host.pass(.minutes(2), completing: false) { !$0.running.isEmpty }
        #expect(!host.running.isEmpty)
    }

    @Test func `a rhythm of a week waits a day, and any other failure only for its backoff`() throws {
        var weekly = host { $0.repeat = .days(7) }
        meetLimit(&weekly)
        let failed = try #require(weekly.record(Sample.cleaning)?.failedAt)
        #expect(weekly.gate(.backoff, of: Sample.cleaning)?.until == failed + .days(1))
        var failing = host()
        failing.complete(success: false)
        #expect(failing.gate(.backoff, of: Sample.cleaning)?.until == failing.now.wall + .seconds(30))
    }

    @Test func `the default limit is named as one`() throws {
        var host = host { $0.timeLimit = .minutes(10) }
        for run in host.running { host.handle(.launchReturned(run)) }
        host.pass(.minutes(11), completing: false)
        let gate = try #require(host.gate(.backoff, of: Sample.cleaning))
        #expect(gate.reason.contains("by its default time limit of 10 min,"))
        #expect(gate.remedy?.hasPrefix("write a longer `time_limit` at jobs.yaml:12") == true)
    }
}
