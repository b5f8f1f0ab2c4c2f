import LullModel
import Testing

@testable import LullManifest

/// When windows are open in a week.
struct OpenWeekTests {
    private func week(_ windows: String...) throws -> OpenWeek {
        OpenWeek(try windows.map { try WindowText.parse($0).get() })
    }

    @Test func `a window may pass the week's end`() throws {
        let week = try week("Sun 22:00-06:00", "Mon 06:00-07:00")
        #expect(week.isOpen(at: 0))
        #expect(week.isOpen(at: 6 * 60 + 59))
        #expect(!week.isOpen(at: 7 * 60))
        #expect(week.isOpen(at: 6 * 1440 + 22 * 60))
        #expect(week.longestClosure?.from == 7 * 60)
        #expect(week.longestClosure?.minutes == 7 * 1440 - 9 * 60)
    }

    @Test func `windows that touch are one, and a whole week never closes`() throws {
        #expect(try week("00:00-24:00").neverCloses)
        #expect(try week("Mon-Fri 00:00-24:00", "Sat,Sun 00:00-12:00", "Sat,Sun 12:00-24:00").neverCloses)
        #expect(try week("Mon-Sat 00:00-24:00").longestClosure?.minutes == 1440)
        #expect(OpenWeek([]).neverCloses)
    }

    @Test func `the next opening is waited for over the week's end`() throws {
        #expect(try week("Mon 01:00-02:00").wait(from: 2 * 60) == 7 * 1440 - 60)
        #expect(try week("Mon 01:00-02:00").isOpen(at: 7 * 1440 - 30, within: 90))
        #expect(try !week("Mon 01:00-02:00").isOpen(at: 7 * 1440 - 30, within: 89))
    }

    @Test func `runs that are so far apart are counted in each opening`() throws {
        #expect(try week("01:00-05:00").mostRuns(apart: .hours(1)) == 28)
        #expect(try week("01:00-05:00").mostRuns(apart: .minutes(90)) == 21)
        #expect(try week("Sat 01:00-02:00").mostRuns(apart: .days(1)) == 1)
    }
}
