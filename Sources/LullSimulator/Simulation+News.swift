import LullModel
import LullScheduler
import LullSession

/// What a worker has said, as an event for the scheduler: as the shipping host has it.
extension Simulation {
    mutating func take(_ news: SessionNews, of app: AppIdentifier) {
        switch news {
        case .ready(let registered, _): ready(app, registered)
        case .submit(let id, let sequence, let request): submit(id, sequence, request, of: app)
        case .withdrawn(let id):
            guard let token = links[app]?.tokens[id] else { return }
            asked[token] = nil
            withdraw(token)
        case .cancel(let sequence, let task):
            if let number = workers[app]?.number {
                about.cancelled = Frame.Cancel(app: app, worker: number, sequence: sequence)
            }
            handle(.cancelled(app, task, reply: nil))
        case .pendingQuery(let sequence):
            let frames = links[app]?.session.answerPending(sequence, state.pending(of: app)) ?? []
            for frame in frames { reply(frame, to: app) }
        case .launchReturned(let run):
            workers[app]?.runs[run]?.hasReturned = true
            handle(.launchReturned(run))
        case .completed(let run, let success): completed(run, of: app, success)
        case .progress(let run, let count, let total, _):
            handle(.progressed(run, .counted(completed: count, total: total)))
        case .titled(let run, let title, let subtitle):
            handle(.progressed(run, .titled(title, subtitle: subtitle)))
        case .violation(let run, let task, let sentence, let isFatal):
            if isFatal { workers[app]?.mustGo = true }
            handle(.violation(app, run, task: task, sentence: sentence, isFatal: isFatal))
        case .registered(let task): handle(.registered(app, task))
        case .printed(let run, _, _): handle(.printed(run))
        case .log: break
        }
    }

    private mutating func ready(_ app: AppIdentifier, _ registered: [TaskIdentifier]) {
        if workers[app]?.phase == .starting {
            workers[app]?.phase = .warm
            if let began = workers[app]?.began, clock.monotonic - began >= Limits.startWait {
                workers[app]?.mustGo = true
            }
        }
        handle(.workerReady(app, registered: registered))
    }

    private mutating func submit(
        _ id: SubmitID, _ sequence: UInt64, _ request: PluginRequest, of app: AppIdentifier
    ) {
        let submission = Submission(
            app: app, task: request.task, kind: request.kind, earliestBegin: request.earliestBegin,
            requires: request.requires, label: request.label, isImmediate: request.isImmediate)
        let token = makeToken()
        links[app]?.tokens[id] = token
        if let number = workers[app]?.number {
            asked[token] = VirtualLink.Asked(app: app, worker: number, id: id, sequence: sequence)
        }
        invariants.willSubmit(token, submission)
        handle(.submitted(submission, reply: token))
    }

    /// The scheduler's answer goes to the worker that asked, if it is still there.
    mutating func answer(_ token: Token, _ reply: Reply) {
        guard let asked = asked.removeValue(forKey: token), workers[asked.app]?.number == asked.worker
        else {
            return
        }
        let refusal: Refusal? = if case .refused(let refusal) = reply { refusal } else { nil }
        if let frame = links[asked.app]?.session.answer(asked.id, asked.sequence, refusal) {
            self.reply(frame, to: asked.app)
        }
    }

    /// Who has cancelled goes on once that is durable.
    mutating func letOn(_ cancel: Frame.Cancel) {
        guard workers[cancel.app]?.number == cancel.worker,
            let frame = links[cancel.app]?.session.answerCancel(cancel.sequence)
        else { return }
        reply(frame, to: cancel.app)
    }

    mutating func withdraw(_ token: Token) {
        invariants.withdraw(token)
        about.withdrawn = token
        handle(.withdrawn(reply: token))
    }

    private mutating func completed(_ run: RunID, of app: AppIdentifier, _ success: Bool) {
        if let known = workers[app]?.runs.removeValue(forKey: run),
            invariants.isOverdue(known, at: clock.monotonic)
        {
            workers[app]?.mustGo = true
        }
        handle(.completed(run, success: success, summary: success ? "done" : "could not do it"))
    }
}
