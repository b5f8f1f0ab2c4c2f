internal import CLullShims
internal import Glibc

/// The processes of this machine, from `/proc`; read when a worker ends, or is stopped and has left
/// something behind.
struct ProcessTable {
    struct Entry: Equatable {
        let pid: pid_t
        let isZombie: Bool
        let parent: pid_t
        let group: pid_t
        let session: pid_t
        /// In ticks since boot: with the number, the identity of a process.
        let started: UInt64
    }

    let entries: [Entry]

    static func read() -> ProcessTable {
        guard let folder = opendir("/proc") else { return ProcessTable(entries: []) }
        defer { closedir(folder) }
        var entries: [Entry] = []
        while let item = readdir(folder) {
            let pid = ProcessTable.number(of: item)
            if pid > 1, let entry = entry(of: pid) { entries.append(entry) }
        }
        return ProcessTable(entries: entries)
    }

    static func entry(of pid: pid_t) -> Entry? {
        guard let text = contents(of: "/proc/\(pid)/stat", atMost: 1024),
            let end = text.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        return Entry(pid: pid, stat: text[text.index(after: end)...])
    }

    /// The processes that a worker has left behind: of its session or its group, adopted by this process and
    /// marked as its own, and the descendants of all these. Never the worker itself.
    func leftBehind(by worker: pid_t, isMarked: (pid_t) -> Bool) -> [Entry] {
        let own = getpid()
        var found: [pid_t: Entry] = [:]
        for entry in entries where entry.pid != worker && entry.pid != own {
            let isOrphan = entry.parent == own && !entry.isZombie
            if entry.session == worker || entry.group == worker || isOrphan && isMarked(entry.pid) {
                found[entry.pid] = entry
            }
        }
        var hasGrown = !found.isEmpty
        while hasGrown {
            hasGrown = false
            for entry in entries
            where found[entry.pid] == nil && found[entry.parent] != nil && entry.pid != worker {
                found[entry.pid] = entry
                hasGrown = true
            }
        }
        return Array(found.values)
    }

    /// A folder's entry as a number; 0: it is none. The name is read in place: the record may be shorter than
    /// its type.
    static func number(of item: UnsafeMutablePointer<dirent>) -> pid_t {
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return 0 }
        return atoi(UnsafeRawPointer(item).advanced(by: offset).assumingMemoryBound(to: CChar.self))
    }

    static func contents(of path: String, atMost limit: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let length = bytes.withUnsafeMutableBytes {
                Glibc.read(file, $0.baseAddress?.advanced(by: count), limit - count)
            }
            guard length > 0 else { break }
            count += length
        }
        return Array(bytes.prefix(count))
    }
}

extension ProcessTable.Entry {
    /// From what stands behind the name in `/proc/PID/stat`: state, parent, group, session, …, start time.
    init?(pid: pid_t, stat: ArraySlice<UInt8>) {
        let fields = stat.split(separator: UInt8(ascii: " "), maxSplits: 20)
        guard fields.count > 19 else { return nil }
        func number<T: FixedWidthInteger>(_ index: Int) -> T? {
            T(String(decoding: fields[index], as: UTF8.self))
        }
        guard let parent: pid_t = number(1), let group: pid_t = number(2), let session: pid_t = number(3),
            let started: UInt64 = number(19)
        else { return nil }
        self.init(
            pid: pid, isZombie: fields[0].first == UInt8(ascii: "Z"), parent: parent, group: group,
            session: session,
            started: started)
    }
}
