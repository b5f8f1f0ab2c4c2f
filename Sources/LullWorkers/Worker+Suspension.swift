internal import Glibc
import LullModel
import LullWire

/// Stopping a worker in which nothing runs, with all that it has started, and letting it go on.
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
        freeze?.end()
        freeze = nil
        watchLimits()
        tellUntoldTransfers()
    }

    func trySuspend() {
        guard wantsSuspension, session.isReady, !isStopped else { return }
        if let obstacle { return refuseSuspension(obstacle) }
        let freeze = Freeze(ofKeeper: process.keeper, group)
        // A lock may have been taken between the look and the stop.
        if let holder = FileLocks.holder(among: freeze.members) {
            freeze.end()
            return refuseSuspension(Self.lockObstacle(holder))
        }
        self.freeze = freeze
        isStopped = true
        stopResting()
        // What could not be stopped is looked at as before.
        if freeze.isComplete { deadlines[.measure] = nil } else { watchLimits() }
        suspendRetry = .seconds(1)
        pool.emit(.suspended, of: id)
    }

    private var obstacle: String? {
        if let obstacle = session.obstacle ?? leftObstacle { return obstacle }
        let members = ProcessTable.descendants(of: process.keeper).map(\.pid)
        return FileLocks.holder(among: Set(members)).map(Self.lockObstacle)
    }

    private static func lockObstacle(_ holder: pid_t) -> String {
        "process \(holder) of it holds a file lock"
    }

    private func refuseSuspension(_ reason: String) {
        setDeadline(.suspend, after: suspendRetry)
        suspendRetry = min(suspendRetry * 2, .seconds(60))
        pool.emit(.suspendRefused(reason: reason), of: id)
    }
}
