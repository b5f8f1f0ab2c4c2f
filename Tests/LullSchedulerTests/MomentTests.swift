import LullForecast
import LullModel
import Testing

@testable import LullScheduler

struct MomentTests {
    /// Four weeks of uses on weekdays, before Monday.
    private static func habit(hour: Int, minute: Int = 30) -> Ledger {
        var ledger = Ledger()
        for day in -28..<0 where (day + 28) % 7 < 5 {
            ledger.apply(HistoryEvent(.used, at: .at(day, hour, minute), app: Sample.feed), zones: .utc)
        }
        return ledger
    }

    /// An app that is used at 08:30 on weekdays, planned for at `now`.
    private static func plan(
        _ now: WallTime, price: Double = 0.05, objective: Objective = .hits, pass: Duration? = nil,
        last: WallTime? = nil
    ) throws -> [PlannedLaunch] {
        let forecast = try #require(habit(hour: 8).apps[Sample.feed]?.forecast)
        let hazards = try #require(forecast.hazards(from: now, steps: 192, zone: .utc))
        return RefreshPlan(
            .init(
                hazards: hazards, objective: objective, price: price, gap: .minutes(15), lastFresh: last,
                passInterval: pass)
        ).launches
    }

    @Test func `a plan waits for the hour before the use`() throws {
        for start in [WallTime.at(0, 0), .at(0, 20)] {
            let plan = try Self.plan(start, price: 0.2)
            let first = try #require(plan.first)
            let use: WallTime = start < .at(0, 8) ? .at(0, 8, 30) : .at(1, 8, 30)
            #expect(first.time > use - .hours(1) && first.time < use && first.chance > 0.6)
        }
    }

    @Test func `data that is fresh still is not replaced before it is stale`() throws {
        let use = WallTime.at(0, 8, 30)
        let first = try #require(try Self.plan(use - .minutes(30), price: 0.1).first)
        #expect(first.time == use - .minutes(30))
        let later = try Self.plan(use - .minutes(30), price: 0.1, last: use - .minutes(40))
        #expect(later.first.map { $0.time >= use + .minutes(15) } ?? true)
    }

    @Test func `above its price nothing is launched`() throws {
        #expect(try Self.plan(.at(0, 0), price: 1.01).isEmpty)
        #expect(try Self.plan(.at(0, 0), price: 100, objective: .staleness).isEmpty)
    }

    @Test func `a cheaper launch is made more often, and never twice within the least gap`() throws {
        for objective in Objective.allCases {
            let counts = try [2.0, 0.5, 0.1, 0.02, 0.001].map { price in
                let times = try Self.plan(.at(0, 0), price: price, objective: objective).map(\.time)
                #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .minutes(15) })
                return times.count
            }
            #expect(counts == counts.sorted() && (counts.last ?? 0) > (counts.first ?? 0))
        }
    }

    @Test func `at an even hazard hits ask for no launch, and staleness for evenly spread ones`() {
        let even = Hazards(from: .at(0, 0), values: Array(repeating: 0.01, count: 192))
        func times(_ objective: Objective, _ price: Double) -> [WallTime] {
            RefreshPlan(
                .init(
                    hazards: even, objective: objective, price: price, gap: .minutes(15), lastFresh: .at(0, 0)
                )
            ).launches.map(\.time)
        }
        #expect(times(.hits, 0.05).isEmpty)
        let spread = times(.staleness, 0.5)
        let gaps = zip(spread, spread.dropFirst()).map { $1 - $0 }
        // The gaps are equal to within two steps, but for the last ones, after which nothing follows.
        let early = gaps.dropLast(2)
        let (least, most) = (early.min() ?? .zero, early.max() ?? .zero)
        #expect(early.count > 1 && most - least <= .minutes(10), "\(gaps)")
        #expect(gaps.allSatisfy { $0 > .hours(2) && $0 < .hours(12) })
    }

    @Test func `a pass launches what would be due before the next`() throws {
        // Passes at every full hour.
        let early = try Self.plan(.at(0, 4), price: 0.2, pass: .hours(1))
        #expect(early.first.map { $0.time > .at(0, 4) } ?? true)
        let due = try Self.plan(.at(0, 8), price: 0.2, pass: .hours(1))
        #expect(due.first?.time == .at(0, 8))
        // Passes every six hours: the launch at six has to serve until noon.
        #expect(try Self.plan(.at(0, 6), price: 0.2, pass: .hours(6)).first?.time == .at(0, 6))
    }

    static let refresh = Sample.manifest([
        Sample.definition(Sample.refresh, .refresh) { $0.repeat = .minutes(15) }
    ])

    @Test func `a refresh that never succeeded is launched at once, and until it has with its backoff`() {
        var host = TestHost(Self.refresh, at: .at(0, 13), ledger: Self.habit(hour: 8))
        #expect(host.running.count == 1)
        host.complete(success: false)
        host.pass(.hours(1), completing: false) { !$0.running.isEmpty }
        #expect(host.now.wall == .at(0, 13, 15))
        host.complete()
        host.pass(.hours(17), completing: false) { !$0.running.isEmpty }
        #expect(host.running.isEmpty)
    }

    @Test func `while little is known the budget is spread evenly`() {
        var host = TestHost(Self.refresh)
        host.pass(.minutes(20))
        #expect(host.gate(.moment, of: Sample.refresh)?.reason.contains("every 3 h, next at 03:00") == true)
        host.pass(.at(2, 0) - host.now.wall)
        #expect(host.launches(of: Sample.refresh) == (0...16).map { .at(0, 3 * $0) })

    }

    @Test func `between the moments the host does not wake for a refresh`() {
        var host = TestHost(Self.refresh, at: .at(0, 10), ledger: Self.habit(hour: 8))
        host.complete()
        host.wakes = 0
        host.pass(.at(1, 6) - host.now.wall)
        #expect(host.wakes < 15)
        #expect(host.launches(of: Sample.refresh) == [.at(0, 10)])
        let verdict = host.gate(.moment, of: Sample.refresh)
        #expect(
            verdict?.isOpen == false && verdict?.reason.contains("the next launch is planned for") == true
        )
    }

    @Test func `a use that is seen changes the plan`() {
        var host = TestHost(Self.refresh, at: .at(0, 10), ledger: Self.habit(hour: 8))
        host.complete()
        host.pass(.hours(1))
        let before = host.state.tasks[Sample.refresh]?.judgement.turn
        host.handle(.used(Sample.feed, at: host.now.wall))
        #expect(host.state.tasks[Sample.refresh]?.judgement.turn != before)
    }

    @Test func `no refresh waits for longer than its bound while its gates are open`() {
        var manifest = Self.refresh
        manifest.apps[0].idleAfter = nil
        var host = TestHost(manifest, at: .at(0, 10), ledger: Self.habit(hour: 8))
        host.complete()
        host.pass(.days(21))
        let launches = host.launches(of: Sample.refresh)
        #expect(
            zip(launches, launches.dropFirst()).allSatisfy { $1 - $0 <= .days(2) + .minutes(15) },
            "\(launches.map { ($0 - .at(0, 0)).inSeconds / 3600 })")
    }

    @Test func `processing waits for a quiet moment, but not for ever`() {
        let manifest = Sample.manifest([
            Sample.definition(Sample.cleaning, .processing) { $0.repeat = .days(1) }
        ])
        let busy = Conditions(presence: .unknown("no seat"), load: 1.4)
        var host = TestHost(manifest, conditions: busy)
        let verdict = host.gate(.moment, of: Sample.cleaning)
        #expect(
            verdict?.reason
                == "it waits for a quieter moment (presence: unknown (no seat), judged by load (1.4 per core)), at the latest Wednesday 00:00"
        )
        #expect(verdict?.since == .at(0, 0) && host.sampled == [.load, .presence])
        #expect(host.record(Sample.cleaning)?.openSince == .at(0, 0))
        var quiet = host
        quiet.handle(.conditionsChanged(Conditions(presence: .unknown("no seat"), load: 0.2)))
        #expect(quiet.running.count == 1 && quiet.sampled == [])
        host.pass(.days(3), completing: false) { !$0.running.isEmpty }
        #expect(host.now.wall == .at(2, 0))
    }

    @Test func `the starvation bound counts the time for which the gates were open, and that alone`() {
        let manifest = Sample.simple {
            $0.requires = Requirements(externalPower: true); $0.latest = .hours(10)
        }
        let busy = Conditions(presence: .known(.active))
        var dark = busy
        dark.externalPower = .known(false)
        var host = TestHost(manifest, conditions: busy)
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        host.pass(.hours(4))
        host.handle(.conditionsChanged(dark))
        host.pass(.hours(100))
        #expect(host.record(Sample.cleaning)?.openTime(at: host.now.wall) == .hours(4))
        host.handle(.conditionsChanged(busy))
        host.pass(.hours(20), completing: false) { !$0.running.isEmpty }
        #expect(host.now.wall == .at(0, 110))
    }

    @Test func `idle true is a gate, idle false is none, and a refresh does not ask`() {
        var gated = TestHost(
            Sample.simple { $0.requires.idle = true }, conditions: Conditions(presence: .known(.active)))
        _ = gated.submit(Sample.cleaning)
        #expect(gated.closed(Sample.cleaning) == [.idle])
        gated.handle(.conditionsChanged(Conditions(presence: .known(.idle(since: .at(0, 0))))))
        #expect(gated.gate(.idle, of: Sample.cleaning)?.until == .at(0, 0, 5))
        gated.pass(.hours(1), completing: false) { !$0.running.isEmpty }
        #expect(gated.now.wall == .at(0, 0, 5))
        var free = TestHost(Sample.simple(), conditions: Conditions(presence: .known(.active)))
        _ = free.submit(Sample.cleaning, from: Sample.feed)
        #expect(free.running.count == 1)
        let refresh = TestHost(Self.refresh, conditions: Conditions(presence: .known(.active), load: 9))
        #expect(refresh.running.count == 1)
    }

    @Test func `what why says of a moment is what the host does`() {
        var manifest = Self.refresh
        manifest.apps[0].tasks[0].budget = 3
        var ledger = Self.habit(hour: 8)
        for day in -28..<0 {
            for hour in [12, 17, 21] {
                ledger.apply(HistoryEvent(.used, at: .at(day, hour, 10), app: Sample.feed), zones: .utc)
            }
        }
        var host = TestHost(manifest, at: .at(0, 3), ledger: ledger)
        host.complete()
        while host.now.wall < .at(9, 0) {
            let verdict = host.state.verdict(for: Sample.refresh, at: host.now)
            #expect(!verdict.mayRun, "\(host.now.wall.milliseconds)")
            let planned = verdict.gates.first { $0.gate == .moment }?.until
            #expect(planned == nil || planned.map { $0 > host.now.wall } == true)
            host.pass(.minutes(5))
            host.complete()
        }
    }
}
