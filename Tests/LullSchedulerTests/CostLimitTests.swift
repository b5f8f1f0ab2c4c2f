import Foundation
import LullModel
import Testing

@testable import LullScheduler

/// What the runs of an app, or of all apps, may cost in a span.
struct CostLimitTests {
    static func manifest(_ ofApp: [CostLimit], host: [CostLimit] = []) -> Manifest {
        var manifest = Sample.manifest([
            Sample.definition(Sample.cleaning, .processing) { $0.requires.idle = false },
            Sample.definition(Sample.otherWork, of: Sample.other, .processing) { $0.requires.idle = false },
        ]) { if $0.identifier == Sample.feed { $0.costLimits = ofApp } }
        manifest.costLimits = host
        return manifest
    }

    static func run(_ cost: RunCost?, of task: TaskIdentifier = Sample.cleaning, on host: inout TestHost) {
        _ = host.submit(task)
        if let cost { for run in host.running { host.handle(.measured(run, cost)) } }
        host.complete()
    }

    private static let daily = CostLimit(.processor, 600_000, span: .days(1))

    /// Six minutes at 08:07 and 4 min 12 s at 10:05, and the next launch is asked for.
    private static func spent() -> TestHost {
        var host = TestHost(manifest([daily]), at: .at(0, 8, 7))
        run(RunCost(processor: 360_000), on: &host)
        host.advance(.minutes(118))
        run(RunCost(processor: 252_000), on: &host)
        _ = host.submit(Sample.cleaning)
        return host
    }

    private func gate(_ host: TestHost, of task: TaskIdentifier = Sample.cleaning) -> GateVerdict? {
        host.gate(.costLimit, of: task)
    }

    @Test func `an app that has spent its limit is launched at the very time that the outlook names`() {
        var host = Self.spent()
        #expect(host.running.isEmpty && host.closed(Sample.cleaning) == [.costLimit])
        #expect(
            gate(host)?.reason
                == "com.example.Feed has used 10 min 12 s of the processor in the last 24 h, and may use 10 min"
        )
        let outlook = host.state.outlook(for: Sample.cleaning, at: host.now)
        #expect(outlook.gates.map(\.opening) == [.at(.at(1, 8))] && outlook.certain == .at(1, 8))
        #expect(host.record(Sample.cleaning)?.opens == .at(1, 8) && host.armed.wall == .at(1, 8))
        host.pass(.days(2))
        #expect(host.launches(of: Sample.cleaning).last == .at(1, 8))
    }

    @Test func `below the limit the gate says how much is spent`() {
        var host = TestHost(Self.manifest([Self.daily, CostLimit(.written, 1 << 30, span: .days(30))]))
        #expect(
            gate(host)?.reason
                == "com.example.Feed has used 0 s of the processor in the last 24 h, and may use 10 min")
        Self.run(RunCost(processor: 1000, written: 1 << 29), on: &host)
        #expect(gate(host)?.isOpen == true)
        #expect(
            gate(host)?.reason == "com.example.Feed has written 512 MiB in the last 30 d, and may write 1 GiB"
        )
    }

    @Test func `of two limits the one that opens last is told`() {
        var host = TestHost(
            Self.manifest([
                CostLimit(.processor, 1000, span: .hours(1)), CostLimit(.read, 10, span: .hours(2)),
            ]))
        Self.run(RunCost(processor: 5000, read: 4096), on: &host)
        #expect(gate(host)?.until == .at(0, 2))
        #expect(gate(host)?.reason.contains("has read 4 KiB in the last 2 h, and may read 10 B") == true)
    }

    @Test func `a restart, by the log or by a checkpoint and the rest of it, changes nothing`() throws {
        let host = Self.spent()
        for cut in [0, host.records.count / 2, host.records.count] {
            var ledger = Ledger()
            for event in host.records[..<cut] { ledger.apply(event, zones: .utc) }
            ledger = try JSONDecoder().decode(Ledger.self, from: JSONEncoder().encode(ledger))
            for event in host.records[cut...] { ledger.apply(event, zones: .utc) }
            #expect(ledger == host.state.ledger)
            var next = TestHost(host.state.manifest, at: host.now.wall, ledger: ledger)
            #expect(gate(next)?.until == .at(1, 8))
            next.pass(.days(1))
            #expect(next.launches(of: Sample.cleaning) == [.at(1, 8)])
        }
    }

    @Test func `an unknown cost counts as nothing, and without a limit nothing is kept`() {
        var host = TestHost(Self.manifest([Self.daily]))
        for cost in [nil, RunCost(sharers: 1), RunCost(memory: 1 << 40, written: 5)] {
            Self.run(cost, on: &host)
        }
        Self.run(RunCost(processor: 900_000), of: Sample.otherWork, on: &host)
        #expect(host.records.count { $0.event == .completed } == 4)
        #expect(host.records.allSatisfy { $0.countedOver == nil })
        #expect(
            host.state.ledger.apps.values.allSatisfy { $0.costs == nil } && host.state.ledger.costs.isEmpty)
    }

    @Test func `a limit of the host holds back every app`() {
        var host = TestHost(Self.manifest([], host: [CostLimit(.processor, 2000, span: .hours(1))]))
        _ = host.submit(Sample.cleaning, begin: .at(0, 0, 10))
        Self.run(RunCost(processor: 3000), of: Sample.otherWork, on: &host)
        // Also what waits for something else: the history has it at once.
        #expect(host.record(Sample.cleaning)?.closed["cost_limit"] == .at(0, 0))
        #expect(
            gate(host)?.reason
                == "all apps together have used 3 s of the processor in the last 1 h, and may use 2 s")
        host.pass(.hours(2))
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 1)])
    }

    @Test func `a launch by hand passes over it, and counts`() {
        var host = Self.spent()
        guard case .launched = host.launch(Sample.cleaning) else { return #expect(Bool(false)) }
        #expect(
            host.records.last { $0.event == .launched }?.reason?.contains("past the gate cost_limit") == true)
        for run in host.running { host.handle(.measured(run, RunCost(processor: 600_000))) }
        host.complete()
        #expect(gate(host)?.until == .at(1, 10))
    }

    @Test func `what is spent of each limit is told without a task`() {
        let spent = Self.spent()
        let limits = Self.manifest([Self.daily], host: [CostLimit(.read, 1 << 30, span: .hours(1))])
        #expect(
            spent.state.ledger.costSentences(by: limits, at: spent.now.wall) == [
                "all apps together have read 0 B in the last 1 h, and may read 1 GiB.",
                "com.example.Feed has used 10 min 12 s of the processor in the last 24 h, and may use 10 min.",
            ])
    }

    @Test func `an urgent push passes over it`() {
        var manifest = PushTests.manifest()
        manifest.apps[0].costLimits = [CostLimit(.processor, 1, span: .days(1))]
        var host = TestHost(manifest)
        Self.run(RunCost(processor: 1000), on: &host)
        _ = host.tell { .pushed(Sample.feed, Push(payload: "{}", isUrgent: true), reply: $0) }
        #expect(host.launches(of: PushTests.task).count == 1)
    }

    @Test func `no launch is made that only a forgotten gate would allow`() {
        let host = Mutation.$current.withValue(.passesOver(.costLimit)) { Self.spent() }
        #expect(host.running.count == 1)
    }

    @Test func `a clock that is set ahead or back opens it no sooner than it says`() {
        for step in [Duration.hours(3), .hours(-3)] {
            var host = Self.spent()
            host.now.wall = host.now.wall + step
            host.handle(.wake)
            #expect(gate(host)?.isOpen == false && gate(host)?.until == .at(1, 8))
            host.pass(.days(2))
            #expect(host.launches(of: Sample.cleaning).last == .at(1, 8))
        }
        // A clock that was wrong by years counts nothing.
        var host = Self.spent()
        host.now.wall = .at(-400, 0)
        #expect(gate(host)?.isOpen == true)
    }

    @Test func `another limit counts what is there, and one that is taken out forgets it`() {
        var host = Self.spent()
        host.load(Self.manifest([CostLimit(.processor, 700_000, span: .days(1))]))
        #expect(host.running.count == 1)
        host.complete()
        host.load(Self.manifest([CostLimit(.processor, 1000, span: .hours(2))]))
        #expect(gate(host)?.until == .at(0, 12))
        host.load(Self.manifest([]))
        #expect(host.state.ledger.apps[Sample.feed]?.costs == nil)
        host.load(Self.manifest([Self.daily]))
        #expect(gate(host)?.reason.contains("has used 0 s") == true)
    }

    @Test(arguments: [Duration.minutes(1), .hours(1), .days(7), .days(400)])
    func `a sum has at most 48 parts, and counts between 47 of 48 parts of a span and all of it`(
        span: Duration
    ) {
        var sums = CostSums()
        let limit = CostLimit(.written, 1, span: span)
        let step = span.milliseconds / 1000
        var time = WallTime.at(0, 0)
        for count in 1...5000 {
            time.milliseconds += step
            sums.note(RunCost(written: 1), over: [.written: span], at: time)
            let counted = sums.cost(by: limit, at: time)
            #expect(counted <= 1001 && counted >= min(count, 978), "\(counted) after \(count)")
        }
        #expect(sums.parts.count <= 48)
        #expect(sums.opening(of: limit, at: time).map { $0 > time && $0 <= time + span } == true)
    }

    @Test func `sums that no number holds stay at the largest`() {
        var sums = CostSums()
        for _ in 0..<3 { sums.note(RunCost(written: .max), over: [.written: .days(1)], at: .distantPast) }
        for _ in 0..<3 { sums.note(RunCost(written: .max), over: [.written: .days(1)], at: .distantFuture) }
        let limit = CostLimit(.written, 1, span: .days(1))
        #expect(sums.cost(by: limit, at: .distantFuture) == .max && sums.parts.count == 1)
        #expect(sums.opening(of: limit, at: .distantFuture) != nil)
    }
}
