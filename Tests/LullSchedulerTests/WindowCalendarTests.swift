import LullCalendar
import LullModel
import Testing

@testable import LullScheduler

struct WindowCalendarTests {
    static let night = Window(opens: 60, closes: 300, text: "01:00-05:00")
    /// Clocks go forward on Sunday 2026-03-29 at 01:00 UTC, and back on Sunday 2026-10-25 at 01:00 UTC.
    static let berlin = Zone(
        name: "Europe/Berlin", initialOffset: 3600,
        transitions: [
            .init(at: WallTime(seconds: 1_774_746_000), offset: 7200),
            .init(at: WallTime(seconds: 1_792_890_000), offset: 3600),
        ])
    static let forward = WallTime(seconds: 1_774_746_000)
    static let back = WallTime(seconds: 1_792_890_000)

    private func calendar(_ windows: Window..., zone: Zone = .utc) -> WindowCalendar {
        WindowCalendar(windows: windows, zone: zone)
    }

    @Test func `a window is open from its first instant to before its last`() {
        let calendar = calendar(Self.night)
        #expect(!calendar.isOpen(at: .at(0, 1) - .milliseconds(1)))
        #expect(calendar.isOpen(at: .at(0, 1)))
        #expect(calendar.isOpen(at: .at(0, 5) - .milliseconds(1)))
        #expect(!calendar.isOpen(at: .at(0, 5)))
        #expect(calendar.opening(from: .at(0, 5)) == .at(1, 1))
        #expect(calendar.opening(from: .at(0, 2)) == .at(0, 2))
        #expect(calendar.closing(after: .at(0, 2)) == .at(0, 5))
    }

    @Test func `a window past midnight belongs to the day on which it opens`() {
        let calendar = calendar(Window(days: [5], opens: 22 * 60, closes: 7 * 60, text: "Sat 22:00-07:00"))
        #expect(!calendar.isOpen(at: .at(5, 6)))
        #expect(calendar.isOpen(at: .at(5, 22)))
        #expect(calendar.isOpen(at: .at(6, 6, 59)))
        #expect(!calendar.isOpen(at: .at(6, 7)))
        #expect(!calendar.isOpen(at: .at(6, 22)))
        #expect(calendar.opening(from: .at(6, 7)) == .at(12, 22))
    }

    @Test func `windows that touch close together, and windows all day never`() {
        let touching = calendar(Self.night, Window(opens: 300, closes: 360, text: "05:00-06:00"))
        #expect(touching.closing(after: .at(0, 2)) == .at(0, 6))
        #expect(
            calendar(Window(opens: 0, closes: 1440, text: "00:00-24:00")).closing(after: .at(0, 2)) == nil)
        #expect(calendar(Window(opens: 480, closes: 480, text: "08:00-08:00")).isOpen(at: .at(0, 3)))
    }

    @Test func `a window in the hour that is left out does not open that day`() {
        let gap = calendar(Window(opens: 135, closes: 165, text: "02:15-02:45"), zone: Self.berlin)
        // 02:15 on the day after, in summer time.
        #expect(gap.opening(from: Self.forward - .hours(1)) == Self.forward + .hours(23) + .minutes(15))
    }

    @Test func `a window across the hour that is left out is an hour shorter`() {
        let calendar = calendar(Self.night, zone: Self.berlin)
        #expect(calendar.opening(from: Self.forward - .hours(5)) == Self.forward - .hours(1))
        #expect(calendar.closing(after: Self.forward - .hours(1)) == Self.forward + .hours(2))
    }

    @Test func `a window that begins in the hour left out opens after it`() {
        let calendar = calendar(Window(opens: 150, closes: 240, text: "02:30-04:00"), zone: Self.berlin)
        #expect(calendar.opening(from: Self.forward - .hours(1)) == Self.forward)
        #expect(calendar.closing(after: Self.forward) == Self.forward + .hours(1))
    }

    @Test func `a window in the hour that comes twice opens twice`() {
        let calendar = calendar(Window(opens: 135, closes: 165, text: "02:15-02:45"), zone: Self.berlin)
        let first = Self.back - .minutes(45)
        #expect(calendar.opening(from: Self.back - .hours(3)) == first)
        #expect(calendar.closing(after: first) == first + .minutes(30))
        #expect(calendar.opening(from: first + .minutes(30)) == first + .hours(1))
        // The transition itself closes a window that is open until 03:00 local time only on the second round.
        let whole = self.calendar(Window(opens: 120, closes: 180, text: "02:00-03:00"), zone: Self.berlin)
        #expect(whole.closing(after: first) == Self.back + .hours(1))
    }

    @Test func `openings agree with looking at every minute of two weeks`() {
        let calendar = calendar(
            Self.night, Window(days: [2, 6], opens: 23 * 60 + 30, closes: 90, text: "Wed,Sun 23:30-01:30"),
            zone: Self.berlin)
        for start in [Self.forward - .days(7), Self.back - .days(7)] {
            for minute in stride(from: 0, to: 14 * 1440, by: 37) {
                let time = start + .minutes(minute)
                guard let opening = calendar.opening(from: time) else {
                    Issue.record("no opening")
                    return
                }
                var slow = time
                while !calendar.isOpen(at: slow) { slow = slow + .minutes(1) }
                #expect(opening <= slow && slow - opening < .minutes(1) && calendar.isOpen(at: opening))
                if opening > time { #expect(!calendar.isOpen(at: opening - .milliseconds(1))) }
                guard let closing = calendar.closing(after: opening) else {
                    Issue.record("no closing")
                    return
                }
                #expect(!calendar.isOpen(at: closing) && calendar.isOpen(at: closing - .milliseconds(1)))
            }
        }
    }
}
