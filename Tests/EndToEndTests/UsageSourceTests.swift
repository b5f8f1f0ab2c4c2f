import Foundation
import TestSupport
import Testing

/// Uses that a real host reads from logs, file accesses and a journal, with the times in them.
struct UsageSourceTests {
    private func workshop(_ sources: String) throws -> Workshop {
        let workshop = try Workshop(
            tasks:
                """
                version: 1
                apps:
                  com.example.App:
                    plugin: Tasks
                    usage:
                \(sources.split(separator: "\n").map { "      - " + $0 }.joined(separator: "\n"))
                    tasks:
                      succeed: { kind: processing, requires: { idle: false } }
                """)
        return workshop
    }

    private static let log = "{ log: access.log, match: 'GET /feed', time: common }"

    /// A whole second some hours ago.
    private func time(hoursAgo: Double) -> Date {
        Date(timeIntervalSince1970: (Date().timeIntervalSince1970 - hoursAgo * 3600).rounded(.down))
    }

    private func line(at time: Date, _ path: String = "/feed") -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 7200)
        formatter.dateFormat = "dd/MMM/yyyy:HH:mm:ss Z"
        return "::1 - - [\(formatter.string(from: time))] \"GET \(path) HTTP/1.1\" 200 512\n"
    }

    private func append(_ text: String, to name: String, in workshop: Workshop) throws {
        let path = workshop.folder + "/" + name
        if !FileManager.default.fileExists(atPath: path) {
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
        }
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    /// The times of the uses in the history, in its order.
    private func uses(_ workshop: Workshop) throws -> [Date] {
        let lines = try workshop.lull("history", "--json").output.split(separator: "\n")
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return try lines.compactMap { line in
            guard line.contains(#""event":"used""#) else { return nil }
            let match = try #require(line.firstMatch(of: /"time":"([^"]+)"/))
            return try style.parse(String(match.1))
        }.sorted()
    }

    @Test func `a host learns a use from a line, at the line's time, and what it missed after a restart`()
        throws
    {
        let workshop = try workshop(Self.log)
        let times = [50, 40, 30, 20, 10, 5].map(time(hoursAgo:))
        try append(line(at: times[0]), to: "access.log", in: workshop)
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "used com.example.App")
        try host.waitForLine(containing: "discovered com.example.App")
        #expect(try uses(workshop) == [times[0]])
        try append(line(at: times[1]) + line(at: times[2], "/other"), to: "access.log", in: workshop)
        try host.waitForLine(containing: "used com.example.App")
        #expect(try uses(workshop) == Array(times[...1]))
        #expect(!host.said.contains("warning"), "\(host.said)")
        host.send(SIGKILL)
        #expect(host.end() == -SIGKILL)

        // The log is rotated while no host follows it.
        try append(line(at: times[3]), to: "access.log", in: workshop)
        #expect(rename(workshop.folder + "/access.log", workshop.folder + "/access.log.1") == 0)
        try append(line(at: times[4]), to: "access.log", in: workshop)
        let next = try workshop.start("run", "jobs.yaml")
        try next.waitForLine(containing: "used com.example.App")
        try next.waitForLine(containing: "used com.example.App")
        try append(line(at: times[5]), to: "access.log", in: workshop)
        try next.waitForLine(containing: "used com.example.App")
        next.send(SIGTERM)
        #expect(next.end() == 0)
        #expect(try uses(workshop) == [times[0], times[1], times[3], times[4], times[5]])
        let places = try String(contentsOfFile: workshop.state + "/usage.positions", encoding: .utf8)
        #expect(!places.contains("feed"), "only times and places are kept")
    }

    @Test func `a log that can't be learned from is named in status, why and check, until it can`() throws {
        let workshop = try workshop(Self.log)
        let log = workshop.folder + "/access.log"
        #expect(mkfifo(log, 0o644) == 0)
        let said = "com.example.App: \(log) is not a plain file on a disk: Lull learns no uses from it."
        let check = try workshop.lull("check", "--no-plugins").error.unwrapped
        #expect(check.contains("warning: " + said.dropLast()), "\(check)")
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        for command in [["status"], ["why", "com.example.App"]] {
            let words = try workshop.lull(command).output.unwrapped
            #expect(words.contains(said), "\(words)")
        }
        #expect(unlink(log) == 0)
        try append(line(at: time(hoursAgo: 2)), to: "access.log", in: workshop)
        try host.waitForLine(containing: "used com.example.App")
        let words = try workshop.lull("why", "com.example.App").output.unwrapped
        #expect(!words.contains("learns no uses"), "\(words)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `a pass catches up first, and an idle app that was used runs in it`() throws {
        let workshop = try workshop(Self.log)
        let first = try workshop.lull("run", "--once")
        #expect(first.status == 0, "\(first.error)")
        #expect(first.error.contains("there is no log"), "\(first.error)")
        try append(line(at: time(hoursAgo: 60)) + line(at: time(hoursAgo: 2)), to: "access.log", in: workshop)
        let second = try workshop.lull("run", "--once")
        #expect(second.status == 0 && second.error == "", "\(second.error)")
        #expect(try uses(workshop).count == 2)
        #expect(try workshop.lull("run", "--once").status == 0)
        #expect(try uses(workshop).count == 2)
    }

    @Test func `a past of many uses is learned at once`() throws {
        let workshop = try workshop(Self.log)
        let times = (1...100).map { time(hoursAgo: Double($0)) }
        try append(times.reversed().map { line(at: $0) }.joined(), to: "access.log", in: workshop)
        let pass = try workshop.lull("run", "--once")
        #expect(pass.status == 0 && pass.error == "", "\(pass.error)")
        #expect(try uses(workshop) == times.reversed())
        #expect(try workshop.lull("check").status == 0)
    }

    @Test func `opening a file is a use, and the app's own task opening it is none`() throws {
        let workshop = try workshop("{ access: paper.txt }")
        try workshop.write("words", to: "paper.txt")
        let manifest = try String(contentsOfFile: workshop.folder + "/jobs.yaml", encoding: .utf8)
        try workshop.write(
            manifest + "\n      wait: { kind: processing, requires: { idle: false } }\n", to: "jobs.yaml")
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        // An access while a run of the app is under way is ignored.
        #expect(try workshop.lull("launch", "com.example.App.wait", "--no-wait").status == 0)
        _ = try String(contentsOfFile: workshop.folder + "/paper.txt", encoding: .utf8)
        #expect(try workshop.lull("used", "com.example.App", "--at", "2h").status == 0)
        try host.waitForLine(containing: "used com.example.App")
        host.send(SIGTERM)
        #expect(host.end() == 0)
        #expect(try uses(workshop).count == 1)
    }

    @Test func `a journal that is not there is said with a remedy, and the log beside it is followed`() throws
    {
        let workshop = try workshop("{ journal: { unit: feed.service } }\n" + Self.log)
        try append(line(at: time(hoursAgo: 3)), to: "access.log", in: workshop)
        let isThere = try Program.run("/usr/bin/env", ["sh", "-c", "command -v journalctl"]).status == 0
        let pass = try workshop.lull("run", "--once")
        #expect(pass.status == 0)
        #expect(isThere || pass.error.contains("There is no journalctl"), "\(pass.error)")
        #expect(try uses(workshop).count == 1)
    }
}
