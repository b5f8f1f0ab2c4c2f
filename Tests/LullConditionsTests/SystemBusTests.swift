import Glibc
import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullConditions

@Suite(
    .serialized,
    .enabled(if: FakeServices.isPossible, "libsystemd, dbus-daemon or dbus-send is not installed"))
struct SystemBusTests {
    private let tree = HostTree()
    private let since = WallTime(seconds: 1_999_990_000)

    init() {
        for folder in ["systemd/system", "systemd/seats", "systemd/sessions", "NetworkManager"] {
            tree.makeFolder("run/" + folder)
        }
    }

    @Test func `the bus is asked, tells of changes, and its end is survived`() throws {
        let services = try FakeServices(in: tree.root)
        let bus = try #require(SystemBus(run: tree.root + "/run"))
        #expect(bus.idleHint == IdleHint(isIdle: false, since: since))
        #expect(bus.isMetered == nil)
        #expect(bus.listen() == [.presence])
        #expect(bus.process() == [])

        let loop = try EventLoop()
        var heard: Set<Conditions.Sensor> = []
        func waitForWord() throws {
            try loop.watch(#require(bus.descriptor), .readable) { _ in
                let sensors = bus.process()
                heard = sensors ?? []
                if sensors != [] { loop.stop() }
            }
            loop.onAlarm = { loop.stop() }
            loop.arm(wall: nil, monotonic: Clock.monotonic + hangLimit)
            loop.run()
        }
        try services.set("IdleHint", 1)
        try waitForWord()
        #expect(heard == [.presence])
        #expect(bus.idleHint == IdleHint(isIdle: true, since: since))

        for (value, isMetered) in [(1, true), (2, false), (3, true), (4, false), (0, nil)]
            as [(UInt32, Bool?)]
        {
            try services.set("Metered", value)
            try waitForWord()
            #expect(heard == [.network])
            #expect(bus.isMetered == isMetered)
        }

        // Signals that arrive with an answer are kept for the next `process`.
        try services.set("IdleHint", 0)
        #expect(bus.idleHint?.isIdle == false)
        #expect(bus.process() == [.presence])

        if let descriptor = bus.descriptor { loop.forget(descriptor) }
        services.endBus()
        #expect(bus.idleHint == nil)
        #expect(bus.process() == nil)
        #expect(bus.isMetered == nil)
        #expect(bus.descriptor == nil)
    }

    @Test func `where neither service runs nobody is asked`() {
        #expect(SystemBus(run: tree.root + "/none") == nil)
    }
}
