import Foundation
import TestSupport
import Testing

/// Notices that a real host sends through real programs.
struct NoticesTests {
    private func workshop(_ notify: String, more: String = "") throws -> Workshop {
        let workshop = try Workshop()
        try workshop.compile("Tasks", as: "Tasks")
        try workshop.write(
            "#!/bin/sh\ncat >> \(workshop.folder)/told\necho $LULL_KIND >> \(workshop.folder)/kinds\n",
            to: "sink.sh")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: workshop.folder + "/sink.sh")
        try workshop.write(
            """
            version: 1
            \(more)
            apps:
              com.example.App:
                plugin: Tasks
                idle_after: never
                notify: \(notify)
                tasks:
                  talk: { kind: processing, repeat: 1h, requires: { idle: false } }
                  crash: { kind: processing, repeat: 1h, requires: { idle: false }, concurrency: 1 }
            """, to: "jobs.yaml")
        return workshop
    }

    @Test func `a pass tells of a crash and of what was printed, before it ends`() throws {
        let workshop = try workshop("[{ command: [./sink.sh], on: [failed, output] }]")
        _ = try workshop.lull("launch", "com.example.App.talk")
        _ = try workshop.lull("launch", "com.example.App.crash")
        let kinds = try String(contentsOfFile: workshop.folder + "/kinds", encoding: .utf8)
        #expect(kinds.contains("output") && kinds.contains("failed"), "\(kinds)")
        let told = try String(contentsOfFile: workshop.folder + "/told", encoding: .utf8)
        #expect(told.contains("a word on standard output") && told.contains("signal 11"), "\(told)")
        let history = try workshop.lull("history", "--event", "notified").output
        #expect(history.contains("notified  com.example.App.crash"))
    }

    @Test func `a test reaches each sink, and says which it does not`() throws {
        let workshop = try workshop(
            #"[{ command: [./sink.sh] }, { webhook: "http://127.0.0.1:1/T0/s3cr3t-token", on: failed }]"#)
        let result = try workshop.lull("notify", "test", "com.example.App.talk")
        #expect(result.status == 1)
        #expect(
            result.output.contains("delivered") && result.output.contains("not delivered"), "\(result.output)"
        )
        #expect(!(result.output + result.error).contains("s3cr3t"))
        let told = try String(contentsOfFile: workshop.folder + "/told", encoding: .utf8)
        #expect(told.contains("\"test\":true"))
        let unknown = try workshop.lull("notify", "test", "com.example.Nobody")
        #expect(unknown.status == 1 && unknown.error.contains("com.example.Nobody"))
    }

    @Test func `a test lists each sink once, with how many tasks use it`() throws {
        let workshop = try workshop("[{ command: [./sink.sh] }]")
        let result = try workshop.lull("notify", "test")
        #expect(result.status == 0, "\(result.error)")
        let rows = result.output.split(separator: "\n").dropFirst().map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(rows == ["command \(workshop.folder)/sink.sh 2 tasks delivered"], "\(result.output)")
        #expect(!result.output.contains("com.example.App"))
        let json = try workshop.lull("notify", "test", "--json").output
        #expect(json.contains("\"task_count\" : 2") && json.contains("com.example.App.crash"), "\(json)")
        let one = try workshop.lull("notify", "test", "com.example.App.talk").output
        #expect(one.contains("com.example.App.talk") && !one.contains("tasks"), "\(one)")
    }

    @Test func `a run shows where it came from, and what has changed since one that succeeded`() throws {
        let workshop = try workshop("[]")
        _ = try workshop.lull("launch", "com.example.App.talk")
        try workshop.write(
            "# another\n" + (try String(contentsOfFile: workshop.folder + "/jobs.yaml", encoding: .utf8)),
            to: "jobs.yaml")
        _ = try workshop.lull("launch", "com.example.App.talk")
        let run = try workshop.lull("history", "2", "--against", "1")
        #expect(run.output.contains("Task     jobs.yaml:"), "\(run.output)")
        #expect(run.output.contains("ABI "))
        #expect(
            run.output.contains("  manifest: ") && run.output.contains("  place: jobs.yaml:"), "\(run.output)"
        )
        #expect(run.output.contains("a word on standard output"))
        let json = try workshop.lull("history", "2", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        let output = try #require(object?["output"] as? [String: Any])
        #expect((output["pieces"] as? [[String: Any]])?.isEmpty == false)
        #expect((object?["events"] as? [[String: Any]])?.contains { $0["provenance"] != nil } == true)
        let wrong = try workshop.lull("history", "2", "--against", "99")
        #expect(wrong.status == 1 && wrong.error.contains("There is no run 99"))
    }
}
