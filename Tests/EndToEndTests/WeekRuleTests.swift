import Foundation
import TestSupport
import Testing

/// The week rule through the command line, on an imported history.
struct WeekRuleTests {
    private static let manifest = """
        version: 1
        apps:
          com.example.App:
            plugin: Tasks
            usage: manual
            tasks:
              succeed: { kind: processing, repeat: 1h, requires: { idle: false } }
        """

    private func workshop(lastUse ago: TimeInterval) throws -> Workshop {
        let workshop = try Workshop(tasks: Self.manifest)
        let lines = (0..<5).map { day in
            let time = Date(timeIntervalSinceNow: -ago - Double(day) * 86400)
            return #"{"time":"\#(time.ISO8601Format())","event":"used","app":"com.example.App"}"#
        }
        try workshop.write(lines.joined(separator: "\n") + "\n", to: "uses.jsonl")
        let result = try workshop.lull("history", "import", "uses.jsonl")
        #expect(result.status == 0, "\(result.error)")
        return workshop
    }

    @Test func `an app whose uses end eight days ago is idle, and a use brings it back`() throws {
        let workshop = try workshop(lastUse: 8 * 86400)
        let why = try workshop.lull("why", "com.example.App.succeed")
        #expect(why.status == 0)
        #expect(why.output.contains("idle_app"))
        let gate = try #require(why.output.split(separator: "\n").first { $0.contains("idle_app") })
        #expect(gate.contains("closed"))
        #expect(why.output.contains("lull used com.example.App"))
        let pass = try workshop.lull("run", "--once")
        #expect(pass.status == 0)
        #expect(pass.output.contains("0 ran, 0 failed, 1 idle. "), "\(pass.output)")

        #expect(try workshop.lull("used", "com.example.App").status == 0)
        let after = try workshop.lull("why", "com.example.App.succeed", "--all")
        let open = try #require(after.output.split(separator: "\n").first { $0.contains("idle_app") })
        #expect(open.contains("open"))
        let second = try workshop.lull("run", "--once")
        #expect(second.output.contains("did what it was asked"), "\(second.output)\(second.error)")
    }

    @Test func `an app used six days and 23 hours ago is not idle`() throws {
        let workshop = try workshop(lastUse: 6 * 86400 + 23 * 3600)
        let why = try workshop.lull("why", "com.example.App.succeed")
        let gate = try #require(why.output.split(separator: "\n").first { $0.contains("idle_app") })
        #expect(gate.contains("open"))
    }

    @Test func `a bad line is named and nothing of its file is imported`() throws {
        let workshop = try workshop(lastUse: 3600)
        let before = try workshop.lull("history", "--json").output
        try workshop.write(
            """
            {"time":"2026-01-01T00:00:00Z","event":"used","app":"com.example.App"}
            {"time":"2026-01-01T00:00:00Z","event":"usd","app":"com.example.App"}

            """, to: "bad.jsonl")
        let result = try workshop.lull("history", "import", "bad.jsonl")
        #expect(result.status == 1)
        #expect(result.error.contains("bad.jsonl:2:"))
        #expect(try workshop.lull("history", "--json").output == before)
    }
}
