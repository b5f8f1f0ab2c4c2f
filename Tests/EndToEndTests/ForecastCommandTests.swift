import Foundation
import Testing

/// `lull forecast`, from imported uses to the map, the JSON and the chart.
struct ForecastCommandTests {
    private static let app = "com.example.App"

    /// A workshop whose app was used at 08:30 UTC of each weekday of the last four weeks, seen from now.
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
        let today = (Date().timeIntervalSince1970 / day).rounded(.down)
        let lines = (1...28).reversed().compactMap { back -> String? in
            let time = Date(timeIntervalSince1970: (today - Double(back)) * day + 8.5 * 3600)
            // Day 0 was a Thursday.
            let weekday = (Int(today) - back + 3) % 7
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

    /// Imported uses are at hours of UTC; so is the map then.
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
            #expect(cells.count >= 27 && String(cells[24..<27]) == "███", "\(line)")
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
        (command: ["forecast", "--plot", "week.svg"], status: 64, words: "--plot draws one app"),
        (
            command: ["forecast", "com.example.App", "--plot", "week.gif"], status: 64,
            words: "such as week.svg"
        ),
        (
            command: ["forecast", "com.example.App", "--plot", "nowhere/week.svg"], status: 1,
            words: "Can't write nowhere/week.svg"
        ),
    ])
    func `what can't be answered is refused with a way out`(
        command: [String], status: Int32, words: String
    ) throws {
        let result = try Self.workshop(used: false).lull(command)
        #expect(result.status == status)
        #expect(result.error.contains(words), "\(result.error)")
    }

    @Test func `the chart is an SVG beside the answer`() throws {
        let workshop = try Self.workshop()
        let result = try workshop.lull("forecast", Self.app, "--plot", "week.svg", "--json")
        _ = try Self.object(result)
        let svg = try String(contentsOfFile: workshop.folder + "/week.svg", encoding: .utf8)
        #expect(svg.hasPrefix("<?xml"))
        #expect(svg.contains("When com.example.App is used"))
        #expect(svg.contains("The busiest hours begin on"))
    }

    private static let converts = FileManager.default.isExecutableFile(atPath: "/usr/bin/rsvg-convert")

    @Test(.enabled(if: converts, "librsvg2-bin is not installed"))
    func `a PNG is made of it where the program is there`() throws {
        let workshop = try Self.workshop()
        let result = try workshop.lull("forecast", Self.app, "--plot", "week.png")
        #expect(result.status == 0, "\(result.error)")
        let png = try Data(contentsOf: URL(fileURLWithPath: workshop.folder + "/week.png"))
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test func `a PNG without its program names the package and the SVG`() throws {
        let workshop = try Self.workshop(used: false)
        let result = try Program.run(
            "/usr/bin/env",
            [
                "PATH=/nowhere", Workshop.products.appendingPathComponent("lull").path, "forecast", Self.app,
                "--plot", "week.png", "--state", workshop.state, "--plugins", workshop.folder + "/plugins",
            ], in: workshop.folder)
        #expect(result.status == 1)
        #expect(result.error.contains("librsvg2-bin") && result.error.contains(".svg"), "\(result.error)")
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
        #expect(hours.count == 2 && hours[0] == hours[1])
    }
}
