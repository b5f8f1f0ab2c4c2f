import LullModel
import Testing

@testable import LullScheduler

/// What each constraint makes of what is sensed, and of what is not.
struct ConstraintTests {
    @Test func `network`() {
        func network(_ sensed: Sensed<Conditions.Network>, _ required: Requirements.Network) -> Constraint {
            Constraint.network(required, Conditions(network: sensed))
        }
        #expect(!network(.known(.none), .any).isSatisfied)
        #expect(network(.known(.metered), .any).isSatisfied)
        #expect(!network(.known(.metered), .unmetered).isSatisfied)
        #expect(network(.known(.unmetered), .unmetered).isSatisfied)
        #expect(
            network(.unknown("no netlink"), .any).sentence == "network: unknown (no netlink), counted as none"
        )
        #expect(!network(.unknown("no netlink"), .any).isSatisfied)
    }

    @Test func `power and battery`() {
        #expect(!Constraint.externalPower(Conditions(externalPower: .known(false))).isSatisfied)
        let unknown = Constraint.externalPower(Conditions(externalPower: .unknown("no adapter")))
        #expect(
            !unknown.isSatisfied
                && unknown.sentence == "external power: unknown (no adapter), counted as battery power")
        #expect(!Constraint.battery(above: 0.2, Conditions(battery: .known(0.2))).isSatisfied)
        #expect(Constraint.battery(above: 0.2, Conditions(battery: .known(0.21))).isSatisfied)
        let unread = Constraint.battery(above: 0.2, Conditions(battery: .unknown("BAT0/capacity is empty")))
        #expect(
            !unread.isSatisfied
                && unread.sentence == "battery: unknown (BAT0/capacity is empty), counted as empty")
        let none = Constraint.battery(above: 0.2, Conditions(battery: .unknown("no battery in /sys")))
        #expect(
            none.isSatisfied
                && none.sentence == "battery: unknown (no battery in /sys), counted as external power")
    }

    @Test func `load and disk`() {
        #expect(!Constraint.load(below: 0.5, Conditions(load: 0.5)).isSatisfied)
        #expect(Constraint.load(below: 0.5, Conditions(load: 0.49)).isSatisfied)
        #expect(Constraint.disk(free: 1 << 30, Conditions(diskFree: 1 << 30)).isSatisfied)
        let full = Constraint.disk(free: 1 << 30, Conditions(diskFree: 1 << 29))
        #expect(full.sentence == "512 MiB of disk are free, and the task requires 1 GiB" && !full.isSatisfied)
    }

    @Test func `a host is idle five minutes after the last touch, and where presence is unknown by its load`()
    {
        let now = WallTime.at(0, 12)
        func idle(_ conditions: Conditions) -> Constraint { Constraint.idleness(conditions, at: now) }
        #expect(!idle(Conditions(presence: .known(.active))).isSatisfied)
        #expect(idle(Conditions(presence: .known(.idle(since: now - .minutes(5))))).isSatisfied)
        let nearly = idle(Conditions(presence: .known(.idle(since: now - .minutes(4)))))
        #expect(!nearly.isSatisfied && nearly.until == now + .minutes(1))
        // Somebody who is away is away, however hard the host works.
        #expect(idle(Conditions(presence: .known(.idle(since: .at(0, 8))), load: 3)).isSatisfied)
        let busy = idle(Conditions(presence: .unknown("no seat"), load: 0.7))
        #expect(
            !busy.isSatisfied && busy.sentence == "presence: unknown (no seat), judged by load (0.7 per core)"
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
