internal import CLullShims
internal import Glibc

/// What the workers of an earlier host of the same state may have left, should their supervisors have been killed with it.
///
/// A state has one host at a time, so whatever has its mark and is older than this process is nobody's any more. Who
/// has cleared its environment, or may not be looked at, is not found.
enum EarlierHosts {
    /// What follows a worker's number in its environment; empty: the folder is not there.
    static func mark(of stateFolder: String) -> String {
        var status = stat()
        return stat(stateFolder, &status) == 0 ? ".\(status.st_dev).\(status.st_ino)" : ""
    }

    /// Ends all that has this mark and began before this process, or before `instant` in ticks since boot. How many that were.
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
