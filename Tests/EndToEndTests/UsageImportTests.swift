import Foundation
import TestSupport
import Testing

/// `lull usage import`: the past uses of an app from a log, a table, JSON Lines and a Git repository.
struct UsageImportTests {
    private static let app = "com.example.App"
    private static let manifest = """
        version: 1
        apps:
          com.example.App:
            plugin: Tasks
            usage: manual
            tasks:
              succeed: { kind: processing, repeat: 1h, requires: { idle: false } }
        """

    private func workshop() throws -> Workshop {
        let workshop = try Workshop(tasks: Self.manifest)
        return workshop
    }

    /// Three sessions of the last days, the oldest first; the newest was two hours ago.
    private let times = [50, 26, 2].map { Date(timeIntervalSinceNow: -Double($0) * 3600) }

    private func common(_ time: Date) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "dd/MMM/yyyy:HH:mm:ss Z"
        return "192.0.2.7 - - [\(format.string(from: time))] \"GET /feed HTTP/1.1\" 200 5"
    }

    private func seconds(_ time: Date) -> String { String(Int(time.timeIntervalSince1970)) }

    /// The times of the uses in the history, to the second, the oldest first.
    private func uses(_ workshop: Workshop) throws -> [String] {
        let result = try workshop.lull("history", "--event", "used", "--json")
        return try result.output.split(separator: "\n").map { line in
            let event = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(Set(event.keys) == ["time", "event", "app"], "only times are kept")
            let text = try #require(event["time"] as? String)
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            return seconds(try style.parse(text))
        }
    }

    private func importsOnce(_ workshop: Workshop, _ arguments: String...) throws {
        let first = try workshop.lull(["usage", "import"] + arguments)
        #expect(first.status == 0, "\(first.error)")
        #expect(first.output.contains("3 sessions of com.example.App"), "\(first.output)")
        #expect(first.output.contains("Imported 3 uses."), "\(first.output)")
        #expect(first.output.contains("com.example.App stops in 6 d 2"), "\(first.output)")
        #expect(first.error == "")
        #expect(try uses(workshop) == times.map(seconds))
        let second = try workshop.lull(["usage", "import"] + arguments)
        #expect(second.status == 0)
        #expect(second.output.contains("Imported 0 uses; 3 were there already."), "\(second.output)")
        #expect(try uses(workshop) == times.map(seconds))
        #expect(try workshop.lull("status").output.contains(/2 h( \d+ min)? ago/))
    }

    @Test func `a log in the common log format is imported once`() throws {
        let workshop = try workshop()
        var lines = times.map(common)
        lines.insert(common(times[0] + 600), at: 1)
        lines.append(common(times[2]).replacing("/feed", with: "/other"))
        try workshop.write(lines.joined(separator: "\n") + "\n", to: "access.log")
        try importsOnce(workshop, Self.app, "access.log", "--match", "GET /feed ")
    }

    @Test func `JSON Lines are imported once`() throws {
        let workshop = try workshop()
        let lines = times.map { #"{"kim":"secret","opened":{"at":"\#($0.ISO8601Format())"}}"# }
        try workshop.write(lines.joined(separator: "\n"), to: "events.jsonl")
        try importsOnce(workshop, Self.app, "events.jsonl", "--field", "opened.at")
    }

    @Test func `a table that names its apps is imported once`() throws {
        let workshop = try workshop()
        let rows = times.map { "App,\(seconds($0)),60" }
        try workshop.write(
            (["app,unix_seconds,utc_offset_minutes"] + rows).joined(separator: "\n"), to: "uses.csv")
        #expect(try Program.run("/usr/bin/env", ["gzip", "uses.csv"], in: workshop.folder).status == 0)
        try importsOnce(workshop, "uses.csv.gz", "--prefix", "com.example")
    }

    @Test func `a Git repository's commits are imported once`() throws {
        let workshop = try workshop()
        let repository = workshop.folder + "/notes"
        let git = ["git", "-c", "user.name=kim", "-c", "user.email=kim@example.com"]
        #expect(try Program.run("/usr/bin/env", ["git", "init", "-q", repository]).status == 0)
        for time in times {
            let date = "GIT_COMMITTER_DATE=\(seconds(time)) +0000"
            let commit = ["commit", "-q", "--allow-empty", "-m", "x"]
            let result = try Program.run("/usr/bin/env", [date] + git + commit, in: repository)
            #expect(result.status == 0, "\(result.error)")
        }
        try importsOnce(workshop, Self.app, "notes", "--format", "git", "--author", "kim@example.com")
    }

    @Test func `standard input is read, and a dry run changes nothing`() throws {
        let workshop = try workshop()
        let input = times.map(common).joined(separator: "\n")
        let dry = try workshop.lull("usage", "import", Self.app, "-", "--dry-run", input: input)
        #expect(dry.status == 0, "\(dry.error)")
        #expect(dry.output.contains("Would import 3 uses. Nothing was changed"), "\(dry.output)")
        #expect(try workshop.lull("history", "--json").output == "")
        let result = try workshop.lull("usage", "import", Self.app, "--json", input: input)
        let answer = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(answer["imported_count"] as? Int == 3)
        #expect(answer["format"] as? String == "common")
        #expect(try uses(workshop) == times.map(seconds))
    }

    @Test func `bad lines are named and the good ones imported, unless it is strict`() throws {
        let workshop = try workshop()
        try workshop.write("time\n\(seconds(times[0]))\nnoon\n99999999999\n", to: "uses.csv")
        let strict = try workshop.lull("usage", "import", Self.app, "uses.csv", "--strict")
        #expect(strict.status == 1)
        #expect(
            strict.error.contains("uses.csv:3:1: error: 'noon' is not a time: expected"), "\(strict.error)")
        #expect(strict.error.contains("uses.csv:4:1: error: 5138-11-16T09:46:39Z is in the future."))
        #expect(try workshop.lull("history", "--json").output == "")
        let result = try workshop.lull("usage", "import", Self.app, "uses.csv")
        #expect(result.status == 0)
        #expect(result.error.contains("uses.csv:3:1: error:"))
        #expect(result.output.contains("Imported 1 use."), "\(result.output)")
        #expect(result.output.contains("2 are wrong"), "\(result.output)")
        #expect(try uses(workshop) == [seconds(times[0])])
    }

    @Test func `an app that went idle is open again`() throws {
        let workshop = try workshop()
        try workshop.lull("used", Self.app, "--at", "9d")
        #expect(try workshop.lull("status").output.contains("idle: not launched"))
        let result = try workshop.lull("usage", "import", Self.app, "-", input: seconds(times[2]))
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.contains("com.example.App is open again."), "\(result.output)")
    }

    @Test func `an app whose last use lies too far back is said to be idle`() throws {
        let workshop = try workshop()
        let old = seconds(Date(timeIntervalSinceNow: -9 * 86400))
        let result = try workshop.lull("usage", "import", Self.app, "-", input: old)
        #expect(
            result.output.contains("com.example.App is idle: not launched until it is used again."),
            "\(result.output)")
    }

    @Test func `a running host takes the uses in`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run")
        try host.waitForLine(containing: "discovered com.example.App")
        let input = times.map(common).joined(separator: "\n")
        let result = try workshop.lull("usage", "import", Self.app, "-", input: input)
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.contains("Imported 3 uses."), "\(result.output)")
        #expect(try uses(workshop).suffix(3) == times.map(seconds)[...])
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `what can't be meant is refused with a sentence`() throws {
        let workshop = try workshop()
        let slip = try workshop.lull("usage", "import", "com.example.Ap", "-", input: seconds(times[2]))
        #expect(slip.status == 0)
        #expect(
            slip.error.contains("warning: No app com.example.Ap in jobs.yaml. Did you mean com.example.App?"),
            "\(slip.error)")
        // A file may be named like an app's identifier.
        let lone = try workshop.lull("usage", "import", "none.log")
        #expect(lone.error.contains("warning: No app none.log in jobs.yaml."), "\(lone.error)")
        #expect(lone.output == "standard input is empty: there is nothing to import.\n")
        for (arguments, sentence) in [
            (["logs/none"], "'logs/none' is neither a file nor an app"),
            ([Self.app, "none.log"], "none.log: the file can't be read"),
            ([Self.app, "jobs.yaml"], "does not show which format this is"),
            ([Self.app, "jobs.yaml", "--zone", "Mars"], "No time zone is named 'Mars'"),
            ([Self.app, "jobs.yaml", "--format", "xml"], "xml"),
        ] {
            let result = try workshop.lull(["usage", "import"] + arguments)
            #expect(result.status != 0, "\(arguments)")
            #expect(result.error.contains(sentence), "\(arguments): \(result.error)")
        }
    }
}
