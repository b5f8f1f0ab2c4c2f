import LullModel
import Testing

@testable import lull
@testable import lull_lab

/// A month at a glance.
struct SimulateCalendarTests {
    /// Saturday, 2026-11-21, 20:00 UTC.
    private let start = WallTime(seconds: 1_795_291_200)

    @Test func `a column is a week from Monday on, and a sign a day`() {
        let calendar = SimulateCalendar(start: start, days: 10, zone: .utc)
        #expect(calendar.header == ["21 Nov", "23 Nov", "30 Nov"])
        let daily = (0..<10).map { start + .days($0) + .hours(1) }
        #expect(calendar.cells(of: daily) == ["     11", "1111111", "1·"])
        let often = (0..<12).map { start + .minutes($0) } + [start + .days(2), start + .days(2) + .hours(1)]
        #expect(calendar.cells(of: often) == ["     +·", "2······", "··"])
    }

    @Test func `a day is the zone's own`() {
        let zone = Zone(name: "east", initialOffset: 5 * 3600)
        let calendar = SimulateCalendar(start: start, days: 7, zone: zone)
        #expect(calendar.header == ["22 Nov", "23 Nov"])
        #expect(calendar.cells(of: [start]) == ["      1", "·······"])
    }
}
