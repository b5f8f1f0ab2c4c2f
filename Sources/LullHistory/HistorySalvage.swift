import Foundation
import GRDB
public import LullModel

/// What could be saved of a damaged history.
public struct SalvageReport: Sendable, Equatable {
    /// Where the damaged file is now.
    public var movedTo: String
    public var events: Int
    /// Runs' pieces of output.
    public var outputs: Int
    public var hasCheckpoint: Bool
    /// Numbers between those of the saved events that are gone.
    public var lostEvents: Int

    /// One sentence for the log.
    public var message: String {
        "The history was damaged. It is now \(movedTo); \(events) events were saved, at least \(lostEvents) lost, "
            + "and the checkpoint was \(hasCheckpoint ? "saved" : "lost")."
    }
}

extension SQLiteHistory {
    /// Opens the history for writing; a damaged one is moved aside and what can be read of it goes into a new one.
    public static func openSalvaging(
        folder: String, at time: WallTime
    ) throws(HistoryError) -> (history: SQLiteHistory, salvage: SalvageReport?) {
        do {
            return (try open(folder: folder, mode: .readWrite), nil)
        } catch .damaged {
            let report = try salvage(folder: folder, at: time)
            return (try open(folder: folder, mode: .readWrite), report)
        }
    }

    /// Moves a damaged history aside, `history.damaged-<time>.sqlite`, and copies its readable rows into a new one.
    ///
    /// The new one is built beside the old and takes its name when it is whole, so that a crash in between costs
    /// nothing. The caller holds the `StateLock`, and no connection is open.
    public static func salvage(folder: String, at time: WallTime) throws(HistoryError) -> SalvageReport {
        let path = folder + "/" + fileName
        let stamp = time.rfc3339.filter { $0 != ":" && $0 != "-" && $0 != "." }
        let moved = folder + "/history.damaged-\(stamp).sqlite"
        do {
            let scratch = folder + "/history.salvage"
            try? FileManager.default.removeItem(atPath: scratch)
            let fresh = try open(folder: scratch, mode: .readWrite)
            let report = try Salvage(from: path, to: fresh).run(movedTo: moved)
            try fresh.close()
            try move(path, to: moved)
            try move(scratch + "/" + fileName, to: path)
            try FileManager.default.removeItem(atPath: scratch)
            StateFolder.sync(folder)
            return report
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Closes both connections; afterwards every call fails.
    public func close() throws(HistoryError) {
        do {
            try reader.close()
            // Into the database itself, so that the file alone is the whole history.
            try writer?.writeWithoutTransaction { db in
                _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            try writer?.close()
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// With what SQLite keeps beside the file: a WAL holds commits that are nowhere else.
    private static func move(_ path: String, to target: String) throws {
        for suffix in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.moveItem(atPath: path + suffix, toPath: target + suffix)
        }
    }
}

/// Copies row by row, and steps over what SQLite can't read.
private struct Salvage {
    let source: DatabaseQueue?
    let target: DatabaseQueue

    init(from path: String, to history: SQLiteHistory) throws {
        guard let writer = history.writer else { throw HistoryError.readOnly(path: history.path) }
        target = writer
        var configuration = Configuration()
        configuration.readonly = true
        // Lets SQLite read a file that is shorter than its header says.
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA writable_schema = ON") }
        source = try? DatabaseQueue(path: path, configuration: configuration)
    }

    func run(movedTo: String) throws -> SalvageReport {
        var report = SalvageReport(movedTo: movedTo, events: 0, outputs: 0, hasCheckpoint: false, lostEvents: 0)
        guard let source else { return report }
        try source.unsafeRead { old in
            try target.write { new in
                try copyEvents(old, new, &report)
                try copyOutputs(old, new, &report)
                let row = try? Row.fetchOne(old, sql: "SELECT version, data, seq FROM checkpoint")
                if let row, let version = Int.fromDatabaseValue(row[0]), let data = Data.fromDatabaseValue(row[1]),
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
        try forEachRow(old, select: EventRow.selection, key: "seq") { row in
            guard let seq = Int64.fromDatabaseValue(row[0]), let event = try? EventRow.event(row) else { return }
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
            (try? Row.fetchAll(db, sql: select + " WHERE \(key) >= ? ORDER BY \(key) LIMIT 1", arguments: [start]))
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
