import LullModel

/// Pushes: accepted, coalesced, reported; and urgency, which an app can lose.
extension SchedulerState {
    mutating func push(_ app: AppIdentifier, _ push: Push, _ token: Token) {
        // The client who brings it from outside is a process of the host.
        if push.source != .operator { turn.by = nil }
        if let refusal = refusal(of: push, to: app) { return reply(token, .refused(refusal)) }
        guard let task = PushRules.task(of: app), let definition = definition(of: task) else { return }
        let pending = ledger.tasks[task]?.pending?.push
        let note = pending.map { $0.joined(by: push) } ?? PushNote(push)
        endPending(of: task, .merged, "a newer push came, which is launched for both")
        let id = makeRequest(definition, origin: .push, reason: push.source.phrase, push: note)
        reply(token, .accepted(id, next: fate(of: task, push)))
    }

    /// A sentence on what becomes of an accepted push.
    private func fate(of task: TaskIdentifier, _ push: Push) -> String? {
        let pending = ledger.tasks[task]?.pending
        let merged = pending?.push?.merged ?? 0
        var words =
            merged > 0 ? ["It stands for \(merged) earlier \(merged == 1 ? "push" : "pushes") as well."] : []
        if push.isUrgent, let pending, !isUrgent(pending) {
            words.append(
                "It is held as a silent one, because \(pending.app) did not report \(Limits.unreportedPushes) urgent ones in a "
                    + "row. `lull push --restore \(pending.app)` allows urgent pushes again.")
        }
        if let closed = verdict(for: task, at: now).closed.first {
            words.append("It waits: \(closed.reason).")
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Why a push is refused; nil: it is accepted, and waits for whatever may change by itself.
    private mutating func refusal(of push: Push, to app: AppIdentifier) -> Refusal? {
        guard let entry = self.app(app) else {
            return Refusal(.notPermitted, "\(app) is not in \(manifest.path). Add it to the apps there.")
        }
        guard let rules = entry.push, let task = PushRules.task(of: app) else {
            return Refusal(
                .notPermitted,
                "\(app) takes no pushes. Write `push: { quota: 3/1h }` in its entry in \(manifest.path).")
        }
        if isShuttingDown {
            return Refusal(.unavailable, "The host is shutting down; push to \(app) again when it is back.")
        }
        guard push.payload.utf8.count <= rules.maxBytes else {
            return Refusal(
                .notPermitted,
                "The payload is \(Phrase.size(Int64(push.payload.utf8.count))) long, and \(app) takes "
                    + "\(Phrase.size(Int64(rules.maxBytes))). Send less, or raise `push: { max_size }`, which goes up to "
                    + "\(Phrase.size(Int64(Limits.pushBytesMost))).")
        }
        let input = gateInput(for: task)
        if let record = input.appRecord, record.discovered != nil, record.stamp == input.stamp,
            !input.hasHandler, apps[app]?.worker != .starting
        {
            return Refusal(
                .unavailable, "\(app) can't be pushed to: \(input.told(input.registered()).reason).")
        }
        guard let wait = apps[app, default: AppState()].pushes.take(at: now.monotonic) else { return nil }
        return Refusal(
            .tooManyPending,
            "Too many pushes come for \(app): after a burst of \(Limits.pushesAtOnce), it may get one every "
                + "\(Phrase.span(Limits.pushGap)). Push again in \(Phrase.span(wait)).", wait: wait)
    }

    /// The handler reports the push that it was launched for to people.
    mutating func reported(_ id: RunID, _ text: String) {
        guard let run = runs[id], let durable = ledger.runs[id] else { return }
        guard run.kind == .push else {
            return note(
                violationOf: run.app, id,
                "run \(id) of \(run.task) reported a push, but no push launched it",
                task: run.task)
        }
        // Only the first report is sent; later ones are in the run's log.
        guard durable.isReported != true else { return }
        record(
            HistoryEvent(.reported, at: now.wall, app: run.app, task: run.task, run: id, reason: text))
    }

    /// Records that a run that was launched for an urgent push has ended without a report.
    mutating func noteUnreported(_ run: RunRecord) {
        guard run.owesReport, let record = ledger.apps[run.app] else { return }
        // The ledger counted this run when its end was recorded.
        let count = record.unreported ?? 0
        guard count > 0 else { return }
        let lost =
            record.urgencyLostAt == nil
            ? "\(count) of \(Limits.unreportedPushes) in a row, after which its urgent pushes are held as silent ones"
            : "\(count) in a row: its urgent pushes are held as silent ones from now on, until "
                + "`lull push --restore \(run.app)`"
        note(
            violationOf: run.app, run.run,
            "run \(run.run) of \(run.task) ended without reporting its urgent push; \(lost)",
            task: run.task)
    }

    mutating func restoreUrgency(of app: AppIdentifier, _ token: Token) {
        guard self.app(app) != nil else {
            return reply(
                token,
                .refused(
                    Refusal(.notPermitted, "\(app) is not in \(manifest.path). Add it to the apps there.")))
        }
        guard let record = ledger.apps[app], record.unreported != nil || record.urgencyLostAt != nil else {
            return reply(token, .unchanged("\(app) has urgent pushes already."))
        }
        self.record(HistoryEvent(.restored, at: now.wall, app: app, reason: byOperator))
        if let task = PushRules.task(of: app) { touch(task) }
        reply(token, .done("\(app) has urgent pushes again."))
    }

    /// Urgent pushes are launched at once, whatever else runs.
    mutating func dispatchUrgent() {
        for task in queue.forPushes where turn.mayLaunchMore {
            guard let ready = tasks[task]?.ready else { continue }
            switch apps[ready.app]?.worker ?? .none {
            case .starting, .leaving: continue
            case .none: if isConfirmed(ready) { startWorker(ready.app) }
            case .warm, .suspended:
                guard let request = confirmed(ready), mayLaunchInWorker(of: ready.app) else { continue }
                launch(task, kind: request.kind, request: request, reason: nil)
                turn.launches += 1
            }
        }
    }

    private mutating func isConfirmed(_ ready: Ready) -> Bool { confirmed(ready) != nil }

    /// The requirements of a run; none for an urgent push.
    func requirements(of definition: TaskDefinition, _ request: TaskRequest?) -> Requirements {
        isUrgent(request) ? .none : definition.requires.adding(request?.requires ?? .none)
    }

    /// Whether a request is for an urgent push of an app that has not lost urgency.
    func isUrgent(_ request: TaskRequest?) -> Bool {
        guard let request, request.push?.isUrgent == true else { return false }
        return ledger.apps[request.app]?.urgencyLostAt == nil || Mutation.keepsUrgency.isOn
    }

    /// The remarks in `status` about apps that have lost urgency.
    var urgencyRemarks: [String] {
        manifest.apps.compactMap { app in
            guard app.push != nil, let since = ledger.apps[app.identifier]?.urgencyLostAt,
                let task = PushRules.task(of: app.identifier)
            else { return nil }
            // `why` shows the remarks that name its task.
            return
                "\(app.identifier) did not report \(Limits.unreportedPushes) urgent pushes in a row, so since "
                + "\(Phrase.moment(since, seenFrom: now.wall, in: now.zones.host)) \(task) holds them as silent ones. "
                + "`lull push --restore \(app.identifier)` allows urgent pushes again."
        }
    }
}

extension PushNote {
    fileprivate init(_ push: Push) {
        self.init(payload: push.payload, isUrgent: push.isUrgent, source: push.source)
    }

    /// The newest payload wins, but a silent push never replaces an urgent one's.
    fileprivate func joined(by push: Push) -> PushNote {
        var note = isUrgent && !push.isUrgent || Mutation.keepsOldPush.isOn ? self : PushNote(push)
        note.isUrgent = isUrgent || push.isUrgent
        note.merged = merged + 1
        return note
    }
}

extension Push.Source {
    fileprivate var phrase: String {
        switch self {
        case .operator: "pushed with `lull push`"
        case .http: "pushed over HTTP"
        case .mqtt: "pushed over MQTT"
        }
    }
}
