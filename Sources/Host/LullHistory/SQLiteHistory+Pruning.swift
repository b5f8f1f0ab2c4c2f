import GRDB
import LullModel

/// Deletion for retention, and the notes that retention keeps.
extension SQLiteHistory {
    public func prune(_ bounds: PruneBounds) throws(HistoryError) -> PruneReport {
        try write { db in
            let covered = try Int64.fetchOne(db, sql: "SELECT seq FROM checkpoint") ?? 0
            let events = try Self.delete(
                from: "events", by: "seq", index: "events_time", before: bounds.eventsBefore,
                upTo: min(covered, bounds.eventsUpTo), bounds, db)
            let outputs = try Self.delete(
                from: "output", by: "rowid", index: "output_time", before: bounds.outputsBefore,
                upTo: bounds.outputsUpTo, bounds, db)
            if let memo = bounds.memo { try Self.put(memo, as: Self.retention, db) }
            var report = PruneReport(events: events.count, outputs: outputs.count)
            report.hasMore = events.hasMore || outputs.hasMore
            if let bytes = bounds.bytes {
                let thinner = try Thinner(db)
                if try thinner.thin(to: bytes, covered: covered) { report.hasMore = true }
            }
            try DayFigures.delete(bounds, db)
            report.thinning = try Thinner.thinning(db)
            report.last = try Self.lastNumbers(db)
            return report
        }
    }

    private static func delete(
        from table: String, by number: String, index: String, before: WallTime, upTo last: Int64,
        _ bounds: PruneBounds, _ db: Database
    ) throws -> (count: Int, hasMore: Bool) {
        func oldest() throws -> WallTime? {
            let sql = """
                SELECT time FROM \(table) INDEXED BY \(index) WHERE time < ? AND \(number) <= ?
                ORDER BY time LIMIT 1
                """
            return try Int64.fetchOne(db, sql: sql, arguments: [before.milliseconds, last])
                .map(WallTime.init(milliseconds:))
        }
        guard let first = try oldest() else { return (0, false) }
        try db.execute(
            sql: "DELETE FROM \(table) WHERE time < ? AND \(number) <= ?",
            arguments: [bounds.end(before, oldest: first).milliseconds, last])
        return (db.changesCount, try oldest() != nil)
    }

    /// The details that were deleted for the history's size; nil if none were.
    public func thinning() throws(HistoryError) -> HistoryThinning? { try read { try Thinner.thinning($0) } }

    /// The note on retention that the last host left for the next one.
    public func retentionMemo() throws(HistoryError) -> String? {
        try read { db in try Self.memo(Self.retention, db) }
    }

    public func lastNumbers() throws(HistoryError) -> RecordNumbers {
        try read { db in try Self.lastNumbers(db) }
    }

    private static func lastNumbers(_ db: Database) throws -> RecordNumbers {
        RecordNumbers(
            event: try lastSeq(db), output: try Int64.fetchOne(db, sql: "SELECT max(rowid) FROM output") ?? 0)
    }

    private static let retention = "retention"

    static func put(_ value: String, as key: String, _ db: Database) throws {
        try db.execute(sql: "INSERT OR REPLACE INTO meta VALUES (?, ?)", arguments: [key, value])
    }

    static func memo(_ key: String, _ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key])
    }
}
