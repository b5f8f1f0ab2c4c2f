import Glibc
public import LullModel

/// The right to write to a state folder: one host at a time, for as long as this object or its process lives.
///
/// `flock` on the file `lock`, which the kernel gives back however the process ends. Workers don't inherit it.
public final class StateLock: Sendable {
    /// Who holds the folder, as its lock file says.
    public struct Holder: Sendable, Equatable {
        public var pid: Int32
        public var since: WallTime

        public init(pid: Int32, since: WallTime) {
            self.pid = pid
            self.since = since
        }
    }

    private let descriptor: CInt

    /// Takes the folder, which is made when it is not there; throws `.held` when another host has it.
    public static func take(folder: String, at time: WallTime) throws(HistoryError) -> StateLock {
        try StateFolder.make(folder)
        let path = folder + "/lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw .inaccessible(path: path, reason: "the lock can't be opened: \(systemReason(errno))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            let holder = read(from: descriptor)
            close(descriptor)
            if code == EWOULDBLOCK { throw .held(folder: folder, holder: holder) }
            throw .inaccessible(path: path, reason: "the lock can't be taken: \(systemReason(code))")
        }
        let text = Array("\(getpid()) \(time.rfc3339)\n".utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.count, 0) == text.count else {
            let code = errno
            close(descriptor)
            if code == ENOSPC { throw .full(path: path) }
            throw .inaccessible(path: path, reason: "the lock can't be written: \(systemReason(code))")
        }
        return StateLock(descriptor: descriptor)
    }

    private init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    private static func read(from descriptor: CInt) -> Holder? {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let words = String(decoding: bytes.prefix(count), as: UTF8.self).split { $0 == " " || $0 == "\n" }
        guard words.count == 2, let pid = Int32(words[0]), let since = WallTime(rfc3339: String(words[1]))
        else { return nil }
        return Holder(pid: pid, since: since)
    }
}

/// What the system says of an `errno`.
func systemReason(_ code: CInt) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
