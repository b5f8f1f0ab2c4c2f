import Foundation
import GRDB
import LullModel

/// Copies row by row, and steps over what SQLite can't read.
struct SalvageCopy {
    private let source: DatabaseQueue?
    private let target: DatabaseQueue

    init(from source: DatabaseQueue?, to history: SQLiteHistory) throws {
        guard let writer = history.writer else { throw HistoryError.readOnly(path: history.path) }
        self.source = source
        target = writer
    }

    func run(movedTo: String) throws -> SalvageReport {
        var report = SalvageReport(
            movedTo: movedTo, events: 0, outputs: 0, hasCheckpoint: false, lostEvents: 0)
        guard let source else { return report }
        try source.unsafeRead { old in
            try target.write { new in
                try copyEvents(old, new, &report)
                try copyOutputs(old, new, &report)
                let row = try? Row.fetchOne(old, sql: "SELECT version, data, seq FROM checkpoint")
                if let row, let version = Int.fromDatabaseValue(row[0]),
                    let data = Data.fromDatabaseValue(row[1]),
                    let seq = Int64.fromDatabaseValue(row[2])
                {
                    try SQLiteHistory.put(Checkpoint(version: version, data: data), seq: seq, new)
                    report.hasCheckpoint = true
                }
            }
        }
        return report
    }

    private func copyEvents(_ old: Database, _ new: Database, _ report: inout SalvageReport) throws {
        var last: Int64?
        // By what the table has: its version may be on a page that can't be read.
        let columns = (try? Row.fetchAll(old, sql: "SELECT name FROM pragma_table_info('events')")) ?? []
        let isCurrent = columns.contains { String.fromDatabaseValue($0[0]) == "price" }
        let selection = EventRow.selection(version: isCurrent ? HistorySchema.version : 1)
        try forEachRow(old, select: selection, key: "seq") { row in
            guard let seq = Int64.fromDatabaseValue(row[0]), let event = try? EventRow.event(row) else {
                return
            }
            try new.execute(sql: EventRow.insertion, arguments: EventRow.arguments(of: event, seq: seq))
            report.events += 1
            if let last { report.lostEvents += Int(seq - last - 1) }
            last = seq
        }
    }

    private func copyOutputs(_ old: Database, _ new: Database, _ report: inout SalvageReport) throws {
        let select = "SELECT rowid, start, stream, time, shared, bytes, run FROM output"
        try forEachRow(old, select: select, key: "rowid") { row in
            guard let run = Int64.fromDatabaseValue(row[6]), let piece = OutputRows.piece(row, from: 1)
            else { return }
            try OutputRows.insert(piece, run: run, new)
            report.outputs += 1
        }
    }

    /// Every readable row in the order of `key`, the first column; what can't be read is stepped over.
    private func forEachRow(
        _ db: Database, select: String, key: String, _ body: (Row) throws -> Void
    ) throws {
        /// The first row from a key on, or its absence; nil when SQLite can't read there.
        func canRead(from start: Int64) -> Bool {
            (try? Row.fetchAll(
                db, sql: select + " WHERE \(key) >= ? ORDER BY \(key) LIMIT 1", arguments: [start]))
                != nil
        }
        var start: Int64 = 0
        while true {
            do {
                let sql = select + " WHERE \(key) >= ? ORDER BY \(key)"
                let rows = try Row.fetchCursor(db, sql: sql, arguments: [start])
                while let row = try rows.next() {
                    try body(row)
                    start = (Int64.fromDatabaseValue(row[0]) ?? start) + 1
                }
                return
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                guard let next = firstReadable(after: start, canRead) else { return }
                start = next
            }
        }
    }

    /// Finds where reading goes on: ever wider steps, then halving back.
    private func firstReadable(after start: Int64, _ canRead: (Int64) -> Bool) -> Int64? {
        var step: Int64 = 1
        while step < 1 << 40, !canRead(start + step) { step *= 2 }
        guard step < 1 << 40 else { return nil }
        var low = start + step / 2
        var high = start + step
        while high - low > 1 {
            let middle = (low + high) / 2
            if canRead(middle) { high = middle } else { low = middle }
        }
        return high
    }
}
