import LullModel
import Testing

@testable import LullScheduler

/// Each constraint's judgement of sensed and of unknown conditions.
struct ConstraintTests {
    @Test func `network`() {
        func network(_ sensed: Sensed<Conditions.Network>, _ required: Requirements.Network) -> Constraint {
            Condition.network(required).judged(Conditions(network: sensed), at: .at(0, 12))
        }
        #expect(!network(.known(.none), .any).isSatisfied)
        #expect(network(.known(.metered), .any).isSatisfied)
        #expect(!network(.known(.metered), .unmetered).isSatisfied)
        #expect(network(.known(.unmetered), .unmetered).isSatisfied)
        #expect(
            network(.unknown("no netlink"), .any).fact.sentence
                == "network: unknown (no netlink), counted as none"
        )
        #expect(!network(.unknown("no netlink"), .any).isSatisfied)
    }

    @Test func `what is made to hold holds, and what is not does not`() {
        let all: [Condition] = [
            .network(.any), .network(.unmetered), .externalPower, .battery(above: 0.2), .idle,
            .load(below: 0.5), .disk(free: 1 << 30),
        ]
        for condition in all {
            for holds in [true, false] {
                var conditions = Conditions()
                condition.impose(holds, on: &conditions, at: .at(0, 12))
                #expect(condition.judged(conditions, at: .at(0, 12)).isSatisfied == holds, "\(condition)")
            }
        }
    }

    @Test func `power and battery`() {
        #expect(
            !Condition.externalPower.judged(Conditions(externalPower: .known(false)), at: .at(0, 12))
                .isSatisfied)
        let unknown = Condition.externalPower.judged(
            Conditions(externalPower: .unknown("no adapter")), at: .at(0, 12))
        #expect(
            !unknown.isSatisfied
                && unknown.fact.sentence == "external power: unknown (no adapter), counted as battery power")
        #expect(
            !Condition.battery(above: 0.2).judged(Conditions(battery: .known(0.2)), at: .at(0, 12))
                .isSatisfied)
        #expect(
            Condition.battery(above: 0.2).judged(Conditions(battery: .known(0.21)), at: .at(0, 12))
                .isSatisfied)
        let unread = Condition.battery(above: 0.2).judged(
            Conditions(battery: .unknown("BAT0/capacity is empty")), at: .at(0, 12))
        #expect(
            !unread.isSatisfied
                && unread.fact.sentence == "battery: unknown (BAT0/capacity is empty), counted as empty")
        let none = Condition.battery(above: 0.2).judged(
            Conditions(battery: .unknown("no battery in /sys")), at: .at(0, 12))
        #expect(
            none.isSatisfied
                && none.fact.sentence == "battery: unknown (no battery in /sys), counted as external power")
    }

    @Test func `load and disk`() {
        #expect(!Condition.load(below: 0.5).judged(Conditions(load: 0.5), at: .at(0, 12)).isSatisfied)
        #expect(Condition.load(below: 0.5).judged(Conditions(load: 0.49), at: .at(0, 12)).isSatisfied)
        #expect(
            Condition.disk(free: 1 << 30).judged(Conditions(diskFree: 1 << 30), at: .at(0, 12)).isSatisfied)
        let full = Condition.disk(free: 1 << 30).judged(Conditions(diskFree: 1 << 29), at: .at(0, 12))
        #expect(
            full.fact.sentence == "512 MiB of disk are free, and the task requires 1 GiB" && !full.isSatisfied
        )
    }

    @Test func `a host is idle five minutes after the last touch, and where presence is unknown by its load`()
    {
        let now = WallTime.at(0, 12)
        func idle(_ conditions: Conditions) -> Constraint { Condition.idle.judged(conditions, at: now) }
        #expect(!idle(Conditions(presence: .known(.active))).isSatisfied)
        #expect(idle(Conditions(presence: .known(.idle(since: now - .minutes(5))))).isSatisfied)
        let nearly = idle(Conditions(presence: .known(.idle(since: now - .minutes(4)))))
        #expect(!nearly.isSatisfied && nearly.until == now + .minutes(1))
        // A person who is known to be away is away, however high the load.
        #expect(idle(Conditions(presence: .known(.idle(since: .at(0, 8))), load: 3)).isSatisfied)
        let busy = idle(Conditions(presence: .unknown("no seat"), load: 0.7))
        #expect(
            !busy.isSatisfied
                && busy.fact.sentence == "presence: unknown (no seat), judged by load (0.7 per core)"
        )
        #expect(idle(Conditions(presence: .unknown("no seat"), load: 0.69, cpuPressure: 0.24)).isSatisfied)
        #expect(!idle(Conditions(presence: .unknown("no seat"), load: 0.1, cpuPressure: 0.25)).isSatisfied)
    }

    @Test func `a gate is closed until the conditions are sensed, if something is required`() {
        var host = TestHost(conditions: nil)
        host.load(
            Sample.simple {
                $0.repeat = .hours(1); $0.requires.network = .any
            })
        #expect(
            host.gate(.network, of: Sample.cleaning)?.reason == "the host's conditions are not sensed yet")
        #expect(host.running.isEmpty)
        host.handle(.conditionsChanged(.quiet))
        #expect(host.running.count == 1)
    }
}
