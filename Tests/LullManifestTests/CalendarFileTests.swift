import Foundation
import LullCalendar
import LullModel
import Testing

@testable import LullManifest

/// The days of iCalendar files, compared with those of others, and the refusal of what is not read.
struct CalendarFileTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Calendars")

    private static func lines(_ name: String) throws -> [[String]] {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: "\t").map(String.init) }
    }

    private static func list(_ text: String) throws -> DayList {
        let read = ICalendarReader.read(Array(text.utf8), file: "h.ics")
        try #require(read.2.found.isEmpty, "\(read.2.found)")
        return DayList(texts: [], once: read.once, again: read.again)
    }

    private static func calendar(_ lines: String...) -> String {
        (["BEGIN:VCALENDAR", "BEGIN:VEVENT"] + lines + ["END:VEVENT", "END:VCALENDAR"]).joined(
            separator: "\r\n")
            + "\r\n"
    }

    private static func dates(_ list: DayList, _ range: Range<Int>) -> [String] {
        range.filter { list[$0] != nil }.map(Phrase.date(ofDay:))
    }

    private static let years =
        LocalTime.days(year: 2026, month: 1, day: 1)..<LocalTime.days(year: 2028, month: 1, day: 1)

    /// Made by python's holidays; some names are folded within a character.
    @Test(arguments: ["bavaria", "japan", "united-states"])
    func `public holidays are those of the package that made the file`(name: String) throws {
        let bytes = Array(try Data(contentsOf: Self.folder.appending(path: name + ".ics")))
        let read = ICalendarReader.read(bytes, file: "h.ics")
        #expect(read.2.found.isEmpty)
        let list = DayList(texts: [], once: read.once, again: read.again)
        let found = Self.years.compactMap { day in
            list[day].map { [Phrase.date(ofDay: day), $0.name ?? ""] }
        }
        #expect(found == (try Self.lines(name + ".tsv")))
    }

    /// Made by python's dateutil: 300 random rules of the kinds that are read.
    @Test func `rules give the days that dateutil gives`() throws {
        var others = 0
        for line in try Self.lines("rules.tsv") {
            let (start, rule, expected) = (line[0], line[1], line[2].split(separator: " ").map(String.init))
            // A weekday that is numbered in the year is the one kind that is refused here.
            let list = try Self.list(Self.calendar("DTSTART;VALUE=DATE:\(start)", "RRULE:\(rule)"))
            let begin = try #require(LocalTime.day(year: Int(start.prefix(4)) ?? 0, month: 1, day: 1))
            let end = LocalTime.days(year: 2061, month: 1, day: 1)
            let found = (begin..<end).lazy.filter { list[$0] != nil }.prefix(12).map(Phrase.date(ofDay:))
            #expect(Array(found) == expected, "\(start) \(rule)")
            others += rule.contains("FREQ=YEARLY") ? 1 : 0
        }
        #expect(others > 50)
    }

    @Test(arguments: [
        (["DTSTART;VALUE=DATE:20261225"], ["2026-12-25"]),
        (["DTSTART:20261225"], ["2026-12-25"]),
        (["DTSTART;VALUE=DATE:20261225", "DTEND;VALUE=DATE:20261225"], ["2026-12-25"]),
        (
            ["DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261227"],
            ["2026-12-24", "2026-12-25", "2026-12-26"]
        ),
        (["DTSTART;VALUE=DATE:20261224", "DURATION:P2D"], ["2026-12-24", "2026-12-25"]),
        (["DTSTART;VALUE=DATE:20261224", "DURATION:PT36H"], ["2026-12-24", "2026-12-25"]),
        (
            ["DTSTART;TZID=\"Europe/Berlin\":20261224T120000", "DTEND;TZID=Europe/Berlin:20261224T180000"],
            ["2026-12-24"]
        ),
        (["DTSTART:20261224T220000", "DTEND:20261225T000000"], ["2026-12-24"]),
        (["DTSTART:20261224T220000", "DTEND:20261225T000001"], ["2026-12-24", "2026-12-25"]),
        (["DTSTART:20261224T000000Z", "DTEND:20261225T000000Z"], ["2026-12-24"]),
        (
            ["DTSTART:20261224", "RDATE;VALUE=DATE:20270105,20270107"],
            ["2026-12-24", "2027-01-05", "2027-01-07"]
        ),
        (["DTSTART:20261224", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20261225"], ["2026-12-24", "2026-12-26"]),
        (["DTSTART:20261224", "RRULE:FREQ=DAILY;UNTIL=20261225"], ["2026-12-24", "2026-12-25"]),
        (["DTSTART:20261224", "RRULE:FREQ=DAILY;UNTIL=20261225T000000Z"], ["2026-12-24", "2026-12-25"]),
        (["DTSTART:20261224", "RRULE:FREQ=DAILY;UNTIL=20261225T080000"], ["2026-12-24", "2026-12-25"]),
        // Not later in the day than DTSTART: the last day has no occurrence.
        (["DTSTART:20261224T090000", "RRULE:FREQ=DAILY;UNTIL=20261225T080000"], ["2026-12-24"]),
        (
            ["DTSTART:20261224T090000", "RRULE:FREQ=DAILY;UNTIL=20261225T090000"],
            ["2026-12-24", "2026-12-25"]
        ),
        (["DTSTART:20261224", "STATUS:CANCELLED"], []),
        (
            [
                "DTSTART:20261224", "", "X-ANYTHING;X=\"a:b;c\":1", "BEGIN:VALARM", "RRULE:no rule",
                "END:VALARM",
            ], ["2026-12-24"]
        ),
        // The event's own day counts, also where its rule does not name it.
        (
            ["DTSTART:20261224", "RRULE:FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=26"],
            ["2026-12-24", "2026-12-26", "2027-12-26"]
        ),
        // Election day in Wikipedia's words: the Tuesday after the first Monday of November.
        (
            ["DTSTART:20261103", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8"],
            ["2026-11-03", "2027-11-02"]
        ),
    ])
    func `an event is all days that it touches`(lines: [String], expected: [String]) throws {
        let text = (["BEGIN:VCALENDAR", "BEGIN:VEVENT"] + lines + ["END:VEVENT", "END:VCALENDAR"])
        for end in ["\n", "\r\n"] {
            #expect(Self.dates(try Self.list(text.joined(separator: end)), Self.years) == expected)
        }
    }

    @Test func `a summary is unfolded, unescaped and short`() throws {
        let text = Self.calendar(
            "DTSTART:20261225",
            "SUMMARY;LANGUAGE=en:Christ\r\n mas\\, a \u{1B}day \\\\ of\\nrest "
                + String(repeating: "x", count: 90))
        let name = try Self.list(text)[LocalTime.days(year: 2026, month: 12, day: 25)]?.name
        #expect(name?.hasPrefix("Christmas, a ␛day \\ of rest xxx") == true)
        #expect(name?.count == 61)
    }

    private static func refused(_ text: String) -> [String] {
        let read = ICalendarReader.read(Array(text.utf8), file: "h.ics")
        return read.2.inOrder(before: nil).map {
            "\($0.span.start.line + 1):\($0.span.start.column + 1): \($0.fact.message)"
        }
    }

    @Test(arguments: [
        (["SUMMARY:A"], "2:7: this event has no DTSTART"),
        (["DTSTART:2026-12-25"], "3:9: '2026-12-25' is not a date"),
        (["DTSTART;VALUE=DATE:20260230"], "3:20: '20260230' is not a date"),
        (["DTSTART;VALUE=DATE:20260228T100000"], "3:20: '20260228T100000' is not a date"),
        (
            ["DTSTART:20261224T230000Z"],
            "3:9: '20261224T230000Z' is a time in UTC, so its day depends on the time zone"
        ),
        (
            ["DTSTART;TZID=America/New_York:20261228T090000", "RRULE:FREQ=DAILY;UNTIL=20270101T045959Z"],
            "4:7: '20270101T045959Z' is a time in UTC, so its day depends on the time zone"
        ),
        (
            ["DTSTART;TZID=Asia/Tokyo:20261228T090000", "RRULE:FREQ=DAILY;UNTIL=20270101T000000Z"],
            "4:7: '20270101T000000Z' is a time in UTC, so its day depends on the time zone"
        ),
        (
            ["DTSTART:20261228", "RRULE:FREQ=DAILY;UNTIL=20261230garbage"],
            "4:7: '20261230GARBAGE' is not a date"
        ),
        (["DTSTART:20261224", "DTEND:20261223"], "4:7: this event ends before it begins"),
        (["DTSTART:20261224", "DTEND:22261223"], "4:7: '22261223' is not a date"),
        (["DTSTART:20261224", "DTEND:20461223"], "4:7: this event takes 7304 days"),
        (["DTSTART:20261224", "DURATION:1D"], "4:10: '1D' is not a duration"),
        (["DTSTART:20261224", "DTSTART:20261225"], "4:9: this event has a second DTSTART"),
        (
            ["DTSTART:20261224", "RRULE:FREQ=HOURLY"],
            "4:7: the rule has 'FREQ=HOURLY', which Lull does not read"
        ),
        (
            ["DTSTART:20261224", "RRULE:FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-1"],
            "4:7: the rule has 'BYSETPOS=-1', which Lull does not read"
        ),
        (
            ["DTSTART:20261224", "RRULE:FREQ=YEARLY;BYDAY=20MO"],
            "4:7: the rule has 'BYDAY=20MO', which Lull does not read"
        ),
        (
            ["DTSTART:20261224", "RRULE:FREQ=YEARLY;BYDAY=1MO"],
            "4:7: Lull does not read this combination: 'FREQ=YEARLY;BYDAY=1MO'"
        ),
        (
            ["DTSTART:20261224", "RRULE:FREQ=DAILY;BYDAY=MO"],
            "4:7: Lull does not read this combination: 'FREQ=DAILY;BYDAY=MO'"
        ),
        (
            ["DTSTART:20261224", "RRULE:INTERVAL=2"],
            "4:7: the rule has 'INTERVAL=2', which Lull does not read"
        ),
        (
            ["DTSTART:20261224", "RECURRENCE-ID:20261224"],
            "4:15: this event has RECURRENCE-ID, which Lull does not read"
        ),
        (["DTSTART:20261224", "RDATE:20261224,2026"], "4:16: '2026' is not a date"),
        (["DTSTART"], "3:1: this line has no colon, as each line of an iCalendar file has"),
        (["DTSTART:20261224", "END:VALARM"], "4:5: END:VALARM ends VEVENT"),
    ])
    func `what would change the days and is not read is an error at its place`(lines: [String], says: String)
    {
        #expect(
            Self.refused(
                (["BEGIN:VCALENDAR", "BEGIN:VEVENT"] + lines + ["END:VEVENT", "END:VCALENDAR"]).joined(
                    separator: "\n")) == [says])
    }

    @Test func `a file that is no calendar, or half of one, is refused`() {
        #expect(Self.refused("version: 1\n") == ["1:9: an iCalendar file begins with BEGIN:VCALENDAR"])
        #expect(Self.refused("<html>\n") == ["1:1: an iCalendar file begins with BEGIN:VCALENDAR"])
        #expect(Self.refused("") == ["1:1: the calendar has no event"])
        #expect(Self.refused("BEGIN:VCALENDAR\nEND:VCALENDAR\n") == ["2:1: the calendar has no event"])
        #expect(
            Self.refused("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261224\nEND:VEVENT\n")
                == ["4:1: the file ends before END:VCALENDAR"])
        #expect(Self.refused("END:VEVENT") == ["1:5: END:VEVENT ends nothing"])
        #expect(
            Self.refused(String(repeating: "BEGIN:VCALENDAR\n", count: 9)) == [
                "9:7: components are too deep in each other"
            ])
        let latin = ICalendarReader.read(
            Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:".utf8) + [0xE9, 0x0A], file: "h.ics")
        #expect(latin.2.found.map(\.fact.message) == ["a calendar file is text in UTF-8, and this is not"])
    }

    private static func events(_ count: Int, _ lines: String..., after: String = "") -> String {
        let event = (["BEGIN:VEVENT"] + lines + ["END:VEVENT\n"]).joined(separator: "\n")
        return "BEGIN:VCALENDAR\n" + String(repeating: event, count: count) + after + "END:VCALENDAR\n"
    }

    private static func days(_ count: Int) -> String {
        Array(repeating: "20261225", count: count).joined(separator: ",")
    }

    @Test func `a calendar has a limit of days and of rules`() {
        let yearly = ["DTSTART:20261224", "RRULE:FREQ=YEARLY"]
        let tooMany =
            "the calendar has more than 5000 events, or more than 500 rules; each weekday of a weekly rule counts"
        #expect(Self.refused(Self.events(Limits.calendarRules, yearly[0], yearly[1])) == [])
        // What follows is not read, whatever it is.
        #expect(
            Self.refused(Self.events(2 * Limits.calendarRules + 9, yearly[0], yearly[1], after: "no line\n"))
                == ["2002:7: \(tooMany)"])
        #expect(
            Self.refused(Self.events(Limits.calendarEvents + 1, yearly[0])) == ["15002:7: \(tooMany)"])
        let weekly = "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
        #expect(Self.refused(Self.events(101, yearly[0], weekly)) == ["402:7: \(tooMany)"])
    }

    @Test func `what a look at one day costs has a limit`() {
        let long = "DURATION:P365D"
        let repeated = "events that come again have more than 5000 days, with the days of their EXDATE"
        #expect(Self.refused(Self.events(13, "DTSTART:20261224", long, "RRULE:FREQ=YEARLY")) == [])
        #expect(
            Self.refused(Self.events(14, "DTSTART:20261224", long, "RRULE:FREQ=YEARLY"))
                == ["67:7: \(repeated)"])
        #expect(
            Self.refused(Self.events(2, "DTSTART:20261224", "RRULE:FREQ=DAILY", "EXDATE:" + Self.days(3000)))
                == ["7:7: \(repeated)"])
        // The day of the event itself is one of the 5000.
        for (name, most) in [("EXDATE", 5000), ("RDATE", 4999)] {
            #expect(Self.refused(Self.events(1, "DTSTART:20261224", "\(name):" + Self.days(most))) == [])
            let text = Self.events(1, "DTSTART:20261224", "\(name):" + Self.days(5001))
            let column = name.count + 2 + 5000 * 9
            #expect(
                Self.refused(text) == ["4:\(column): this event has more than 5000 days in \(name)"])
        }
        #expect(
            Self.refused(Self.calendar("DTSTART:20261224", "RRULE:FREQ=DAILY;COUNT=1001"))
                == ["4:7: the rule has 'COUNT=1001', which Lull does not read"])
    }

    @Test func `a part of a rule that is repeated counts once`() throws {
        for (rule, once) in [
            ("FREQ=MONTHLY;BYMONTHDAY=1,-1,1,-1", "FREQ=MONTHLY;BYMONTHDAY=1,-1"),
            ("FREQ=YEARLY;BYMONTH=3,3;BYDAY=1MO,MO,1MO", "FREQ=YEARLY;BYMONTH=3;BYDAY=1MO,MO"),
            ("FREQ=WEEKLY;BYDAY=MO,MO", "FREQ=WEEKLY;BYDAY=MO"),
        ] {
            let lists = try [rule, once].map {
                try Self.list(Self.calendar("DTSTART:20261224", "RRULE:" + $0))
            }
            #expect(lists[0] == lists[1])
        }
    }

    @Test(arguments: [
        ("DAILY", "2026-12-24", "2027-02-12"), ("DAILY;INTERVAL=3", "2026-12-24", "2027-05-23"),
        // The first day is none of the rule's, and counts.
        ("WEEKLY;BYDAY=MO,WE,FR", "2026-12-24", "2027-04-19"),
        ("WEEKLY;BYDAY=MO,TH;INTERVAL=2;WKST=SU", "2026-12-24", "2027-12-09"),
    ])
    func `COUNT ends on the day that a walk finds`(rule: String, first: String, last: String) throws {
        let list = try Self.list(
            Self.calendar("DTSTART:20261224", "RRULE:FREQ=\(rule);COUNT=51"))
        let start = LocalTime.days(year: 2026, month: 1, day: 1)
        let days = Self.dates(list, start..<start + 3000)
        #expect(days.first == first)
        #expect(days.last == last)
        #expect(days.count == 51)
    }
}
