internal import Glibc
import LullModel
import LullSession

/// Stopping a worker in which nothing runs, and letting it go on.
///
/// It is only stopped when that holds up nobody: no run, no submit without an answer, no file lock. It goes
/// on before anything is sent to it.
extension Worker {
    func suspend() {
        guard session.isReady, !isStopped, !wantsSuspension else { return }
        wantsSuspension = true
        suspendRetry = .seconds(1)
        trySuspend()
    }

    /// The host wants it awake.
    func wake() {
        wantsSuspension = false
        deadlines[.evict] = nil
        deadlines[.suspend] = nil
        proceed()
    }

    func proceed() {
        guard isStopped else { return }
        isStopped = false
        if session.runs.isEmpty { rest() }
        process.signalGroup(SIGCONT)
        watchLimits()
    }

    func trySuspend() {
        guard wantsSuspension, session.isReady, !isStopped else { return }
        if let obstacle { return refuseSuspension(obstacle) }
        process.signalGroup(SIGSTOP)
        // A lock may have been taken between the look and the stop.
        if let holder = FileLocks.holder(inSession: process.pid) {
            process.signalGroup(SIGCONT)
            return refuseSuspension(Self.lockObstacle(holder))
        }
        isStopped = true
        deadlines[.measure] = nil
        stopResting()
        pool.remnants.reapOrphans(of: process)
        suspendRetry = .seconds(1)
        pool.emit(.suspended(app))
    }

    private var obstacle: String? {
        if let obstacle = session.obstacle { return obstacle }
        return FileLocks.holder(inSession: process.pid).map(Self.lockObstacle)
    }

    private static func lockObstacle(_ holder: pid_t) -> String {
        "process \(holder) of it holds a file lock"
    }

    private func refuseSuspension(_ reason: String) {
        setDeadline(.suspend, after: suspendRetry)
        suspendRetry = min(suspendRetry * 2, .seconds(60))
        pool.emit(.suspendRefused(app, reason: reason))
    }
}
