private import CLullShims
import GRDB
import Glibc

/// Room on the disk that the history has set aside, so that it can be written while the disk is full.
///
/// It lies where nobody else can take it: as free pages within the database, and as blocks of the WAL that are its own before
/// they are written. A file that is given back when the disk is full would go to whoever fills it. A commit goes to the WAL,
/// and what the WAL holds goes on to the free pages; so the room is used over and over until the free pages are used up.
/// Where it would be more than a quarter of what is free none is set aside.
struct HistoryReserve {
    /// Free pages of the database: about thirty thousand events.
    static let pageBytes: Int64 = 4 << 20
    /// A commit of one event takes some 25 KiB of it until it has gone on to the database.
    static let walBytes: Int64 = 8 << 20

    let path: String

    /// Whether the file system can do without that much.
    private var isAffordable: Bool {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return false }
        let (free, overflow) = Int64(clamping: status.f_bavail)
            .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
        return overflow || free >= 4 * (Self.pageBytes + Self.walBytes)
    }

    /// The WAL has blocks up to the size beyond which it is cut. It is locked by nobody: to close it lets go of no lock.
    func keepWAL() -> Bool {
        let file = open(path + "-wal", O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return false }
        if status.st_blocks * 512 >= Self.walBytes { return true }
        guard isAffordable else { return false }
        return lull_set_aside(file, Self.walBytes) == 0
    }

    /// The database has free pages, each of which lies on the disk.
    func keepPages(_ db: Database) throws -> Bool {
        let count = try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
        let size = try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 4096
        if count * size >= Self.pageBytes / 2 { return true }
        guard isAffordable else { return false }
        // In two commits: what is taken and let go in one is never written, and so has no place on the disk.
        try db.execute(
            sql: "INSERT OR REPLACE INTO meta VALUES ('reserve', zeroblob(?))", arguments: [Self.pageBytes])
        try db.execute(sql: "DELETE FROM meta WHERE key = 'reserve'")
        return true
    }
}

extension SQLiteHistory {
    public func keepReserve() throws(HistoryError) -> Bool {
        guard let writer else { throw .readOnly(path: path) }
        let reserve = HistoryReserve(path: path)
        do {
            let hasPages = try writer.writeWithoutTransaction { db in try reserve.keepPages(db) }
            return reserve.keepWAL() && hasPages
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Moves what the WAL holds into the database, so that it can be written from its beginning; whether all of it moved.
    func emptyWAL() -> Bool {
        let moved = try? writer?.writeWithoutTransaction { db in
            try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)").map { row -> Bool in
                let (frames, done): (Int, Int) = (row[1], row[2])
                return frames > 0 && frames == done
            }
        }
        return moved == true
    }
}

extension History {
    /// Where there is no disk there is always room.
    public func keepReserve() throws(HistoryError) -> Bool { true }
}
