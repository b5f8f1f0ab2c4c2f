import Foundation
import Testing

/// `lull night`: what became of each task, from the history, with no host running.
struct NightTests {
    private func workshop() throws -> Workshop {
        let workshop = try Workshop(
            tasks:
                """
                version: 1
                apps:
                  com.example.App:
                    plugin: Tasks
                    idle_after: never
                    tasks:
                      succeed: { kind: processing }
                      talk: { kind: processing }
                      wait: { kind: processing }
                      fail: { kind: processing, repeat: 1h, enabled: false }
                """)
        return workshop
    }

    /// What is looked at ended then, whenever the test runs.
    private static let end = "2026-03-05T09:00:00Z"

    /// One line of a history, so many hours before that.
    private func line(_ hoursBefore: Double, _ event: String, _ task: String, _ more: String) throws -> String
    {
        let formatter = ISO8601DateFormatter()
        let end = try #require(formatter.date(from: Self.end))
        let time = formatter.string(from: end - hoursBefore * 3600)
        return """
            {"time":"\(time)","event":"\(event)","app":"com.example.App","task":"com.example.App.\(task)",\(more)}

            """
    }

    @Test func `the night says what ran, and for what everything else waited`() throws {
        let workshop = try workshop()
        try workshop.write(
            try line(30, "submitted", "succeed", #""request":1,"kind":"processing""#)
                + line(
                    30, "deferred", "succeed",
                    #""request":1,"gates":["network"],"reason":"network: there is none""#)
                + line(3, "launched", "talk", #""run":1"#)
                + line(5, "launched", "renamed", #""run":2"#)
                + line(5, "completed", "renamed", #""run":2,"outcome":"succeeded""#)
                + line(2, "failed", "talk", #""run":1,"outcome":"crashed","reason":"signal 11""#),
            to: "night.jsonl")
        #expect(try workshop.lull("history", "import", "night.jsonl").status == 0)

        let short = try workshop.lull("night", "--span", "day", "--before", Self.end)
        #expect(
            short.output.contains("2 (com.example.App.wait, com.example.App.fail) had nothing due"),
            "\(short.output)")
        let night = try workshop.lull("night", "--span", "day", "--all", "--before", Self.end)
        #expect(night.status == 0, "\(night.error)")
        for words in [
            "com.example.App.succeed  did not run  no network all the time",
            "com.example.App.talk     failed",
            "crashed, signal 11", "It is no longer in the manifest",
            "com.example.App.wait     –            nobody asked for it all the time",
            "com.example.App.fail     –            disabled all the time",
        ] {
            #expect(night.output.contains(words), "\(words)\n\(night.output)")
        }
        let hours = try workshop.lull(
            "night", "com.example.App.succeed", "--span", "day", "--before", Self.end)
        #expect(hours.output.contains("network: there is none"), "\(hours.output)")
        let json = try workshop.lull("night", "--json", "--before", Self.end)
        #expect(json.output.contains("\"result\" : \"held\""), "\(json.output)")
    }

    @Test func `a task that is none is named, and a span that is none refused`() throws {
        let workshop = try workshop()
        let none = try workshop.lull("night", "com.example.App.nobody")
        #expect(none.status == 1)
        #expect(none.error.contains("com.example.App.nobody is no task of this host"), "\(none.error)")
        #expect(try workshop.lull("night", "--span", "decade").status == 64)
        let early = try workshop.lull("night", "--before", "9000-01-01")
        #expect(early.status == 1 && early.error.contains("has not come"), "\(early.error)")
        #expect(try workshop.lull("night").output.contains("Nothing has been recorded"))
    }
}
