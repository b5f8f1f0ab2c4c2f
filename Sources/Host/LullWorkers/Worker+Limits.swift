import LullModel
import LullSystem

/// What an app uses, watched by the host: that holds for all of its processes together, on any machine.
///
/// Between two looks an app may go beyond; what the kernel is asked to hold stops the quickest. As on iOS, who goes beyond
/// is ended, and the sentence says by how much.
extension Worker {
    /// When the next look is due; none while the kernel keeps all of the app stopped. Soon after a launch, and while the app
    /// grows, and less and less often then: who makes processes without end has not got far. Also of an app that was stopped
    /// by signals, which it can undo.
    func watchLimits() {
        guard !session.isEnding else { return }
        let earlier = deadlines[.measure]
        lookGap = isStopped ? pool.measureOften : pool.measureOften / 16
        lookAgain()
        // Launches one after another put no look off.
        if let earlier, let next = deadlines[.measure] { deadlines[.measure] = min(earlier, next) }
    }

    private func lookAgain() {
        setDeadline(.measure, after: session.runs.isEmpty && !isStopped ? pool.measureRarely : lookGap)
        lookGap = min(lookGap * 2, isStopped ? pool.measureStopped : pool.measureOften)
    }

    func measure(_ now: MonotonicTime) {
        guard !session.isEnding, freeze?.isLasting != true else { return }
        let members = ProcessTable.descendants(of: process.supervisor)
        guard keepStopped(members) else { return }
        let used = Consumption(of: members, supervisor: process.supervisor)
        let isTimed = freeRuns.isDisjoint(with: session.runs)
        if let reason = limits.excess(of: used, at: now, isTimed: isTimed, over: pool.cpuSpan) {
            return end(because: reason)
        }
        if used.processes > lastProcesses + max(8, limits.limits.processes / 16) {
            lookGap = pool.measureOften / 16
        }
        lastProcesses = used.processes
        // What is a run's own is not added up.
        if !session.runsAlone { pool.holdTogether(app) }
        lookAgain()
    }

    /// Who goes beyond a limit is named; of several runs in one process nobody knows which it was.
    private func end(because reason: String) {
        let open = session.runs.sorted()
        if open.isEmpty, hasLeft {
            pool.emit(
                .violation(
                    nil, sentence: "What its last run had left running was ended: \(reason).", isFatal: false),
                of: id)
        }
        guard open.count > 1 else { return kill(reason: reason) }
        kill(
            reason: "runs \(Phrase.list(open.map { String($0) })) share a process, "
                + "so Lull can't tell which one caused this: \(reason)")
    }
}
