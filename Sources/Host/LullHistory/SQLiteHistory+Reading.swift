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
        try readNamed { db, names in
            let table = EventTable(of: db, names)
            let rows = try EventRows(table, table.selection + " WHERE seq > ? ORDER BY seq", [seq])
            while let row = try rows.next() { body(row.event) }
        }
    }

    public func forEachEvent(
        matching query: HistoryQuery, _ body: (HistoryEvent) -> Void
    ) throws(HistoryError) {
        try readNamed { db, names in
            let table = EventTable(of: db, names)
            let branches = try table.branches(of: query)
            var rest = query.limit.map { max(0, $0) } ?? Int.max
            if branches.count == 1, let branch = branches.first {
                let rows = try EventRows(table, branch.sql, branch.arguments)
                while rest > 0, let row = try rows.next() {
                    body(row.event)
                    rest -= 1
                }
                return
            }
            var rows = try MergedRows(branches, query.order, table)
            while rest > 0, let event = try rows.next() {
                body(event)
                rest -= 1
            }
        }
    }

    /// Hands over at most `limit` events after number `seq`, in order. Returns the number of the last one: a reader that
    /// follows the log continues after it.
    public func follow(
        after seq: Int64, limit: Int, _ body: (HistoryEvent) -> Void
    ) throws(HistoryError) -> Int64 {
        try readNamed { db, names in
            let table = EventTable(of: db, names)
            let rows = try EventRows(
                table, table.selection + " WHERE seq > ? ORDER BY seq LIMIT ?", [seq, limit])
            var last = seq
            while let row = try rows.next() {
                body(row.event)
                last = row.seq
            }
            return last
        }
    }

    public func output(of run: RunID) throws(HistoryError) -> RunOutput? {
        try read { db in try OutputRows.output(of: run, db) }
    }

    public func unknown(among events: [HistoryEvent]) throws(HistoryError) -> [HistoryEvent] {
        var seen = Set<EventIdentity>()
        return try readNamed { db, names in
            let table = EventTable(of: db, names)
            let statement = try db.cachedStatement(
                sql: """
                    SELECT 1 FROM events WHERE time = ? AND event = ? AND app = ? AND task IS ? AND request IS ?
                    AND run IS ? LIMIT 1
                    """)
            return try events.filter { event in
                let identity = EventIdentity(event)
                guard seen.insert(identity).inserted else { return false }
                if identity.details != nil { return try !holds(identity, table, db) }
                let row = try Row.fetchOne(
                    statement,
                    arguments: [
                        event.time.milliseconds, table.key(event.event), try table.key(event.app.text),
                        try event.task.map { try table.key($0.text) },
                        event.request.map { Int64(bitPattern: $0.number) },
                        event.run.map { Int64(bitPattern: $0.number) },
                    ])
                return row == nil
            }
        }
    }

    private func holds(
        _ identity: EventIdentity, _ table: EventTable, _ db: Database
    ) throws -> Bool {
        let rows = try Row.fetchCursor(
            db, sql: table.selection + " WHERE time = ? AND event = ? AND app = ?",
            arguments: [
                identity.time.milliseconds, table.key(identity.event), try table.key(identity.app.text),
            ])
        while let row = try rows.next() {
            if EventIdentity(try table.event(row)) == identity { return true }
        }
        return false
    }

    public func holdsNumbers() throws(HistoryError) -> Bool {
        try readNamed { db, names in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM events WHERE run IS NOT NULL)
                    OR EXISTS (SELECT 1 FROM events WHERE request IS NOT NULL) OR EXISTS (SELECT 1 FROM checkpoint)
                    OR EXISTS (SELECT 1 FROM events WHERE event = ?)
                    """, arguments: [EventTable(of: db, names).key(.transfer)]) ?? false
        }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(HistoryError) -> Value {
        try readNamed { db, _ in try body(db) }
    }

    /// Reads with the numbered texts that this connection knows.
    func readNamed<Value>(
        _ body: (Database, SharedNames) throws -> Value
    ) throws(HistoryError) -> Value {
        do {
            let (queue, names) = try reader.current()
            return try queue.read { try body($0, names) }
        } catch {
            throw failure(error)
        }
    }
}
