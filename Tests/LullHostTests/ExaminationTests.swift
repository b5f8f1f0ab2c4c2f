import Foundation
import GRDB
import LullControl
import LullHistory
import LullModel
import LullSystem
import Testing

@testable import LullHost

/// The full check of the history while a host is otherwise idle.
struct ExaminationTests {
    /// Damages the file like a lost page: the index names a row that is gone.
    private func unsettle(_ path: String) throws {
        var root: Row?
        for step in 0..<3 {
            let database = try DatabaseQueue(path: path)
            try database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA writable_schema = ON")
                switch step {
                case 0:
                    root = try Row.fetchOne(db, sql: "SELECT * FROM sqlite_master WHERE name = 'events_time'")
                    try db.execute(sql: "DELETE FROM sqlite_master WHERE name = 'events_time'")
                case 1: try db.execute(sql: "DELETE FROM events")
                default:
                    try db.execute(
                        sql: "INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)",
                        arguments: StatementArguments(Array(try #require(root).databaseValues)))
                }
            }
            try database.close()
        }
    }

    private func prepared() throws -> String {
        let folder = FileManager.default.temporaryDirectory.path + "/lull-\(UUID().uuidString)"
        let history = try SQLiteHistory.open(folder: folder, mode: .readWrite)
        let app = try #require(AppIdentifier("com.example.App"))
        try history.append(HistoryBatch(events: [HistoryEvent(.used, at: Clock.wall, app: app)]))
        try history.close()
        try unsettle(history.path)
        return folder
    }

    private func remarks(of host: LullHost.Host) -> [String] {
        var remarks: [String] = []
        host.hear {
            $0.answer(Ask.Status()) { if case .success(let report) = $0 { remarks = report.remarks ?? [] } }
        }
        return remarks
    }

    @Test func `an idle host finds an index that disagrees, makes it anew and says so`() throws {
        let folder = try prepared()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let desk = try HostDesk(.service) {
            $0.state = StateFolder(option: folder, environment: [:], isRoot: false)
        }
        let host = desk.host
        host.hasBegun = true
        // The host examines nothing in its first hour.
        host.examineIfIdle()
        #expect(!host.isExamining && remarks(of: host).isEmpty)
        host.examination = ExaminationTimes(last: nil, start: Clock.wall - .hours(2))
        let settled = host.commits.settled
        host.commits.settled = {
            settled($0)
            host.loop.stop()
        }
        host.examineIfIdle()
        #expect(host.isExamining)
        #expect(try desk.turns())
        #expect(remarks(of: host).contains { $0.contains("an index of the history did not agree") })
        #expect(try host.history.problems().isEmpty)
        #expect(!host.examination.isDue(at: Clock.wall + .days(6)))
        #expect(host.examination.isDue(at: Clock.wall + .days(8)))
    }

    @Test func `a pass looks at its end, once a week`() throws {
        let folder = try prepared()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func pass() throws -> Bool {
            let desk = try HostDesk(.pass) {
                $0.state = StateFolder(option: folder, environment: [:], isRoot: false)
            }
            let examines = desk.host.examinesAtEnd
            desk.host.closeHistory()
            return examines
        }
        #expect(try pass())
        #expect(try !pass())
        let history = try SQLiteHistory.open(folder: folder, mode: .readOnly)
        #expect(try history.lastFinding() != nil && history.problems().isEmpty)
    }

    @Test func `a week passes between two looks, whatever becomes of the clock`() {
        let start = WallTime(seconds: 1_750_000_000)
        var times = ExaminationTimes(last: nil, start: start)
        #expect(!times.isDue(at: start) && times.isDue(at: start + .hours(1)))
        times.looked(at: start)
        #expect(!times.isDue(at: start + .days(6)) && times.isDue(at: start + .days(7)))
        #expect(times.isDue(at: start - .days(2)))
        times.postpone(at: start)
        #expect(!times.isDue(at: start + .hours(23)) && times.isDue(at: start + .days(1)))
        #expect(ExaminationTimes(last: nil, start: start, isPass: true).isDue(at: start))
    }
}
