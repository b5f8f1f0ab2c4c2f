import LullControl
import LullHistory
import LullModel
import LullScheduler

/// Answers without a running host, each at once: questions are read from the state, and orders are recorded in it.
struct OfflineHandler: QuestionHandler {
    typealias Failure = HostError
    let host: OfflineHost
    /// Who acts, as the history names it; nil: the question changes nothing.
    var by: String?

    private func judged<Answer>(
        _ respond: (Result<Answer, ControlRefusal>) -> Void,
        _ ask: (SchedulerState, Now) -> Result<Answer, ControlRefusal>
    ) throws(HostError) {
        let now = host.now
        respond(ask(try host.scheduler(at: now), now))
    }

    private func refuse<Answer>(_ respond: (Result<Answer, ControlRefusal>) -> Void) {
        respond(.refused(host.noHost + " Start one with `lull run`."))
    }

    func answer(_ question: Ask.Status, _ respond: @escaping Respond<Ask.Status>) throws(HostError) {
        try judged(respond) { .success(host.report($0.report(at: $1))) }
    }

    func answer(_ question: Ask.Report, _ respond: @escaping Respond<Ask.Report>) throws(HostError) {
        try judged(respond) {
            .success(host.report($0.report(of: question.scope, isBrief: question.isBrief, at: $1)))
        }
    }

    func answer<Q: SchedulerQuestion>(_ question: Q, _ respond: @escaping Respond<Q>) throws(HostError) {
        try judged(respond) { question.result($0, host.manifest, at: $1) }
    }

    func answer(_ question: Ask.Why, _ respond: @escaping Respond<Ask.Why>) throws(HostError) {
        try judged(respond) { scheduler, now in
            question.result(scheduler, host.manifest, at: now).map { answer in
                var answer = answer
                answer.outlook.needsHost = true
                return answer
            }
        }
    }

    func answer(_ question: Ask.Transfers, _ respond: @escaping Respond<Ask.Transfers>) throws(HostError) {
        try judged(respond) { scheduler, now in
            question.result(scheduler, host.manifest, at: now).map { reports in
                reports.map { report in
                    guard report.state.phase == .waiting else { return report }
                    var report = report
                    report.reasons.insert("no host is running: start one with `lull run`", at: 0)
                    return report
                }
            }
        }
    }

    func answer(_ question: Ask.Loads, _ respond: @escaping Respond<Ask.Loads>) { refuse(respond) }
    func answer(_ question: Ask.Changes, _ respond: @escaping Respond<Ask.Changes>) { refuse(respond) }
    func answer(_ order: Ask.Launch, _ respond: @escaping Respond<Ask.Launch>) { refuse(respond) }
    func answer(_ question: Ask.Begin, _ respond: @escaping Respond<Ask.Begin>) { refuse(respond) }
    func answer(_ question: Ask.Await, _ respond: @escaping Respond<Ask.Await>) { refuse(respond) }
    /// Nothing runs, and the history has what ran.
    func answer(_ question: Ask.Printed, _ respond: @escaping Respond<Ask.Printed>) {
        respond(.success(PrintedPart(isOver: true)))
    }
    func answer(_ order: Ask.PushHindrance, _ respond: @escaping Respond<Ask.PushHindrance>) {
        refuse(respond)
    }
    func answer(_ order: Ask.Reload, _ respond: @escaping Respond<Ask.Reload>) { refuse(respond) }

    func answer(_ order: Ask.Expire, _ respond: @escaping Respond<Ask.Expire>) {
        respond(
            .refused("No host is running on \(host.state.path), so \(order.task) is not running either."))
    }

    func answer(_ order: Ask.Used, _ respond: @escaping Respond<Ask.Used>) throws(HostError) {
        // A use that is refused for its time makes no folder and no history.
        let now = host.now
        if let refusal = SchedulerState.refusal(ofUse: order.time ?? now.wall, of: order.app, at: now) {
            return respond(.refused(refusal.sentence))
        }
        try takeDown(order, respond)
    }

    private func takeDown(
        _ order: some SchedulerOrder, _ respond: (Result<OrderAnswer, ControlRefusal>) -> Void
    ) throws(HostError) {
        respond(
            try host.change { (scheduler, _, now) throws(HistoryError) in
                do throws(ControlRefusal) {
                    let event = try order.event(of: host.manifest, reply: Token(0), at: now)
                    let effects = scheduler.handle(event, at: now, by: by)
                    for case .reply(_, let reply) in effects { return (reply.said, HistoryBatch(effects)) }
                    return (.success(OrderAnswer("Done.")), HistoryBatch(effects))
                } catch {
                    return (.failure(error), nil)
                }
            })
    }

    func answer<O: SchedulerOrder>(_ order: O, _ respond: @escaping Respond<O>) throws(HostError) {
        try takeDown(order, respond)
    }

    func answer(_ question: Ask.ImportEvents, _ respond: @escaping Respond<Ask.ImportEvents>)
        throws(HostError)
    {
        // Nothing is judged: a request that a scheduler made first would take a number that the events have.
        respond(
            .success(
                try host.write { (history) throws(HistoryError) in
                    let plan = try HistoryImport(
                        question.events, question.outputs, from: "The import", into: history)
                    try history.append([HistoryBatch(plan)])
                    return plan.counts
                }))
    }
}
