private import CLullShims
import GRDB
import Glibc

/// Disk space that the history reserves, so that it can be written while the disk is full.
///
/// No other program can take it: it is free pages within the database, and blocks that the WAL has before they are written.
/// The space of a file that is deleted when the disk is full would go to the program that fills the disk. A commit goes to the
/// WAL, and from there to the free pages, so the space is used again and again until the free pages are used up. Nothing is
/// reserved if it would take more than a quarter of the free space.
struct HistoryReserve {
    /// Free pages of the database: about thirty thousand events.
    static let pageBytes: Int64 = 4 << 20
    /// Blocks of the WAL. A commit of one event takes some 25 KiB until it is copied into the database.
    static let walBytes: Int64 = 8 << 20

    let path: String

    /// Whether the file system has enough free space for the reserve.
    private var isAffordable: Bool {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return false }
        let (free, overflow) = Int64(clamping: status.f_bavail)
            .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
        return overflow || free >= 4 * (Self.pageBytes + Self.walBytes)
    }

    /// Gives the WAL blocks up to its size limit. There are no locks on the WAL itself, so closing it releases none.
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

    /// Gives the database free pages, each of which has its place on the disk.
    func keepPages(_ db: Database) throws -> Bool {
        let count = try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
        let size = try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 4096
        if count * size >= Self.pageBytes / 2 { return true }
        guard isAffordable else { return false }
        // In two commits: pages that are taken and freed in one commit are never written, and so have no place on the disk.
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

    /// Copies the WAL into the database, so that the WAL can be written from its beginning. Returns whether all was copied.
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
    /// Without a disk there is always room.
    public func keepReserve() throws(HistoryError) -> Bool { true }
}
