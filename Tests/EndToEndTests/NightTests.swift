import Foundation
import Glibc
import TestSupport
import Testing

/// `lull night`: the outcome of each task, from the history, with no host running.
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

    /// The end of the night in question, whenever the test runs.
    private static let end = "2026-03-05T09:00:00Z"

    /// One line of a history, this many hours before the end.
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

    /// Writes the file `seen`, as a host that was last alive `ago` seconds ago.
    private func leave(_ workshop: Workshop, _ manner: String, _ ago: Double) throws {
        let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        func clock(_ id: clockid_t) -> Int {
            var time = timespec()
            clock_gettime(id, &time)
            return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
        }
        let asleep = max(0, clock(CLOCK_BOOTTIME) - clock(CLOCK_MONOTONIC))
        let time = ISO8601DateFormatter().string(from: Date() - ago)
        try "\(boot) \(time) \(asleep) \(time) \(manner)\n"
            .write(toFile: workshop.state + "/seen", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: workshop.state + "/seen")
    }

    @Test func `while no host runs, and after the next has begun, the night says so and names what it cost`()
        throws
    {
        let workshop = try workshop()
        func line(_ ago: Double, _ event: String, _ task: String, _ more: String) -> String {
            let time = ISO8601DateFormatter().string(from: Date() - ago * 60)
            return
                #"{"time":"\#(time)","event":"\#(event)","app":"com.example.App","task":"com.example.App.\#(task)",\#(more)}"#
                + "\n"
        }
        let begin = ISO8601DateFormatter().string(from: Date() - 60 * 60)
        try workshop.write(
            line(
                240, "submitted", "succeed",
                #""request":1,"kind":"processing","origin":"operator","earliest_begin":"\#(begin)""#)
                + line(200, "launched", "wait", #""request":2,"run":1"#),
            to: "night.jsonl")
        #expect(try workshop.lull("history", "import", "night.jsonl").status == 0)
        try leave(workshop, "running", 5400)

        let before = try workshop.lull("night", "--span", "day")
        for words in [
            "No host is known to have run from", "it was killed or crashed",
            "com.example.App.succeed did not run",
            "com.example.App.wait cut short", "and was cut off with its host, last seen at",
        ] {
            #expect(before.output.unwrapped.contains(words), "\(words)\n\(before.output)")
        }
        #expect(!before.output.contains("still runs"), "\(before.output)")
        #expect(
            try workshop.lull("status").output.unwrapped.contains("the last one was killed or crashed at"))
        let why = try workshop.lull("why", "succeed").output.unwrapped
        #expect(why.contains("It was due ") && why.contains("no host is known to have run from"), "\(why)")

        #expect(try workshop.lull("run", "--once").status == 0)
        let absent = try workshop.lull("history", "--json", "--event", "absent").output
        #expect(absent.contains(#""absence":"lost""#), "\(absent)")
        let after = try workshop.lull("night", "--span", "day").output.unwrapped
        #expect(
            after.contains("No host is known to have run from") && !after.contains("still runs"), "\(after)")
        #expect(after.contains("com.example.App.succeed ran") && after.contains("It was due at"), "\(after)")
    }

    @Test func `a task that is none is named, and a span that is none refused`() throws {
        let workshop = try workshop()
        let none = try workshop.lull("night", "com.example.App.nobody")
        #expect(none.status == 1)
        #expect(none.error.contains("com.example.App.nobody is not a task of this host"), "\(none.error)")
        #expect(try workshop.lull("night", "--span", "decade").status == 64)
        let early = try workshop.lull("night", "--before", "9000-01-01")
        #expect(early.status == 1 && early.error.contains("is in the future"), "\(early.error)")
        #expect(try workshop.lull("night").output.contains("Nothing has been recorded"))
    }
}
