import Foundation
import LullModel
import Testing

@testable import LullCommands
@testable import lull

struct TimeArgumentTests {
    private func calendar() throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 3600))
        return calendar
    }

    /// At 2026-11-21 12:00 in a zone an hour east of UTC.
    private func read(_ text: String, ahead: Bool) throws -> String {
        let now = WallTime(milliseconds: 1_795_258_800_000)
        let argument = try #require(TimeArgument(argument: text), "\(text)")
        let time = try argument.time(ahead: ahead, now: now, in: calendar())
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = try calendar().timeZone
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        return formatter.string(from: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000))
    }

    @Test(arguments: [
        ("19:40", true, "2026-11-21 19:40"), ("19:40", false, "2026-11-20 19:40"),
        ("8:00", true, "2026-11-22 08:00"), ("8:00", false, "2026-11-21 08:00"),
        ("yesterday", false, "2026-11-20 00:00"), ("today", false, "2026-11-21 00:00"),
        ("Yesterday 18:30", false, "2026-11-20 18:30"), ("tomorrow 08:00", true, "2026-11-22 08:00"),
        ("2hours", true, "2026-11-21 14:00"), ("2 hours", false, "2026-11-21 10:00"),
        ("90 min", true, "2026-11-21 13:30"), ("2 days ago", false, "2026-11-19 12:00"),
        ("in 1 hour", true, "2026-11-21 13:00"), ("1w", false, "2026-11-14 12:00"),
        ("2026-12-24T03:00:00+01:00", true, "2026-12-24 03:00"),
    ])
    func `a time is read as people write it`(text: String, ahead: Bool, time: String) throws {
        #expect(try read(text, ahead: ahead) == time)
    }

    @Test(arguments: [
        "25:00", "19:4", "2 fortnights", "yesterday noon", "19", "", "hours", "-2h", "19:40 20:00",
    ])
    func `what names no time is refused`(text: String) {
        #expect(TimeArgument(argument: text) == nil)
    }

    @Test(arguments: [
        ("90", "Did you mean 90s, 90m or 90h?"), ("18", "Did you mean 18s, 18m or 18h, or 18:00?"),
        ("1800", "or 18:00?"), ("2 fortnights", "write, for example, 90s, 15m, 4h or 7d"),
    ])
    func `a number without a unit is asked for one`(text: String, words: String) {
        let failure = #expect(throws: Failure.self) { try TimeArgument.told(text) }
        #expect(failure?.sentence.hasSuffix(words) == true, "\(failure?.sentence ?? "")")
        #expect(throws: Failure.self) { try SpanArgument.told("90") }
    }

    @Test func `only a span is one`() {
        #expect(TimeArgument(argument: "2 hours")?.isSpan == true)
        #expect(TimeArgument(argument: "19:40")?.isSpan == false)
    }
}
