import Foundation
import GRDB
import LullModel

/// Deletes the oldest details of a history that has outgrown its size, a part at a time.
///
/// First it deletes the output of runs, then the events of runs that simply succeeded, and the events beside the runs:
/// transfers, notifications, notices. The figures of each task on those days are counted before. If that is not enough, only
/// the last hour of the events beside the runs stays, because an app can make any number of them in a day.
///
/// All events of other runs, uses and conditions are kept.
struct Thinner {
    private static let key = "thinned"
    /// The time span of the events that are deleted at once; a day is a multiple of it.
    static let portion: Duration = .hours(6)
    static let outputPortion: Duration = .days(1)
    /// The last day of records is kept.
    static let spared: Duration = .days(1)
    static let asidePortion: Duration = .hours(1)
    static let asideSpared: Duration = .hours(1)

    private let db: Database
    private var done: HistoryThinning

    init(_ db: Database) throws {
        self.db = db
        done = try Self.thinning(db) ?? HistoryThinning()
    }

    static func thinning(_ db: Database) throws -> HistoryThinning? {
        guard let memo = try SQLiteHistory.memo(key, db) else { return nil }
        return try? JSONDecoder().decode(HistoryThinning.self, from: Data(memo.utf8))
    }

    static func put(_ thinning: HistoryThinning, _ db: Database) throws {
        let memo = String(decoding: try JSONEncoder().encode(thinning), as: UTF8.self)
        try SQLiteHistory.put(memo, as: key, db)
    }

    /// Estimates from the last day with figures up to when events are gone, if the memo is lost.
    static func thinning(after day: WallTime, _ db: Database) throws -> HistoryThinning {
        let first = try Int64.fetchOne(
            db,
            sql: """
                SELECT time FROM events INDEXED BY events_time WHERE time >= ? AND event = ? AND outcome IS ?
                ORDER BY time LIMIT 1
                """, arguments: [day.milliseconds, code(.completed), success])
        let end = first.map { floor($0, to: portion.milliseconds) } ?? (day + .days(1)).milliseconds
        return HistoryThinning(events: WallTime(milliseconds: end))
    }

    /// The size of the history without its free pages, which will be written again.
    static func bytes(_ db: Database) throws -> Int64 {
        let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        let free = try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
        return (pages - free) * (try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 4096)
    }

    /// Returns whether something was deleted and the history is still too large. Deletes only events that a checkpoint covers.
    func thin(to bytes: Int64, covered: Int64) throws -> Bool {
        guard try Self.bytes(db) > bytes else { return false }
        var thinner = self
        guard
            try thinner.thinOutput() || thinner.thinEvents(covered: covered)
                || thinner.thinAsides(covered: covered)
        else { return false }
        try Self.put(thinner.done, db)
        return try Self.bytes(db) > bytes
    }

    // MARK: - Output

    private mutating func thinOutput() throws -> Bool {
        guard let first = try Int64.fetchOne(db, sql: "SELECT time FROM output ORDER BY time LIMIT 1"),
            let last = try Int64.fetchOne(db, sql: "SELECT time FROM output ORDER BY rowid DESC LIMIT 1")
        else { return false }
        let end = min(first + Self.outputPortion.milliseconds, last - Self.spared.milliseconds)
        guard end > first else { return false }
        try db.execute(sql: "DELETE FROM output WHERE time < ?", arguments: [end])
        done.output = max(done.output ?? .distantPast, WallTime(milliseconds: end))
        return true
    }

    // MARK: - Events

    static func code(_ name: HistoryEvent.Name) -> Int64 { Words.number(of: name.rawValue) ?? 0 }

    private static let usual =
        [HistoryEvent.Name.submitted, .deferred, .launched, .completed].map { String(code($0)) }
        .joined(separator: ", ")
    static let success = Words.number(of: Outcome.succeeded.rawValue) ?? 0

    /// The events beside the runs.
    private static let asides =
        [HistoryEvent.Name.transfer, .notification, .notice, .notified].map { String(code($0)) }
        .joined(separator: ", ")
    /// Such an event belongs to no run and no request.
    private static let isAside = "event IN (\(asides)) AND run IS NULL AND request IS NULL"

    private mutating func thinEvents(covered: Int64) throws -> Bool {
        let from = done.events?.milliseconds ?? Int64.min
        guard
            let first = try Int64.fetchOne(
                db,
                sql: """
                    SELECT time FROM events INDEXED BY events_time
                    WHERE time >= ? AND seq <= ? AND (event IN (\(Self.usual)) OR (\(Self.isAside)))
                    ORDER BY time LIMIT 1
                    """, arguments: [from, covered]),
            let last = try Int64.fetchOne(db, sql: "SELECT time FROM events ORDER BY seq DESC LIMIT 1")
        else { return false }
        let span = Self.portion.milliseconds
        let end = Self.floor(first, to: span) + span
        guard end <= last - Self.spared.milliseconds else { return false }
        try count(from: from, to: end, covered: covered)
        try delete(from: from, to: end, covered: covered)
        try deleteAsides(to: end, covered: covered)
        done.events = WallTime(milliseconds: end)
        return true
    }

    private mutating func thinAsides(covered: Int64) throws -> Bool {
        guard
            let first = try Int64.fetchOne(
                db,
                sql: """
                    SELECT min(time) FROM events WHERE \(Self.isAside) AND \(HistoryQuery.rare) AND seq <= ?
                    """, arguments: [covered]),
            let last = try Int64.fetchOne(db, sql: "SELECT time FROM events ORDER BY seq DESC LIMIT 1")
        else { return false }
        let span = Self.asidePortion.milliseconds
        let end = Self.floor(first, to: span) + span
        guard end <= last - Self.asideSpared.milliseconds else { return false }
        try deleteAsides(to: end, covered: covered)
        done.asides = WallTime(milliseconds: end)
        return true
    }

    private func deleteAsides(to end: Int64, covered: Int64) throws {
        try db.execute(
            sql: """
                DELETE FROM events WHERE \(Self.isAside) AND \(HistoryQuery.rare) AND time < ? AND seq <= ?
                """, arguments: [end, covered])
    }

    private static func floor(_ time: Int64, to span: Int64) -> Int64 {
        let rest = time % span
        return time - (rest < 0 ? rest + span : rest)
    }

    /// Adds the events from `begin` up to `end` to the days' figures.
    private func count(from begin: Int64, to end: Int64, covered: Int64) throws {
        try DayFigures.makeTable(db)
        try db.execute(
            sql: """
                INSERT INTO days (day, app, task, launched, succeeded, failed, ms)
                \(DayFigures.counting) AND time < ?3 AND seq <= ?4 GROUP BY day, app, task
                ON CONFLICT (day, app, task) DO UPDATE SET launched = launched + excluded.launched,
                    succeeded = succeeded + excluded.succeeded, failed = failed + excluded.failed,
                    ms = ms + excluded.ms
                """, arguments: [Duration.days(1).milliseconds, begin, end, covered])
    }

    private func delete(from begin: Int64, to end: Int64, covered: Int64) throws {
        let completed = Self.code(.completed)
        // A run that began then may have ended a day later.
        let later = end + Duration.days(1).milliseconds
        func told(_ column: String) -> String {
            """
            SELECT \(column) FROM events INDEXED BY events_time WHERE \(column) IS NOT NULL AND time >= ?1 AND time < ?3
            AND (event NOT IN (\(Self.usual)) OR (event = \(completed) AND outcome IS NOT \(Self.success)))
            """
        }
        try db.execute(
            sql: """
                DELETE FROM events WHERE time >= ?1 AND time < ?2 AND seq <= ?4 AND event IN (\(Self.usual))
                AND (run IS NULL OR run NOT IN (\(told("run"))))
                AND (request IS NULL OR request NOT IN (\(told("request"))))
                """, arguments: [begin, end, later, covered])
    }
}
