internal import CLullShims
internal import Glibc

/// Finds the processes that an earlier host of the same state has left, if its supervisors were killed with it.
///
/// A state has one host at a time, so a process that has its mark and is older than this one is an orphan. A process
/// that has cleared its environment, or may not be looked at, is not found.
enum EarlierHosts {
    /// The mark behind a worker's number in its environment; empty: the folder is not there.
    static func mark(of stateFolder: String) -> String {
        var status = stat()
        return stat(stateFolder, &status) == 0 ? ".\(status.st_dev).\(status.st_ino)" : ""
    }

    /// Kills the processes that have this mark and began before this one, or before `instant` in ticks since boot.
    /// Returns how many.
    @discardableResult
    static func end(mark: String, before instant: UInt64? = nil) -> Int {
        let own = ProcessTable.entry(of: getpid())?.started
        guard !mark.isEmpty, let instant = instant ?? own else { return 0 }
        var ended: Set<pid_t> = []
        for _ in 0..<8 {
            var found: [ProcessTable.Entry] = []
            ProcessTable.forEach { pid in
                if !ended.contains(pid), isMarked(pid, mark), let entry = ProcessTable.entry(of: pid),
                    entry.started < instant, !entry.isZombie
                {
                    found.append(entry)
                }
            }
            if found.isEmpty { break }
            for entry in found where entry.signal(SIGKILL) { ended.insert(entry.pid) }
        }
        return ended.count
    }

    static func isMarked(_ pid: pid_t, _ mark: String) -> Bool {
        let bytes = ProcessTable.contents(ofProcess: pid, "environ", atMost: 1 << 20) ?? []
        return bytes.split(separator: 0).contains {
            $0.starts(with: "LULL_WORKER=".utf8) && $0.suffix(mark.utf8.count).elementsEqual(mark.utf8)
        }
    }
}
