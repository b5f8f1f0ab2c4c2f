import GRDB
import GRDBSQLite
import Glibc

extension HistoryError {
    /// Makes a history error of any error that was thrown while the database at `path` was used.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as HistoryError: self = error
        case let error as DurableFolder.Refusal: self.init(error)
        case let error as DamagedRow: self = .damaged(path: path, what: error.what)
        case let error as DatabaseError: self.init(database: error, path: path)
        default: self = .inaccessible(path: path, reason: "\(error)")
        }
    }

    /// `system` is the errno of the system call that failed, if SQLite has kept it.
    init(database error: DatabaseError, path: String, system: CInt = 0) {
        let reason = error.message ?? "an error without a message"
        switch error.resultCode {
        case .SQLITE_CORRUPT: self = .damaged(path: path, what: reason)
        case .SQLITE_NOTADB: self = .damaged(path: path, what: "it does not begin like a database")
        // The statements here are right, so the tables are not as they were made.
        case .SQLITE_ERROR, .SQLITE_FORMAT, .SQLITE_SCHEMA, .SQLITE_MISMATCH, .SQLITE_CONSTRAINT,
            .SQLITE_TOOBIG:
            self = .damaged(path: path, what: reason)
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHORT_READ:
            self = .damaged(path: path, what: "it is shorter than it says")
        case .SQLITE_FULL: self = .full(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
        // SQLITE_PROTOCOL: SQLite has tried for ten seconds to read a WAL that another process keeps locked.
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            self = .busy(path: path, holder: LockHolder.find(of: path))
        case .SQLITE_IOERR where system == EFBIG: self = .tooLarge(path: path)
        case .SQLITE_IOERR where system == EROFS: self = .readOnly(path: path)
        case .SQLITE_IOERR where system == ENOSPC || system == EDQUOT: self = .full(path: path)
        case .SQLITE_CANTOPEN where system != 0:
            self = .inaccessible(path: path, reason: "it can't be opened: \(systemReason(system))")
        case .SQLITE_IOERR where system != 0:
            let reason = "\(reason): \(systemReason(system))"
            self = .failed(path: path, code: error.extendedResultCode.rawValue, reason: reason)
        case .SQLITE_CANTOPEN, .SQLITE_AUTH: self = .inaccessible(path: path, reason: reason)
        default: self = .failed(path: path, code: error.extendedResultCode.rawValue, reason: reason)
        }
    }
}

/// The errno of the last call that failed on a connection's files; 0 if there is none.
///
/// `sqlite3_system_errno` does not report what fails within a COMMIT.
func systemError(_ connection: SQLiteConnection) -> CInt {
    var code: CInt = 0
    var journal: UnsafeMutablePointer<sqlite3_file>?
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &journal)
    if let journal, let control = journal.pointee.pMethods?.pointee.xFileControl {
        _ = control(journal, SQLITE_FCNTL_LAST_ERRNO, &code)
    }
    if code == 0 { sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &code) }
    return code == 0 ? sqlite3_system_errno(connection) : code
}
