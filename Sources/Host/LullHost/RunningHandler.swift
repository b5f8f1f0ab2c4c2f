import LullControl
import LullModel
import LullScheduler

/// A running host's answers: each is a question to the scheduler or an event for it.
struct RunningHandler: QuestionHandler {
    typealias Failure = Never
    unowned let host: Host
    /// Who acts, as the history names it; nil: not known.
    var by: String?

    func answer(_ question: Ask.Status, _ respond: @escaping Respond<Ask.Status>) {
        respond(.success(host.report()))
    }

    func answer(_ question: Ask.Report, _ respond: @escaping Respond<Ask.Report>) {
        respond(.success(host.report(of: question.scope, isBrief: question.isBrief)))
    }

    func answer<Q: SchedulerQuestion>(_ question: Q, _ respond: @escaping Respond<Q>) {
        if Q.isJudged { host.refreshConditions() }
        respond(question.result(host.scheduler, host.manifest, at: host.now))
    }

    func answer(_ question: Ask.Loads, _ respond: @escaping Respond<Ask.Loads>) {
        respond(.success(host.pool?.loads ?? []))
    }

    func answer(_ question: Ask.Changes, _ respond: @escaping Respond<Ask.Changes>) {
        // Outside `wait`, for a view that is notified may ask again at once.
        guard !host.views.isNews(question.seen) else { return respond(.success(host.views.newest)) }
        if host.views.wait({ respond(.success($0)) }) { host.noteChange() }
    }

    /// Answered with the scheduler's reply.
    func answer<O: SchedulerOrder>(_ order: O, _ respond: @escaping Respond<O>) {
        let reply = host.replies.expect { respond($0.said) }
        do throws(ControlRefusal) {
            host.handle(try order.event(of: host.manifest, reply: reply, at: host.now), by: by)
        } catch {
            _ = host.replies.take(reply)
            respond(.failure(error))
        }
    }

    func answer(_ question: Ask.Begin, _ respond: @escaping Respond<Ask.Begin>) {
        let reply = host.replies.expect { reply in
            if case .launched(let run, let next) = reply {
                respond(.success(BegunRun(run, next: next)))
            } else {
                respond(reply.said.flatMap { .refused($0.sentence) })
            }
        }
        host.handle(
            .launchRequested(
                question.task, instead: question.instead, params: question.params, reply: reply), by: by)
    }

    func answer(_ question: Ask.Await, _ respond: @escaping Respond<Ask.Await>) {
        host.awaitEnd(of: question.run, respond)
    }

    func answer(_ question: Ask.Printed, _ respond: @escaping Respond<Ask.Printed>) {
        host.follow(question, respond)
    }

    func answer(_ question: Ask.ImportEvents, _ respond: @escaping Respond<Ask.ImportEvents>) {
        host.importEvents(question, respond)
    }

    func answer(_ order: Ask.PushHindrance, _ respond: @escaping Respond<Ask.PushHindrance>) {
        host.note(order)
        respond(.success(OrderAnswer("Shown.")))
    }

    func answer(_ question: Ask.Reload, _ respond: @escaping Respond<Ask.Reload>) {
        let (host, by) = (host, by)
        host.reload { sentence in
            host.handle(.reloaded(sentence), by: by)
            respond(host.manifestTrouble == nil ? .success(OrderAnswer(sentence)) : .refused(sentence))
        }
    }
}
