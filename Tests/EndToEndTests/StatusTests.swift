import Foundation
import TestSupport
import Testing

/// `lull status` of one name, and of another machine's conditions.
struct StatusTests {
    private func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.link("Command")
        try workshop.write(
            """
            version: 1
            apps:
              org.example.jobs:
                plugin: Command
                idle_after: never
                user: host
                tasks:
                  fetch: { kind: processing, settings: { run: 'echo no route >&2; exit 3' } }
                  load: { kind: processing, on: { after: fetch }, settings: { run: "true" } }
                  nightly: { kind: processing, at: "02:30", retry: { first: 1m, max: 1h }, settings: { run: "true" } }

            """, to: "jobs.yaml")
        return workshop
    }

    @Test func `a failing task's own status shows its row and its failure, and no other's`() throws {
        let workshop = try workshop()
        #expect(try workshop.lull("launch", "fetch").status == 3)
        let status = try workshop.lull("status", "fetch")
        let rows = status.output.split(separator: "\n").filter { $0.hasPrefix("org.example.jobs.") }
        #expect(rows.contains { $0.contains("org.example.jobs.fetch") }, "\(status.output)")
        #expect(status.output.contains("exit code 3"), "\(status.output)")
        #expect(!status.output.contains("org.example.jobs.load"), "\(status.output)")
    }

    @Test func `what a running host says by its own conditions is said to be that`() throws {
        let workshop = try workshop()
        let words = "judges by its own conditions"
        #expect(try !workshop.lull("status", "--sysfs", "/nonexistent").error.contains(words))
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered org.example.jobs")
        #expect(try workshop.lull("status", "--sysfs", "/nonexistent").error.contains(words))
        #expect(try !workshop.lull("status").error.contains(words))
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `a retry of a task with times is warned of`() throws {
        let check = try workshop().bare(["check", "jobs.yaml"])
        #expect(check.error.contains("a failed run of `at` waits for its next time"), "\(check.error)")
    }
}
