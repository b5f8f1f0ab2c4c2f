import LullModel
import LullSystem
import LullWire

/// Watches what an app uses: all of its processes together, on any machine.
///
/// Between two looks an app may exceed a limit; the kernel's own limits stop the quickest. As on iOS, an app that
/// exceeds a limit is killed, and the sentence says by how much.
extension Worker {
    /// Sets the next look; there is none while the kernel keeps all of the app stopped. Looks come soon after a launch
    /// and while the app grows, and less and less often then: so an app that forks without end is found early. An app
    /// that was stopped by signals is watched too, for it can undo that.
    func watchLimits() {
        guard !session.isEnding else { return }
        let earlier = deadlines[.measure]
        lookGap = isStopped ? pool.measureOften : pool.measureOften / 16
        lookAgain()
        // Launches in quick succession must not put a look off.
        if let earlier, let next = deadlines[.measure] { deadlines[.measure] = min(earlier, next) }
    }

    /// Gives the worker of a single run the limits and the urgency of its task.
    func suit(_ permit: SessionPermit) {
        if let own = permit.limits {
            limits = LimitWatch(spec.confinement.limits.narrowed(to: own))
            group?.limit(to: limits.limits)
        }
        if permit.nice != spec.nice || permit.ionice == .idle, let number = process.worker {
            ProcessTable.yield(number, nice: permit.nice, permit.ionice)
        }
    }

    private func lookAgain() {
        setDeadline(.measure, after: session.runs.isEmpty && !isStopped ? pool.measureRarely : lookGap)
        lookGap = min(lookGap * 2, isStopped ? pool.measureStopped : pool.measureOften)
    }

    /// Has the kernel hold the app to its share of the processor, if it can. A look ends what gets more by other ways.
    func limitProcessor() {
        guard limits.limits.cpu != nil else { return }
        let isTimed = freeRuns.isDisjoint(with: session.runs)
        limits.isHeldByKernel = group?.limitProcessor(to: isTimed ? limits.limits.cpu : nil) == true
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
        // Limits of single runs are not added up.
        if !session.runsAlone { pool.holdTogether(app) }
        lookAgain()
    }

    /// Kills the worker. If several runs share its process, the reason names all, for any of them may be the cause.
    private func end(because reason: String) {
        let open = session.runs.sorted()
        if open.isEmpty, hasLeft {
            pool.emit(
                .violation(
                    nil, sentence: "Lull killed the processes that its last run had left running: \(reason).",
                    isFatal: false),
                of: id)
        }
        guard open.count > 1 else { return kill(reason: reason) }
        kill(
            reason: "runs \(Phrase.list(open.map { String($0) })) share a process, "
                + "so Lull can't tell which one caused this: \(reason)")
    }
}
