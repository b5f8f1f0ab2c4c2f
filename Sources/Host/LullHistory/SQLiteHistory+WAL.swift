import Glibc

/// Whether the WAL that belongs to a history is there: commits stand in it alone until SQLite copies them.
///
/// A reader that finds none makes an empty one, so a file beside it says that there were commits in it: made with the first
/// of them, taken away when the history is closed, and left by a host that was cut off.
extension SQLiteHistory {
    private static let markSuffix = "-open"
    /// A WAL that is no longer than its header holds nothing.
    private static let emptyWAL = 32

    /// Why commits of this history may be lost, as a sentence; nil: its WAL is there, or it needs none.
    public static func missingWAL(folder: String) -> String? {
        let path = folder + "/" + fileName
        guard let bytes = size(of: path), bytes > 0 else { return nil }
        let wal = size(of: path + "-wal")
        guard wal == nil || wal ?? 0 <= emptyWAL && DurableFolder.exists(path + markSuffix) else {
            return nil
        }
        return
            "\(path)-wal is \(wal == nil ? "missing" : "empty, and the last host has left commits in it"). That is as it "
            + "should be if another program has closed the history since, or a backup was put back; else what was "
            + "recorded last is lost."
    }

    private static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_size : nil
    }

    func markOpen() {
        let isNew = isMarked.withLock { isMarked in
            defer { isMarked = true }
            return !isMarked
        }
        guard isNew else { return }
        let mark = Glibc.open(
            path + Self.markSuffix, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        if mark >= 0 { Glibc.close(mark) }
    }

    /// Its files are no longer to be touched by their paths, which may lead elsewhere.
    public func abandon() { isAbandoned.withLock { $0 = true } }

    /// The WAL holds nothing that is needed.
    func clearMark() {
        guard !isAbandoned.withLock({ $0 }) else { return }
        Self.clearMark(of: path)
    }

    static func clearMark(of path: String) { unlink(path + markSuffix) }
}
