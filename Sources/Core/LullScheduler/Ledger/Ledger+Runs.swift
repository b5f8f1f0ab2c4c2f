import LullModel

/// Runs: launched, and ended.
extension Ledger {
    mutating func applyLaunched(_ event: HistoryEvent, to app: inout AppRecord) {
        guard let task = event.task, let run = event.run else { return }
        app.startFailure = nil
        if event.kind == .continued { remember(continued: task, of: &app) }
        if event.kind == .transfers { transfers.launched(event.app) }
        let isExtra = event.origin == .operator
        var request: TaskRequest?
        let away = away
        let wasLate = notices.late.contains(task.text)
        withTask(event) { record in
            if let pending = record.pending, pending.id == event.request {
                request = pending
                // The occurrence that the launch stands for in the end.
                request?.occurrence = event.occurrence ?? pending.occurrence
                request?.triggerEvent = event.triggerEvent
                request?.params = event.params
                let due = max(pending.earliestBegin ?? pending.submitted, pending.submitted)
                // A wait that was too long is no measure of the usual wait.
                if !wasLate, pending.expectedBy != nil {
                    let absent = away.length(from: due, until: event.time)
                    record.note(wait: event.time - due - absent, at: event.time)
                }
            }
            record.countedFrom = record.countedFrom ?? event.time
            record.note(event)
            // A request to which the launch is extra goes on waiting.
            if request != nil || record.pending == nil { record.endPending(at: event.time) }
            record.lastRun = run
            record.paced = isExtra ? record.paced ?? record.lastLaunched : event.time
            record.lastLaunched = event.time
            record.lastEntry = event.provenance?.entry
            if event.attempt?.number == 1 { record.tried = nil }
            record.lastOutcome = nil
            record.lastMilliseconds = nil
            record.lastReason = nil
        }
        countRequests(of: task, in: &app)
        if request?.origin == .plugin, event.kind == .continued {
            app.continuedPace?.note(launchAt: event.time)
            app.continuedPace = app.continuedPace ?? ContinuedPace(launchAt: event.time)
        }
        if event.kind == .processing, let budget = event.budget {
            app.askedPace?.note(launchAt: event.time, perDay: budget)
            app.askedPace = app.askedPace ?? AskedPace(launchAt: event.time, perDay: budget)
        }
        runs[run] = RunRecord(
            run: run, task: task, app: event.app, launched: event.time, request: request,
            isExtra: isExtra ? true : nil)
        if let push = event.push {
            runs[run]?.isUrgent = push.isUrgent ? true : nil
            if !push.isUrgent {
                app.silentPushes = ((app.silentPushes ?? []) + [event.time]).suffix(PushRules.mostQuota)
            }
        }
        if event.kind == .refresh, !isExtra {
            // The latest in the log's order: after the clock was set back, the later event counts.
            app.lastRefresh = event.time
            // A launch that did not draw from the refresh budget records no budget.
            if event.budget != nil || event.price == nil { spending.note(launchAt: event.time) }
            if let price = event.price, let budget = event.budget {
                spending.price(price, at: event.time, perDay: budget)
            }
        }
    }

    mutating func applyEnd(_ event: HistoryEvent, to app: inout AppRecord) {
        guard let outcome = event.ending else { return }
        if let cost = event.cost, let spans = event.countedOver {
            var ofApp = app.costs ?? CostSums()
            ofApp.note(cost, over: spans.app, at: event.time)
            app.costs = ofApp.isEmpty ? nil : ofApp
            costs.note(cost, over: spans.host, at: event.time)
        }
        guard let run = event.run else {
            if outcome == .unloadable {
                app.trouble = event.reason ?? "the plugin can't be loaded"
                app.troubleStamp = event.stamp
                app.troubleSince = event.time
                app.startFailure = nil
            } else if outcome == .crashed {
                app.startFailure = StartFailure(
                    failures: (app.startFailure?.failures ?? 0) + 1, at: event.time,
                    reason: event.reason ?? "its worker ended before the plugin was ready",
                    stamp: event.stamp)
            }
            return
        }
        let ended = runs.removeValue(forKey: run)
        if let ended { app.note(endOf: ended, event) }
        let gates = event.gates ?? ended?.expiredBy
        if outcome.isSuccess, let task = event.task { notices.recover(task.text) }
        withTask(event) { record in
            if record.lastRun == run || record.lastRun == nil {
                record.lastRun = run
                record.lastOutcome = outcome
                record.lastGates = gates
                record.lastMilliseconds = event.milliseconds
                record.lastReason = event.reason
            }
            if event.event != .interrupted { record.lastEnded = event.time }
            record.note(outcome, limit: outcome.isSuccess ? nil : ended?.metLimit)
            if outcome.isSuccess {
                record.failures = 0
                record.failedAt = nil
                if ended?.isExtra != true { record.tried = nil }
                record.lastFresh = ended?.launched ?? event.time
                record.note(successAt: event.time)
            } else if ended?.isExtra != true || outcome == .interrupted,
                // A plugin that can't be loaded has a gate of its own.
                outcome != .unloadable, outcome.isFailure(endedBy: gates)
            {
                record.failures += 1
                record.failedAt = event.time
                if outcome != .interrupted {
                    record.tried = event.earliestBegin == nil ? nil : (record.tried ?? 0) + 1
                }
            }
        }
    }
}

extension AppRecord {
    /// Counts urgent pushes without a report. A run that was cut off with its host could not report.
    fileprivate mutating func note(endOf run: RunRecord, _ event: HistoryEvent) {
        guard run.isUrgent == true, run.wasLeftToEnd(by: event) else { return }
        guard run.owesReport else {
            unreported = nil
            return
        }
        unreported = (unreported ?? 0) + 1
        if unreported ?? 0 >= Limits.unreportedPushes { urgencyLostAt = urgencyLostAt ?? event.time }
    }
}

extension RunRecord {
    /// Whether it could run to its end: its host was not cut off, and no gate expired it.
    func wasLeftToEnd(by event: HistoryEvent) -> Bool {
        event.event != .interrupted && (expiredBy ?? []).isEmpty
    }
}
