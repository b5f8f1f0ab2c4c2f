import LullModel

/// Runs: the signals to them, and how they end.
extension SchedulerState {
    /// The only way to signal a run.
    mutating func signal(_ id: RunID, _ signal: Run.Signal) {
        guard let before = runs[id] else { return }
        var run = before
        let step = run.take(signal, at: now.monotonic)
        runs[id] = run
        setAlarm(of: run, before: before)
        switch step {
        case .none: break
        case .warn(let reason, let gates):
            var event = HistoryEvent(
                .expired, at: now.wall, app: run.app, task: run.task, run: id, reason: reason)
            event.gates = gates.isEmpty ? nil : gates
            if run.hasMetLimit { event.milliseconds = run.timeLimit?.milliseconds }
            if run.isStopped { event.outcome = .stopped }
            record(event)
            turn.effects.append(.expire(id, run.worker, reason: reason))
        case .end(let outcome, let reason): end(id, outcome, reason: reason)
        case .kill(let reason): kill(run.worker, because: reason, culprit: id)
        }
    }

    mutating func setAlarm(of run: Run, before: Run? = nil) {
        guard let time = run.alarm, before == nil || before?.alarm != time else { return }
        alarms.insert(Alarm(time: time, subject: .run(run.id)))
    }

    mutating func end(_ id: RunID, _ outcome: Outcome, reason: String?, wasKilled: Bool = false) {
        guard let run = runs.removeValue(forKey: id) else { return }
        let outcome = run.isStopped && !outcome.isSuccess ? .stopped : outcome
        disk.allowed[id] = nil
        let durable = ledger.runs[id]
        var event = HistoryEvent(
            outcome.isSuccess ? .completed : .failed, at: now.wall, app: run.app, task: run.task,
            request: durable?.request?.id, run: id, outcome: outcome, reason: reason)
        if !outcome.isSuccess {
            let gates = durable?.expiredBy ?? []
            event.gates = gates.isEmpty ? nil : gates
            event.reason = run.reason(Self.reason(reason, outcome, endedBy: gates), quotedAt: outcome)
        }
        event.milliseconds = max(0, (now.monotonic - run.launched).milliseconds)
        event.attempt = run.attempt
        event.exitCode = run.exitCode
        event.cost = run.cost
        event.countedOver = run.cost.flatMap {
            CostSpans($0, app: app(run.app)?.costLimits ?? [], host: manifest.costLimits)
        }
        let next = nextAttempt(after: durable, event)
        event.earliestBegin = next?.time
        record(event)
        if Mutation.endsTwice.isOn { record(event) }
        if let durable, durable.wasLeftToEnd(by: event) { noteUnreported(durable) }
        let isFailure = event.isFailure && next == nil
        tellOutput(of: run, failed: isFailure)
        beat(of: run, outcome, isFailure: isFailure)
        recent.runs.note(.init(app: run.app, task: run.task, wasKilled: wasKilled), id)
        apps[run.app]?.runs.removeAll { $0 == id }
        change(run.worker) {
            $0.runs.removeAll { $0 == id }
            $0.lastEnded = id
            $0.foundRequestsBefore = nil
        }
        if !outcome.isSuccess {
            // The plan counted on data that this run did not bring.
            tasks[run.task]?.plan = nil
            if let durable, let next { attempt(next, after: durable) } else { tryAgain(durable, outcome) }
        }
        if next == nil { followRun(id, of: run.task, outcome, endedBy: event.gates) }
        if run.kind == .transfers { askForTransfers(of: run.app) }
        touch(run.task)
        touchGroup(run.group)
        if let counted = event.countedOver { touchLimited(run.app, counted) }
        guard let known = worker(run.worker), known.runs.isEmpty, known.state == .warm else {
            return offer(run.app)
        }
        if isShuttingDown || !known.takesLaunches || !listing.has(run.app) {
            evict(known.id)
        } else {
            setTimer(of: known.id, now.monotonic + Limits.settleTime)
        }
        offer(run.app)
    }

    /// What a run cost may have closed a gate of other tasks: they are reviewed now, so that the history has it.
    private mutating func touchLimited(_ name: AppIdentifier, _ counted: CostSpans) {
        let isFull =
            !counted.host.isEmpty
            && manifest.costLimits.contains { ledger.costs.opening(of: $0, at: now.wall) != nil }
        for app in isFull ? manifest.apps.map(\.identifier) : [name] { touchTasks(of: app) }
    }

    /// If the shutdown told a run to end, it is the cause of any other end, too.
    private static func reason(_ reason: String?, _ outcome: Outcome, endedBy gates: [String]) -> String? {
        guard outcome != .expired, gates.contains(GateName.shuttingDown.rawValue) else { return reason }
        return "the host was shutting down" + (reason.map { ": " + $0 } ?? "")
    }

    /// Asks again for a failed run of `repeat`, after its backoff; a plugin submits its own requests again.
    ///
    /// A run that was stopped by hand is not tried again: its own next time stays.
    ///
    /// A run that was expired because its conditions ended, and did not complete, was deferred and not done: a request
    /// of the operator or of `repeat` is made again.
    private mutating func tryAgain(_ run: RunRecord?, _ outcome: Outcome) {
        guard let run, let definition = definition(of: run.task), !Mutation.forgetsRetries.isOn,
            outcome != .stopped
        else { return }
        let endedGates = run.expiredBy ?? []
        // The fleet has the slot as open, and there may be no other host to claim it.
        if outcome == .interrupted,
            ledger.slots.entries.values.contains(where: { $0.run == run.run && $0.end?.state == .open })
        {
            return again(run, reason: "requested again, because run \(run.run) was cut off")
        }
        if !outcome.isFailure(endedBy: endedGates) {
            guard run.request?.origin != .plugin || run.request?.triggerEvent != nil else { return }
            again(
                run,
                reason:
                    "requested again, because run \(run.run) was expired by the gate \(Phrase.list(endedGates))"
            )
        } else if definition.retry.attempts == nil, run.isExtra != true || Mutation.movesRhythm.isOn {
            repeatNow(
                definition, reason: "requested again, because run \(run.run) failed",
                params: definition.paramsToGive(again: run.request?.params))
        }
    }

    /// Ends every run of a worker.
    mutating func endRuns(
        of worker: WorkerID, _ outcome: Outcome, _ sentence: String, wasKilled: Bool = false
    ) {
        for id in self.worker(worker)?.runs ?? [] { end(id, outcome, reason: sentence, wasKilled: wasKilled) }
    }

    mutating func progressed(_ id: RunID, _ progress: Progress) {
        signal(id, .progressed(progress, at: now.wall))
    }

    /// An effect was carried out: its time counts from now on.
    mutating func carriedOut(_ deed: Deed) {
        switch deed {
        case .launch(let run): signal(run, .begun)
        case .expire(let run): signal(run, .warned)
        case .startWorker(let id):
            if let known = worker(id), known.state == .starting, known.timer == nil {
                setTimer(of: id, now.monotonic + Limits.startWait)
            }
        }
    }

    mutating func launchReturned(_ id: RunID) { signal(id, .returned) }

    mutating func completed(_ id: RunID, _ success: Bool, _ summary: String?) {
        if runs[id] != nil { return signal(id, .completed(success: success, summary: summary)) }
        guard let ended = recent.runs[id], !ended.wasKilled else { return }
        note(
            violationOf: ended.app, id, "run \(id) of \(ended.task) was completed after it had ended",
            task: ended.task)
    }

    mutating func violation(
        _ worker: WorkerID, _ run: RunID?, _ task: TaskIdentifier?, _ sentence: String, _ isFatal: Bool
    ) {
        let name = worker.app
        note(
            violationOf: name, run, sentence,
            task: task ?? run.flatMap { runs[$0]?.task ?? recent.runs[$0]?.task },
            outcome: isFatal ? .killed : nil)
        if isFatal {
            let wasStarting = self.worker(worker)?.state == .starting
            kill(worker, because: sentence, culprit: run.flatMap { runs[$0]?.worker == worker ? $0 : nil })
            if wasStarting {
                noteStartFailure(of: name, "its worker was killed before the plugin was ready: \(sentence)")
            }
        }
    }

    mutating func note(
        violationOf name: AppIdentifier, _ run: RunID?, _ sentence: String, task: TaskIdentifier? = nil,
        outcome: Outcome? = nil
    ) {
        let time = now.wall
        guard let sentence = apps[name, default: AppState()].records.admit(sentence, at: time) else { return }
        record(
            HistoryEvent(
                .violation, at: now.wall, app: name, task: task, run: run, outcome: outcome, reason: sentence)
        )
    }
}

extension Run {
    /// Why it did not succeed, with the last lines that it printed. These are its own; lines that `reason` may quote
    /// already are its worker's.
    fileprivate func reason(_ reason: String?, quotedAt outcome: Outcome) -> String? {
        guard !lastLines.isEmpty else { return reason }
        let unsaid = outcome == .expired ? "it ended when it was expired" : "its handler reported a failure"
        var told = PrintedLast(reason ?? unsaid)
        // A handler may log what it prints.
        guard lastLines.count > 1 || !told.sentence.says(lastLines[0]) else { return told.sentence }
        told.lines = lastLines
        return told.reason
    }
}

extension String {
    /// Whether this contains `line` as words of its own; a line without words, such as a full stop, does not count.
    fileprivate func says(_ line: String) -> Bool {
        func isWord(_ character: Character?) -> Bool {
            character.map { $0.isLetter || $0.isNumber } ?? false
        }
        return line.contains(where: isWord)
            && ranges(of: line).contains {
                !isWord(self[..<$0.lowerBound].last) && !isWord(self[$0.upperBound...].first)
            }
    }
}
