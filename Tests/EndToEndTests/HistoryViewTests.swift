import Foundation
import TestSupport
import Testing

/// `lull history`, `lull why` and `lull diff` after a crontab has moved in: runs before events, and each task's command.
struct HistoryViewTests {
    private func workshop(_ command: String = "echo hunter2") throws -> Workshop {
        let workshop = try Workshop()
        try workshop.link("Command")
        try write(command, in: workshop)
        return workshop
    }

    private func write(_ command: String, in workshop: Workshop, to name: String = "jobs.yaml") throws {
        try workshop.write(
            """
            version: 1
            apps:
              org.example.jobs:
                plugin: Command
                idle_after: never
                user: host
                tasks:
                  a:
                    kind: processing
                    settings: { run: '\(command)', env: { B: c } }

            """, to: name)
    }

    @Test func `people are shown runs, and are told that older ones are left out`() throws {
        let workshop = try workshop()
        let none = try workshop.lull("history")
        #expect(none.output.contains("Nothing has been recorded"), "\(none.output)")
        var lines = ""
        for run in 1...60 {
            let head = { (event: String) in
                """
                {"time":"2026-11-20T08:\(String(format: "%02d", run - 1)):00Z","event":"\(event)","app":"org.example.jobs",\
                "task":"org.example.jobs.a","run":\(run)
                """
            }
            lines += head("launched") + "}\n"
            lines +=
                head(run % 20 == 0 ? "failed" : "completed")
                + ",\"outcome\":\"\(run % 20 == 0 ? "failed" : "succeeded")\",\"ms\":5}\n"
        }
        #expect(try workshop.lull("history", "import", "-", input: lines).status == 0)
        let runs = try workshop.lull("history")
        let numbers = runs.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(numbers == ["RUN"] + (11...60).map { "\($0)" }, "\(runs.output)")
        #expect(
            runs.error == "note: these are the newest 50; older runs are left out. `--limit 0` shows all.\n")
        let all = try workshop.lull("history", "--limit", "0")
        #expect(all.output.split(separator: "\n").count == 61 && all.error.isEmpty, "\(all.error)")
        let few = try workshop.lull("history", "--limit", "3")
        #expect(few.output.split(separator: "\n").count == 4 && few.error.isEmpty, "\(few.error)")
        let failed = try workshop.lull("history", "--failed", "--task", "a")
        #expect(
            failed.output.split(separator: "\n").map { $0.prefix { $0 != " " } } == ["RUN", "20", "40", "60"])
        let events = try workshop.lull("history", "--events")
        #expect(events.output.hasPrefix("TIME ") && events.error.contains("older events are left out"))
        #expect(try workshop.lull("history", "--event", "failed").output.hasPrefix("TIME "))
        #expect(try workshop.lull("history", "--app", "host").output == "No event matches.\n")
        #expect(try workshop.lull("history", "--json").output.split(separator: "\n").count == 120)
        let nobody = try workshop.lull("history", "--since", "1h")
        #expect(nobody.output.hasPrefix("No run matches. `lull history --events"), "\(nobody.output)")
    }

    @Test func `a task's command stands in why and with its run, and whether it is still that`() throws {
        let workshop = try workshop()
        #expect(try workshop.lull("launch", "a").output.hasPrefix("hunter2\n"))
        let place = "Runs: echo hunter2 (\(workshop.folder)/jobs.yaml:8)\n"
        let displayed = place.replacingOccurrences(of: workshop.folder + "/", with: "")
        #expect(try workshop.lull("why", "a").output.contains(displayed))
        let why = try workshop.lull("why", "a", "--json").output
        #expect(why.contains("\"command\" : \"echo hunter2\""), "\(why)")
        let run = try workshop.lull("history", "1").output
        #expect(run.contains("\nRuns     echo hunter2 (jobs.yaml:8)\n"), "\(run)")

        try write("echo other", in: workshop)
        let edited = try workshop.lull("why", "a").output
        #expect(
            edited.contains("Runs: echo other (jobs.yaml:8, changed since the host read it)"), "\(edited)")
        let past = try workshop.lull("history", "1").output
        #expect(past.contains("\nRuns now echo other (jobs.yaml:8"), "\(past)")
        #expect(past.contains("; changed in the manifest since this run\n"), "\(past)")
        #expect(try !workshop.lull("history", "1", "--json").output.contains("\"command\""))
    }

    @Test(arguments: [true, false])
    func `an export into a new state has what runs printed, and one of events alone denies nothing`(
        isHostRunning: Bool
    ) throws {
        let command = #"echo hunter2; printf "\377" >&2; exit 3"#
        let old = try workshop(command)
        #expect(try old.lull("submit", "a").status == 0)
        _ = try old.lull("run", "--once")
        let expectations = [("--export", "Output:\nhunter2"), ("--json", "No output of it is kept.")]
        for (flag, expected) in expectations {
            let lines = try old.lull("history", flag).output
            let new = try workshop(command)
            let host = isHostRunning ? try new.start("run", "jobs.yaml") : nil
            try host?.waitForLine(containing: "discovered org.example.jobs")
            let result = try new.lull("history", "import", "-", input: lines)
            #expect(result.status == 0, "\(result.error)")
            let account = try new.lull("history", "1").output
            #expect(account.contains(expected) && !account.contains("It printed nothing.\n"), "\(account)")
            let pieces = try new.lull("history", "1", "--json").output
            #expect(pieces.contains(#""base64" : "/w==""#) == (flag == "--export"), "\(pieces)")
            host?.send(SIGTERM)
            #expect(host.map { $0.end() } ?? 0 == 0)
        }
    }

    @Test func `a diff shows a command as it was and as it is to be, or how to see it`() throws {
        let workshop = try workshop()
        try write("echo hunter2", in: workshop, to: "old.yaml")
        #expect(try workshop.lull("run", "--once").status == 0)
        try write("echo \"other\"", in: workshop)
        let known = try workshop.lull("diff", "jobs.yaml", "--against", "old.yaml")
        #expect(
            known.output.contains(
                """
                      settings.run: is another command (jobs.yaml:10)
                        - echo hunter2
                        + echo "other"

                """), "\(known.output)")
        let hidden = try workshop.lull("diff")
        #expect(
            hidden.output.contains(
                """
                      settings.run: is another command (jobs.yaml:10)
                        + echo "other"

                """), "\(hidden.output)")
        #expect(hidden.output.contains("`lull diff jobs.yaml --against OLD`"), "\(hidden.output)")
        #expect(!hidden.output.contains("a text goes to the shell"), "\(hidden.output)")
    }

    @Test func `errors of settings stand in the order of their lines wherever they are told`() throws {
        let workshop = try workshop()
        try workshop.write(
            """
            version: 1
            apps:
              org.example.jobs:
                plugin: Command
                idle_after: never
                tasks:
                  a: { kind: processing, settings: { rum: x, cwd: 7 } }
                  b: { kind: processing, repaet: 1d, settings: { run: "true" } }

            """, to: "jobs.yaml")
        let places = try workshop.lull("diff").error.split(separator: "\n").filter { $0.contains(": error:") }
            .map { $0.split(separator: ":").dropFirst().prefix(2).compactMap { Int($0) } }
        #expect(places == [[7, 42], [7, 55], [8, 30]], "\(places)")
    }
}
