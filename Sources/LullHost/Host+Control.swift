import LullControl
import LullHistory
import LullLoop
import LullModel
import LullScheduler

/// Answers to the control socket: each is a question to the scheduler or an event for it.
extension Host {
    func answer(_ request: ControlRequest, with respond: @escaping (ControlResponse) -> Void) {
        // What the host does not know yet would be denied. A client that waits can ask for nothing else.
        guard hasBegun || isShuttingDown else { return held.append((request, respond)) }
        switch request {
        case .status:
            refreshConditions()
            var report = scheduler.report(at: now)
            let all = (remarks ?? []) + (report.remarks ?? [])
            report.remarks = all.isEmpty ? nil : all
            report.historyTrouble = storeTrouble
            respond(.status(report))
        case .why(let task):
            refreshConditions()
            respond(.verdict(scheduler.verdict(for: task, at: now)))
        case .outlook(let task, let by):
            refreshConditions()
            respond(.outlook(scheduler.outlook(for: task, by: by, at: now)))
        case .pending(let app):
            if let app, !manifest.apps.contains(where: { $0.identifier == app }) {
                return respond(.refused(Sentences.unknownApp(app, manifest)))
            }
            respond(.pending(scheduler.pending(of: app)))
        case .forecast(let app):
            refreshConditions()
            respond(scheduler.answer(forecastOf: app, of: manifest, at: now))
        case .used(let app, let time):
            guard manifest.apps.contains(where: { $0.identifier == app }) else {
                return respond(.refused(Sentences.unknownApp(app, manifest)))
            }
            if let sentence = Sentences.future(use: time, of: app, at: now.wall) {
                return respond(.refused(sentence))
            }
            let wasIdle = scheduler.isIdle(app)
            handle(.used(app, at: min(time ?? now.wall, now.wall)))
            let answer = scheduler.answer(toUseOf: app, wasIdle: wasIdle)
            commits.add(nil) { respond(.done(answer)) }
        case .submit(let task, let earliestBegin, let instead):
            let submission = Submission(
                app: nil, task: task, earliestBegin: earliestBegin, isInstead: instead ?? false)
            handle(.submitted(submission, reply: token { respond(ControlResponse($0)) }))
        case .cancel(let task, let next):
            guard let app = manifest.app(of: task) else {
                return respond(.refused(Sentences.unknownTask(task, manifest)))
            }
            handle(.cancelled(app, task, next: next ?? false, reply: token { respond(ControlResponse($0)) }))
        case .launch(let task, let instead):
            handle(
                .launchRequested(
                    task, instead: instead ?? false, reply: token { respond(ControlResponse($0)) }))
        case .await(let run):
            awaitEnd(of: run, respond)
        case .expire(let task):
            handle(.expireRequested(task, reply: token { respond(ControlResponse($0)) }))
        case .enable(let app, let isEnabled, let task):
            handle(.enabled(app, isEnabled, task: task, reply: token { respond(ControlResponse($0)) }))
        case .pause(let scope, let until, let reason):
            handle(
                .paused(scope, until: until, reason: reason, reply: token { respond(ControlResponse($0)) }))
        case .resume(let scope):
            handle(.resumed(scope, reply: token { respond(ControlResponse($0)) }))
        case .importEvents(let events):
            importEvents(events, respond)
        case .reload:
            reload { respond(.done($0)) }
        case .changes(let seen):
            if watchers.wait(since: seen, { respond(.changed($0)) }) { noteChange() }
        case .loads:
            respond(.loads(pool?.loads ?? []))
        }
    }

    /// What is sampled coarsely is read anew for somebody who asks.
    private func refreshConditions() {
        guard let sensors else { return }
        sense(sensors.current())
        lookAtDisk()
    }

    private func awaitEnd(of run: RunID, _ respond: @escaping (ControlResponse) -> Void) {
        if let event = pass.ended.last(where: { $0.run == run }) {
            return respond(.ended(run, event.outcome ?? .failed, reason: event.reason))
        }
        awaited[run, default: []].append { event in
            respond(.ended(run, event.outcome ?? .failed, reason: event.reason))
        }
        // A run that is under way ends with an event. One that has ended may wait to be durable: then what it ended with
        // stands before this in the queue.
        guard !scheduler.isRunning(run) else { return }
        commits.add(nil) { [unowned self] in
            guard awaited.removeValue(forKey: run) != nil else { return }
            respond(
                .refused("Run \(run) is not under way. `lull history --run \(run)` shows what became of it."))
        }
    }

    /// One after the other, behind what is recorded already: each is held against all that came before it.
    private func importEvents(_ events: [HistoryEvent], _ respond: @escaping (ControlResponse) -> Void) {
        imports.append((events, respond))
        if imports.count == 1 { beginImport() }
    }

    private func beginImport() {
        guard let (events, respond) = imports.first else { return }
        commits.add(nil) { [unowned self] in
            reads.run(within: Self.importPatience) { (history) throws(HistoryError) in
                try HistoryImport(events, from: "The import", into: history)
            } then: { [unowned self] plan in
                switch plan {
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

    private static let importPatience: Duration = .minutes(10)

    /// Uses become events of the scheduler, so that an idle app revives; everything else only joins the log.
    private func take(_ plan: HistoryImport, _ respond: @escaping (ControlResponse) -> Void) {
        scheduler.take(imported: plan.events, zones: zones)
        eventsSinceCheckpoint += plan.events.count
        for event in plan.events where event.event == .used { noteUse(event.app, at: event.time) }
        commits.add(HistoryBatch(events: plan.events)) { [unowned self] in
            handle(.wake)
            endImport(plan.response, respond)
        }
    }

    private func endImport(_ response: ControlResponse, _ respond: (ControlResponse) -> Void) {
        imports.removeFirst()
        respond(response)
        beginImport()
        endPassIfQuiet()
    }
}

extension HistoryImport {
    var response: ControlResponse { .imported(added: events.count, known: known) }
}

extension SchedulerState {
    /// The same answer with and without a running host.
    func answer(forecastOf app: AppIdentifier?, of manifest: Manifest, at now: Now) -> ControlResponse {
        guard let app else { return .forecasts(forecasts(at: now)) }
        return forecast(of: app, at: now).map(ControlResponse.forecast)
            ?? .refused(Sentences.unknownApp(app, manifest))
    }
}

extension ControlResponse {
    init(_ reply: Reply) {
        switch reply {
        case .accepted(let request, let next):
            self = .done("Accepted as request \(request)." + (next.map { " " + $0 } ?? ""))
        case .refused(let refusal): self = .refused(refusal.sentence)
        case .launched(let run, let next): self = .launched(run, next: next)
        case .done(let sentence): self = .done(sentence)
        }
    }
}
