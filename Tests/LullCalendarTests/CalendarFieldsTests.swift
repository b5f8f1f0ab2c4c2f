import LullCalendar
import LullModel
import Testing

/// When a notification's date comes, by local time.
struct CalendarFieldsTests {
    /// Monday 2026-11-23 00:00 UTC.
    private let monday = WallTime(seconds: 1_795_392_000)
    /// As in Berlin, where clocks went back on 2026-10-25 and go forward on 2027-03-28, at 01:00 UTC.
    private let berlin = Zone(
        name: "Europe/Berlin", initialOffset: 7200,
        transitions: [
            .init(at: WallTime(seconds: 1_792_890_000), offset: 3600),
            .init(at: WallTime(seconds: 1_806_195_600), offset: 7200),
        ])

    private func next(_ fields: CalendarFields, after time: WallTime? = nil, in zone: Zone = .utc) -> String?
    {
        fields.next(after: time ?? monday, in: zone).map { found in
            let local = zone.local(found)
            return "\(local.year)-\(local.month)-\(local.day) \(local.hour):\(local.minute):\(local.second)"
        }
    }

    @Test func `what is finer than what is given is the least, and what is coarser is anything`() {
        #expect(next(CalendarFields(hour: 8)) == "2026-11-23 8:0:0")
        #expect(next(CalendarFields(minute: 30)) == "2026-11-23 0:30:0")
        #expect(next(CalendarFields(second: 5)) == "2026-11-23 0:0:5")
        #expect(next(CalendarFields(hour: 8, second: 5)) == "2026-11-23 8:0:5")
        #expect(next(CalendarFields(day: 1)) == "2026-12-1 0:0:0")
        #expect(next(CalendarFields(weekday: 1)) == "2026-11-29 0:0:0")
        #expect(next(CalendarFields(month: 3)) == "2027-3-1 0:0:0" || next(CalendarFields(month: 3)) == nil)
        #expect(next(CalendarFields(year: 2030)) == "2030-1-1 0:0:0")
        #expect(
            next(CalendarFields(year: 2028, month: 2, day: 29, hour: 7, minute: 5, second: 9))
                == "2028-2-29 7:5:9")
    }

    @Test func `it lies after the time, and not at it`() {
        #expect(next(CalendarFields(hour: 0)) == "2026-11-24 0:0:0")
        #expect(next(CalendarFields(hour: 0, second: 1)) == "2026-11-23 0:0:1")
        #expect(next(CalendarFields(second: 5), after: monday + .seconds(5)) == "2026-11-23 0:1:5")
    }

    @Test func `what no calendar shows never comes`() {
        #expect(next(CalendarFields()) == nil)
        #expect(next(CalendarFields(month: 2, day: 30)) == nil)
        #expect(next(CalendarFields(year: 2026, month: 1)) == nil)
        #expect(next(CalendarFields(hour: 24)) == nil)
        #expect(next(CalendarFields(year: 2025)) == nil)
    }

    @Test
    func
        `a time that the clocks skip comes as they are put forward, and one that they repeat the first time`()
    {
        let spring = WallTime(seconds: 1_806_195_600)
        #expect(
            CalendarFields(hour: 2, minute: 30).next(after: spring - .hours(1), in: berlin) == spring)
        let autumn = WallTime(seconds: 1_792_890_000)
        let first = CalendarFields(hour: 2, minute: 30).next(after: autumn - .hours(2), in: berlin)
        #expect(first == autumn - .minutes(30))
        // Not again an hour later.
        #expect(
            CalendarFields(hour: 2, minute: 30).next(after: autumn - .minutes(30), in: berlin)
                == autumn - .minutes(30) + .hours(25))
    }
}
