import Foundation
import GRDB
public import LullModel

extension SQLiteHistory {
    public func checkpoint() throws(HistoryError) -> Checkpoint? {
        try read { db in
            let row = try Row.fetchOne(db, sql: "SELECT version, data, seq FROM checkpoint")
            guard let row else { return nil }
            guard let version = Int.fromDatabaseValue(row[0]), let data = Data.fromDatabaseValue(row[1]),
                let seq = Int64.fromDatabaseValue(row[2])
            else { throw DamagedRow(table: "checkpoint", row: 1) }
            return Checkpoint(version: version, data: data, seq: seq)
        }
    }

    public func forEachEvent(after seq: Int64, _ body: (HistoryEvent) -> Void) throws(HistoryError) {
        try read { db in
            let selection = EventRow.selection(version: try Self.version(of: db))
            let sql = selection + " WHERE seq > ? ORDER BY seq"
            let rows = try Row.fetchCursor(db, sql: sql, arguments: [seq])
            while let row = try rows.next() { body(try EventRow.event(row)) }
        }
    }

    public func forEachEvent(
        matching query: HistoryQuery, _ body: (HistoryEvent) -> Void
    ) throws(HistoryError) {
        try read { db in
            let (sql, arguments) = query.sql(version: try Self.version(of: db))
            let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
            while let row = try rows.next() { body(try EventRow.event(row)) }
        }
    }

    /// The same of at most `limit` events. Returns the number of the last one: after it a reader that follows the log
    /// goes on.
    public func follow(
        after seq: Int64, limit: Int, _ body: (HistoryEvent) -> Void
    ) throws(HistoryError) -> Int64 {
        try read { db in
            let selection = EventRow.selection(version: try Self.version(of: db))
            let rows = try Row.fetchCursor(
                db, sql: selection + " WHERE seq > ? ORDER BY seq LIMIT ?", arguments: [seq, limit])
            var last = seq
            while let row = try rows.next() {
                body(try EventRow.event(row))
                last = row[0]
            }
            return last
        }
    }

    public func output(of run: RunID) throws(HistoryError) -> RunOutput? {
        try read { db in try OutputRows.output(of: run, db) }
    }

    public func unknown(among events: [HistoryEvent]) throws(HistoryError) -> [HistoryEvent] {
        var seen = Set<EventIdentity>()
        return try read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT 1 FROM events WHERE time = ? AND event = ? AND app = ? AND task IS ? AND request IS ?
                    AND run IS ? LIMIT 1
                    """)
            return try events.filter { event in
                guard seen.insert(EventIdentity(event)).inserted else { return false }
                let row = try Row.fetchOne(
                    statement,
                    arguments: [
                        event.time.milliseconds, event.event.rawValue, event.app.text, event.task?.text,
                        event.request.map { Int64(bitPattern: $0.number) },
                        event.run.map { Int64(bitPattern: $0.number) },
                    ])
                return row == nil
            }
        }
    }

    public func holdsNumbers() throws(HistoryError) -> Bool {
        try read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM events WHERE run IS NOT NULL)
                    OR EXISTS (SELECT 1 FROM events WHERE request IS NOT NULL) OR EXISTS (SELECT 1 FROM checkpoint)
                    """) ?? false
        }
    }

    /// Asked at each reading: beside a reader of an older database a host may bring it to its own version.
    private static func version(of db: Database) throws -> Int {
        try HistorySchema.version(of: db) ?? HistorySchema.version
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(HistoryError) -> Value {
        do {
            return try reader.read(body)
        } catch {
            throw HistoryError(error, path: path)
        }
    }
}

extension HistoryQuery {
    /// The query on the table `events`; an index serves each of app, task, run and time.
    func sql(version: Int = HistorySchema.version) -> (String, StatementArguments) {
        var conditions: [String] = []
        var arguments = StatementArguments()
        func require(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
            guard let value else { return }
            conditions.append(condition)
            arguments += [value]
        }
        require("app = ?", app?.text)
        require("task = ?", task?.text)
        require("request = ?", request.map { Int64(bitPattern: $0.number) })
        require("run = ?", run.map { Int64(bitPattern: $0.number) })
        require("time >= ?", since?.milliseconds)
        require("time < ?", until?.milliseconds)
        if !names.isEmpty {
            conditions.append(
                "event IN (\(names.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")))")
        }
        var sql = EventRow.selection(version: version)
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        sql += order == .oldestFirst ? " ORDER BY time, seq" : " ORDER BY time DESC, seq DESC"
        if let limit { sql += " LIMIT \(max(0, limit))" }
        return (sql, arguments)
    }
}
