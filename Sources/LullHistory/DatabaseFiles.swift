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

    static func identity(of path: String) -> (device: UInt64, inode: UInt64)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}
