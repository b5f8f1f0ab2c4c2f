internal import CLullShims
internal import Glibc
import LullModel

/// Processes of this machine, from `/proc`.
enum ProcessTable {
    struct Entry: Equatable {
        let pid: pid_t
        let state: Character
        let parent: pid_t
        let group: pid_t
        let session: pid_t
        /// A zombie counts as one.
        let threads: Int
        /// Processor time in ticks, of the process and of its ended children that were waited for.
        let used: Int64
        /// The part of it in user mode.
        let inUserMode: Int64
        /// Page faults of ended children that were waited for: 0 if none was.
        let childFaults: Int64
        /// Its start in ticks since boot: with the pid, the identity of a process.
        let started: UInt64

        /// A process whose first thread alone has ended has the same state, but goes on.
        var isZombie: Bool { (state == "Z" || state == "X") && threads <= 1 }
        /// Whether its first thread has ended and others go on: the kernel's files of the first thread are empty then.
        var hasLostLeader: Bool { (state == "Z" || state == "X") && threads > 1 }
        /// Stopped by a signal or by a tracer.
        var isStopped: Bool { state == "T" || state == "t" }
    }

    /// All descendants of a process. The cost is proportional to their number where the kernel lists children.
    static func descendants(of pid: pid_t) -> [Entry] {
        var found: UnsafeMutablePointer<pid_t>?
        let count = lull_descendants(pid, &found)
        defer { free(found) }
        return UnsafeBufferPointer(start: found, count: max(0, count)).compactMap(entry)
    }

    static func entry(of pid: pid_t) -> Entry? {
        guard let text = contents(of: "/proc/\(pid)/stat", atMost: 1024),
            let end = text.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        return Entry(pid: pid, stat: text[text.index(after: end)...])
    }

    /// Calls `body` with the number of each process.
    static func forEach(_ body: (pid_t) -> Void) {
        guard let folder = opendir("/proc") else { return }
        defer { closedir(folder) }
        while let item = readdir(folder) {
            let pid = number(of: item)
            if pid > 1 { body(pid) }
        }
    }

    /// Makes all threads of a process as urgent as this, and with them all that they start from now on.
    static func yield(_ pid: pid_t, nice: Int, _ urgency: IOUrgency) {
        guard let folder = opendir("/proc/\(pid)/task") else { return }
        defer { closedir(folder) }
        while let item = readdir(folder) {
            let thread = number(of: item)
            guard thread > 0 else { continue }
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(thread), Int32(nice))
            if urgency == .idle { _ = lull_idle_io(thread) }
        }
    }

    /// The content of a file of the process, from a thread that has not ended: the first one's is empty from its end on.
    static func contents(ofProcess pid: pid_t, _ name: String, atMost limit: Int) -> [UInt8]? {
        guard entry(of: pid)?.hasLostLeader == true, let folder = opendir("/proc/\(pid)/task") else {
            return contents(of: "/proc/\(pid)/\(name)", atMost: limit)
        }
        defer { closedir(folder) }
        while let item = readdir(folder) {
            let thread = number(of: item)
            guard thread > 0, thread != pid else { continue }
            let bytes = contents(of: "/proc/\(pid)/task/\(thread)/\(name)", atMost: limit)
            // "0 0 0 …" of one that is ending.
            if let bytes, let first = bytes.first, first != UInt8(ascii: "0") { return bytes }
        }
        return nil
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
    /// From the fields behind the name in `/proc/PID/stat`: state, parent, group, session, …, start time.
    init?(pid: pid_t, stat: ArraySlice<UInt8>) {
        let fields = stat.split(separator: UInt8(ascii: " "), maxSplits: 20)
        guard fields.count > 19, let state = fields[0].first else { return nil }
        func number<T: FixedWidthInteger>(_ index: Int) -> T? {
            T(String(decoding: fields[index], as: UTF8.self))
        }
        let ticks: [Int64] = (11...14).compactMap(number)
        guard let parent: pid_t = number(1), let childFaults: Int64 = number(8), let group: pid_t = number(2),
            let session: pid_t = number(3),
            ticks.count == 4, let threads: Int = number(17), let started: UInt64 = number(19)
        else { return nil }
        self.init(
            pid: pid, state: Character(UnicodeScalar(state)), parent: parent, group: group, session: session,
            threads: max(1, threads), used: ticks.reduce(0, &+), inUserMode: ticks[0] &+ ticks[2],
            childFaults: childFaults, started: started)
    }
}
