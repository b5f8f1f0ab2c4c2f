import LullConditions
import LullModel
import Testing

struct ConditionReadingTests {
    private let now = WallTime(seconds: 2_000_000_000)

    private func text(_ sensor: Conditions.Sensor, _ conditions: Conditions) -> String? {
        conditions.readings(at: now).first { $0.sensor == sensor }?.text
    }

    @Test func `every sensor has its line, in the order of the list`() {
        #expect(
            Conditions().readings(at: now).map(\.sensor)
                == Conditions.Sensor.allCases.sorted { a, b in
                    let order: [Conditions.Sensor] = [
                        .power, .battery, .network, .presence, .load, .disk, .memory,
                    ]
                    return (order.firstIndex(of: a) ?? 0) < (order.firstIndex(of: b) ?? 0)
                })
    }

    @Test func `unknown says why and what it counts as`() {
        let conditions = Conditions(
            externalPower: .unknown("p"), battery: .unknown("no battery in /sys/class/power_supply"),
            network: .unknown("n"), presence: .unknown("q"))
        #expect(text(.power, conditions) == "external power: unknown (p), counted as battery power")
        #expect(
            text(.battery, conditions)
                == "battery: unknown (no battery in /sys/class/power_supply), counted as external power")
        let unread = Conditions(battery: .unknown("BAT0/capacity is empty"))
        #expect(text(.battery, unread) == "battery: unknown (BAT0/capacity is empty), counted as empty")
        #expect(text(.network, conditions) == "network: unknown (n), counted as none")
        #expect(text(.presence, conditions) == "presence: unknown (q), judged by load")
        #expect(text(.memory, conditions) == "memory pressure: not reported by this kernel")
    }

    @Test func `what is known is said in plain numbers`() {
        let conditions = Conditions(
            externalPower: .known(false), battery: .known(0.425), network: .known(.none),
            presence: .known(.idle(since: now - .minutes(135))), load: 0.0449, cpuPressure: 0.12,
            memoryPressure: 0,
            diskFree: 1536 << 20)
        #expect(text(.power, conditions) == "external power: no")
        #expect(text(.battery, conditions) == "battery: 43 %")
        #expect(text(.network, conditions) == "network: none (no default route)")
        #expect(text(.presence, conditions) == "presence: nobody for 2 h 15 min")
        #expect(text(.load, conditions) == "load: 0.04 per core, pressure 12 %")
        #expect(text(.disk, conditions) == "free disk: 1.5 GiB")
        #expect(text(.memory, conditions) == "memory pressure: 0 %")
        #expect(text(.disk, Conditions(diskFree: 12)) == "free disk: 12 B")
        #expect(
            text(.presence, Conditions(presence: .known(.active))) == "presence: somebody is using the host")
    }

    @Test func `numbers without sense make no trap`() {
        let odd = Conditions(
            battery: .known(.infinity), presence: .known(.idle(since: .distantPast)), load: .nan,
            cpuPressure: -.infinity,
            diskFree: .max)
        #expect(odd.readings(at: .distantFuture).count == 7)
    }
}
