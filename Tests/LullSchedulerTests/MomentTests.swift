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

    private static func plan(
        _ now: WallTime, price: Double = 0.05, pass: Duration? = nil, last: WallTime? = nil
    ) -> RefreshPlan {
        RefreshPlan(
            .init(
                forecast: habit(hour: 8).apps[Sample.feed]?.forecast ?? UsageForecast(), zone: .utc,
                price: price,
                gap: .minutes(15), lastFresh: last, passInterval: pass),
            at: now)
    }

    @Test func `a plan waits for the hour before the use`() {
        let midnight = Self.plan(.at(0, 0))
        #expect(!midnight.isNow)
        #expect(midnight.next.map { $0 >= .at(0, 7) && $0 < .at(0, 8, 30) } == true)
        let evening = Self.plan(.at(0, 20))
        #expect(!evening.isNow && evening.next.map { $0 >= .at(1, 7) } == true)
        if let next = midnight.next {
            #expect(Self.plan(next).isNow && Self.plan(next).value > 0.3)
            #expect(Self.plan(next, last: next - .minutes(15)).value < Self.plan(next).value)
        }
    }

    @Test func `above its price nothing is launched`() {
        #expect(Self.plan(.at(0, 0), price: 1.01).next == nil)
        #expect(!Self.plan(.at(0, 8), price: 1.01).isNow)
    }

    @Test func `a pass that is the last before the use is now, and one with a better before it is not`() {
        // Passes at every full hour.
        #expect(!Self.plan(.at(0, 4), pass: .hours(1)).isNow)
        #expect(Self.plan(.at(0, 8), pass: .hours(1)).isNow)
        // Passes every six hours: what is launched at six has to serve until noon.
        #expect(Self.plan(.at(0, 6), pass: .hours(6)).isNow)
        #expect(!Self.plan(.at(0, 12), pass: .hours(6)).isNow)
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
            verdict?.isOpen == false && verdict?.reason.contains("a better moment is expected at 07:") == true
        )
    }

    @Test func `a use that is seen changes the plan`() {
        var host = TestHost(Self.refresh, at: .at(0, 10), ledger: Self.habit(hour: 8))
        host.complete()
        host.pass(.hours(1))
        let before = host.state.tasks[Sample.refresh]?.turn
        host.handle(.used(Sample.feed, at: host.now.wall))
        #expect(host.state.tasks[Sample.refresh]?.turn != before)
    }

    @Test func `no refresh waits for longer than its bound while its gates are open`() {
        var manifest = Self.refresh
        manifest.apps[0].idleAfter = nil
        var host = TestHost(manifest, at: .at(0, 10), ledger: Self.habit(hour: 8))
        host.complete()
        host.pass(.days(21))
        let launches = host.launches(of: Sample.refresh)
        #expect(zip(launches, launches.dropFirst()).allSatisfy { $1 - $0 <= .days(2) + .minutes(15) })
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
