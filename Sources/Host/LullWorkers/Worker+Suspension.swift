internal import Glibc
import LullModel
import LullSystem
import LullWire

/// Stops a worker in which nothing runs, with all that it has started, and lets it go on.
///
/// It is stopped only if nothing waits for it: no run, no submit without an answer, no file lock. It goes on before
/// anything is sent to it.
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
        if hold != nil { return setDeadline(.suspend, after: suspendRetry) }
        if let obstacle { return refuseSuspension(obstacle) }
        let freeze = Freeze(ofSupervisor: process.supervisor, group)
        // A lock may have been taken between the look and the stop.
        if let holder = FileLocks.holder(among: freeze.members) {
            freeze.end()
            return refuseSuspension(Self.lockObstacle(holder))
        }
        self.freeze = freeze
        isStopped = true
        stopResting()
        deadlines[.measure] = nil
        if !freeze.isLasting { watchLimits() }
        suspendRetry = .seconds(1)
        pool.emit(.suspended, of: id)
    }

    /// Stops processes of a stopped app that have gone on, and names them; the second time within a day the app is
    /// ended. Returns whether it may stay.
    func keepStopped(_ members: [ProcessTable.Entry]) -> Bool {
        guard let escaped = freeze?.look(at: members) else { return true }
        if freeze?.isQuiet == false { lookGap = pool.measureOften }
        return answer(
            escaped, "it was suspended",
            "To work between runs, begin an activity (`begin_activity`, `beginBackgroundTask`).")
    }

    /// Returns whether it may stay.
    private func answer(_ escaped: [ProcessTable.Entry], _ circumstance: String, _ fix: String) -> Bool {
        guard !escaped.isEmpty else { return true }
        let now = Clock.monotonic
        let isFirst = lastEscape.map { now - $0 > pool.escapeMemory } ?? true
        lastEscape = now
        let who = "\(Self.names(of: escaped)) of it kept running while \(circumstance)"
        guard isFirst else {
            violate("\(who), for the second time. \(fix)")
            return false
        }
        let sentence = "\(who), and was stopped again; the next time Lull kills it. \(fix)"
        perform(session.violate(nil, sentence, isFatal: false))
        return true
    }

    /// Stops it for a moment; a suspended worker is stopped already. No event is emitted, and frames for it wait in its socket.
    func holdStill() {
        guard hold == nil, !isStopped, !session.isEnding else { return }
        hold = Freeze(ofSupervisor: process.supervisor, group)
        // Processor time that was used until all were stopped does not count.
        _ = hold?.look(at: ProcessTable.descendants(of: process.supervisor))
    }

    /// Lets it go on, unless it has gone on by itself for the second time.
    func letGo() {
        guard let escaped = hold?.look(at: ProcessTable.descendants(of: process.supervisor)) else { return }
        hold?.end()
        hold = nil
        guard !session.isEnding else { return }
        _ = answer(
            escaped, "its folder was measured", "Lull stops an app for that, for at most a second.")
    }

    private var obstacle: String? {
        if let obstacle = session.obstacle ?? leftObstacle { return obstacle }
        let members = ProcessTable.descendants(of: process.supervisor).map(\.pid)
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
