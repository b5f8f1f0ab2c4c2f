import LullModel

/// What did not get to its end is asked for again, where that was promised.
extension Invariants {
    /// After the records of a frame in which a run ended, and not by success.
    mutating func checkAgain(_ run: Run, _ outcome: Outcome, _ frame: Frame) {
        guard let task = frame.manifest.tasks.first(where: { $0.identifier == run.task }), task.app == run.app
        else { return }
        // Nobody asks again for what an operator stopped.
        if outcome == .stopped { return }
        let wasDeferred = !outcome.isFailure(endedBy: run.expiredBy)
        let wasCutOff = outcome == .interrupted || wasDeferred
        // Its transfers say whether it is launched again.
        if run.request?.origin == .transfers { return }
        if wasCutOff {
            guard let origin = run.request?.origin else { return }
            // What its conditions ended is the plugin's to submit again.
            if wasDeferred, origin == .plugin { return }
            // What is to be skipped when it is missed is not made up for, nor what is launched by the clock no more.
            if origin == .at, task.missed == .skip || task.at == nil { return }
            if origin == .event, task.on.isEmpty || !task.enabled { return }
            if origin != .repeat { return expect(run, isDue: false, frame) }
        }
        if task.repeat != nil, task.enabled, !run.isExtra { expect(run, isDue: true, frame) }
    }

    private mutating func expect(_ run: Run, isDue: Bool, _ frame: Frame) {
        let request = heads.first { $0.task == run.task }
        let isLate = request.map {
            $0.origin == .repeat && ($0.earliestBegin.map { $0 > frame.now.wall } ?? false)
        }
        let isRunning = running.values.contains { $0.task == run.task }
        if !isRunning, request == nil || isDue && isLate == true {
            fault("\(run.task) did not get to its end, and is not asked for again")
        }
    }
}
