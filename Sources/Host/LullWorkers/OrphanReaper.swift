internal import CLullShims
internal import Glibc
import LullSystem

/// What supervisors leave: nothing, but when one was killed, or gave up on a process that the kernel does not end yet.
///
/// This process inherits that then, as the subreaper of them all. It is killed by a descriptor each, so that no other process
/// is ever hit, and waited for one by one: a child of somebody else's is never reaped here.
final class OrphanReaper {
    private let loop: EventLoop
    private var dying: [Int32: pid_t] = [:]

    init(loop: EventLoop) { self.loop = loop }

    var count: Int { dying.count }

    /// Ends what was inherited: children that are no supervisors, in sessions of their own. What this process itself has started
    /// is in its session, and nobody else can enter that.
    ///
    /// Whether there was anybody: then it is to be done again soon, for the kernel's lists of children lack some where many fork
    /// and end.
    func sweep() -> Bool {
        let own = getpid()
        let session = getsid(0)
        var known: Set<pid_t> = []
        // What forks while it is swept is found in the next round.
        for _ in 0..<64 {
            // In this order: who is seen here and was spawned meanwhile is known by then.
            let all = ProcessTable.descendants(of: own)
            let living = WorkerProcess.living.withLock { $0 }
            var left = Set(
                all.filter { $0.parent == own && $0.session != session && !living.contains($0.pid) }
                    .map(\.pid))
            // Parents come before their children.
            for entry in all where left.contains(entry.parent) { left.insert(entry.pid) }
            var hasKilled = false
            for entry in all where left.contains(entry.pid) {
                if entry.isZombie {
                    if entry.parent == own { reap(entry.pid) }
                } else if known.insert(entry.pid).inserted, end(entry) {
                    hasKilled = true
                }
            }
            if !hasKilled { break }
        }
        return !known.isEmpty
    }

    /// A worker that was killed before it could be watched.
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

    private func end(_ entry: ProcessTable.Entry) -> Bool {
        guard let pidfd = entry.open() else { return false }
        guard lull_pidfd_signal(pidfd, SIGKILL) == 0 else {
            close(pidfd)
            return false
        }
        // The number of a child that nobody else reaps stays its own. All of its group are killed at once, so that none forks
        // meanwhile: nobody enters a session but by being born there.
        let group = entry.parent == getpid() ? getpgid(entry.pid) : -1
        if group > 1, group != getpgrp() { kill(-group, SIGKILL) }
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
