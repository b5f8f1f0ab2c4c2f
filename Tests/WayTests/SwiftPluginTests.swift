import Foundation
import TestSupport
import Testing

/// A shipped app as it is built beside these tests: a Swift plugin through worker, pool and host.
struct SwiftPluginTests {
    @Test func `a command's outcome and output are those of its run`() throws {
        let trial = try CommandTrial()
        let success = try trial.workshop.lull("launch", "com.example.Command.succeed")
        #expect(success.status == 0, "\(success.error)")
        #expect(success.output.contains("the command exited with code 0."), "\(success.output)")
        let failure = try trial.workshop.lull("launch", "com.example.Command.fail")
        #expect(failure.status == 3)
        #expect(
            failure.output.hasSuffix("run 2 failed: the command failed with exit code 3.\n"),
            "\(failure.output)")
        #expect((failure.output + failure.error).contains("no space left\n"), "\(failure)")
        let why = try trial.workshop.lull("why", "com.example.Command.fail").output
        #expect(
            why.contains("the command failed with exit code 3") && why.contains("│ no space left"), "\(why)")
        let run = try trial.workshop.lull("history", "--run", "1")
        #expect(run.output.contains("on standard output\n"), "\(run.output)")
        #expect(run.output.contains("on standard error\n"))
        trial.host.send(SIGTERM)
        #expect(trial.host.end() == 0)
    }

    @Test func `an expired command ends with its whole process group`() throws {
        let trial = try CommandTrial()
        let group = try trial.launchEndless()
        #expect(group.allSatisfy(CommandTrial.isAlive))
        #expect(try trial.workshop.lull("expire", "com.example.Command.endless").status == 0)
        let line = try trial.host.waitForLine(containing: "cut short com.example.Command.endless")
        #expect(line.contains("SIGTERM, because the run was told to end"), "\(line)")
        #expect(!group.contains(where: CommandTrial.isAlive))
        trial.host.send(SIGTERM)
        #expect(trial.host.end() == 0)
    }

    @Test func `a killed worker takes the process groups along that its plugin had started`() throws {
        let trial = try CommandTrial()
        let group = try trial.launchEndless()
        let worker = try #require(CommandTrial.parent(of: group[0]))
        let supervisor = try #require(CommandTrial.parent(of: worker))
        #expect(CommandTrial.parent(of: supervisor) == trial.host.process.processIdentifier)
        kill(worker, SIGKILL)
        let line = try trial.host.waitForLine(containing: "failed com.example.Command.endless")
        #expect(line.contains("ended by signal 9"), "\(line)")
        // The host has killed the processes, and goes on: the next run is in a new worker.
        #expect(try trial.workshop.lull("launch", "com.example.Command.succeed").status == 0)
        trial.host.send(SIGTERM)
        #expect(trial.host.end() == 0)
        #expect(!group.contains(where: CommandTrial.isAlive))
    }
}

/// A host that has discovered the app `Command`.
private final class CommandTrial {
    let workshop: Workshop
    let host: Program
    private let pipe: Int32

    init() throws {
        workshop = try Workshop()
        let path = workshop.folder + "/numbers"
        try #require(mkfifo(path, 0o600) == 0)
        // Opened for reading and writing, so that opening does not block.
        pipe = open(path, O_RDWR | O_CLOEXEC)
        try workshop.write(
            """
            version: 1
            apps:
              com.example.Command:
                plugin: \(Workshop.shipped("Command"))
                user: host
                idle_after: never
                grace: 10m
                tasks:
                  succeed:
                    kind: processing
                    settings: { run: "echo on standard output; echo on standard error >&2" }
                  fail:
                    kind: processing
                    settings: { run: "echo sending; echo no space left >&2; exit 3" }
                  endless:
                    kind: processing
                    requires: { idle: false }
                    settings: { run: "tail -f /dev/null & echo $$ $! >\(path); wait" }
            """, to: "jobs.yaml")
        host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.Command")
    }

    deinit { close(pipe) }

    /// Launches `endless`; returns the PIDs of its shell, which leads the group, and of the shell's child.
    func launchEndless() throws -> [Int32] {
        #expect(try workshop.lull("submit", "com.example.Command.endless").status == 0)
        try host.waitForLine(containing: "launched com.example.Command.endless")
        var readable = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        try #require(poll(&readable, 1, Int32(hangLimit / .milliseconds(1))) == 1, "the command never began")
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(pipe, &bytes, bytes.count)
        let numbers = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
        try #require(numbers.count == 2)
        return numbers
    }

    static func isAlive(_ process: Int32) -> Bool {
        fields(of: process).map { $0[0] != "Z" && $0[0] != "X" } ?? false
    }

    static func parent(of process: Int32) -> Int32? { fields(of: process).flatMap { Int32($0[1]) } }

    /// The fields of "pid (name) state parent …" from the state on.
    private static func fields(of process: Int32) -> [Substring]? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        return text[end...].dropFirst().split(separator: " ")
    }
}
