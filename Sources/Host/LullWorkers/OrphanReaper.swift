internal import CLullShims
internal import Glibc
import LullSystem

/// Ends the processes that a supervisor leaves, if it was killed or gave up on a process that the kernel does not end yet.
///
/// This process inherits them, as the subreaper. Each is killed through its pidfd, so that no other process is ever
/// hit, and waited for by itself: children of other code are never reaped here.
final class OrphanReaper {
    private let loop: EventLoop
    private var dying: [Int32: pid_t] = [:]

    init(loop: EventLoop) { self.loop = loop }

    var count: Int { dying.count }

    /// Kills inherited children: those that are no supervisors, in sessions of their own. What this process itself has
    /// started is in its session, which no other process can enter.
    ///
    /// Returns whether there were any: then sweep again soon, for the kernel's lists of children miss some while many
    /// fork and end.
    func sweep() -> Bool {
        let own = getpid()
        let session = getsid(0)
        var known: Set<pid_t> = []
        // Processes that fork during the sweep are found in the next round.
        for _ in 0..<64 {
            // In this order: a worker that is spawned before the look is in `living` after it.
            let all = ProcessTable.descendants(of: own)
            let living = WorkerProcess.living.withLock { $0 }
            var left = Set(
                all.filter { $0.parent == own && $0.session != session && !living.contains($0.pid) }
                    .map(\.pid))
            // Parents come before their children.
            for entry in all where left.contains(entry.parent) { left.insert(entry.pid) }
            var isNew = false
            for entry in all where left.contains(entry.pid) && known.insert(entry.pid).inserted {
                isNew = true
                if !entry.isZombie {
                    end(entry)
                } else if entry.parent == own {
                    // Its children may have come here after the look.
                    reap(entry.pid)
                }
            }
            if !isNew { break }
        }
        return !known.isEmpty
    }

    /// Reaps a worker that was killed before it could be watched.
    func adopt(_ worker: WorkerProcess) {
        dying[worker.pidfd] = worker.supervisor
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

    private func end(_ entry: ProcessTable.Entry) {
        // The kernel may take long to end one that waits for a disk.
        guard !dying.values.contains(entry.pid), let pidfd = entry.open() else { return }
        guard lull_pidfd_signal(pidfd, SIGKILL) == 0 else {
            close(pidfd)
            return
        }
        // The pid of a child that is not reaped can't be reused. Its whole group is killed at once, so that none forks
        // meanwhile: a process enters a session only by being forked there.
        let group = entry.parent == getpid() ? getpgid(entry.pid) : -1
        if group > 1, group != getpgrp() { kill(-group, SIGKILL) }
        dying[pidfd] = entry.pid
        do throws(LoopError) {
            try loop.watch(pidfd, .readable) { [unowned self] _ in bury(pidfd) }
        } catch {
            bury(pidfd)
        }
    }

    private func bury(_ pidfd: Int32) {
        guard dying.removeValue(forKey: pidfd) != nil else { return }
        var status: Int32 = 0
        // An error: its parent lives and reaps it itself.
        _ = lull_reap(pidfd, 0, &status)
        loop.forget(pidfd)
        close(pidfd)
    }

    private func reap(_ pid: pid_t) {
        WorkerProcess.living.withLock { living in
            guard !living.contains(pid) else { return }
            var status: Int32 = 0
            _ = lull_reap_pid(pid, 0, &status)
        }
    }
}

extension ProcessTable.Entry {
    /// A descriptor of the very process that was seen; nil when that one is gone.
    func open() -> Int32? {
        let pidfd = lull_pidfd(pid)
        guard pidfd >= 0 else { return nil }
        guard ProcessTable.entry(of: pid)?.started == started else {
            close(pidfd)
            return nil
        }
        return pidfd
    }
}
