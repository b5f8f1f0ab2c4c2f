import LullCalendar
import LullModel
import Testing

@testable import LullManifest

/// When windows are open in a week.
struct WindowWeekTests {
    private func week(_ windows: String...) throws -> WindowCalendar {
        WindowCalendar(week: try windows.map { try WindowText.parse($0).get() })
    }

    private func at(_ day: Int, _ hour: Int, _ minute: Int = 0) -> WallTime {
        WindowCalendar.time(ofMinute: (day * 24 + hour) * 60 + minute)
    }

    @Test func `a window may pass the week's end`() throws {
        let week = try week("Sun 22:00-06:00", "Mon 06:00-07:00")
        #expect(week.isOpen(at: at(0, 0)))
        #expect(week.isOpen(at: at(0, 6, 59)))
        #expect(!week.isOpen(at: at(0, 7)))
        #expect(week.isOpen(at: at(6, 22)))
        #expect(week.longestClosure == at(0, 7)..<at(6, 22))
    }

    @Test func `windows that touch are one, and a whole week never closes`() throws {
        #expect(try week("00:00-24:00").neverCloses)
        #expect(try week("Mon-Fri 00:00-24:00", "Sat,Sun 00:00-12:00", "Sat,Sun 12:00-24:00").neverCloses)
        #expect(try week("Mon-Sat 00:00-24:00").longestClosure == at(6, 0)..<at(7, 0))
        #expect(WindowCalendar(week: []).neverCloses)
    }

    @Test func `the next opening is waited for over the week's end`() throws {
        let week = try week("Mon 01:00-02:00")
        #expect(week.opening(from: at(0, 2)) == at(7, 1))
        #expect(week.isOpen(at: at(6, 23, 30), within: .minutes(90)))
        #expect(!week.isOpen(at: at(6, 23, 30), within: .minutes(89)))
    }

    @Test func `runs that are so far apart are counted in each opening`() throws {
        #expect(try week("01:00-05:00").mostRuns(apart: .hours(1)) == 28)
        #expect(try week("01:00-05:00").mostRuns(apart: .minutes(90)) == 21)
        #expect(try week("Sat 01:00-02:00").mostRuns(apart: .days(1)) == 1)
    }
}
