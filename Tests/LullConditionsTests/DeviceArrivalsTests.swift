import Foundation
import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullConditions

/// Devices as the kernel announces them, and logins as logind records them.
struct DeviceArrivalsTests {
    private func device(_ lines: String...) -> DeviceArrivals.Device? {
        DeviceArrivals.Device(Array(lines.joined(separator: "\0").utf8))
    }

    @Test func `a device that came has its name in dev, or the kernel's`() {
        let disk = device(
            "add@/devices/pci/block/sdb/sdb1", "ACTION=add", "DEVPATH=/devices/pci/block/sdb/sdb1",
            "SUBSYSTEM=block", "DEVNAME=sdb1")
        #expect(disk?.name == "sdb1" && disk?.subsystem == "block")
        let key = device("add@/x", "ACTION=add", "DEVPATH=/devices/usb1/1-4", "SUBSYSTEM=usb")
        #expect(key?.name == "1-4")
        #expect(device("remove@/x", "ACTION=remove", "DEVPATH=/devices/usb1/1-4") == nil)
        #expect(device("garbage") == nil && device() == nil)
    }

    @Test func `a pattern asks for what it names`() throws {
        let disk = try #require(
            device("add@/x", "ACTION=add", "DEVPATH=/x/sdb1", "SUBSYSTEM=block", "DEVNAME=sdb1"))
        #expect(DevicePattern(name: "sd?1").fits(disk))
        #expect(DevicePattern(subsystem: "block").fits(disk))
        #expect(!DevicePattern(subsystem: "usb", name: "sd?1").fits(disk))
        #expect(!DevicePattern(name: "sda1").fits(disk))
    }

    @Test func `a session that begins is a login of its user, one that was there is none`() throws {
        let folder = try TemporaryFolder()
        let roots = ConditionRoots(run: folder.path, stateFolder: folder.path)
        for name in ["system", "sessions"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/systemd/" + name, withIntermediateDirectories: true)
        }
        try folder.file("systemd/sessions/1", "UID=1000\nUSER=bob\nCLASS=user\n")
        let loop = try EventLoop()
        let events = try FileEvents(on: loop)
        var users: [String] = []
        let logins = Logins(roots: roots, events: events) { user in
            users.append(user)
            loop.stop()
        }
        #expect(logins != nil)
        try folder.file("systemd/sessions/2", "CLASS=manager\nUSER=alice\n")
        try folder.file("systemd/sessions/3", "UID=1001\nUSER=alice\nCLASS=user\n")
        loop.onAlarm = { loop.stop() }
        loop.arm(wall: nil, monotonic: Clock.monotonic + hangLimit)
        loop.run()
        #expect(users == ["alice"])
        withExtendedLifetime(logins) {}
    }
}
