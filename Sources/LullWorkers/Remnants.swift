internal import CLullShims
internal import Glibc
import LullLoop
import LullModel

/// What workers leave behind: children that outlive them, also such as have left their group and session.
///
/// They are found at the worker's end, killed by a descriptor each, so that no other process is ever hit, and
/// waited for one by one: a child of somebody else's is never reaped here. A daemon is known by the mark in
/// its environment; one that has ended has none any more, so an orphan's remains are only cleared when nobody
/// else has done so for long.
final class Remnants {
    private let loop: EventLoop
    private var dying: [Int32: pid_t] = [:]
    /// Zombies that may be nobody's, since when.
    private var doubtful: [pid_t: (entry: ProcessTable.Entry, since: MonotonicTime)] = [:]
    /// Who makes a child waits for it within this time.
    static let doubt: Duration = .seconds(60)

    init(loop: EventLoop) { self.loop = loop }

    var count: Int { dying.count }

    func sweep(after worker: WorkerProcess) {
        var known: Set<pid_t> = []
        // What forks while it is swept is found in the next round; what never stops forking is left after
        // some.
        for _ in 0..<8 {
            let table = ProcessTable.read()
            clearDoubtful(table, now: Clock.monotonic)
            let entries = table.leftBehind(by: worker.pid) { Self.isMarked($0, worker.marker) }
            let workers = WorkerProcess.living.withLock { $0 }
            var hasKilled = false
            for entry in entries where !workers.contains(entry.pid) && known.insert(entry.pid).inserted {
                if entry.isZombie {
                    reapIfOwn(entry)
                } else if end(entry) {
                    hasKilled = true
                }
            }
            if !hasKilled { return }
        }
    }

    /// What a worker's runs have left behind in its session and has ended: nobody but this process can wait for it.
    ///
    /// Without this it would stay for as long as the worker does.
    func reapOrphans(of worker: WorkerProcess) {
        guard Self.hasEndedChild else { return }
        for entry in ProcessTable.read().entries where entry.isZombie && entry.session == worker.pid {
            reapIfOwn(entry)
        }
    }

    /// Only looks: whoever's child it is, it is not waited for here.
    private static var hasEndedChild: Bool {
        var info = siginfo_t()
        return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == SIGCHLD
    }

    /// A worker that was killed before it could be watched.
    func adopt(_ worker: WorkerProcess) {
        dying[worker.pidfd] = worker.pid
        do throws(LoopError) {
            try loop.watch(worker.pidfd, .readable) { [unowned self] _ in
                guard dying.removeValue(forKey: worker.pidfd) != nil else { return }
                loop.forget(worker.pidfd)
                worker.bury()
            }
        } catch {
            dying[worker.pidfd] = nil
            worker.bury()
        }
    }

    private func end(_ entry: ProcessTable.Entry) -> Bool {
        let pidfd = lull_pidfd(entry.pid)
        guard pidfd >= 0 else { return false }
        // The descriptor is of the process that was seen only if that one is still there.
        guard ProcessTable.entry(of: entry.pid)?.started == entry.started,
            lull_pidfd_signal(pidfd, SIGKILL) == 0
        else {
            close(pidfd)
            return false
        }
        dying[pidfd] = entry.pid
        do throws(LoopError) {
            try loop.watch(pidfd, .readable) { [unowned self] _ in bury(pidfd) }
        } catch {
            bury(pidfd)
        }
        return true
    }

    private func bury(_ pidfd: Int32) {
        guard dying.removeValue(forKey: pidfd) != nil else { return }
        var status: Int32 = 0
        // An error: its parent lives and reaps it itself.
        _ = lull_reap(pidfd, 0, &status)
        loop.forget(pidfd)
        close(pidfd)
    }

    private func reapIfOwn(_ entry: ProcessTable.Entry) {
        guard entry.parent == getpid() else { return }
        WorkerProcess.living.withLock { living in
            guard !living.contains(entry.pid) else { return }
            var status: Int32 = 0
            _ = lull_reap_pid(entry.pid, &status)
        }
    }

    /// Workers' orphans that had left their session and ended while their worker lived.
    func clearDoubtful(_ table: ProcessTable, now: MonotonicTime) {
        let session = getsid(0)
        let zombies = table.entries.filter { $0.isZombie && $0.parent == getpid() && $0.session != session }
        var still: [pid_t: (entry: ProcessTable.Entry, since: MonotonicTime)] = [:]
        for entry in zombies {
            if let known = doubtful[entry.pid], known.entry == entry {
                if now - known.since >= Self.doubt { reapIfOwn(entry) } else { still[entry.pid] = known }
            } else {
                still[entry.pid] = (entry, now)
            }
        }
        doubtful = still
    }

    static func isMarked(_ pid: pid_t, _ marker: String) -> Bool {
        guard let bytes = ProcessTable.contents(of: "/proc/\(pid)/environ", atMost: 1 << 20) else {
            return false
        }
        return bytes.split(separator: 0).contains { $0.elementsEqual(marker.utf8) }
    }
}
