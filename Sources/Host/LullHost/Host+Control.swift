import LullControl
import LullHistory
import LullModel
import LullScheduler
import LullSystem

/// The host's functions behind the answers to the control socket (`RunningHandler`).
extension Host {
    /// Holds questions until the host has begun: it would deny what it does not know yet. A waiting client can ask
    /// nothing else.
    func hear(by asker: Asker? = nil, _ put: @escaping (RunningHandler) -> Void) {
        guard hasBegun || isShuttingDown else {
            return held.append { [unowned self] in hear(by: asker, put) }
        }
        guard let asker else { return put(RunningHandler(host: self)) }
        name(asker) { [unowned self] in put(RunningHandler(host: self, by: $0)) }
    }

    func report(of scope: Pause.Scope = .all, isBrief: Bool = false) -> StatusReport {
        refreshConditions()
        var report = scheduler.report(of: scope, isBrief: isBrief, at: now)
        // The client may be in another folder.
        report.inForce?.path = configuration.manifestPath
        report.inForce?.trouble = manifestTrouble
        let all = (remarks ?? []) + (report.remarks ?? [])
        report.remarks = all.isEmpty ? nil : all
        report.historyTrouble = storeTrouble
        return report
    }

    /// Reads coarsely sampled conditions again, for a fresh answer.
    func refreshConditions() {
        guard let sensors else { return }
        sense(sensors.current())
        lookAtDisk()
    }

    /// Gives the conditions to the scheduler, and the power mode to the plugins, which decides nothing here.
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
        // A run that is under way ends with an event. The end of one that has ended may not be durable yet: then it is
        // ahead of this in the queue.
        guard !scheduler.isRunning(run) else { return }
        commits.add(nil) { [unowned self] in
            awaited[run] = nil
            respond(
                .refused("Run \(run) is not under way. `lull history --run \(run)` shows what became of it."))
        }
    }

    /// Runs imports one at a time, behind what is recorded already: each is compared with all that came before it.
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
                    // The host has assigned numbers since the history was read.
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
        // Before the answer: the client may have sent its next import already, which is then handled within the call.
        beginImport()
        respond(answer)
        restIfQuiet()
    }
}

extension HistoryImport {
    var counts: ImportedEvents { ImportedEvents(added: events.count, known: known) }
}
