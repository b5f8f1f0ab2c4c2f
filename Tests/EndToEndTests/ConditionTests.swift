import Foundation
import TestSupport
import Testing

/// Constraints on the state of another machine (`--sysfs`): a false one defers the task, and its change is an event.
struct ConditionTests {
    @Test func `a task that requires external power waits for the adapter and runs when it is plugged in`()
        throws
    {
        let workshop = try Workshop(
            tasks:
                """
                version: 1
                apps:
                  com.example.App:
                    plugin: Tasks
                    idle_after: never
                    tasks:
                      succeed: { kind: processing, repeat: 1h, requires: { external_power: true, idle: false } }
                """)
        let supplies = try workshop.runOnBattery()
        let sysfs = ["--sysfs", workshop.folder + "/sys"]

        let host = try workshop.start("run", "jobs.yaml", sysfs[0], sysfs[1])
        try host.waitForLine(containing: "deferred com.example.App.succeed")
        let why = try workshop.lull("why", "com.example.App.succeed")
        let gate = try #require(why.output.split(separator: "\n").first { $0.hasPrefix("external_power") })
        #expect(gate.contains("closed"))

        // Written in place, as the kernel does: the same file with another value.
        let online = try #require(FileHandle(forWritingAtPath: supplies + "/AC/online"))
        try online.write(contentsOf: Data("1\n".utf8))
        try online.close()
        try host.waitForLine(containing: "completed com.example.App.succeed")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }
}
