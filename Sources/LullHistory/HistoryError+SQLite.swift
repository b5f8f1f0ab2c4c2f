import GRDB

extension HistoryError {
    /// The sentence behind whatever was thrown while the database at `path` was used.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as HistoryError: self = error
        case let error as DamagedRow: self = .damaged(path: path, what: error.what)
        case let error as DatabaseError: self.init(error, path: path)
        default: self = .inaccessible(path: path, reason: "\(error)")
        }
    }

    private init(_ error: DatabaseError, path: String) {
        let reason = error.message ?? "an error without a message"
        switch error.resultCode {
        case .SQLITE_CORRUPT: self = .damaged(path: path, what: reason)
        case .SQLITE_NOTADB: self = .damaged(path: path, what: "its beginning is not that of a database")
        case .SQLITE_FULL: self = .full(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        case .SQLITE_CANTOPEN, .SQLITE_AUTH: self = .inaccessible(path: path, reason: reason)
        default: self = .failed(path: path, code: error.extendedResultCode.rawValue, reason: reason)
        }
    }
}
