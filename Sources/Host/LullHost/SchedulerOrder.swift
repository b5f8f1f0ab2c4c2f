import LullControl
import LullHistory
import LullModel
import LullScheduler

/// An order that is an event for the scheduler, the same with and without a running host.
protocol SchedulerOrder: Order {
    /// Throws a refusal that only the manifest can show.
    func event(of manifest: Manifest, reply: Token, at now: Now) throws(ControlRefusal) -> Event
}

extension Ask.Used: SchedulerOrder {
    func event(of manifest: Manifest, reply: Token, at now: Now) throws(ControlRefusal) -> Event {
        try manifest.require(app)
        return .used(app, at: time ?? now.wall, reply: reply)
    }
}

extension Ask.Submit: SchedulerOrder {
    func event(of manifest: Manifest, reply: Token, at now: Now) -> Event {
        .submitted(
            Submission(
                app: nil, task: task, earliestBegin: earliestBegin, isInstead: instead, params: params),
            reply: reply)
    }
}

extension Ask.Cancel: SchedulerOrder {
    func event(of manifest: Manifest, reply: Token, at now: Now) throws(ControlRefusal) -> Event {
        guard let app = manifest.app(of: task) else {
            throw ControlRefusal(Sentences.unknownTask(task, manifest))
        }
        return .cancelled(app, task, next: next, reply: reply)
    }
}

extension Ask.Launch: SchedulerOrder {
    func event(of manifest: Manifest, reply: Token, at now: Now) -> Event {
        .launchRequested(task, instead: instead, params: params, reply: reply)
    }
}

extension Ask.Expire: SchedulerOrder {
    func event(of manifest: Manifest, reply: Token, at now: Now) -> Event {
        .expireRequested(task, reply: reply)
    }
}

extension Ask.Enable: SchedulerOrder {
    func event(of manifest: Manifest, reply: Token, at now: Now) -> Event {
        .enabled(app, isEnabled, task: task, reply: reply)
    }
}

extension Ask.Pause: SchedulerOrder {
    func event(of manifest: Manifest, reply: Token, at now: Now) -> Event {
        .paused(scope, until: until, reason: reason, reply: reply)
    }
}

extension Ask.Push: SchedulerOrder {
    func event(of manifest: Manifest, reply: Token, at now: Now) throws(ControlRefusal) -> Event {
        guard JSONValue(text: push.payload) != nil else { throw ControlRefusal(Push.notJSON) }
        return .pushed(app, push, reply: reply)
    }
}

extension Ask.RestoreUrgency: SchedulerOrder {
    func event(of manifest: Manifest, reply: Token, at now: Now) -> Event {
        .urgencyRestored(app, reply: reply)
    }
}

extension Ask.OrderTransfer: SchedulerOrder {
    func event(of manifest: Manifest, reply: Token, at now: Now) -> Event {
        .transferOrdered(transfer, ordering, reply: reply)
    }
}

extension Ask.Resume: SchedulerOrder {
    func event(of manifest: Manifest, reply: Token, at now: Now) -> Event { .resumed(scope, reply: reply) }
}

extension Reply {
    var said: Result<OrderAnswer, ControlRefusal> {
        switch self {
        case .accepted(let request, let next):
            .success(.init("Accepted as request \(request).", next, request: request))
        case .refused(let refusal): .failure(ControlRefusal(refusal.sentence, wait: refusal.wait))
        case .launched(let run, let next): .success(.init("Launched as run \(run).", next, run: run))
        case .done(let sentence): .success(OrderAnswer(sentence))
        case .unchanged(let sentence): .success(OrderAnswer(sentence, wasSo: true))
        case .transfer(let transfer): .success(OrderAnswer("Accepted as transfer \(transfer)."))
        }
    }
}

extension OrderAnswer {
    /// `next`: a sentence on the task's own next time.
    fileprivate init(_ sentence: String, _ next: String?, request: RequestID? = nil, run: RunID? = nil) {
        self.init(sentence + (next.map { " " + $0 } ?? ""), request: request, run: run)
    }
}
