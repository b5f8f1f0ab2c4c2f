import Glibc
import Synchronization

/// The open files of a database; detects that another program has removed, truncated or overwritten them.
///
/// A file that is deleted or unmounted can be written to while it is open, but nobody will ever read it again. SQLite
/// notices a truncated file only when it reads there. Changes that other processes make through SQLite are allowed.
final class DatabaseFiles: Sendable {
    private struct File: Sendable {
        let path: String
        let device: UInt64
        let inode: UInt64
    }

    /// The database as this process has left it.
    private struct Look: Equatable {
        var size = 0
        var seconds = 0
        var nanoseconds = 0
        var firstPage: [UInt8] = []
        var index: WALIndex?
    }

    private struct State {
        var look = Look()
        /// Grows when a commit begins and when it ends: a check during a commit proves nothing.
        var turns = 0
        var isWriting = false
    }

    private let path: String
    private let files: [File]
    private let state = Mutex(State())
    /// SQLite's own descriptors: closing another one of the same file would release this process's locks.
    private let database: Int32?
    private let index: Int32?
    /// A descriptor of its own, because there are no locks on the WAL itself.
    private let wal: Int32

    /// Notes the files at the paths as they are now; a missing file is not checked.
    init(of path: String) {
        self.path = path
        files = ["", "-wal", "-shm"].compactMap { suffix in
            let path = path + suffix
            return Self.identity(of: path).map { File(path: path, device: $0.device, inode: $0.inode) }
        }
        database = OpenFiles.descriptor(of: path)
        index = OpenFiles.descriptor(of: path + "-shm")
        wal = open(path + "-wal", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        let look = look()
        state.withLock { $0.look = look }
    }

    deinit {
        if wal >= 0 { close(wal) }
    }

    /// Throws if the files are not where or what they were; may be called at any time, on any thread.
    func verify() throws(HistoryError) {
        try verifyPlaces()
        let before = state.withLock { $0 }
        guard !before.isWriting else { return }
        do {
            try verifyContents(before.look)
        } catch {
            // A commit that has begun meanwhile makes its own check.
            if state.withLock({ $0.turns == before.turns }) { throw error }
        }
    }

    /// Before a commit is written: checks that the files are as the last commit has left them.
    func begin() throws(HistoryError) {
        try verifyPlaces()
        try verifyContents(state.withLock { $0.look })
        if let now = index.flatMap(WALIndex.init), wal >= 0, !now.isOf(wal, frame: now.frames) {
            throw .altered(path: path + "-wal", isShorter: false)
        }
        state.withLock { state in
            state.turns += 1
            state.isWriting = true
        }
    }

    /// After a commit: checks that its frames are in the WAL, and that the frames before it are still there.
    func end() throws(HistoryError) {
        let (isWriting, old) = state.withLock { ($0.isWriting, $0.look) }
        // The write lock could not be taken.
        guard isWriting else { return try verify() }
        let now = look()
        state.withLock { state in
            state.look = now
            state.turns += 1
            state.isWriting = false
        }
        try verifyPlaces()
        guard let index = now.index, let before = old.index, wal >= 0 else { return }
        if now.size < old.size { throw .altered(path: path, isShorter: true) }
        if size(of: wal) < index.walBytes { throw .altered(path: path + "-wal", isShorter: true) }
        let isSameWAL = before.salt == index.salt
        guard index.isOf(wal, frame: index.frames), index.isOf(wal, frame: isSameWAL ? before.frames : 1)
        else {
            throw .altered(path: path + "-wal", isShorter: false)
        }
        // Nothing of the WAL was copied into the database meanwhile, so SQLite has not written to the database.
        if isSameWAL, before.copied == index.copied, !index.isHalfCopied, now.firstPage != old.firstPage {
            throw .altered(path: path, isShorter: false)
        }
    }

    private func verifyPlaces() throws(HistoryError) {
        for file in files {
            guard let now = Self.identity(of: file.path), now == (file.device, file.inode) else {
                throw .vanished(path: file.path)
            }
        }
    }

    private func verifyContents(_ look: Look) throws(HistoryError) {
        guard let index, let database, wal >= 0 else { return }
        // Another process may write through SQLite between any two of these reads.
        for isLast in [false, false, true] {
            guard let now = WALIndex(index) else { throw .altered(path: path + "-shm", isShorter: true) }
            var status = stat()
            guard fstat(database, &status) == 0 else { return }
            let isShort = size(of: wal) < now.walBytes
            let isSame = status.st_mtim.tv_sec == look.seconds && status.st_mtim.tv_nsec == look.nanoseconds
            if status.st_size >= look.size, !isShort, isSame { return }
            if status.st_size < look.size, isLast { throw .altered(path: path, isShorter: true) }
            if isShort, isLast { throw .altered(path: path + "-wal", isShorter: true) }
            guard status.st_size >= look.size, !isShort else { continue }
            // The database was written to: through SQLite, which changes its index too, or by another program.
            if now != look.index || now.isHalfCopied || firstPage(database) == look.firstPage { return }
            if isLast { throw .altered(path: path, isShorter: false) }
        }
    }

    private func look() -> Look {
        var look = Look()
        guard let database else { return look }
        var status = stat()
        guard fstat(database, &status) == 0 else { return look }
        (look.size, look.seconds, look.nanoseconds) = (
            status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec
        )
        look.firstPage = firstPage(database)
        look.index = index.flatMap(WALIndex.init)
        return look
    }

    private func firstPage(_ descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    private func size(of descriptor: Int32) -> Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status.st_size : 0
    }
}

extension DatabaseFiles {
    /// Refuses files that SQLite would follow, wait for or take for an empty database.
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
            throw .inaccessible(path: path, reason: "a file of the history belongs here, but this is \(kind)")
        }
        // SQLite would discard the WAL. A WAL no longer than its header holds nothing.
        guard size(of: path) == 0, size(of: path + "-wal") > 32 else { return }
        let what = DurableFolder.exists(path) ? "it is empty" : "it is gone"
        throw .damaged(path: path, what: "\(what), but the WAL beside it is not")
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
