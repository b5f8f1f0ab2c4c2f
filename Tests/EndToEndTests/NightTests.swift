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

    /// One line of a history, so many hours ago.
    private func line(_ hoursAgo: Double, _ event: String, _ task: String, _ more: String) -> String {
        let formatter = ISO8601DateFormatter()
        let time = formatter.string(from: Date(timeIntervalSinceNow: -hoursAgo * 3600))
        return """
            {"time":"\(time)","event":"\(event)","app":"com.example.App","task":"com.example.App.\(task)",\(more)}

            """
    }

    @Test func `the night says what ran, and for what everything else waited`() throws {
        let workshop = try workshop()
        try workshop.write(
            line(30, "submitted", "succeed", #""request":1,"kind":"processing""#)
                + line(
                    30, "deferred", "succeed",
                    #""request":1,"gates":["network"],"reason":"network: there is none""#)
                + line(3, "launched", "talk", #""run":1"#)
                + line(2, "failed", "talk", #""run":1,"outcome":"crashed","reason":"signal 11""#),
            to: "night.jsonl")
        #expect(try workshop.lull("history", "import", "night.jsonl").status == 0)

        let short = try workshop.lull("night", "--span", "day")
        #expect(
            short.output.contains("2 (com.example.App.wait, com.example.App.fail) had nothing to do"),
            "\(short.output)")
        let night = try workshop.lull("night", "--span", "day", "--all")
        #expect(night.status == 0, "\(night.error)")
        for words in [
            "com.example.App.succeed  did not run  no network all the time",
            "com.example.App.talk     failed",
            "crashed, signal 11", "com.example.App.wait     –            nobody asked for it all the time",
            "com.example.App.fail     –            disabled all the time",
        ] {
            #expect(night.output.contains(words), "\(words)\n\(night.output)")
        }
        let hours = try workshop.lull("night", "com.example.App.succeed", "--span", "day")
        #expect(hours.output.contains("network: there is none"), "\(hours.output)")
        let json = try workshop.lull("night", "--json")
        #expect(json.output.contains("\"result\" : \"held\""), "\(json.output)")
    }

    @Test func `a task that is none is named, and a span that is none refused`() throws {
        let workshop = try workshop()
        let none = try workshop.lull("night", "com.example.App.nobody")
        #expect(none.status == 1)
        #expect(none.error.contains("com.example.App.nobody is no task of this host"), "\(none.error)")
        #expect(try workshop.lull("night", "--span", "decade").status == 64)
        #expect(try workshop.lull("night").output.contains("Nothing has been recorded"))
    }
}
