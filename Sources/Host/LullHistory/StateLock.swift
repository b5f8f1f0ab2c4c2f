import Glibc
public import LullModel

/// The right to write to a state folder: one host at a time, for as long as this object or its process lives.
///
/// `flock` on the file `lock`; the kernel releases it however the process ends. Workers don't inherit it.
public final class StateLock: Sendable {
    /// The process that holds the folder, as its lock file says.
    public struct Holder: Sendable, Equatable {
        public var pid: Int32
        public var since: WallTime
        /// Whether it is a command that writes a few lines, and no host.
        public var isBrief: Bool

        public init(pid: Int32, since: WallTime, isBrief: Bool = false) {
            self.pid = pid
            self.since = since
            self.isBrief = isBrief
        }
    }

    private let descriptor: CInt
    private let path: String

    /// How long to wait for a command that has the folder.
    private static let timeoutSeconds = 10

    /// Takes the folder, and makes it if it is missing; throws `.held` if another host has it.
    ///
    /// It waits for a command that writes a few lines; such a command passes `isBrief`.
    public static func take(
        folder: String, at time: WallTime, isBrief: Bool = false
    ) throws(HistoryError) -> StateLock {
        do {
            try DurableFolder.make(folder)
        } catch {
            throw HistoryError(error)
        }
        let path = folder + "/lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw .inaccessible(path: path, reason: "the lock can't be opened: \(systemReason(errno))")
        }
        var tries = timeoutSeconds * 100
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            let holder = read(from: descriptor)
            // The entry of an earlier holder says nothing about the process that has just taken the lock.
            let isLeft = holder.map { kill($0.pid, 0) != 0 && errno == ESRCH } ?? true
            let end = isLeft ? (timeoutSeconds - 1) * 100 : holder?.isBrief == true ? 0 : tries
            if code == EWOULDBLOCK, tries > end {
                tries -= 1
                poll(nil, 0, 10)
                continue
            }
            close(descriptor)
            if code == EWOULDBLOCK { throw .held(folder: folder, holder: holder) }
            throw .inaccessible(path: path, reason: "the lock can't be taken: \(systemReason(code))")
        }
        let text = Array("\(getpid()) \(time.rfc3339)\(isBrief ? " brief" : "")\n".utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.count, 0) == text.count else {
            let code = errno
            close(descriptor)
            if code == ENOSPC { throw .full(path: path) }
            throw .inaccessible(path: path, reason: "the lock can't be written: \(systemReason(code))")
        }
        return StateLock(descriptor: descriptor, path: path)
    }

    /// Whether a host or a command has the folder now.
    public static func isHeld(folder: String) -> Bool {
        let descriptor = open(folder + "/lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private init(descriptor: CInt, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Throws `.vanished` when the path leads to another file or to none: another host could take that.
    public func verify() throws(HistoryError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, let now = DatabaseFiles.identity(of: path),
            now == (UInt64(status.st_dev), UInt64(status.st_ino))
        else { throw .vanished(path: path) }
    }

    deinit {
        close(descriptor)
    }

    private static func read(from descriptor: CInt) -> Holder? {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let words = String(decoding: bytes.prefix(count), as: UTF8.self).split { $0 == " " || $0 == "\n" }
        guard words.count == 2 || words.count == 3, let pid = Int32(words[0]),
            let since = WallTime(rfc3339: String(words[1]))
        else { return nil }
        return Holder(pid: pid, since: since, isBrief: words.count == 3)
    }
}

/// The system's message for an `errno`.
func systemReason(_ code: CInt) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
