import LullModel

/// Checks that runs without success are requested again, where that was promised.
extension Invariants {
    /// After the records of a frame in which a run ended, and not by success.
    ///
    /// `next`: when its next attempt begins, as the records have it; nil: there is none.
    mutating func checkAgain(_ run: Run, _ outcome: Outcome, _ next: WallTime?, _ frame: Frame) {
        guard let task = frame.manifest.tasks.first(where: { $0.identifier == run.task }), task.app == run.app
        else { return }
        // A run that an operator stopped is not requested again.
        if outcome == .stopped { return }
        let wasDeferred = !outcome.isFailure(endedBy: run.expiredBy)
        let wasCutOff = outcome == .interrupted || wasDeferred
        // Its transfers say whether it is launched again.
        if run.request?.origin == .transfers { return }
        if wasCutOff {
            guard let origin = run.request?.origin else { return }
            // After its conditions ended the run, the plugin itself submits again.
            if wasDeferred, origin == .plugin { return }
            // A missed time with `skip`, or of a task that has lost its `at`, is not made up for.
            if origin == .at, task.missed == .skip || task.at == nil { return }
            if origin == .event, task.on.isEmpty || !task.enabled { return }
            if origin != .repeat { return expect(run, isDue: false, frame) }
        }
        if outcome.isFailure(endedBy: run.expiredBy), outcome != .unloadable, outcome != .interrupted,
            !run.isExtra
        {
            checkAttempt(run, of: task, next, frame)
        }
        if task.repeat != nil, task.enabled, !run.isExtra, task.retry.attempts == nil || next != nil {
            expect(run, isDue: true, frame)
        }
    }

    /// Which attempt it was, by the records alone, and whether another has to follow.
    private mutating func checkAttempt(_ run: Run, of task: TaskDefinition, _ next: WallTime?, _ frame: Frame)
    {
        let tried = (stories[run.task]?.tried ?? 0) + 1
        stories[run.task]?.tried = next == nil ? 0 : tried
        guard let most = task.retry.attempts, tried < most else {
            if next != nil { fault("\(run.task) is tried again after attempt \(tried), which was its last") }
            return
        }
        let request = heads.first { $0.task == run.task }
        // Another time that was due has been launched since.
        let isRunning = running.values.contains { $0.task == run.task }
        if let next {
            if next <= frame.now.wall { fault("attempt \(tried) of \(run.task) is followed at once") }
            expect(run, isDue: false, frame)
        } else if isRunning {
            return
        } else if run.request?.origin == .event, request == nil, !task.on.isEmpty, task.enabled {
            fault("attempt \(tried) of \(run.task) failed, and its events are not tried again")
        } else if run.request?.origin == .repeat, task.repeat != nil, task.enabled,
            request.map({ $0.origin == .repeat }) ?? true
        {
            fault("attempt \(tried) of \(run.task) failed, and it is not tried again")
        } else if run.request?.origin == .at, task.at != nil, request?.origin == .at,
            let begin = request?.earliestBegin, begin - frame.now.wall > task.retry.max
        {
            fault("attempt \(tried) of \(run.task) failed, and it is not tried again before its next time")
        }
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
