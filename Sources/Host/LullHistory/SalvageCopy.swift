import Foundation
import GRDB
import LullModel

/// Copies a damaged history row by row, and skips the rows that SQLite can't read.
struct SalvageCopy {
    /// A number that is further beyond the one before it is taken for damage.
    private static let believableGap: Int64 = 1 << 32

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
                try copyDays(old, new)
                let row = try? Row.fetchOne(old, sql: "SELECT version, data, seq FROM checkpoint")
                if let row, let version = Int.fromDatabaseValue(row[0]),
                    let data = Data.fromDatabaseValue(row[1]),
                    let seq = Int64.fromDatabaseValue(row[2]),
                    (0...report.last + Self.believableGap).contains(seq)
                {
                    // The events that it covers existed once.
                    report.lostEvents += max(0, Int(seq - report.last))
                    try SQLiteHistory.put(Checkpoint(version: version, data: data), seq: seq, new)
                    report.hasCheckpoint = true
                }
            }
        }
        return report
    }

    private func copyEvents(_ old: Database, _ new: Database, _ report: inout SalvageReport) throws {
        guard SalvageSource.hasEvents(old) else { return }
        let saved = SalvageNames(texts: SalvageNames.texts(old))
        var names = Names()
        try forEachRow(old, select: EventRow.selection, key: "seq") { row in
            guard let seq = Int64.fromDatabaseValue(row[0]), let event = try? EventRow.event(row, saved),
                seq > report.last, seq - report.last <= Self.believableGap
            else { return }
            try EventRow.insert(event, seq: seq, &names, new)
            // Retention may have deleted the events before the first one.
            if report.events > 0 { report.lostEvents += Int(seq - report.last - 1) }
            report.events += 1
            report.last = seq
        }
    }

    private func copyOutputs(_ old: Database, _ new: Database, _ report: inout SalvageReport) throws {
        let select = "SELECT rowid, start, stream, time, shared, bytes, run FROM output"
        try forEachRow(old, select: select, key: "rowid") { row in
            guard let run = Int64.fromDatabaseValue(row[6]), let piece = OutputRows.piece(row, from: 1)
            else { return }
            // A damaged key may be that of another piece.
            do {
                try OutputRows.insert(piece, run: run, new)
                report.outputs += 1
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {}
        }
    }

    /// Copies the figures of days whose details were deleted: they are nowhere else.
    private func copyDays(_ old: Database, _ new: Database) throws {
        let texts = SalvageNames.texts(old)
        var names = Names()
        var last: WallTime?
        // Reads up to the unreadable part, from either side.
        for order in ["day, app, task", "day DESC, app DESC, task DESC"] {
            let rows = try? Row.fetchCursor(old, sql: "\(DayFigures.selection) ORDER BY \(order)")
            while let row = (try? rows?.next()) ?? nil {
                guard let day = try DayFigures.day(row, { texts[$0] }) else { continue }
                try DayFigures.put([day], &names, new)
                last = max(last ?? day.day, day.day)
            }
        }
        let known = (try? Thinner.thinning(old)) ?? nil
        if let thinning = try known ?? last.map({ try Thinner.thinning(after: $0, new) }) {
            try Thinner.put(thinning, new)
        }
    }

    /// Calls `body` with every readable row in the order of `key`, the first column; unreadable rows are skipped.
    private func forEachRow(
        _ db: Database, select: String, key: String, _ body: (Row) throws -> Void
    ) throws {
        /// Whether SQLite can read the first row from a key on, or that there is none.
        func canRead(from start: Int64) -> Bool {
            (try? Row.fetchAll(
                db, sql: select + " WHERE \(key) >= ? ORDER BY \(key) LIMIT 1", arguments: [start]))
                != nil
        }
        var start: Int64 = 0
        while true {
            let sql = select + " WHERE \(key) >= ? ORDER BY \(key)"
            var cursor = try? Row.fetchCursor(db, sql: sql, arguments: [start])
            while let rows = cursor {
                // Rows that the source can't read are skipped; a row that the target can't take is an error.
                switch Result(catching: { try rows.next() }) {
                case .success(let row?):
                    try body(row)
                    guard let number = Int64.fromDatabaseValue(row[0]) else { continue }
                    if number >= start, number - start <= Self.believableGap { start = number + 1 }
                case .success(nil): return
                case .failure: cursor = nil
                }
            }
            guard let next = firstReadable(after: start, canRead) else { return }
            start = next
        }
    }

    /// Finds the next readable key: with doubled steps, then by binary search.
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
