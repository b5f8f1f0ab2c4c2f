import Foundation
import TestSupport
import Testing

/// A device that the kernel announces starts a task: a network interface, which needs no hardware.
struct EventsOnDevicesTests {
    private static func ip(_ words: String...) -> Bool {
        (try? Program.run("/usr/bin/env", ["ip", "link"] + words))?.status == 0
    }

    /// A name of this test alone, because other tests may run at the same time.
    private static let name = "lull\(getpid() % 100_000)"

    /// Only root can make an interface, if the kernel has this kind and `ip` is installed.
    private static let canMake = ip("add", name, "type", "veth") && ip("del", name)

    @Test(.enabled(if: canMake)) func `an interface that comes starts a task, which is told its name`() throws
    {
        let workshop = try Workshop()
        try workshop.link("Command")
        try workshop.write(
            """
            version: 1
            apps:
              com.example.Devices:
                plugin: Command
                idle_after: never
                tasks:
                  came:
                    kind: processing
                    on: { device: { subsystem: net, name: \(Self.name) } }
                    settings: { run: 'echo "$LULL_EVENT: $LULL_EVENT_DEVICE"' }
            """, to: "jobs.yaml")
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.Devices")
        #expect(Self.ip("add", Self.name, "type", "veth"))
        defer { _ = Self.ip("del", Self.name) }
        try host.waitForLine(containing: "completed com.example.Devices.came run=1")
        #expect(try workshop.lull("history", "--run", "1").output.contains("device: \(Self.name)"))
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }
}
