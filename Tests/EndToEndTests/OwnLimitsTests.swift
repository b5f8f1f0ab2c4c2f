import Foundation
import TestSupport
import Testing

/// Commands of one app run beside each other: the use and leftovers of one cost the others nothing.
struct OwnLimitsTests {
    private func workshop(_ tasks: String) throws -> Workshop {
        let workshop = try Workshop()
        try workshop.link("Command")
        try workshop.write(
            """
            version: 1
            apps:
              com.example.Crontab:
                plugin: Command
                idle_after: never
                user: host
                limits: { memory: 48MiB, privileges: keep }
                tasks:
            \(tasks)

            """, to: "jobs.yaml")
        return workshop
    }

    @Test func `who uses too much is ended alone, and is the one that is named`() throws {
        let workshop = try workshop(
            """
                  quiet: { kind: processing, settings: { run: 'read line < go; echo $line', cwd: '.' } }
                  hungry: { kind: processing, settings: { run: "awk 'BEGIN { x = 1234567890; for (;;) x = x x }'" } }
            """)
        #expect(try Program.run("/usr/bin/env", ["mkfifo", workshop.folder + "/go"]).status == 0)
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.Crontab")
        #expect(try workshop.lull("launch", "quiet", "--no-wait").status == 0)
        let hungry = try workshop.lull("launch", "hungry")
        #expect(hungry.status == 1 && hungry.output.contains("but may use 48 MiB"), "\(hungry)")
        try workshop.write("well\n", to: "line")
        let go = try Program.run("/usr/bin/env", ["sh", "-c", "cat line > go"], in: workshop.folder)
        #expect(go.status == 0)
        try host.waitForLine(containing: "completed com.example.Crontab.quiet")
        #expect(try workshop.lull("logs", "quiet").output.contains("well"))
        host.send(SIGTERM)
        #expect(host.end() == 0, "\(host.said)")
    }

    @Test func `a run has the limits and the urgency of its task, and others those of the app`() throws {
        let workshop = try workshop(
            """
                  small: { kind: processing, limits: { memory: 16MiB }, settings: { run: "awk 'BEGIN { x = 1234567890; for (;;) x = x x }'" } }
                  patient: { kind: processing, nice: 19, ionice: idle, settings: { run: "nice; ionice" } }
                  usual: { kind: processing, settings: { run: "nice; ionice" } }
            """)
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.Crontab")
        let small = try workshop.lull("launch", "small")
        #expect(small.status == 1 && small.output.contains("but may use 16 MiB"), "\(small)")
        let usual = try workshop.lull("launch", "usual")
        let own = try Program.run("/usr/bin/env", ["sh", "-c", "nice; ionice"])
        #expect(usual.status == 0 && usual.output.hasPrefix(own.output), "\(usual)")
        let patient = try workshop.lull("launch", "patient")
        #expect(patient.status == 0 && patient.output.hasPrefix("19\nidle"), "\(patient)")
        host.send(SIGTERM)
        #expect(host.end() == 0, "\(host.said)")
    }

    @Test func `a daemon ends with its run and is named, and one that may go on does until the host ends`()
        throws
    {
        let workshop = try workshop(
            """
                  strict: { kind: processing, settings: { run: "mkfifo up; setsid sh -c 'echo > up; exec sleep 1000' & read line < up; echo $!", cwd: '.' } }
                  lenient: { kind: processing, leaves: running, settings: { run: 'sleep 1001 & echo $!', cwd: '.' } }
            """)
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.Crontab")
        let strict = try workshop.lull("launch", "strict")
        #expect(
            strict.status == 0 && strict.output.contains(#/It left (sh|sleep) \(process /#), "\(strict)")
        let lenient = try workshop.lull("launch", "lenient")
        #expect(lenient.output.contains("`leaves: running`"), "\(lenient)")
        func number(_ result: Program.Result) throws -> Int32 {
            try #require(result.output.split(separator: "\n").lazy.compactMap { Int32($0) }.first)
        }
        let (ended, goesOn) = (try number(strict), try number(lenient))
        // The next launch begins after the end of the previous worker.
        #expect(kill(goesOn, 0) == 0)
        host.send(SIGTERM)
        #expect(host.end() == 0, "\(host.said)")
        #expect(kill(ended, 0) != 0 && kill(goesOn, 0) != 0)
    }

    @Test func `a command's exit code is passed on, and what it prints comes out as it was printed`() throws {
        let workshop = try workshop(
            """
                  fails: { kind: processing, settings: { run: 'printf one; echo two >&2; exit 7' } }
                  dies: { kind: processing, settings: { run: 'kill -9 $$' } }
            """)
        let here = try workshop.lull("launch", "fails")
        #expect(here.status == 7 && here.output.hasPrefix("one") && here.error.hasPrefix("two\n"), "\(here)")
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.Crontab")
        let there = try workshop.lull("launch", "fails")
        #expect(
            there.status == 7 && there.output.hasPrefix("one") && there.error.hasPrefix("two\n"), "\(there)")
        #expect(try workshop.lull("launch", "dies").status == 137)
        host.send(SIGTERM)
        #expect(host.end() == 0, "\(host.said)")
    }

    @Test
    func `what a run prints is there while it runs, for whoever asks, and nothing is not said too early`()
        throws
    {
        let workshop = try workshop(
            """
                  talks: { kind: processing, settings: { run: 'echo begun >&2; read line < go; echo $line >&2', cwd: '.' } }
                  silent: { kind: processing, settings: { run: 'read line < stay', cwd: '.' } }
            """)
        #expect(
            try Program.run("/usr/bin/env", ["mkfifo", "go", "stay"], in: workshop.folder).status == 0)
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.Crontab")
        let waiting = try workshop.start("launch", "talks")
        try waiting.waitForLine(containing: "begun")
        let follower = try workshop.start("logs", "-f", "talks")
        try follower.waitForLine(containing: "begun")
        #expect(try workshop.lull("history", "--run", "1").output.contains("Output so far:\nbegun\n"))
        waiting.send(SIGINT)
        #expect(waiting.end() == 130)
        #expect(waiting.said.contains("Run 1 of com.example.Crontab.talks goes on."), "\(waiting.said)")
        #expect(try workshop.lull("launch", "silent", "--no-wait").output.contains("run 2 has begun"))
        #expect(try workshop.lull("history", "--run", "2").output.contains("It has printed nothing yet."))
        func release(_ pipe: String) throws {
            let words = ["sh", "-c", "echo well > \(pipe)"]
            #expect(try Program.run("/usr/bin/env", words, in: workshop.folder).status == 0)
        }
        try release("go")
        try follower.waitForLine(containing: "well")
        follower.send(SIGTERM)
        _ = follower.end()
        try release("stay")
        try host.waitForLine(containing: "completed com.example.Crontab.silent")
        #expect(try workshop.lull("history", "--run", "2").output.contains("the command exited with code 0."))
        host.send(SIGTERM)
        #expect(host.end() == 0, "\(host.said)")
    }
}
