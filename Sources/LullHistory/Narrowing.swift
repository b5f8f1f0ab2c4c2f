import Foundation
import GRDB
import Glibc
import LullModel

/// Brings a history of version 6 or before to narrow rows: into a new file beside it, which then takes its name.
///
/// The old file stays as it is until the new one is whole and on the disk, so that any crash leaves one of the two. What was
/// copied by then need not be copied again. The new file has less than half the size. Where there is no room for it the
/// history is used as it is, and the next opening tries again.
struct Narrowing {
    static let folderName = "/history.narrow"
    /// Events of one transaction.
    var portion = 20_000
    /// Called before each thing that is written.
    var step: () throws -> Void = {}
    private static let outputPortion = 200
    /// What an old history takes beside its rows.
    private static let least = 1 << 20

    private let folder: String
    private var path: String { folder + "/" + SQLiteHistory.fileName }
    private var scratch: String { folder + Self.folderName }
    private var newPath: String { scratch + "/" + SQLiteHistory.fileName }

    init(folder: String) { self.folder = folder }

    /// Opens the history; an old one is made narrow first.
    func run(_ progress: (String) -> Void, opening: () throws -> DatabaseQueue) throws -> DatabaseQueue {
        let old = try opening()
        let version = try old.read { try HistorySchema.version(of: $0) ?? HistorySchema.version }
        guard version <= HistorySchema.wideVersion else {
            try? FileManager.default.removeItem(atPath: scratch)
            return old
        }
        guard hasRoom(progress) else { return old }
        do {
            try copy(old, progress)
        } catch let error as HistoryError {
            guard case .full = error else { throw error }
            try? FileManager.default.removeItem(atPath: scratch)
            progress(Self.noRoom)
            return old
        }
        try old.writeWithoutTransaction { _ = try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try old.close()
        try swap()
        progress("The history is narrow now, and all of it is there.")
        return try opening()
    }

    private static let noRoom =
        "The history of an older Lull stays as it is: there is no room on the disk to make a smaller one of it. The next start "
        + "tries again."

    /// Whether the new file would leave some room beside itself.
    private func hasRoom(_ progress: (String) -> Void) -> Bool {
        var file = stat()
        var system = statvfs()
        guard stat(path, &file) == 0, statvfs(folder, &system) == 0 else { return true }
        let (free, overflow) = Int64(clamping: system.f_bavail)
            .multipliedReportingOverflow(by: Int64(clamping: system.f_frsize))
        if overflow || free > Int64(file.st_size) / 2 + Int64(Self.least) { return true }
        progress(Self.noRoom)
        return false
    }

    // MARK: - Copying

    private func copy(_ old: DatabaseQueue, _ progress: (String) -> Void) throws {
        do {
            let source = try old.read(Self.identity)
            let new = try begin(source)
            defer { try? new.close() }
            try copyEvents(old, new, progress)
            try copyOutputs(old, new)
            try step()
            try copyRest(old, new)
            try step()
            try new.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        } catch let error as DatabaseError {
            throw HistoryError(database: error, path: path)
        }
    }

    /// What tells that an old host has written to the old file since.
    private static func identity(_ db: Database) throws -> String {
        let events = try SQLiteHistory.lastSeq(db)
        let output = try Int64.fetchOne(db, sql: "SELECT max(rowid) FROM output") ?? 0
        return "\(events) \(output)"
    }

    /// The new file as far as it was made, or a new one.
    private func begin(_ source: String) throws -> DatabaseQueue {
        if let new = try? open(), (try? new.read { try SQLiteHistory.memo("source", $0) }) == source {
            return new
        }
        try? FileManager.default.removeItem(atPath: scratch)
        try DurableFolder.make(scratch)
        let made = Glibc.open(newPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if made >= 0 { Glibc.close(made) }
        let new = try open()
        try new.write { db in
            try HistorySchema.make(db)
            try SQLiteHistory.put(source, as: "source", db)
        }
        return new
    }

    /// What stands in it outlives a crash of this process at each moment, and of the machine as a whole database.
    private func open() throws -> DatabaseQueue {
        let queue = try DatabaseQueue(
            path: newPath, configuration: SQLiteHistory.configuration(readonly: false))
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
        }
        return queue
    }

    private func copyEvents(_ old: DatabaseQueue, _ new: DatabaseQueue, _ progress: (String) -> Void) throws {
        let (first, last) = try old.read { db in
            (
                try Int64.fetchOne(db, sql: "SELECT min(seq) FROM events") ?? 0,
                try Int64.fetchOne(db, sql: "SELECT max(seq) FROM events") ?? 0
            )
        }
        var done = try new.read { try Int64.fetchOne($0, sql: "SELECT max(seq) FROM events") } ?? 0
        // By numbers that a damaged file holds as well.
        let count = Double(last) - Double(first) + 1
        let isLong = count > Double(10 * portion)
        var told = -1
        var names = Names()
        while done < last {
            try step()
            done = try old.read { source in
                try new.write { target in
                    let sql = WideEventRow.selection() + " WHERE seq > ? ORDER BY seq LIMIT \(portion)"
                    let rows = try Row.fetchCursor(source, sql: sql, arguments: [done])
                    var seq = last
                    while let row = try rows.next() {
                        seq = row[0]
                        try EventRow.insert(try WideEventRow.event(row), seq: seq, &names, target)
                    }
                    return seq
                }
            }
            let share = Int((Double(done) - Double(first) + 1) / max(1, count) * 10) * 10
            if isLong, share > told {
                told = share
                progress(
                    "The history of an older Lull is made smaller before anything is launched: \(share) % of "
                        + "\(Int64(exactly: count) ?? .max) events.")
            }
        }
    }

    private func copyOutputs(_ old: DatabaseQueue, _ new: DatabaseQueue) throws {
        var done = try new.read { try Int64.fetchOne($0, sql: "SELECT max(rowid) FROM output") } ?? Int64.min
        while true {
            let rows = try old.read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT rowid, run, start, stream, time, shared, bytes FROM output WHERE rowid > ?
                        ORDER BY rowid LIMIT \(Self.outputPortion)
                        """, arguments: [done])
            }
            guard let last = rows.last else { return }
            try step()
            try new.write { db in
                let insertion = try db.makeStatement(
                    sql: """
                        INSERT INTO output (rowid, run, start, stream, time, shared, bytes)
                        VALUES (?, ?, ?, ?, ?, ?, ?)
                        """)
                for row in rows {
                    try insertion.execute(arguments: StatementArguments(Array(row.databaseValues)))
                }
            }
            done = last[0]
        }
    }

    private func copyRest(_ old: DatabaseQueue, _ new: DatabaseQueue) throws {
        let (checkpoint, meta) = try old.read { db in
            (
                try Row.fetchOne(db, sql: "SELECT id, seq, version, data FROM checkpoint"),
                try Row.fetchAll(
                    db, sql: "SELECT key, value FROM meta WHERE key NOT IN ('version', 'reserve')")
            )
        }
        try new.write { db in
            try db.execute(sql: "DELETE FROM checkpoint; DELETE FROM meta WHERE key = 'source'")
            if let checkpoint {
                try db.execute(
                    sql: "INSERT INTO checkpoint (id, seq, version, data) VALUES (?, ?, ?, ?)",
                    arguments: StatementArguments(Array(checkpoint.databaseValues)))
            }
            for row in meta {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO meta VALUES (?, ?)",
                    arguments: StatementArguments(Array(row.databaseValues)))
            }
        }
    }

    // MARK: - Taking the name

    /// Each step may be the last before a crash. The old file holds all of its commits by now, so it may lose its WAL; the
    /// new one is whole without one.
    private func swap() throws {
        DurableFolder.sync(scratch)
        for suffix in ["-wal", "-shm"] {
            unlink(newPath + suffix)
            let empty = Glibc.open(
                newPath + suffix, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if empty >= 0 { Glibc.close(empty) }
        }
        for suffix in ["-wal", "-shm", ""] {
            try step()
            guard rename(newPath + suffix, path + suffix) != 0 else { continue }
            throw HistoryError.inaccessible(
                path: path + suffix, reason: "it can't be replaced: \(systemReason(errno))")
        }
        DurableFolder.sync(folder)
        try? FileManager.default.removeItem(atPath: scratch)
    }
}
