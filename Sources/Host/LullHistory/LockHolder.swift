import Glibc

/// The process whose lock keeps the history's writer waiting.
///
/// Any process that may open the database's files may lock them, and SQLite then waits until its timeout.
public struct LockHolder: Sendable, Hashable {
    /// Nil if the kernel does not tell it, as for a process in another PID namespace.
    public var pid: Int32?
    /// The name of its program; nil if it can't be read.
    public var program: String?

    public init(pid: Int32? = nil, program: String? = nil) {
        self.pid = pid
        self.program = program
    }

    public var words: String {
        guard let pid else { return "a process that can't be seen from here" }
        return "process \(pid)" + (program.map { " (\($0))" } ?? "")
    }

    public var fix: String {
        pid.map { "End it: `kill \($0)`." }
            ?? "Find it with 'fuser history.sqlite' in the state folder, as root and outside of any container, and end it."
    }

    /// The process with a lock that a commit to the database at `path` needs; nil if there is none. It reads `/proc`, and may
    /// take a while.
    ///
    /// It uses SQLite's own descriptors: closing another one of the same file would release this process's locks.
    public static func find(of path: String) -> LockHolder? {
        for (suffix, spans) in [("-shm", indexLocks), ("", fileLocks)] {
            guard let descriptor = OpenFiles.descriptor(of: path + suffix) else { continue }
            for span in spans {
                guard let pid = holder(of: span, descriptor) else { continue }
                let number = pid > 0 ? pid : pid < 0 ? OpenFiles.locker(of: path + suffix) : nil
                return LockHolder(pid: number, program: number.flatMap(program))
            }
        }
        return nil
    }

    private struct Span {
        let start: Int
        let count: Int
        /// The kind of lock to ask for; the holder of a lock that conflicts with it is found.
        let kind: Int32
    }

    /// The bytes that SQLite's documentation names for the WAL's index: to write, to read, to check in, to recover, to open.
    private static let indexLocks = [
        Span(start: 120, count: 1, kind: Int32(F_WRLCK)), Span(start: 123, count: 5, kind: Int32(F_RDLCK)),
        Span(start: 121, count: 2, kind: Int32(F_RDLCK)), Span(start: 128, count: 1, kind: Int32(F_RDLCK)),
    ]
    /// Pending, reserved and shared.
    private static let fileLocks = [Span(start: 0x4000_0000, count: 512, kind: Int32(F_RDLCK))]

    /// Nil if there is no lock; negative if the lock belongs to an open file description and not to a process.
    private static func holder(of span: Span, _ descriptor: Int32) -> Int32? {
        var lock = flock()
        lock.l_type = Int16(span.kind)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(span.start)
        lock.l_len = off_t(span.count)
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return lock.l_pid
    }

    private static func program(_ pid: Int32) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/\(pid)/exe", &buffer, buffer.count)
        var bytes = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        if let slash = bytes.lastIndex(of: UInt8(ascii: "/")) { bytes.removeFirst(slash + 1) }
        if bytes.isEmpty { bytes = OpenFiles.read("/proc/\(pid)/comm") }
        // A process chooses its own name, so only printable ASCII is kept.
        let name = bytes.filter { (0x20...0x7E).contains($0) }.prefix(64)
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
}

/// Finds open files through `/proc`.
enum OpenFiles {
    /// A descriptor of this process that leads to the file at `path`; the caller must not close it.
    static func descriptor(of path: String) -> Int32? {
        guard let wanted = DatabaseFiles.identity(of: path) else { return nil }
        return names(in: "/proc/self/fd").compactMap { Int32($0) }.first { leads($0, to: wanted) }
    }

    static func leads(_ descriptor: Int32, to file: (device: UInt64, inode: UInt64)) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && (UInt64(status.st_dev), UInt64(status.st_ino)) == file
    }

    /// A process with a lock on the file that belongs to an open file description: for those the kernel names no process.
    static func locker(of path: String) -> Int32? {
        guard let wanted = DatabaseFiles.identity(of: path) else { return nil }
        for pid in names(in: "/proc").compactMap({ Int32($0) }) {
            for descriptor in names(in: "/proc/\(pid)/fd") {
                guard let found = DatabaseFiles.identity(of: "/proc/\(pid)/fd/\(descriptor)"), found == wanted
                else { continue }
                let facts = String(decoding: read("/proc/\(pid)/fdinfo/\(descriptor)"), as: UTF8.self)
                if facts.contains("OFDLCK") { return pid }
            }
        }
        return nil
    }

    /// The first 4 KiB.
    static func read(_ path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(file, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
