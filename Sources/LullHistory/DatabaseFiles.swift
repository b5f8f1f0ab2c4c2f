import Glibc

/// The files that a database has open, so that it is noticed when its paths lead elsewhere.
///
/// A file that is deleted or unmounted can be written to for as long as it is open, and nobody ever reads it again.
/// SQLite looks at that only where it keeps a rollback journal.
struct DatabaseFiles: Sendable {
    private struct File: Sendable {
        let path: String
        let device: UInt64
        let inode: UInt64
    }

    private let files: [File]

    /// What the paths lead to now; a file that is not there is of no concern.
    init(of path: String) {
        files = ["", "-wal", "-shm"].compactMap { suffix in
            let path = path + suffix
            return Self.identity(of: path).map { File(path: path, device: $0.device, inode: $0.inode) }
        }
    }

    func verify() throws(HistoryError) {
        for file in files {
            guard let now = Self.identity(of: file.path), now == (file.device, file.inode) else {
                throw .vanished(path: file.path)
            }
        }
    }

    /// What SQLite would follow, wait for or take for an empty database is refused before it sees it.
    static func check(_ path: String) throws(HistoryError) {
        for path in [path, path + "-wal", path + "-shm"] {
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            let kind: String
            switch status.st_mode & S_IFMT {
            case S_IFREG: continue
            case S_IFIFO: kind = "a named pipe"
            case S_IFSOCK: kind = "a socket"
            case S_IFDIR: kind = "a folder"
            case S_IFLNK: kind = "a link, which is not followed"
            default: kind = "a device"
            }
            throw .inaccessible(path: path, reason: "a file of the history belongs here, and this is \(kind)")
        }
        // SQLite would throw the WAL away. One of no more than its header holds nothing.
        guard size(of: path) == 0, size(of: path + "-wal") > 32 else { return }
        let what = DurableFolder.exists(path) ? "it is empty" : "it is gone"
        throw .damaged(path: path, what: "\(what), and the WAL beside it is not")
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_size : 0
    }

    static func identity(of path: String) -> (device: UInt64, inode: UInt64)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}
