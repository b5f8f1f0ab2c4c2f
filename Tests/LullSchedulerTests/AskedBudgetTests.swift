import LullModel
import Testing

@testable import LullScheduler

/// The share of processing that apps ask for themselves.
struct AskedBudgetTests {
    /// Launches of a task that submits itself from each of its runs, day by day.
    private func days(_ count: Int, _ change: (inout TaskDefinition) -> Void = { _ in }) -> [Int] {
        var host = TestHost(Sample.simple(change))
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        let end = host.now.wall + .days(count)
        while host.now.wall < end {
            host.pass(end - host.now.wall, completing: false) { !$0.running.isEmpty }
            if host.running.isEmpty { break }
            _ = host.submit(Sample.cleaning, from: Sample.feed)
            host.complete()
        }
        let launches = host.launches(of: Sample.cleaning)
        return (0..<count).map { day in
            launches.count { $0 >= TestHost.monday + .days(day) && $0 < TestHost.monday + .days(day + 1) }
        }
    }

    @Test func `an app that submits itself again and again is launched as often as its budget says`() {
        #expect(days(4) == [15, 8, 8, 8])
        #expect(days(4) { $0.budget = 3 } == [5, 3, 3, 3])
        #expect(days(4) { $0.budget = 0.5 } == [1, 0, 1, 0])
    }

    @Test func `the gate says when the next comes back`() {
        var host = TestHost(Sample.simple { $0.budget = 2 })
        for _ in 0..<3 {
            host.advance(.minutes(5))
            _ = host.submit(Sample.cleaning, from: Sample.feed)
            host.complete()
        }
        let gate = host.gate(.budget, of: Sample.cleaning)
        #expect(gate?.isOpen == false && gate?.until == .at(0, 12, 5))
        // A restarted host gives the same time.
        let next = TestHost(host.state.manifest, at: host.now.wall, ledger: host.state.ledger)
        #expect(next.gate(.budget, of: Sample.cleaning)?.until == .at(0, 12, 5))
    }

    @Test func `a launch that takes the last of it says when what waits for room may go`() {
        var host = TestHost(
            Sample.manifest(
                [Sample.cleaning, Sample.indexing].map { task in
                    Sample.definition(task, .processing) {
                        $0.requires.idle = false
                        $0.budget = 0.5
                    }
                }
            ) { $0.concurrency = 1 })
        for task in [Sample.cleaning, Sample.indexing] {
            _ = host.submit(task, from: Sample.feed, begin: .at(0, 1))
        }
        host.pass(.hours(1), completing: false)
        #expect(host.running.count == 1)
        let left = host.state.pending(of: nil).first?.task
        let opens = left.flatMap { host.gate(.budget, of: $0)?.until }
        #expect(opens != nil && host.armed.wall == opens)
    }

    @Test func `what others ask for draws nothing from it`() {
        var host = TestHost(Sample.simple { $0.budget = 1 })
        for _ in 0..<5 {
            host.advance(.minutes(5))
            _ = host.submit(Sample.cleaning)
            host.complete()
        }
        #expect(host.launches(of: Sample.cleaning).count == 5)
        #expect(host.gate(.budget, of: Sample.cleaning)?.isOpen == true)
    }

    @Test func `another budget names one time, whenever it is asked`() {
        var pace = AskedPace(launchAt: .at(0, 0), perDay: 4)
        for _ in 1...3 { pace.note(launchAt: .at(0, 0), perDay: 4) }
        for hour in [1, 6, 11] { #expect(pace.opening(at: .at(0, hour), perDay: 3) == .at(0, 12)) }
        #expect(pace.opening(at: .at(0, 12), perDay: 3) == nil)
    }

    @Test func `a clock that was set back closes it no longer than a day`() {
        var pace = AskedPace(launchAt: .at(5, 0), perDay: 1)
        #expect(pace.opening(at: .at(5, 1), perDay: 1) == .at(6, 0))
        #expect(pace.opening(at: .at(2, 0), perDay: 1) == nil)
        pace.note(launchAt: .at(2, 0), perDay: 1)
        #expect(pace.opening(at: .at(2, 1), perDay: 1).map { $0 <= .at(4, 0) } == true)
    }
}
