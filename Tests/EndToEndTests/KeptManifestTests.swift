import Foundation
import TestSupport
import Testing

/// A host starts with a manifest that it can't use: it uses the last one that was in force.
struct KeptManifestTests {
    private static let manifest = """
        version: 1
        include: [more/*.yaml]
        apps:
          com.example.App:
            plugin: Tasks
            idle_after: never
            notify: [{ command: [/bin/sh, -c, 'cat >> NOTES; echo >> NOTES'], on: [manifest, recovered] }]
            tasks:
              succeed: { kind: processing, requires: { idle: false } }

        """
    private static let included = """
        version: 1
        apps:
          com.example.More:
            plugin: Tasks
            idle_after: never
            tasks:
              talk: { kind: processing, requires: { idle: false } }

        """

    private func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.compile("Tasks", as: "Tasks")
        try FileManager.default.createDirectory(
            atPath: workshop.folder + "/real", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        try FileManager.default.createSymbolicLink(
            atPath: workshop.folder + "/more", withDestinationPath: "real")
        try workshop.write(Self.included, to: "real/more.yaml")
        let notes = workshop.folder + "/notes"
        try workshop.write(
            Self.manifest.replacingOccurrences(of: "NOTES", with: notes), to: "jobs.yaml")
        return workshop
    }

    private func begin(_ workshop: Workshop) throws -> Program {
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLines(containing: ["discovered com.example.App", "discovered com.example.More"])
        return host
    }

    @Test func `a command in the folder of another manifest ends no request of this state`() throws {
        let workshop = try Workshop()
        try workshop.compile("Tasks", as: "Tasks")
        func manifest(_ app: String) -> String {
            """
            version: 1
            apps:
              \(app):
                plugin: Tasks
                idle_after: never
                tasks:
                  succeed: { kind: processing, requires: { idle: false } }

            """
        }
        try workshop.write(manifest("com.example.Mine"), to: "mine.yaml")
        _ = try workshop.lull("run", "--once", "mine.yaml")
        _ = try workshop.lull("submit", "com.example.Mine.succeed", "--earliest", "1h")
        // As if somebody had gone to another project.
        try workshop.write(manifest("com.example.Other"), to: "jobs.yaml")
        let told = try workshop.lull("pause", "com.example.Mine.succeed", "--for", "1h")
        #expect(told.status == 0, "\(told.error)")
        #expect(told.error.contains("which the last host of"))
        #expect(told.error.contains("and not about ./jobs.yaml"))
        #expect(try workshop.lull("status").output.contains("com.example.Mine.succeed"))
        #expect(try workshop.lull("pending").output.contains("com.example.Mine.succeed"))
        #expect(try workshop.lull("status", "--manifest", "jobs.yaml").output.contains("com.example.Other"))
    }

    private func end(_ host: Program) {
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test(arguments: ["version: 1\napps: { broken\n", "", nil])
    func `a host whose manifest is broken, empty or gone begins with the last one, and says so`(
        text: String?
    ) throws {
        let workshop = try workshop()
        let good = try String(contentsOfFile: workshop.folder + "/jobs.yaml", encoding: .utf8)
        end(try begin(workshop))
        if let text {
            try workshop.write(text, to: "jobs.yaml")
        } else {
            try FileManager.default.removeItem(atPath: workshop.folder + "/jobs.yaml")
        }
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "the previous manifest stays in force")
        let status = try workshop.elsewhere("status", "--json")
        #expect(status.output.contains("\"trouble\" : \"") && status.output.contains("stays in force"))
        #expect(try workshop.lull("launch", "com.example.App.succeed").status == 0)
        let reload = try workshop.lull("reload")
        #expect(reload.status == 1 && reload.error.unwrapped.contains("stays in force"), "\(reload.error)")
        try workshop.write(good, to: "jobs.yaml")
        try host.waitForLine(containing: "jobs.yaml is in force")
        #expect(try !workshop.elsewhere("status", "--json").output.contains("stays in force"))
        end(host)
        let notes = try String(contentsOfFile: workshop.folder + "/notes", encoding: .utf8)
        #expect(
            notes.contains("\"kind\":\"manifest\"") && notes.contains("\"kind\":\"recovered\""), "\(notes)")
    }

    @Test func `an include behind a link that leads nowhere for a while keeps all in force`() throws {
        let workshop = try workshop()
        let host = try begin(workshop)
        #expect(try workshop.lull("submit", "com.example.More.talk").status == 0)
        try host.waitForLine(containing: "completed com.example.More.talk")
        try FileManager.default.moveItem(
            atPath: workshop.folder + "/real", toPath: workshop.folder + "/away")
        try host.waitForLine(containing: "the previous manifest stays in force")
        #expect(try workshop.lull("launch", "com.example.More.talk").status == 0)
        try FileManager.default.moveItem(
            atPath: workshop.folder + "/away", toPath: workshop.folder + "/real")
        try host.waitForLine(containing: "jobs.yaml is in force")
        #expect(!host.said.contains("was removed from"))
        end(host)
    }

    @Test func `what a task runs is told in any folder, of a host that was started with a relative path`()
        throws
    {
        let workshop = try workshop()
        let host = try begin(workshop)
        let why = try workshop.elsewhere("why", "com.example.App.succeed").output.unwrapped
        #expect(why.contains("jobs.yaml:9") && !why.contains("errors now"), "\(why)")
        end(host)
    }

    @Test func `a launch waits for a host that has the state and does not listen yet`() throws {
        for _ in 0..<10 {
            let workshop = try workshop()
            let host = try workshop.start("run", "jobs.yaml")
            // The host has locked the state, and is about to listen.
            try host.waitForLine(containing: "Lull runs jobs.yaml")
            let began = ContinuousClock.now
            let launch = try workshop.lull("launch", "com.example.App.succeed")
            // It waits for ten seconds. A host that is later than that proves nothing.
            if launch.status != 0, ContinuousClock.now - began >= .seconds(10) {
                host.send(SIGKILL)
                _ = host.end()
                continue
            }
            #expect(launch.status == 0, "\(launch.output)\(launch.error)")
            try host.waitForLine(containing: "discovered com.example.App")
            end(host)
            return
        }
        Issue.record("no host listened within ten seconds")
    }
}
