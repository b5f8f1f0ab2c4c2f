import Foundation
import TestSupport
import Testing

/// `lull run` as a service: signals, reload, a cut-off in the midst of runs, two hosts on one state.
struct ServiceTests {
    private static let manifest = """
        version: 1
        apps:
          com.example.App:
            plugin: Tasks
            idle_after: never
            grace: 10m
            retry: { first: 5h, max: 5h }
            tasks:
              wait: { kind: processing, requires: { idle: false } }
              again: { kind: processing, requires: { idle: false } }
              succeed: { kind: processing, requires: { idle: false } }
        """

    private func workshop() throws -> Workshop {
        let workshop = try Workshop(tasks: Self.manifest)
        return workshop
    }

    @Test func `a host that is killed amid runs loses nothing that it acknowledged`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        #expect(try workshop.lull("submit", "com.example.App.succeed", "--earliest", "7d").status == 0)
        #expect(try workshop.lull("submit", "com.example.App.wait").status == 0)
        try host.waitForLine(containing: "launched com.example.App.wait")
        host.send(SIGKILL)
        #expect(host.end() == -SIGKILL)

        let next = try workshop.start("run", "jobs.yaml")
        let line = try next.waitForLine(containing: "interrupted com.example.App.wait")
        #expect(line.contains("run=1"))
        let pending = try workshop.lull("pending")
        #expect(pending.output.contains("com.example.App.succeed"), "\(pending.output)")
        next.send(SIGTERM)
        #expect(next.end() == 0)
        let sound = try Program.run(
            "/usr/bin/env", ["sqlite3", workshop.state + "/history.sqlite", "PRAGMA integrity_check"])
        #expect(sound.output == "ok\n" || sound.status == 127)
    }

    @Test func `a suspended worker does not outlive a host that is killed`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        let workers = children(of: host.process.processIdentifier)
        let worker = try #require(workers.first)
        #expect(kill(worker, SIGSTOP) == 0)
        host.send(SIGKILL)
        #expect(host.end() == -SIGKILL)
        #expect(try hasGone(worker))
    }

    @Test func `a pass does not count what an earlier host was cut off in`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        #expect(try workshop.lull("submit", "com.example.App.wait").status == 0)
        try host.waitForLine(containing: "launched com.example.App.wait")
        host.send(SIGKILL)
        #expect(host.end() == -SIGKILL)
        // After the backoff of one failure it is requested again, whoever requested it before.
        let pass = try workshop.lull("run", "--once")
        #expect(pass.status == 0)
        #expect(pass.output.contains("0 ran, 0 failed, 3 wait"), "\(pass.output)")
    }

    @Test func `an import makes no request of its own before those of the file`() throws {
        let workshop = try Workshop(tasks: Self.manifest)
        try workshop.write(
            Self.manifest + "\n      nightly: { kind: processing, at: daily 02:30 }\n", to: "jobs.yaml")
        let lines =
            #"{"time":"2026-11-20T08:00:00.000Z","event":"submitted","app":"com.example.App","#
            + #""task":"com.example.App.succeed","request":1,"kind":"processing","origin":"plugin"}"# + "\n"
        try workshop.write(lines, to: "export.jsonl")
        let imported = try workshop.lull("history", "import", "export.jsonl")
        #expect(imported.output == "Imported 1 event.\n", "\(imported.error)")
        #expect(try workshop.lull("history", "--export").output == lines)
    }

    @Test func `a running host takes many uses in portions, and each once`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        let uses = (10_000..<15_000).map {
            "{\"time\":\"2026-10-01T00:00:00.\(String($0).suffix(3))Z\",\"event\":\"used\",\"app\":\"com.example.App\"}\n"
        }
        try workshop.write(uses.joined(), to: "uses.jsonl")
        let imported = try workshop.lull("history", "import", "uses.jsonl")
        #expect(imported.output == "Imported 1000 events; 4000 were there already.\n", "\(imported.error)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `a launch without a host launches nothing else`() throws {
        let workshop = try workshop()
        try workshop.write(
            Self.manifest + "\n      talk: { kind: processing, repeat: 1h, requires: { idle: false } }\n",
            to: "jobs.yaml")
        #expect(try workshop.lull("launch", "com.example.App.succeed").status == 0)
        let launched = try workshop.lull("history", "--event", "launched")
        #expect(launched.output.contains("com.example.App.succeed"))
        #expect(!launched.output.contains("com.example.App.talk"), "\(launched.output)")
        #expect(try workshop.lull("run", "--once").output.contains("1 ran, 0 failed"))
    }

    @Test func `the manifest is found from another folder`() throws {
        let workshop = try workshop()
        #expect(try workshop.lull("run", "--once", "jobs.yaml").status == 0)
        let moved = try workshop.elsewhere("why", "com.example.App.succeed")
        #expect(moved.status == 0, "\(moved.error)")
    }

    @Test func `SIGTERM expires what runs, waits for it, and leaves nothing behind`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        #expect(try workshop.lull("submit", "com.example.App.wait").status == 0)
        try host.waitForLine(containing: "launched com.example.App.wait")
        let own = host.process.processIdentifier
        let workers = children(of: own)
        #expect(!workers.isEmpty)
        host.send(SIGTERM)
        #expect(host.end() == 0)
        #expect(host.said.contains("told to end"), "\(host.said)")
        #expect(workers.allSatisfy { kill($0, 0) != 0 })
        #expect(!FileManager.default.fileExists(atPath: workshop.state + "/control.sock"))
    }

    @Test func `two hosts on one state are refused`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        let second = try workshop.lull("run", "--once")
        #expect(second.status == 75)
        #expect(second.error.contains("\(host.process.processIdentifier)"), "\(second.error)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `a bad manifest leaves the old one in force on SIGHUP`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        try workshop.write("version: 1\napps: 7\n", to: "jobs.yaml")
        host.send(SIGHUP)
        try host.waitForLine(containing: "stays in force")
        #expect(try workshop.lull("launch", "com.example.App.succeed").status == 0)
        try workshop.write(
            Self.manifest.replacingOccurrences(of: "  succeed:", with: "  talk:"), to: "jobs.yaml")
        host.send(SIGHUP)
        try host.waitForLine(containing: "is in force")
        let gone = try workshop.lull("launch", "com.example.App.succeed")
        #expect(gone.status == 1)
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `an error that is read again is not logged again, and the answer comes all the same`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        try workshop.write("version: 1\napps: 7\n", to: "jobs.yaml")
        try host.waitForLine(containing: "stays in force")
        host.send(SIGHUP)
        try host.waitForLine(containing: "stays in force")
        // A different error is a new line.
        try workshop.write("version: 1\napps: 7\nmore: 1\n", to: "jobs.yaml")
        try host.waitForLine(containing: "stays in force")
        // An error that was corrected and comes again is logged again.
        try workshop.write(Self.manifest, to: "jobs.yaml")
        try host.waitForLine(containing: "jobs.yaml is in force")
        try workshop.write("version: 1\napps: 7\n", to: "jobs.yaml")
        try host.waitForLine(containing: "stays in force")
        host.send(SIGTERM)
        #expect(host.end() == 0)
        let lines = host.said.split(separator: "\n")
        #expect(lines.count { $0.contains("`apps` takes") } == 2, "\(host.said)")
        #expect(lines.count { $0.contains("unknown key 'more'") } == 1, "\(host.said)")
        #expect(lines.count { $0.contains("stays in force") } == 4, "\(host.said)")
    }

    @Test func `a manifest that changes is read anew, and what runs goes on`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        #expect(try workshop.lull("submit", "com.example.App.wait").status == 0)
        try host.waitForLine(containing: "launched com.example.App.wait")
        try workshop.write("version: 1\napps: 7\n", to: "jobs.yaml")
        try host.waitForLine(containing: "jobs.yaml:2:7: error: `apps` takes keys and values")
        try host.waitForLine(containing: "stays in force")
        try workshop.write(
            Self.manifest.replacingOccurrences(of: "  succeed:", with: "  talk:"), to: "jobs.yaml")
        try host.waitForLine(containing: "is in force")
        #expect(try workshop.lull("launch", "com.example.App.succeed").status == 1)
        #expect(try workshop.lull("expire", "com.example.App.wait").status == 0)
        try host.waitForLine(containing: "cut short com.example.App.wait run=1 stopped")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `the queue, launches, expirations and switches work through a running host`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        #expect(try workshop.lull("submit", "com.example.App.wait").status == 0)
        try host.waitForLine(containing: "launched com.example.App.wait")
        #expect(try workshop.lull("status").output.contains("runs"))
        #expect(try workshop.lull("expire", "com.example.App.wait").status == 0)
        try host.waitForLine(containing: "cut short com.example.App.wait run=1 stopped")

        #expect(try workshop.lull("submit", "com.example.App.succeed", "--earliest", "1d").status == 0)
        #expect(try workshop.lull("pending").output.contains("com.example.App.succeed"))
        #expect(try workshop.lull("cancel", "com.example.App.succeed").status == 0)
        #expect(try !workshop.lull("pending").output.contains("com.example.App.succeed"))

        let launch = try workshop.lull("launch", "com.example.App.again")
        #expect(launch.status == 0, "\(launch.error)")
        #expect(try workshop.lull("pending").output.contains("com.example.App.again"))

        #expect(try workshop.lull("disable", "com.example.App").status == 0)
        let why = try workshop.lull("why", "com.example.App.again")
        let gate = try #require(why.output.split(separator: "\n").first { $0.hasPrefix("enabled") })
        #expect(gate.contains("closed"))
        #expect(
            why.output.unwrapped.contains("\(NSUserName()) has disabled com.example.App"), "\(why.output)")
        #expect(try workshop.lull("enable", "com.example.App").status == 0)
        #expect(try workshop.lull("reload").status == 0)
        // Each says who did it.
        let events = try workshop.lull("history", "--json").output.split(separator: "\n").filter {
            $0.contains("\"by\":\"") && $0.contains(NSUserName() + "\"")
        }
        for name in ["submitted", "launched", "expired", "cancelled", "disabled", "enabled", "reloaded"] {
            #expect(events.contains { $0.contains("\"event\":\"\(name)\"") }, "\(name)")
        }
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `a pause without a host says by whom, and why`() throws {
        let workshop = try workshop()
        let told = try workshop.lull("pause", "com.example.App.succeed", "--reason", "new disk")
        #expect(told.status == 0, "\(told.error)")
        let words = "\(NSUserName()): new disk"
        for command in [["why", "com.example.App.succeed"], ["status"], ["history", "--events"]] {
            let output = try workshop.lull(command).output.unwrapped
            #expect(output.contains(words), "\(output)")
        }
    }

    /// Waits for the end of a process that is not this one's child; its new parent may leave it a zombie.
    private func hasGone(_ process: Int32) throws -> Bool {
        let script = """
            for i in $(seq 6000); do
                case $(cut -d ' ' -f 3 /proc/\(process)/stat 2>/dev/null) in Z|'') exit 0;; esac
                sleep 0.1
            done
            exit 1
            """
        return try Program.run("/bin/sh", ["-c", script]).status == 0
    }

    private func children(of process: Int32) -> [Int32] {
        let text =
            (try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { Int32($0) }
    }
}
