import Foundation
import GRDB
import LullModel
import TestSupport
import Testing

@testable import LullHistory

/// An index that has other rows than its table: no start finds that, and queries give wrong results.
struct ExaminationTests {
    /// Deletes a row without its index: SQLite does not know an index that is missing from the schema.
    static func unsettle(_ path: String, index: String = "events_time", deleting row: Int = 3) throws {
        var entry: Row?
        for step in 0..<3 {
            // Each step has a new connection, which reads the schema anew.
            let database = try DatabaseQueue(path: path)
            try database.writeWithoutTransaction { db in
                switch step {
                case 0:
                    entry = try Row.fetchOne(
                        db, sql: "SELECT * FROM sqlite_master WHERE name = ?", arguments: [index])
                    try db.execute(sql: "PRAGMA writable_schema = ON")
                    try db.execute(sql: "DELETE FROM sqlite_master WHERE name = ?", arguments: [index])
                case 1: try db.execute(sql: "DELETE FROM events WHERE seq = ?", arguments: [row])
                default:
                    let entry = try #require(entry)
                    try db.execute(sql: "PRAGMA writable_schema = ON")
                    try db.execute(
                        sql: "INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)",
                        arguments: StatementArguments(Array(entry.databaseValues)))
                }
            }
            try database.close()
        }
    }

    private func unsettled(_ folder: TemporaryFolder) throws -> SQLiteHistory {
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try history.append(HistoryBatch(events: try Sample.uses(0..<20)))
        try history.close()
        try Self.unsettle(history.path)
        // The quick check at opening does not notice the damage.
        return try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
    }

    @Test func `an index that disagrees with its table is found, made anew and told of`() throws {
        let folder = try TemporaryFolder()
        let history = try unsettled(folder)
        let problems = try history.problems()
        #expect(problems.contains { $0.contains("index events_time") }, "\(problems)")
        let examination = try history.settle(problems, at: Sample.start)
        #expect(examination.sentence?.contains("All indices were rebuilt from the tables") == true)
        #expect(try history.problems().isEmpty)
        #expect(try history.events().count == 19)
        #expect(try history.lastFinding() == examination)
        // The next examination finds nothing, and the earlier finding is still known.
        _ = try history.settle([], at: Sample.start + .days(7))
        #expect(try history.lastExamination() == HistoryExamination(time: Sample.start + .days(7)))
        #expect(try history.lastFinding() == examination)
    }

    @Test func `a history without fault is looked at, and nothing is said`() throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try history.append(HistoryBatch(events: try Sample.uses(0..<20)))
        #expect(try history.lastExamination() == nil)
        #expect(try history.problems().isEmpty)
        #expect(try history.settle([], at: Sample.start).sentence == nil)
        #expect(try history.lastExamination()?.time == Sample.start)
        #expect(try history.lastFinding() == nil)
    }

    @Test func `damage of more than an index is left to the next start, which looks at everything`() throws {
        let folder = try TemporaryFolder()
        let history = try unsettled(folder)
        let what = "Tree 2 page 3: btreeInitPage() returns error code 11"
        #expect(throws: HistoryError.damaged(path: history.path, what: what)) {
            try history.settle([what], at: Sample.start)
        }
        try history.close()
        let (next, salvage) = try SQLiteHistory.openSalvaging(folder: folder.path, at: Sample.start)
        #expect(salvage?.events == 19)
        #expect(try next.problems().isEmpty)
        try next.close()
        let last = try SQLiteHistory.openSalvaging(folder: folder.path, at: Sample.start)
        #expect(last.salvage == nil)
    }

    @Test(arguments: [
        "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z row 3 missing from index events_time",
    ])
    func `what was found is read as it was written`(memo: String) throws {
        #expect(try #require(HistoryExamination(memo: memo)).memo == memo)
        #expect(HistoryExamination(memo: "no time") == nil)
    }
}
