import Foundation
import GRDB
import GRDBSQLite
import Glibc
import LullModel
import Synchronization

/// The history on disk: `history.sqlite` in the state folder, in WAL mode.
///
/// A commit is synced to disk before `append` returns (`synchronous=FULL`), so that an acknowledged event outlives a
/// power cut. One process writes, under the `StateLock`; any number read beside it. Within the writer's process
/// queries use a connection of their own and never wait for a commit.
public final class SQLiteHistory: History {
    public enum Mode: Sendable { case readWrite, readOnly }

    public static let fileName = "history.sqlite"
    static let busySeconds = 5

    public let path: String
    /// Nil when opened for reading only.
    let writer: DatabaseQueue?
    let reader: HistoryReader
    let names = SharedNames()
    /// The transfers whose texts are removed once their apps have the result.
    let openTransfers = Mutex(OpenTransfers())
    /// The writer's open files; nil when opened for reading only.
    private let files: DatabaseFiles?
    /// Whether the mark file says that the WAL has commits.
    let isMarked = Mutex(false)
    let isAbandoned = Mutex(false)
    /// Damage was found: the next opening must check every page.
    private let isSuspect = Mutex(false)

    /// Opens the history of a state folder; for writing it is made if it is missing.
    ///
    /// Throws `.missing` for a folder without a history, and `.damaged` for one whose structure is broken.
    public static func open(folder: String, mode: Mode) throws(HistoryError) -> SQLiteHistory {
        try SQLiteHistory(folder: folder, mode: mode)
    }

    private init(folder: String, mode: Mode) throws(HistoryError) {
        let path = folder + "/" + Self.fileName
        self.path = path
        do {
            switch mode {
            case .readWrite:
                try DurableFolder.make(folder)
                try Self.finishSalvage(in: folder)
                try DatabaseFiles.check(path)
                writer = try Self.openWriter(path)
                reader = try HistoryReader(path, follows: false)
                files = DatabaseFiles(of: path)
            case .readOnly:
                try DatabaseFiles.check(path)
                guard DurableFolder.exists(path) else { throw HistoryError.missing(folder: folder) }
                writer = nil
                files = nil
                reader = try HistoryReader(path, follows: true)
                let isMade = try reader.current().0.read { db in try HistorySchema.check(db, path: path) }
                guard isMade else { throw HistoryError.missing(folder: folder) }
            }
        } catch {
            let error = Self.explained(HistoryError(error, path: path), mode)
            if case .damaged = error { DatabaseSeal.remove(from: path) }
            throw error
        }
    }

    /// SQLite takes some damaged headers for the header of a read-only database.
    private static func explained(_ error: HistoryError, _ mode: Mode) -> HistoryError {
        guard case .readOnly(let path) = error, mode == .readWrite, access(path, W_OK) == 0 else {
            return error
        }
        return .damaged(path: path, what: "its header says that it is read-only")
    }

    static func openWriter(_ path: String) throws -> DatabaseQueue {
        // SQLite would make the file with the umask's mode, and gives its other files the same mode. Only if there is no file
        // yet: closing a database's file releases all locks that this process holds on it.
        let new = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if new >= 0 { Glibc.close(new) }
        let isSealed = DatabaseSeal.take(from: path)
        let queue = try DatabaseQueue(path: path, configuration: configuration(readonly: false))
        try queue.writeWithoutTransaction { db in
            let isMade = try HistorySchema.check(db, path: path)
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try db.execute(sql: "PRAGMA synchronous = FULL")
            // A WAL that grew during a long read does not stay that large.
            try db.execute(sql: "PRAGMA journal_size_limit = \(HistoryReserve.walBytes)")
            keepFiles(db)
            if !isMade {
                try db.inTransaction(.immediate) {
                    try HistorySchema.make(db)
                    return .commit
                }
            }
            if let check = try check(for: db, isSealed: isSealed) {
                let verdict = try String.fetchOne(db, sql: "PRAGMA \(check)(1)") ?? "ok"
                guard verdict == "ok" else { throw HistoryError.damaged(path: path, what: verdict) }
            }
            // After it there would be no number for new events; a salvage leaves it out.
            let last = isMade ? try lastSeq(db) : 0
            guard last < highestSeq else {
                throw HistoryError.damaged(path: path, what: "its last event has the number \(last)")
            }
            guard sqlite3_db_readonly(db.sqliteConnection, "main") == 0 else {
                throw HistoryError.readOnly(path: path)
            }
        }
        return queue
    }

    /// Keeps `-wal` and `-shm` when the last connection closes: a user who may only read the folder can't make them.
    private static func keepFiles(_ db: Database) {
        var isOn: CInt = 1
        sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isOn)
    }

    /// More events than any history has.
    private static let highestSeq: Int64 = 1 << 62

    static func configuration(readonly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.busyMode = .timeout(TimeInterval(busySeconds))
        configuration.label = "lull.history"
        return configuration
    }

    deinit {
        // SQLite empties the WAL when its last connection closes.
        if writer != nil { clearMark() }
    }

    /// Makes a history error of a thrown error. After damage the next opening checks every page.
    func failure(_ error: any Error) -> HistoryError {
        let error = HistoryError(error, path: path)
        if case .damaged = error { distrust() }
        return error
    }

    func distrust() {
        isSuspect.withLock { $0 = true }
        if !isAbandoned.withLock({ $0 }) { DatabaseSeal.remove(from: path) }
    }

    /// Closes both connections; afterwards every call fails.
    public func close() throws(HistoryError) {
        do {
            try reader.close()
            guard let writer else { return }
            // Copies the WAL into the database, so that the file alone is the whole history.
            try writer.writeWithoutTransaction { db in
                _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            // Needs the descriptors that are closed below.
            let isOurs = (try? files?.verify()) != nil
            try writer.close()
            clearMark()
            if isOurs, !isSuspect.withLock({ $0 }), !isAbandoned.withLock({ $0 }) {
                DatabaseSeal.put(on: path)
            }
        } catch {
            throw failure(error)
        }
    }

    /// Frees the memory that the connections keep for the next queries; for an idle host.
    public func giveBackMemory() {
        writer?.releaseMemory()
        try? reader.current().0.releaseMemory()
    }

    // MARK: - Writing

    public func append(_ batches: [HistoryBatch]) throws(HistoryError) {
        guard batches.contains(where: { !$0.isEmpty }) else { return }
        do throws(HistoryError) {
            try insert(batches)
        } catch {
            // On a full disk the WAL can't grow, but the database may have room for its content.
            guard case .full = error, emptyWAL() else { throw error }
            try insert(batches)
        }
    }

    private func insert(_ batches: [HistoryBatch]) throws(HistoryError) {
        var isWritten = false
        defer {
            if !isWritten { names.forget() }
            openTransfers.withLock { $0.end(isWritten: isWritten) }
        }
        try write { db in
            var seq = try Self.lastSeq(db)
            let table = EventTable(of: db, names)
            for batch in batches {
                for event in batch.events {
                    guard seq < Int64.max else { throw DamagedRow(table: "events", row: seq) }
                    seq += 1
                    try table.insert(event, seq: seq)
                    for spent in openTransfers.withLock({ $0.note(event, at: seq) }) {
                        try table.spend(seq: spent)
                    }
                }
                for chunk in batch.outputs where !chunk.isEmpty {
                    try OutputRows.append(chunk, db)
                }
                if let checkpoint = batch.checkpoint {
                    try Self.put(checkpoint, seq: seq, db)
                }
            }
        }
        isWritten = true
    }

    /// Throws `.vanished` if the paths lead to other files than the open ones, or to none, and `.altered` if the files were
    /// changed without SQLite.
    public func verify() throws(HistoryError) { try files?.verify() }

    static func put(_ checkpoint: Checkpoint, seq: Int64, _ db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO checkpoint (id, seq, version, data) VALUES (1, ?, ?, ?)"
        )
        .execute(arguments: [seq, checkpoint.version, checkpoint.data])
    }

    /// Numbers are never given again, even when retention has deleted the last event.
    static func lastSeq(_ db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql:
                "SELECT max(ifnull((SELECT max(seq) FROM events), 0), ifnull((SELECT seq FROM checkpoint), 0))"
        )
        return try Int64.fetchOne(statement) ?? 0
    }

    func write<Value>(_ body: (Database) throws -> Value) throws(HistoryError) -> Value {
        guard let writer else { throw .readOnly(path: path) }
        do {
            return try writer.writeWithoutTransaction { db in
                var value: Value?
                do {
                    try db.inTransaction(.immediate) {
                        try files?.begin()
                        value = try body(db)
                        return .commit
                    }
                } catch let error as DatabaseError {
                    let system = db.sqliteConnection.map(systemError) ?? 0
                    try files?.end()
                    throw HistoryError(database: error, path: path, system: system)
                } catch {
                    try files?.end()
                    throw error
                }
                // A commit to files that no path leads to would be lost.
                try files?.end()
                markOpen()
                guard let value else { preconditionFailure("A committed transaction has made its value.") }
                return value
            }
        } catch {
            throw failure(error)
        }
    }
}
