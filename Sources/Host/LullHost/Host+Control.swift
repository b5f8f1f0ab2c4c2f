import LullControl
import LullHistory
import LullModel
import LullScheduler
import LullSystem

/// What the answers to the control socket need of the host (`RunningDesk`).
extension Host {
    /// What the host does not know yet would be denied. A client that waits can ask for nothing else.
    func hear(_ put: @escaping (RunningDesk) -> Void) {
        guard hasBegun || isShuttingDown else { return held.append(put) }
        put(RunningDesk(host: self))
    }

    func report(of scope: Pause.Scope = .all, isBrief: Bool = false) -> StatusReport {
        refreshConditions()
        var report = scheduler.report(of: scope, isBrief: isBrief, at: now)
        // Whoever asks is in another folder.
        report.inForce?.path = configuration.manifestPath
        report.inForce?.trouble = manifestTrouble
        let all = (remarks ?? []) + (report.remarks ?? [])
        report.remarks = all.isEmpty ? nil : all
        report.historyTrouble = storeTrouble
        return report
    }

    /// What is sampled coarsely is read anew for somebody who asks.
    func refreshConditions() {
        guard let sensors else { return }
        sense(sensors.current())
        lookAtDisk()
    }

    /// The scheduler judges by the conditions; of power mode the plugins are told, which decides nothing here.
    func sense(_ conditions: Conditions) {
        pool?.isLowPower = conditions.isSavingPower
        handle(.conditionsChanged(conditions))
    }

    func awaitEnd(of run: RunID, _ respond: @escaping Respond<Ask.Await>) {
        let tell = { [unowned self] (event: HistoryEvent) in
            respond(
                .success(
                    EndedRun(
                        run, event.outcome ?? .failed, reason: event.reason,
                        printed: outputs.printed(by: run), exitCode: event.exitCode)))
        }
        if let event = pass.ended.last(where: { $0.run == run }) { return tell(event) }
        awaited[run, default: []].append(tell)
        // A run that is under way ends with an event. One that has ended may wait to be durable: then what it ended with
        // stands before this in the queue.
        guard !scheduler.isRunning(run) else { return }
        commits.add(nil) { [unowned self] in
            awaited[run] = nil
            respond(
                .refused("Run \(run) is not under way. `lull history --run \(run)` shows what became of it."))
        }
    }

    /// One after the other, behind what is recorded already: each is held against all that came before it.
    func importEvents(_ question: Ask.ImportEvents, _ respond: @escaping Respond<Ask.ImportEvents>) {
        imports.append((question, respond))
        if imports.count == 1 { beginImport() }
    }

    private func beginImport() {
        guard let (question, respond) = imports.first else { return }
        commits.add(nil) { [unowned self] in
            let limit = Clock.monotonic + Self.importTimeout
            let numbers = (scheduler.ledger.nextRun, scheduler.ledger.nextRequest)
            reads.run(within: Self.importTimeout) { (history) throws(HistoryError) in
                try HistoryReads.withTimeout(until: limit) { () throws(HistoryError) in
                    try HistoryImport(
                        question.events, question.outputs, from: "The import", into: history)
                }
            } then: { [unowned self] plan in
                switch plan {
                case .success(let plan)
                where plan.hasNumbers && numbers != (scheduler.ledger.nextRun, scheduler.ledger.nextRequest):
                    // The host has begun to give numbers since the history was looked at.
                    let error = HistoryError.foreignNumbers(path: "The import")
                    endImport(.refused(error.message + " " + error.fix), respond)
                case .success where scheduler.isDiskFull:
                    endImport(.refused("The disk is full; nothing was imported."), respond)
                case .success(let plan) where !isClosing: take(plan, respond)
                case .failure(let error): endImport(.refused(error.message + " " + error.fix), respond)
                case .success: endImport(.refused("The host is ending; nothing was imported."), respond)
                case nil:
                    endImport(
                        .refused(
                            "The history did not answer; nothing was imported. `lull status` may say why."),
                        respond)
                }
            }
        }
    }

    private static let importTimeout: Duration = .minutes(10)

    /// Uses become events of the scheduler, so that an idle app revives; everything else only joins the log.
    private func take(_ plan: HistoryImport, _ respond: @escaping Respond<Ask.ImportEvents>) {
        scheduler.take(imported: plan.events, zones: zones)
        eventsSinceCheckpoint += plan.events.count
        for event in plan.events where event.event == .used { noteUse(event.app, at: event.time) }
        commits.add(HistoryBatch(plan)) { [unowned self] in
            handle(.wake)
            endImport(.success(plan.counts), respond)
        }
    }

    private func endImport(
        _ answer: Result<ImportedEvents, ControlRefusal>, _ respond: Respond<Ask.ImportEvents>
    ) {
        imports.removeFirst()
        // Before the answer: whoever hears it may have sent the next one already, which is then served within it.
        beginImport()
        respond(answer)
        restIfQuiet()
    }
}

extension HistoryImport {
    var counts: ImportedEvents { ImportedEvents(added: events.count, known: known) }
}
