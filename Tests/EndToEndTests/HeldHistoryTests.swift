import Foundation
import TestSupport
import Testing

/// Another process keeps the history locked: the host goes on, names the process, and resumes work when the lock is released.
struct HeldHistoryTests {
    private static let app = "com.example.App"

    private func workshop(_ fixture: String, _ keys: String = "", task: String) throws -> Workshop {
        let workshop = try Workshop()
        try workshop.compile(fixture, as: fixture)
        try workshop.write(
            """
            version: 1
            apps:
              \(Self.app):
                plugin: \(fixture)
                idle_after: never
                \(keys)
                tasks:
                  \(task): { kind: processing, requires: { idle: false } }
            """, to: "jobs.yaml")
        return workshop
    }

    /// Takes a lock for this process; closing the file releases it.
    private func lock(_ path: String, from start: Int, count: Int, kind: Int32) throws -> Int32 {
        let file = open(path, O_RDWR | O_CLOEXEC)
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(start)
        lock.l_len = off_t(count)
        try #require(file >= 0 && fcntl(file, F_SETLK, &lock) == 0, "\(errno)")
        return file
    }

    /// Starts a command that runs beside the test.
    private func begin(_ workshop: Workshop, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = Workshop.products.appendingPathComponent("lull")
        process.arguments = arguments + ["--state", workshop.state]
        process.currentDirectoryURL = URL(fileURLWithPath: workshop.folder)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// The lock for writing to the WAL, as in the attack; and all locks of its index, which also block readers.
    @Test(arguments: [(120, 1, F_RDLCK), (120, 8, F_WRLCK)])
    func `a host whose history is locked says by whom, answers, and goes on afterwards`(
        start: Int, count: Int, kind: Int32
    ) throws {
        let workshop = try workshop("Tasks", task: "succeed")
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered \(Self.app)")
        let lock = try lock(
            workshop.state + "/history.sqlite-shm", from: start, count: count, kind: kind)
        let trigger = try begin(workshop, ["used", Self.app, "--at", "1h"])
        let import_ = try begin(workshop, ["history", "import", try uses(workshop)])
        // The test holds the lock throughout, so none of these waits for a clock.
        let line = try host.waitForLine(containing: "The history has recorded nothing for")
        #expect(line.contains("process \(getpid()) ("), "\(line)")
        for command in [["status"], ["why", "\(Self.app).succeed"], ["why", Self.app]] {
            let answer = try workshop.lull(command)
            #expect(answer.status == 0)
            let text = answer.output.unwrapped
            #expect(text.contains("The history has recorded nothing for"), "\(text)")
            #expect(text.contains("process \(getpid()) ("), "\(text)")
            #expect(text.contains("`kill \(getpid())`"), "\(text)")
        }
        let json = try workshop.lull("status", "--json")
        #expect(json.output.contains("\"history_trouble\""), "\(json.output)")
        #expect(import_.isRunning)
        // A use that is not recorded for long gives up, and may be recorded all the same.
        var use = try begin(workshop, ["used", Self.app])
        close(lock)
        use.waitUntilExit()
        var most = 2
        while use.terminationStatus != 0, most < 6 {
            use = try begin(workshop, ["used", Self.app])
            use.waitUntilExit()
            most += 1
        }
        trigger.waitUntilExit()
        let least = trigger.terminationStatus == 0 ? 2 : 1
        import_.waitUntilExit()
        #expect(use.terminationStatus == 0 && import_.terminationStatus == 0)
        #expect(!(try workshop.lull("status").output.contains("has recorded nothing")))
        host.send(SIGTERM)
        #expect(host.end() == 0, "\(host.said)")
        let uses = try workshop.lull("history", "--event", "used", "--json").output
        #expect((3 + least...3 + most).contains(uses.split(separator: "\n").count), "\(uses)")
    }

    private func uses(_ workshop: Workshop) throws -> String {
        let lines = (1...3).map {
            #"{"time":"2026-11-0\#($0)T08:00:00.000Z","event":"used","app":"\#(Self.app)"}"# + "\n"
        }
        try workshop.write(lines.joined(), to: "uses.jsonl")
        return workshop.folder + "/uses.jsonl"
    }

    @Test func `a host that is told to end while its history is locked ends when it is told again`() throws {
        let workshop = try workshop("Tasks", task: "succeed")
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered \(Self.app)")
        let lock = try lock(workshop.state + "/history.sqlite-shm", from: 120, count: 1, kind: F_WRLCK)
        defer { close(lock) }
        let use = try begin(workshop, ["used", Self.app])
        try host.waitForLine(containing: "The history has recorded nothing for")
        host.send(SIGTERM)
        try host.waitForLine(containing: "Shutting down")
        host.send(SIGTERM)
        #expect(host.end() == 74, "\(host.said)")
        use.waitUntilExit()
        #expect(use.terminationStatus != 0)
    }

    @Test func `an app that keeps the history locked is ended for it, and what it did is recorded`() throws {
        let keys =
            geteuid() == 0
            ? "user: root\n    limits: { privileges: keep }" : "limits: { privileges: keep }"
        let workshop = try workshop("LocksHistory", keys, task: "hold")
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered \(Self.app)")
        #expect(try workshop.lull("submit", "\(Self.app).hold").status == 0)
        try host.waitForLine(containing: "launched \(Self.app).hold")
        // The host does not wait for the lock until it has something to record.
        #expect(try workshop.lull("used", Self.app).status == 0)
        let violations = try workshop.lull("history", "--event", "violation", "--json").output
        #expect(violations.contains("held the lock of the history"), "\(violations)")
        #expect(violations.contains("\"outcome\":\"killed\""), "\(violations)")
        host.send(SIGTERM)
        #expect(host.end() == 0, "\(host.said)")
        #expect(host.said.contains("which \(Self.app) has started, holds its lock"), "\(host.said)")
    }
}
