internal import Glibc

/// Whether a worker's processes hold file locks: a process that is stopped with a lock stops others, too.
enum FileLocks {
    /// How many bytes of the kernel's list are read, 4,000 locks or so: any process can make it long.
    private static let most = 1 << 18

    /// One of these processes that holds a lock; nil: none does.
    static func holder(among members: Set<pid_t>) -> pid_t? {
        guard let text = ProcessTable.contents(of: "/proc/locks", atMost: most) else { return nil }
        // A process with so many locks that they do not fit must not hide another's.
        var hasUnowned = text.count == most
        for line in text.split(separator: UInt8(ascii: "\n")) {
            guard let owner = owner(of: line) else { continue }
            if owner > 0, members.contains(owner) { return owner }
            if owner <= 0 { hasUnowned = true }
        }
        // Open file description locks name no process; their files do.
        return hasUnowned ? members.first(where: hasLockedFile) : nil
    }

    /// `1: POSIX  ADVISORY  WRITE 1234 08:01:5678 0 EOF`; a line with `->` waits for a lock and holds none.
    static func owner(of line: some Collection<UInt8>) -> pid_t? {
        let words = line.split(separator: UInt8(ascii: " "))
        guard words.count >= 5, !words[1].elementsEqual("->".utf8) else { return nil }
        return pid_t(String(decoding: words[4], as: UTF8.self))
    }

    private static func hasLockedFile(_ pid: pid_t) -> Bool {
        guard let folder = opendir("/proc/\(pid)/fdinfo") else { return false }
        defer { closedir(folder) }
        while let item = readdir(folder) {
            let number = ProcessTable.number(of: item)
            guard let text = ProcessTable.contents(of: "/proc/\(pid)/fdinfo/\(number)", atMost: 4096) else {
                continue
            }
            let lines = text.split(separator: UInt8(ascii: "\n"))
            if lines.contains(where: { $0.starts(with: "lock:".utf8) }) { return true }
        }
        return false
    }
}
