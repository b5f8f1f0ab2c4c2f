import Foundation
import TestSupport
import Testing

/// `lull why` looks ahead, with what the forecasts learned from the history.
struct WhyOutlookTests {
    private static let task = "com.example.App.succeed"

    private func workshop(_ entry: String) throws -> Workshop {
        let workshop = try Workshop(
            tasks:
                """
                version: 1
                apps:
                  com.example.App:
                    plugin: Tasks
                    idle_after: never
                    tasks:
                      succeed: \(entry)
                """)
        try workshop.runOnBattery()
        return workshop
    }

    /// Runs the host once, so that the app is discovered and makes its first request.
    private func pass(_ workshop: Workshop) throws {
        #expect(
            try workshop.lull("run", "--once", "jobs.yaml", "--sysfs", workshop.folder + "/sys").status == 0)
    }

    private func why(_ workshop: Workshop, _ more: String...) throws -> Program.Result {
        try workshop.lull(["why", Self.task, "--sysfs", workshop.folder + "/sys"] + more)
    }

    /// Four weeks in which power came and went every quarter of an hour, as events that the host writes.
    private func flicker(_ workshop: Workshop) throws {
        let formatter = ISO8601DateFormatter()
        let now = Date().timeIntervalSince1970
        var lines = ""
        for number in stride(from: 28 * 24, to: 0, by: -1) {
            let time = formatter.string(from: Date(timeIntervalSince1970: now - Double(number) * 3600))
            lines +=
                #"{"time":"\#(time)","event":"conditions","app":"host","ms":3600000,"#
                + #""shares":{"external_power":0.5},"gates":["external_power"]}"# + "\n"
        }
        try workshop.write(lines, to: "past.jsonl")
        let result = try workshop.lull("history", "import", workshop.folder + "/past.jsonl")
        #expect(result.status == 0, "\(result.error)")
    }

    @Test func `with too little history it says so, and gives no number`() throws {
        let workshop = try workshop(
            "{ kind: processing, repeat: 1h, requires: { external_power: true, idle: false } }")
        try pass(workshop)
        let text = try why(workshop, "--all").output.unwrapped
        #expect(
            text.contains(
                "No host is running, and no likelihood can be given: too little is known yet of "
                    + "when external_power opens ("), "\(text)")
        #expect(text.contains("To run it now: launch it with `lull launch \(Self.task) --state "))
        #expect(
            text.contains(
                "To have it run now by itself: take out `external_power` under the `requires` of the task at jobs.yaml:7."
            ))
        #expect(!text.contains("with over"))
    }

    @Test func `what was learned of the power makes likelihoods`() throws {
        let workshop = try workshop(
            "{ kind: processing, repeat: 1h, requires: { external_power: true, idle: false } }")
        try flicker(workshop)
        try pass(workshop)
        let text = try why(workshop, "--by", "3h").output.unwrapped
        let clock = #"(?:tomorrow )?\d\d:\d\d"#
        let opening = try Regex("50 % likely to open by \(clock), 90 % by \(clock)\\.")
        #expect(text.contains(opening), "\(text)")
        let chances = try Regex(
            "it is (\\d\\d|over 99) % likely to run within 1 h, over 99 % within 6 h, over 99 % by tomorrow \(clock), "
                + "over 99 % by [\\w ]+ \(clock)\\. It is 90 % likely to have run by \(clock)\\. It is "
                + "(\\d\\d|over 99) % likely to run by \(clock)\\.")
        #expect(text.contains(chances), "\(text)")
    }

    @Test func `JSON carries all of it`() throws {
        let workshop = try workshop(
            "{ kind: processing, repeat: 1h, requires: { external_power: true, idle: false } }")
        try flicker(workshop)
        try pass(workshop)
        let result = try why(workshop, "--json", "--by", "3h")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(object["may_run"] as? Bool == false)
        let outlook = try #require(object["outlook"] as? [String: Any])
        let openings = try #require(outlook["openings"] as? [[String: Any]])
        #expect(openings.map { $0["gate"] as? String } == ["external_power"])
        #expect(openings.map { $0["opens"] as? String } == ["likely"])
        #expect(openings[0]["half_by"] is String)
        let chances = try #require(outlook["chances"] as? [[String: Any]])
        #expect(chances.compactMap { $0["ms"] as? Int } == [3_600_000, 21_600_000, 86_400_000, 604_800_000])
        #expect(chances.allSatisfy { $0["probability"] is Double || $0["probability"] is Int })
        #expect(outlook["needs_host"] as? Bool == true)
        #expect(outlook["asked_chance"] is [String: Any])
        let now = try #require(outlook["now"] as? [[String: Any]])
        #expect(now.map { $0["change"] as? String } == ["launch it with `lull launch \(Self.task)`"])
    }

    @Test func `what time alone opens is exact`() throws {
        let workshop = try workshop("{ kind: processing, repeat: 30d, requires: { idle: false } }")
        try pass(workshop)
        let text = try why(workshop).output.unwrapped
        #expect(
            text.contains(/It runs on \d+ \w+ at \d\d:\d\d, in 29 d 23 h: only time holds it back\./)
                == false)
        #expect(text.contains("it is under 1 % likely to run within 7 d."), "\(text)")
        let later = try why(workshop, "--by", "30d").output.unwrapped
        #expect(later.contains("only time holds it back. It is "), "\(later)")
    }

    @Test func `a time that has passed is refused with a remedy`() throws {
        let workshop = try workshop("{ kind: processing, repeat: 1h, requires: { idle: false } }")
        let past = try why(workshop, "--by", "2020-01-01 00:00")
        #expect(past.status == 1)
        #expect(
            past.error.contains("`--by` has passed. Give a future time, such as `--by 6h`."), "\(past.error)"
        )
        let far = try why(workshop, "--by", "31d")
        #expect(far.error.contains("`--by` is more than 30 days ahead."), "\(far.error)")
    }

    @Test func `a host that runs records when conditions held`() throws {
        let workshop = try workshop(
            "{ kind: processing, repeat: 1h, requires: { external_power: true, idle: false } }")
        let host = try workshop.start("run", "jobs.yaml", "--sysfs", workshop.folder + "/sys")
        try host.waitForLine(containing: "deferred \(Self.task)")
        let text = try why(workshop).output.unwrapped
        #expect(
            text.contains("No likelihood can be given") || text.contains("no likelihood can be given"),
            "\(text)")
        #expect(!text.contains("No host is running"))
        host.send(SIGTERM)
        #expect(host.end() == 0)
        let history = try workshop.lull("history", "--json").output
        #expect(history.contains(#""event":"conditions""#), "\(history)")
    }
}
