import Foundation
import TestSupport
import Testing

/// `on` with the real host and the plugin Command: new files start a chain, in which one task fails.
struct EventsOnFilesTests {
    private func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.link("Command")
        try FileManager.default.createDirectory(
            atPath: workshop.folder + "/in", withIntermediateDirectories: true)
        try workshop.write(
            """
            version: 1
            apps:
              com.example.Chain:
                plugin: Command
                idle_after: never
                user: host
                limits: { privileges: keep }
                tasks:
                  scan:
                    kind: processing
                    on: { path: \(workshop.folder)/in/*.csv, settle: 0s }
                    settings: { run: 'echo "$LULL_EVENT $LULL_EVENT_COUNT $LULL_EVENT_PATH" > \(workshop.folder)/scanned' }
                  load:
                    kind: processing
                    on: { after: scan }
                    settings: { run: 'echo "$LULL_EVENT_TASK $LULL_EVENT_OUTCOME"; exit 3' }
                  report:
                    kind: processing
                    on: { after: load }
                    settings: { run: 'true' }

            """, to: "jobs.yaml")
        return workshop
    }

    private func wait(_ host: Program, for words: String) throws {
        while !host.said.contains(words) { try host.readLine(waitingFor: words) }
    }

    @Test func `a file starts a chain, and why and night tell of the link that failed`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml")
        try wait(host, for: "discovered com.example.Chain\n")
        let before = try workshop.lull("why", "com.example.Chain.scan").output.unwrapped
        #expect(
            before.contains("it waits for a file *.csv in \(workshop.folder)/in, watched since"), "\(before)")
        // A separate process writes it: a child of another test would hold this process's file open, and its close would be
        // another arrival.
        _ = try Program.run(
            "/bin/sh", ["-c", "printf a > in/.a.csv.part && mv in/.a.csv.part in/a.csv"], in: workshop.folder)
        try wait(host, for: "failed com.example.Chain.load")
        let scanned = try String(contentsOfFile: workshop.folder + "/scanned", encoding: .utf8)
        #expect(scanned == "path 1 \(workshop.folder)/in/a.csv\n")
        let why = try workshop.lull("why", "com.example.Chain.report").output.unwrapped
        #expect(why.contains("it waits for com.example.Chain.load to succeed"), "\(why)")
        #expect(why.contains("com.example.Chain.load failed at"), "\(why)")
        let night = try workshop.lull("night", "--span", "day").output.unwrapped
        #expect(night.contains("com.example.Chain.load"), "\(night)")
        let history = try workshop.lull("history", "--run", "2").output.unwrapped
        #expect(history.contains("com.example.Chain.scan ended (succeeded"), "\(history)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `what came while no host ran is caught up, once`() throws {
        let workshop = try workshop()
        try workshop.write("old", to: "in/old.csv")
        #expect(try workshop.lull("run", "--once", "jobs.yaml").status == 0)
        #expect(!FileManager.default.fileExists(atPath: workshop.folder + "/scanned"))
        try workshop.write("b", to: "in/b.csv")
        try workshop.write("c", to: "in/c.csv")
        let host = try workshop.start("run", "jobs.yaml")
        try wait(host, for: "failed com.example.Chain.load")
        let scanned = try String(contentsOfFile: workshop.folder + "/scanned", encoding: .utf8)
        #expect(scanned.hasPrefix("path 2 \(workshop.folder)/in/"), "\(scanned)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
        let pass = try workshop.lull("run", "--once", "jobs.yaml")
        #expect(!pass.output.contains("com.example.Chain.scan  launched"), "\(pass.output)")
        let runs = try workshop.lull("history", "--task", "com.example.Chain.scan", "--json").output
        #expect(runs.components(separatedBy: "\"launched\"").count == 2, "\(runs)")
    }
}
