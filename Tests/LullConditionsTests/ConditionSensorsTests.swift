import Glibc
import LullModel
import LullSystem
import Testing

@testable import LullConditions

struct ConditionSensorsTests {
    private let tree = HostTree(["proc/net/route": HostTree.ipv4Default("eth0")])
    private let loop: EventLoop
    private let now = WallTime(seconds: 2_000_000_000)

    init() throws { loop = try EventLoop() }

    private func sensors(every interval: Duration = .seconds(30)) -> ConditionSensors {
        ConditionSensors(roots: tree.roots, loop: loop, interval: interval, clock: { [now] in now })
    }

    @Test func `a server is powered, connected, calm, and nobody knows who is there`() {
        let conditions = ConditionSensors(roots: tree.roots).current()
        #expect(conditions.externalPower == .known(true))
        #expect(conditions.battery == .unknown("no battery in \(tree.root)/sys/class/power_supply"))
        #expect(conditions.network == .known(.unmetered))
        #expect(conditions.presence == .unknown("neither logind nor a terminal in \(tree.root)/dev"))
        #expect(conditions.load == 0.25)
        #expect(conditions.cpuPressure == nil)
        #expect(conditions.diskFree > 0)
    }

    @Test func `this machine can be sensed without a trap`() {
        let conditions = ConditionSensors(roots: ConditionRoots(stateFolder: "/tmp")).current()
        #expect(conditions.load < Load.unreadable)
        #expect(conditions.diskFree > 0)
    }

    @Test func `an adapter that is pulled out is an event`() {
        tree.supply("AC", ["type": "Mains", "online": "1"])
        tree.supply("BAT0", ["type": "Battery", "status": "Full", "capacity": "100"])
        let sensors = sensors()
        #expect(sensors.current().externalPower == .known(true))
        sensors.wait(on: loop) {
            tree.supply("AC", ["online": "0"])
        } until: {
            $0.externalPower == .known(false)
        }
        #expect(sensors.announced.contains(.power))
    }

    @Test func `a profile that spares power is an event`() {
        tree.write("sys" + PowerProfile.firmware, "balanced\n")
        let sensors = sensors()
        #expect(!sensors.current().isSavingPower)
        sensors.wait(on: loop) {
            tree.write("sys" + PowerProfile.firmware, "low-power\n")
        } until: {
            $0.isSavingPower
        }
    }

    @Test func `a supply that is added later is listened to`() {
        tree.makeFolder("sys/class/power_supply")
        let sensors = sensors()
        #expect(sensors.current().battery.value == nil)
        sensors.wait(on: loop) {
            tree.makeFolder("sys/class/power_supply/BAT0")
        } until: {
            $0.externalPower.value == nil
        }
        sensors.wait(on: loop) {
            tree.supply("BAT0", ["type": "Battery", "status": "Discharging", "capacity": "9"])
        } until: {
            $0.battery == .known(0.09)
        }
    }

    @Test func `a route that goes is an event`() {
        let sensors = sensors()
        _ = sensors.current()
        sensors.wait(on: loop) {
            tree.write("proc/net/route", HostTree.routeTitles)
        } until: {
            $0.network == .known(.none)
        }
    }

    @Test func `somebody who types again is an event`() {
        tree.touch("dev/tty1", at: now - .hours(1))
        tree.write("dev/tty1", "x")
        tree.touch("dev/tty1", at: now - .hours(1))
        let sensors = sensors()
        #expect(sensors.current().presence == .known(.idle(since: now - .hours(1))))
        sensors.wait(on: loop) {
            let terminal = open("\(tree.root)/dev/tty1", O_RDONLY)
            // The file's access time must not depend on the mount's options.
            var byte: UInt8 = 0
            _ = read(terminal, &byte, 1)
            tree.touch("dev/tty1", at: now)
            close(terminal)
        } until: {
            $0.presence == .known(.active)
        }
    }

    @Test func `a login is an event`() {
        tree.makeFolder("run/systemd/system")
        tree.touch("run/systemd/sessions/1.ref", at: now)
        tree.touch("run/systemd/sessions", at: now - .hours(1))
        tree.touch("dev/pts/4", at: now)
        let sensors = sensors()
        #expect(sensors.current().presence == .known(.idle(since: now - .hours(1))))
        sensors.wait(on: loop) {
            tree.write("run/systemd/sessions/1", "STATE=active\nTYPE=tty\nCLASS=user\nTTY=pts/4\n")
        } until: {
            $0.presence == .known(.active)
        }
    }

    @Test func `what has no event shows while it is sampled`() {
        tree.touch("dev/tty1", at: now)
        let sensors = sensors(every: .milliseconds(1))
        #expect(sensors.current().presence == .known(.active))
        sensors.wait(on: loop) {
            sensors.sample([.presence])
            tree.touch("dev/tty1", at: now - .hours(1))
        } until: {
            $0.presence == .known(.idle(since: now - .hours(1)))
        }
    }

    @Test func `a change is never told from within a call`() {
        let sensors = sensors()
        _ = sensors.current()
        tree.write("proc/net/route", HostTree.routeTitles)
        tree.write("proc/loadavg", "9.00 1 1 1/1 1\n")
        var told = 0
        sensors.start { _ in told += 1 }
        sensors.sample([.load])
        _ = sensors.current()
        sensors.sample([])
        #expect(told == 0)
    }

    @Test func `after stop nothing is told`() {
        let sensors = sensors(every: .milliseconds(1))
        _ = sensors.current()
        var told = 0
        sensors.start { _ in told += 1 }
        sensors.sample(Set(Conditions.Sensor.allCases))
        sensors.stop()
        tree.write("proc/net/route", HostTree.routeTitles)
        #expect(sensors.announced.isEmpty)
        // A posted event comes after everything that was ready.
        let loop = loop
        loop.onAlarm = { loop.stop() }
        loop.arm(wall: nil, monotonic: Clock.monotonic)
        loop.run()
        #expect(told == 0)
    }
}
