import Foundation
import TestSupport
import Testing

/// `lull forecast`, from imported uses to the map and the JSON.
struct ForecastCommandTests {
    private static let app = "com.example.App"

    /// A workshop whose app was used at 08:30 UTC of each weekday of the last four weeks, up to now: the habit is unbroken at
    /// any hour.
    private static func workshop(used: Bool = true) throws -> Workshop {
        let workshop = try Workshop(
            tasks:
                """
                version: 1
                apps:
                  com.example.App:
                    plugin: Tasks
                    usage: manual
                    tasks:
                      succeed: { kind: refresh, repeat: 15m }
                  com.example.Other:
                    plugin: Tasks
                    idle_after: never
                    tasks:
                      talk: { kind: processing }
                """)
        guard used else { return workshop }
        let day = 86400.0
        let hour = 8.5 * 3600
        // The day of the last 08:30.
        let last = ((Date().timeIntervalSince1970 - hour) / day).rounded(.down)
        let lines = (0..<28).reversed().compactMap { back -> String? in
            let time = Date(timeIntervalSince1970: (last - Double(back)) * day + hour)
            // Day 0 was a Thursday.
            let weekday = (Int(last) - back + 3) % 7
            guard weekday < 5 else { return nil }
            let stamp = ISO8601DateFormatter().string(from: time)
            return "{\"time\":\"\(stamp)\",\"event\":\"used\",\"app\":\"\(app)\"}"
        }
        try workshop.write(lines.joined(separator: "\n") + "\n", to: "uses.jsonl")
        let imported = try workshop.lull("history", "import", workshop.folder + "/uses.jsonl")
        #expect(imported.status == 0, "\(imported.error)")
        return workshop
    }

    private static func object(_ result: Program.Result) throws -> [String: Any] {
        #expect(result.status == 0, "\(result.error)")
        return try #require(
            JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any],
            "\(result.output)")
    }

    /// Imported uses are at hours of UTC, so the map is in UTC, too.
    private static func inUTC(_ workshop: Workshop, _ arguments: String...) throws -> Program.Result {
        try Program.run(
            "/usr/bin/env",
            ["TZ=UTC", Workshop.products.appendingPathComponent("lull").path] + arguments
                + ["--state", workshop.state, "--plugins", workshop.folder + "/plugins"],
            in: workshop.folder)
    }

    @Test func `a habit is the darkest hour of each weekday, in JSON`() throws {
        let workshop = try Self.workshop()
        let report = try Self.object(Self.inUTC(workshop, "forecast", Self.app, "--json"))
        let hours = try #require(report["hours"] as? [Double])
        #expect(hours.count == 168)
        for day in 0..<5 {
            let one = hours[day * 24..<day * 24 + 24]
            #expect(one.indices.max { one[$0] < one[$1] } == day * 24 + 8)
        }
        #expect(hours[5 * 24 + 8] < hours[8] / 2 && hours[6 * 24 + 8] < hours[8] / 2)
        #expect(report["relied_on"] as? Bool == true)
        let uses = try #require(report["uses"] as? [String: Any])
        #expect(uses["count"] as? Int == 20)
        #expect((uses["since"] as? String)?.hasSuffix("T08:30:00.000Z") == true)
        let within = try #require(report["uses_within"] as? [[String: Any]])
        let chances = within.compactMap { $0["probability"] as? Double }
        #expect(
            chances.count == 4 && chances == chances.sorted() && chances.allSatisfy { (0...1).contains($0) })
        #expect(within.first?["ms"] as? Int == 3_600_000)
        let likely = try #require(report["likely_uses"] as? [[String: Any]])
        #expect(!likely.isEmpty)
        let refreshes = try #require(report["refreshes"] as? [[String: Any]])
        #expect(refreshes.count == 1)
        #expect(refreshes[0]["task"] as? String == "com.example.App.succeed")
    }

    @Test func `a habit is a dark column in the map, and no escape sequence goes to a file`() throws {
        let workshop = try Self.workshop()
        let result = try Self.inUTC(workshop, "forecast", Self.app)
        #expect(result.status == 0, "\(result.error)")
        let lines = result.output.components(separatedBy: "\n")
        for day in ["Mon", "Tue", "Wed", "Thu", "Fri"] {
            let line = try #require(lines.first { $0.hasPrefix(day) && !$0.contains(":") })
            let cells = Array(line.dropFirst(5))
            // Some weekday is further off than others, and less sure, depending on today's.
            let shades = Array(" ░▒▓█")
            let darkest = cells.compactMap(shades.firstIndex).max() ?? 0
            #expect(darkest >= 2 && cells.count >= 27, "\(line)")
            #expect(cells[24..<27].allSatisfy { $0 == shades[darkest] }, "\(line)")
        }
        for day in ["Sat", "Sun"] {
            let line = try #require(lines.first { $0.hasPrefix(day) && !$0.contains(":") })
            #expect(!line.contains("█"))
        }
        #expect(result.output.contains("20 uses since"), "\(result.output)")
        #expect(!result.output.contains("\u{1B}"))
        #expect(result.output.contains("uses an hour"))
    }

    @Test func `the brief has a line for each app`() throws {
        let workshop = try Self.workshop()
        let result = try workshop.lull("forecast")
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.contains("com.example.App ") && result.output.contains("com.example.Other"))
        #expect(result.output.contains("nothing is known"))
        let json = try workshop.lull("forecast", "--json")
        let apps = try #require(
            JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
        #expect(apps.compactMap { $0["app"] as? String } == ["com.example.App", "com.example.Other"])
        #expect(apps[0]["next_use"] != nil && apps[1]["next_use"] == nil)
    }

    @Test func `with an empty history it says that nothing is known`() throws {
        let workshop = try Self.workshop(used: false)
        let result = try workshop.lull("forecast", Self.app)
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.contains("Nothing is known yet"), "\(result.output)")
        #expect(result.output.contains("lull used com.example.App"))
        #expect(result.output.contains("stands out"))
        let report = try Self.object(workshop.lull("forecast", Self.app, "--json"))
        #expect(report["relied_on"] as? Bool == false)
        #expect((report["likely_uses"] as? [Any])?.isEmpty == true)
        #expect(!FileManager.default.fileExists(atPath: workshop.state + "/history.sqlite"))
    }

    @Test func `a few uses are called little`() throws {
        let workshop = try Self.workshop(used: false)
        try workshop.lull("used", Self.app)
        let result = try workshop.lull("forecast", Self.app)
        #expect(result.output.contains("Little is known yet: 1 use, the last"), "\(result.output)")
    }

    @Test(arguments: [
        (command: ["forecast", "com.example.Ap"], status: 1, words: "Did you mean com.example.App?"),
        (command: ["forecast", "nonsense"], status: 1, words: "No app is called nonsense."),
    ])
    func `what can't be answered is refused with a way out`(
        command: [String], status: Int32, words: String
    ) throws {
        let result = try Self.workshop(used: false).lull(command)
        #expect(result.status == status)
        #expect(result.error.contains(words), "\(result.error)")
    }

    @Test func `a running host gives the same answer as its state without it`() throws {
        let workshop = try Self.workshop()
        let host = try workshop.start("run")
        try host.waitForLine(containing: "completed com.example.App.succeed")
        let with = try Self.object(workshop.lull("forecast", Self.app, "--json"))
        host.send(SIGTERM)
        _ = host.end()
        let without = try Self.object(workshop.lull("forecast", Self.app, "--json"))
        #expect(Set(with.keys) == Set(without.keys))
        for key in ["app", "zone", "relied_on", "needed_evidence"] {
            #expect("\(with[key] ?? "")" == "\(without[key] ?? "")")
        }
        let hours = [with, without].compactMap { $0["hours"] as? [Double] }
        // The two commands ran seconds apart, so their quarter-hours differ a little.
        #expect(hours.count == 2 && zip(hours[0], hours[1]).allSatisfy { abs($0 - $1) < 0.5 })
        #expect(hours.count == 2 && abs(hours[0].reduce(0, +) - hours[1].reduce(0, +)) < 0.1)
    }
}
