import Foundation
import TestSupport
import Testing

/// `retry: { attempts }` and `group`, through the real executables.
struct AttemptTests {
    private func workshop(_ tasks: String) throws -> Workshop {
        let workshop = try Workshop()
        try workshop.link("Command")
        try workshop.write(
            """
            version: 1
            defaults: { notify: [{ command: [sh, -c, "cat >> \(workshop.folder)/told"], on: [failed] }] }
            apps:
              org.example.jobs:
                plugin: Command
                idle_after: never
                user: host
                limits: { privileges: keep }
                tasks:
            \(tasks.replacing("FOLDER", with: workshop.folder))
            """, to: "jobs.yaml")
        return workshop
    }

    private func wait(_ host: Program, for words: String) throws {
        while !host.said.contains(words) { try host.readLine(waitingFor: words) }
    }

    @Test func `a command that fails twice is run a third time, and nobody is told of a failure`() throws {
        let workshop = try workshop(
            """
                  flaky:
                    kind: processing
                    repeat: 1h
                    requires: { idle: false }
                    retry: { attempts: 3, first: 1s, max: 1s }
                    settings: { run: 'echo "this is $LULL_ATTEMPT of $LULL_ATTEMPTS"; test $LULL_ATTEMPT = 3' }

            """)
        #expect(try workshop.lull("check").status == 0)
        let host = try workshop.start("run")
        try wait(host, for: "completed org.example.jobs.flaky")
        let history = try workshop.lull("history", "--events").output.unwrapped
        #expect(
            history.contains("(attempt 1 of 3, tried again") && history.contains("attempt 3 of 3"),
            "\(history)")
        let runs = try workshop.lull("history", "--task", "org.example.jobs.flaky", "--json").output
        #expect(runs.components(separatedBy: "\"event\":\"failed\"").count == 3, "\(runs)")
        for run in 1...3 {
            let output = try workshop.lull("history", "--run", "\(run)").output
            #expect(output.contains("this is \(run) of 3"), "\(output)")
        }
        host.send(SIGTERM)
        #expect(host.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: workshop.folder + "/told"))
    }

    @Test func `an exit code that is not listed ends the attempts, and the history says which one it was`()
        throws
    {
        let workshop = try workshop(
            """
                  flaky:
                    kind: processing
                    repeat: 1h
                    requires: { idle: false }
                    retry: { attempts: 5, first: 1s, max: 1s, exit_codes: [75] }
                    settings: { run: 'test $LULL_ATTEMPT = 2 && exit 3; exit 75' }

            """)
        #expect(try workshop.lull("check").status == 0)
        let host = try workshop.start("run")
        // The notice of the last failure.
        try wait(host, for: "notified org.example.jobs.flaky")
        host.send(SIGTERM)
        #expect(host.end() == 0)
        let history = try workshop.lull("history", "--events").output.unwrapped
        #expect(history.contains("(attempt 1 of 5, tried again"), "\(history)")
        #expect(
            history.contains("(attempt 2 of 5, not tried again): the command failed with exit code 3"),
            "\(history)")
        let runs = try workshop.lull("history").output
        #expect(runs.contains("its repeat, attempt 2 of 5") && !runs.contains("attempt 3"), "\(runs)")
        let json = try workshop.lull("history", "--json").output
        #expect(
            json.contains(#""exit_code":75"#) && json.contains(#""attempt":2,"attempts":5"#), "\(json)")
    }

    @Test func `of a group one command runs, and why names it to the one that waits`() throws {
        let workshop = try workshop(
            """
                  first:
                    kind: processing
                    on: { path: FOLDER/in/first, settle: 0s }
                    group: shared
                    settings: { run: 'read line < FOLDER/gate; echo $line' }
                  second:
                    kind: processing
                    on: { path: FOLDER/in/second, settle: 0s }
                    group: shared
                    settings: { run: 'true' }

            """)
        try FileManager.default.createDirectory(
            atPath: workshop.folder + "/in", withIntermediateDirectories: false)
        try #require(mkfifo(workshop.folder + "/gate", 0o600) == 0)
        let host = try workshop.start("run")
        try wait(host, for: "discovered org.example.jobs")
        try workshop.write("", to: "in/first")
        try wait(host, for: "launched org.example.jobs.first")
        try workshop.write("", to: "in/second")
        try wait(host, for: "deferred org.example.jobs.second")
        let why = try workshop.lull("why", "org.example.jobs.second").output.unwrapped
        #expect(
            why.contains("it waits for org.example.jobs.first, which has had the group shared since"),
            "\(why)")
        let launch = try workshop.lull("launch", "org.example.jobs.second")
        #expect(
            launch.status == 1 && launch.error.contains("which has had the group shared"), "\(launch.error)")
        // `echo` writes into the pipe; an atomic write would replace the pipe with a file.
        _ = try Program.run("/bin/sh", ["-c", "echo go on > gate"], in: workshop.folder)
        try wait(host, for: "completed org.example.jobs.first")
        try wait(host, for: "completed org.example.jobs.second")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }
}
