import LullModel
import Testing

@testable import LullCalendar

/// The times of a task as its host keeps them.
struct TimetableTests {
    private func table(_ text: String, cancelled: [WallTime]) throws -> Timetable {
        var task = TaskDefinition(
            identifier: try #require(TaskIdentifier("com.example.Feed.clean")),
            app: try #require(AppIdentifier("com.example.Feed")), kind: .processing)
        task.at = try ExactTimes(text)
        return try #require(Timetable(task, zones: .utc, host: "host", cancelled: cancelled))
    }

    private let utc = CalendarTimeTests.utc

    @Test func `a time that was cancelled is passed over`() throws {
        let table = try table("0 4 * * *", cancelled: [utc(2026, 3, 2, 4, 0)])
        let passed = table.passed(after: utc(2026, 3, 1, 4, 0), dueBy: utc(2026, 3, 3, 12, 0))
        #expect(passed?.last == utc(2026, 3, 3, 4, 0))
        #expect(passed?.count == 1)
    }

    @Test func `what was cancelled of another rule hides none of this one's`() throws {
        let table = try table("0 4 * * *", cancelled: [utc(2026, 3, 2, 5, 0)])
        let passed = table.passed(after: utc(2026, 3, 1, 4, 0), dueBy: utc(2026, 3, 2, 12, 0))
        #expect(passed?.last == utc(2026, 3, 2, 4, 0))
        #expect(passed?.count == 1)
    }
}
