import Glibc

/// A note that proves that nothing was written to the database since a host closed it.
///
/// SQLite's check of every page takes seconds for gigabytes, and finds nothing new in an unchanged file. So closing a history
/// gives its file a time that no write leaves, and notes that time, the length and the inode in a file beside it. Opening
/// removes the note before anything is written: a host that is killed, or has found damage, leaves none.
enum DatabaseSeal {
    private static let suffix = "-seal"
    /// A WAL no longer than its header holds nothing.
    private static let emptyWAL = 32

    /// To be called when no connection of this process is open.
    static func put(on path: String) {
        var now = timespec()
        var before = stat()
        guard clock_gettime(CLOCK_REALTIME, &now) == 0, lstat(path, &before) == 0 else { return }
        // A write leaves the kernel's time, which changes every few milliseconds; this one is exact to the nanosecond.
        let times = [before.st_atim, now]
        guard utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) == 0, let text = text(of: path),
            text.contains(" \(now.tv_sec).\(now.tv_nsec) ")
        else { return }
        let file = open(
            path + suffix, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { return }
        // A note that is written in part does not match.
        _ = write(file, text, text.utf8.count)
        close(file)
    }

    /// Returns whether the database is as it was left, and removes the note durably.
    static func take(from path: String) -> Bool {
        let isWhole = fits(path)
        guard unlink(path + suffix) == 0 else { return false }
        DurableFolder.sync(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".")
        return isWhole
    }

    static func remove(from path: String) { unlink(path + suffix) }

    static func fits(_ path: String) -> Bool {
        var wal = stat()
        guard lstat(path + "-wal", &wal) != 0 || wal.st_size <= emptyWAL, let expected = text(of: path)
        else { return false }
        let file = open(path + suffix, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(file, &bytes, bytes.count)
        return count > 0 && bytes.prefix(count).elementsEqual(expected.utf8)
    }

    /// The device is left out, because a disk may have another number after a boot.
    private static func text(of path: String) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let times = [status.st_mtim, status.st_ctim].map { "\($0.tv_sec).\($0.tv_nsec)" }
        return "\(status.st_ino) \(status.st_size) \(times[0]) \(times[1])\n"
    }
}
