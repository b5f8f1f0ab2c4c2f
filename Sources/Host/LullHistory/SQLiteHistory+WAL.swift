import Glibc

/// Detects that the WAL of a history is missing: commits are only in the WAL until SQLite copies them.
///
/// A reader that finds no WAL makes an empty one, so a mark file beside it says that the WAL had commits. The mark is made with
/// the first commit, removed when the history is closed, and left behind by a host that is killed.
extension SQLiteHistory {
    private static let markSuffix = "-open"
    /// A WAL no longer than its header holds nothing.
    private static let emptyWAL = 32

    /// Why commits of this history may be lost, as a sentence; nil if its WAL is there, or it needs none.
    public static func missingWAL(folder: String) -> String? {
        let path = folder + "/" + fileName
        guard let bytes = size(of: path), bytes > 0 else { return nil }
        let wal = size(of: path + "-wal")
        guard wal == nil || wal ?? 0 <= emptyWAL && DurableFolder.exists(path + markSuffix) else {
            return nil
        }
        return
            "\(path)-wal is \(wal == nil ? "missing" : "empty, and the last host has left commits in it"). That is fine "
            + "if another program has closed the history since, or if a backup was put back; otherwise the last "
            + "records are lost."
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

    /// From now on no file is touched by its path, because the paths may lead elsewhere.
    public func abandon() { isAbandoned.withLock { $0 = true } }

    /// Removes the mark, when the WAL holds nothing that is needed.
    func clearMark() {
        guard !isAbandoned.withLock({ $0 }) else { return }
        Self.clearMark(of: path)
    }

    static func clearMark(of path: String) { unlink(path + markSuffix) }
}
