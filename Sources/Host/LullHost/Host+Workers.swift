import LullHistory
import LullModel
import LullScheduler
import LullSystem
import LullWire
import LullWorkers

/// Turns the workers' reports into events for the scheduler, and keeps their output with their runs.
extension Host {
    func hear(_ event: WorkerEvent, of worker: WorkerID) {
        defer { tellFollowers() }
        let app = worker.app
        switch event {
        case .ready(let registered, let plugin):
            logger.debug("\(app): plugin built with \(plugin.sdk), ABI \(plugin.abiMajor).\(plugin.abiMinor)")
            ownWork.touched(app, at: Clock.monotonic)
            handle(
                .workerReady(
                    worker, registered: registered, plugin: plugin.provenance, runsAlone: plugin.runsAlone))
            noteChange()
        case .failed(let sentence): startFailed(worker, sentence)
        case .heldBack(let sentence): handle(.workerHeldBack(worker, sentence: sentence))
        case .exited(let sentence, let isLost):
            logRests(app)
            for run in outputs.openRuns(of: worker) { explainDenial(app, run) }
            handle(.workerExited(worker, sentence: sentence, isLost: isLost))
            outputs.forget(worker)
            noteChange()
        case .overdue: handle(.workerOverdue(worker))
        case .submit(let id, let sequence, let request): submit(id, sequence, request, of: worker)
        case .withdrawn(let id):
            handle(.withdrawn(reply: Replies.token(of: id)))
            _ = replies.take(Replies.token(of: id))
        case .cancel(let sequence, let task):
            handle(.cancelled(app, task, reply: nil))
            commits.add(nil, then: pool?.answer(toCancel: sequence, of: worker))
        case .pendingQuery(let sequence):
            pool?.answer(toPending: sequence, of: worker, scheduler.queuedRequests(of: app))
        case .launchReturned(let run): handle(.launchReturned(run))
        case .completed(let run, let success, _):
            let hint = success ? nil : explainDenial(app, run)
            handle(
                .completed(run, success: success, summary: Sentences.failure(outputs.summary(of: run), hint)))
        case .leftRunning(let run, let sentence): outputs.left(sentence, run: run, at: Clock.wall)
        case .log(let run, let level, let message): log(worker, run, level, message)
        case .progress(let run, let completed, let total, _):
            handle(.progressed(run, .counted(completed: completed, total: total)))
            noteChange()
        case .titled(let run, let title, let subtitle):
            handle(.progressed(run, .titled(title, subtitle: subtitle)))
            noteChange()
        case .reported(let run, let text): handle(.reported(run, text))
        case .registered(let task): handle(.registered(worker, task))
        case .output(let stream, let bytes):
            onPrinted?(.init(stream), bytes)
            if let run = outputs.append(bytes, .init(stream), of: worker, at: Clock.wall) {
                handle(.printed(run))
            }
        case .exitCode(let run, let code): handle(.exited(run, code: code))
        case .cost(let run, let cost): handle(.measured(run, cost))
        case .printed(let run, let stream, let bytes):
            onPrinted?(.init(stream), bytes)
            if outputs.append(bytes, .init(stream), run: run, at: Clock.wall) { handle(.printed(run)) }
        case .skippedOutput(let run, let bytes): outputs.skip(bytes, run: run)
        case .violation(let run, let task, let sentence, let isFatal):
            handle(.violation(worker, run, task: task, sentence: sentence, isFatal: isFatal))
        case .notify(let id, let sequence, let notification):
            let token = answerLater(id, sequence, of: worker)
            handle(.notificationAdded(app, notification, reply: token))
        case .setBadge(let id, let sequence, let count):
            handle(.badgeSet(app, count, reply: answerLater(id, sequence, of: worker)))
        case .notificationsQuery(let sequence, let delivered):
            let found = scheduler.notifications(of: app, delivered: delivered, at: now)
            pool?.answer(
                toNotifications: sequence, of: worker, found.map { WireNotification($0, time: $1) })
        case .removeNotifications(let sequence, let identifiers, let delivered):
            handle(.notificationsRemoved(app, identifiers, delivered: delivered, reply: nil))
            commits.add(nil, then: pool?.answer(toCancel: sequence, of: worker))
        case .transfer(let id, let sequence, let order): hear(transfer: order, id, sequence, of: worker)
        case .transfersQuery(let sequence, let session):
            pool?.answer(
                toTransfers: sequence, of: worker, next: scheduler.nextTransferOrdinal(of: app),
                scheduler.transfers(of: app, session: session))
        case .transferAct(let id, let sequence, let transfer, let act):
            let token = answerLater(id, sequence, of: worker)
            handle(.transferActed(app, transfer, act, reply: token))
        case .transferAnswer(let id, let sequence, let transfer, let answer):
            let token = answerLater(id, sequence, of: worker)
            handle(.transferAnswered(app, transfer, answer, reply: token))
        case .suspended:
            logRests(app)
            logger.debug("\(app): suspended")
            noteChange()
        case .suspendRefused(let reason): logger.debug("\(app): not suspended yet: \(reason)")
        }
    }

    /// Explains the "Permission denied" of an app: a limit of Lull's and the owner of a file deny in the same words.
    ///
    /// The run's output gets all that may be the reason; the returned hint goes with its failure.
    @discardableResult
    private func explainDenial(_ app: AppIdentifier, _ run: RunID) -> String? {
        if outputs.lackedProcesses(run), let app = manifest.apps.first(where: { $0.identifier == app }) {
            outputs.note(Sentences.shortage(of: app), run: run, at: Clock.wall)
        }
        guard outputs.wasDenied(run), let app = manifest.apps.first(where: { $0.identifier == app }),
            let sentence = Sentences.limits(
                of: app, in: manifest,
                account: app.hasOwnAccount
                    ? AppAccount.account(with: configuration.state.appFolder(app.identifier.text)) : nil)
        else { return nil }
        outputs.note(sentence, run: run, at: Clock.wall)
        return Sentences.hint(of: app, in: manifest, run)
    }

    private func submit(
        _ id: SubmitID, _ sequence: UInt64, _ request: PluginRequest, of worker: WorkerID
    ) {
        let submission = Submission(
            app: worker.app, task: request.task, kind: request.kind, earliestBegin: request.earliestBegin,
            requires: request.requires, label: request.label, isImmediate: request.isImmediate)
        handle(.submitted(submission, reply: answerLater(id, sequence, of: worker)))
    }

    /// A token whose reply goes to the worker that waits for it.
    private func answerLater(_ id: SubmitID, _ sequence: UInt64, of worker: WorkerID) -> Token {
        replies.expect(of: id) { [unowned self] reply in
            let refusal: Refusal? = if case .refused(let refusal) = reply { refusal } else { nil }
            pool?.answer(id, sequence: sequence, of: worker, refusal)
        }
    }

    private func log(_ worker: WorkerID, _ run: RunID?, _ level: LogLevel, _ message: String) {
        let app = worker.app
        let now = Clock.wall
        if let run {
            outputs.log(message, run: run, at: now)
        } else {
            outputs.append(Array((message + "\n").utf8), .log, of: worker, at: now)
        }
        let line = logAllowance.take(app, at: Clock.monotonic)
        if let sentence = LogAllowance.sentence(app, line.leftOut) { logger.warning("\(sentence)") }
        guard line.isTaken else { return }
        // An app may have many tasks, so the line names the one that it belongs to.
        guard let run, let task = scheduler.task(of: run) else {
            return logger.log(level: level.inLog, "\(app): \(message)")
        }
        // What a run logs about its end is no error if the host's shutdown ended it.
        let isEnded = scheduler.isEndedByShutdown(run)
        logger.log(
            level: isEnded ? min(level.inLog, .notice) : level.inLog, "\(task) run=\(run): \(message)",
            metadata: ["app": "\(app)", "task": "\(task)", "run": "\(run)"])
    }

    /// Its worker has ended or been suspended: logs how many lines of a flood were left out.
    private func logRests(_ app: AppIdentifier) {
        guard let sentence = LogAllowance.sentence(app, logAllowance.rest(app)) else { return }
        logger.warning("\(sentence)")
    }
}

extension PluginIdentity {
    fileprivate var provenance: Provenance.Plugin {
        Provenance.Plugin(
            buildID: buildID.isEmpty ? nil : buildID, sdk: sdk, abi: "\(abiMajor).\(abiMinor)")
    }
}

extension OutputChunk.Stream {
    fileprivate init(_ stream: PrintedStream) {
        switch stream {
        case .output: self = .standardOutput
        case .error: self = .standardError
        }
    }
}
