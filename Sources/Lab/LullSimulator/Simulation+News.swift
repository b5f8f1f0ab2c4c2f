import LullModel
import LullScheduler
import LullWire

/// Makes a worker's messages events for the scheduler, as the shipping host does.
extension Simulation {
    mutating func take(_ news: WorkerEvent, of id: WorkerID) {
        switch news {
        case .ready(let registered, let plugin): ready(id, registered, runsAlone: plugin.runsAlone)
        case .submit(let submit, let sequence, let request):
            self.submit(submit, sequence, request, of: id)
        case .withdrawn(let submit):
            guard let token = links[id]?.tokens[submit] else { return }
            asked[token] = nil
            withdraw(token)
        case .cancel(let sequence, let task):
            if let number = workers[id]?.number {
                about.cancelled = Frame.Cancel(id: id, worker: number, sequence: sequence)
            }
            handle(.cancelled(id.app, task, reply: nil))
        case .pendingQuery(let sequence):
            let frames = links[id]?.session.answerPending(sequence, state.queuedRequests(of: id.app)) ?? []
            for frame in frames { reply(frame, to: id) }
        case .launchReturned(let run):
            workers[id]?.runs[run]?.hasReturned = true
            handle(.launchReturned(run))
        case .completed(let run, let success, _): completed(run, of: id, success)
        case .progress(let run, let count, let total, _):
            handle(.progressed(run, .counted(completed: count, total: total)))
        case .titled(let run, let title, let subtitle):
            handle(.progressed(run, .titled(title, subtitle: subtitle)))
        case .reported(let run, let text): handle(.reported(run, text))
        case .violation(let run, let task, let sentence, let isFatal):
            if isFatal { workers[id]?.mustGo = true }
            handle(.violation(id, run, task: task, sentence: sentence, isFatal: isFatal))
        case .registered(let task): handle(.registered(id, task))
        case .printed(let run, let stream, let bytes): printed(run, bytes, isError: stream == .error)
        case .overdue: handle(.workerOverdue(id))
        case .failed(let sentence): handle(.workerFailed(id, sentence: sentence))
        case .heldBack(let sentence): handle(.workerHeldBack(id, sentence: sentence))
        case .exited(let sentence, let isLost):
            handle(.workerExited(id, sentence: sentence, isLost: isLost))
        case .notify(let submit, let sequence, let notification):
            let token = token(for: submit, sequence, of: id)
            handle(.notificationAdded(id.app, notification, reply: token))
        case .setBadge(let submit, let sequence, let count):
            handle(.badgeSet(id.app, count, reply: token(for: submit, sequence, of: id)))
        case .notificationsQuery(let sequence, _):
            for frame in links[id]?.session.answerNotifications(sequence, []) ?? [] { reply(frame, to: id) }
        case .removeNotifications(_, let identifiers, let delivered):
            handle(.notificationsRemoved(id.app, identifiers, delivered: delivered, reply: nil))
        // No plugin of the simulation transfers anything.
        case .transfer, .transfersQuery, .transferAct, .transferAnswer: break
        case .log, .skippedOutput, .output, .exitCode, .cost, .leftRunning, .suspended, .suspendRefused: break
        }
    }

    private mutating func printed(_ run: RunID, _ bytes: [UInt8], isError: Bool) {
        if lastLines.count > 64 { lastLines = lastLines.filter { state.isRunning($0.key) } }
        var lines = lastLines[run] ?? LastLines()
        lines.append(bytes, isError: isError)
        lastLines[run] = lines
        if !lines.lines.isEmpty { invariants.willQuote(run, at: clock.monotonic) }
        handle(.lastLines([run: lines.lines]))
        handle(.printed(run))
    }

    private mutating func ready(_ id: WorkerID, _ registered: [TaskIdentifier], runsAlone: Bool) {
        if workers[id]?.phase == .starting {
            workers[id]?.phase = .warm
            if let began = workers[id]?.began, clock.monotonic - began >= Limits.startWait {
                workers[id]?.mustGo = true
            }
        }
        handle(.workerReady(id, registered: registered, runsAlone: runsAlone))
    }

    private mutating func submit(
        _ submit: SubmitID, _ sequence: UInt64, _ request: PluginRequest, of id: WorkerID
    ) {
        let submission = Submission(
            app: id.app, task: request.task, kind: request.kind, earliestBegin: request.earliestBegin,
            requires: request.requires, label: request.label, isImmediate: request.isImmediate)
        let token = token(for: submit, sequence, of: id)
        invariants.willSubmit(token, submission)
        handle(.submitted(submission, reply: token))
    }

    /// Makes the token of a submit, and notes the worker that its answer goes to.
    private mutating func token(for submit: SubmitID, _ sequence: UInt64, of id: WorkerID) -> Token {
        let token = makeToken()
        links[id]?.tokens[submit] = token
        if let number = workers[id]?.number {
            asked[token] = VirtualLink.Asked(id: id, worker: number, submit: submit, sequence: sequence)
        }
        return token
    }

    /// The scheduler's answer goes to the worker that asked, if it is still there.
    mutating func answer(_ token: Token, _ reply: Reply) {
        guard let asked = asked.removeValue(forKey: token), workers[asked.id]?.number == asked.worker
        else {
            return
        }
        let refusal: Refusal? = if case .refused(let refusal) = reply { refusal } else { nil }
        if let frame = links[asked.id]?.session.answer(asked.submit, asked.sequence, refusal) {
            self.reply(frame, to: asked.id)
        }
    }

    /// Answers a plugin's cancel once that is durable.
    mutating func letOn(_ cancel: Frame.Cancel) {
        guard workers[cancel.id]?.number == cancel.worker,
            let frame = links[cancel.id]?.session.answerCancel(cancel.sequence)
        else { return }
        reply(frame, to: cancel.id)
    }

    mutating func withdraw(_ token: Token) {
        invariants.withdraw(token)
        about.withdrawn = token
        handle(.withdrawn(reply: token))
    }

    private mutating func completed(_ run: RunID, of id: WorkerID, _ success: Bool) {
        if let known = workers[id]?.runs.removeValue(forKey: run),
            invariants.isOverdue(known, at: clock.monotonic)
        {
            workers[id]?.mustGo = true
        }
        handle(.completed(run, success: success, summary: success ? "done" : "could not do it"))
    }
}
