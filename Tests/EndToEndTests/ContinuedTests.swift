import Foundation
import TestSupport
import Testing

/// Continued tasks, which people start and watch, and the effect of a mistake in an app's code.
struct ContinuedTests {
    private static let manifest = """
        version: 1
        apps:
          com.example.App:
            plugin: Watched
            idle_after: never
            tasks:
              export.*: { kind: continued }
              careless: { kind: processing, requires: { idle: false } }
              forgotten: { kind: processing, requires: { idle: false } }
          com.example.Other:
            plugin: Tasks
            idle_after: never
            tasks:
              wait: { kind: processing, requires: { idle: false } }
        """

    private func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.compile("Watched", as: "Watched")
        try workshop.compile("Tasks", as: "Tasks")
        try workshop.write(Self.manifest, to: "jobs.yaml")
        return workshop
    }

    @Test func `status shows how far a continued run is, and cancel stops it`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        #expect(try workshop.lull("submit", "com.example.App.export.7").status == 0)
        try host.waitForLine(containing: "on its way")
        let status = try workshop.lull("status")
        #expect(status.output.contains("com.example.App.export.7"), "\(status.output)")
        #expect(status.output.contains("25 %, Export: page 3"), "\(status.output)")
        let json = try workshop.lull("status", "--json").output
        #expect(json.contains("\"fraction\" : 0.25") || json.contains("\"fraction\":0.25"), "\(json)")
        let stop = try workshop.lull("cancel", "com.example.App.export.7")
        #expect(stop.output.contains("Told 1 run of com.example.App.export.7 to end."), "\(stop.output)")
        try host.waitForLine(containing: "stopped by whoever watched")
        let why = try workshop.lull("why", "com.example.App.export.7")
        #expect(why.status == 0 && why.output.contains("nobody has asked for a launch"), "\(why.output)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
        let history = try workshop.lull("history", "--json").output
        #expect(history.contains("it was cancelled on request"))
    }

    @Test func `a mistake that ends an app on iOS ends that app alone, and why names it`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.Other")
        #expect(try workshop.lull("submit", "com.example.Other.wait").status == 0)
        try host.waitForLine(containing: "launched com.example.Other.wait")
        let sentence =
            "It submitted com.example.App.forgotten at Feed.c:12, but no handler is registered for it."
        let launch = try workshop.lull("launch", "com.example.App.careless")
        #expect(launch.status == 1)
        #expect((launch.output + launch.error).contains(sentence), "\(launch.output)\(launch.error)")
        let why = try workshop.lull("why", "com.example.App.careless", "--json")
        #expect(why.output.contains(sentence), "\(why.output)")
        let history = try workshop.lull("history", "--json").output
        let violations = history.split(separator: "\n").filter { $0.contains("\"event\":\"violation\"") }
        #expect(violations.count == 1 && violations[0].contains(sentence), "\(history)")
        #expect(violations[0].contains("\"task\":\"com.example.App.forgotten\""))
        let status = try workshop.lull("status").output
        #expect(status.contains("run 1 is under way"), "\(status)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }
}
