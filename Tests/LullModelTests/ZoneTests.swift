import LullModel
import Testing

struct ZoneTests {
    /// Berlin in 2026: summer time from 29 March 01:00 UTC to 25 October 01:00 UTC.
    private let berlin = Zone(
        name: "Europe/Berlin", initialOffset: 3600,
        transitions: [
            .init(at: WallTime(seconds: 1_774_746_000), offset: 7200),
            .init(at: WallTime(seconds: 1_792_890_000), offset: 3600),
        ])

    @Test func `the offset changes at the transition to the millisecond`() {
        #expect(berlin.offset(at: WallTime(milliseconds: 1_774_745_999_999)) == 3600)
        #expect(berlin.offset(at: WallTime(milliseconds: 1_774_746_000_000)) == 7200)
        #expect(berlin.offset(at: WallTime(milliseconds: 1_792_889_999_999)) == 7200)
        #expect(berlin.offset(at: WallTime(milliseconds: 1_792_890_000_000)) == 3600)
    }

    @Test func `local time is a date, a weekday and a time of day`() {
        // 2026-03-29 03:00 in Berlin, a Sunday: the first instant of summer time.
        let local = berlin.local(WallTime(seconds: 1_774_746_000))
        #expect((local.year, local.month, local.day) == (2026, 3, 29))
        #expect(local.weekday == 6)
        #expect((local.hour, local.minute) == (3, 0))
    }

    @Test func `days and civil dates are each other's inverse over four centuries`() {
        for day in stride(from: -60_000, through: 90_000, by: 1) {
            let local = LocalTime(secondsSinceEpoch: Int64(day) * 86400)
            #expect(LocalTime.days(year: local.year, month: local.month, day: local.day) == day)
            guard LocalTime.days(year: local.year, month: local.month, day: local.day) == day else { return }
        }
    }

    @Test func `before 1970 the second of the day is still counted from midnight`() {
        let local = LocalTime(secondsSinceEpoch: -1)
        #expect((local.year, local.month, local.day, local.secondOfDay) == (1969, 12, 31, 86399))
        #expect(local.weekday == 2)
    }
}
