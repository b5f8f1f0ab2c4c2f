import LullModel

/// Requests: made, replaced, withdrawn and cancelled. Each ends in exactly one way.
extension SchedulerState {
    @discardableResult
    mutating func makeRequest(
        _ definition: TaskDefinition, kind: Kind? = nil, origin: TaskRequest.Origin,
        earliestBegin: WallTime? = nil,
        requires: Requirements = .none, label: RequestLabel? = nil, reason: String? = nil,
        occurrence: Occurrence? = nil, triggerEvent: TriggerEvent? = nil, push: PushNote? = nil,
        params: [String: String]? = nil, by: String? = nil
    ) -> RequestID {
        let id = RequestID(ledger.nextRequest)
        var triggerEvent = triggerEvent
        if let left = turn.left.removeValue(forKey: definition.identifier),
            !Mutation.leavesEvents.isOn
        {
            if triggerEvent == nil { triggerEvent = left } else { triggerEvent?.merge(left) }
        }
        var event = HistoryEvent(
            .submitted, at: now.wall, app: definition.app, task: definition.identifier, request: id,
            reason: reason)
        event.kind = kind ?? definition.kind
        event.origin = origin
        event.earliestBegin = earliestBegin
        event.requires = requires == .none ? nil : requires
        event.label = label
        event.triggerEvent = triggerEvent
        event.push = push
        event.params = params
        event.by = by
        // A request of any origin is launched at the task's next time, at the latest.
        event.occurrence =
            origin == .at || origin == .repeat ? occurrence : occurrence ?? nextOccurrence(of: definition)
        event.slot = sharedSlot(
            of: definition, origin, at: event.occurrence?.time ?? earliestBegin ?? now.wall)
        let request = TaskRequest(
            id: id, task: definition.identifier, app: definition.app, kind: event.kind ?? definition.kind,
            origin: origin, submitted: now.wall, earliestBegin: earliestBegin, requires: requires,
            label: label, occurrence: event.occurrence, triggerEvent: triggerEvent, push: push,
            params: params, by: by)
        event.expectedBy = expectedBy(request, definition)
        record(event)
        touch(definition.identifier)
        return id
    }

    /// Ends the pending request of a task, if there is one.
    @discardableResult
    mutating func endPending(
        of task: TaskIdentifier, _ name: HistoryEvent.Name, _ reason: String, by gate: GateName? = nil,
        occurrence: Occurrence? = nil, slot: SlotNote? = nil
    ) -> TaskRequest? {
        guard let request = ledger.tasks[task]?.pending else { return nil }
        if name == .replaced, Mutation.forgetsReplaced.isOn { return request }
        var event = HistoryEvent(
            name, at: now.wall, app: request.app, task: task, request: request.id, reason: reason)
        event.gates = gate.map { [$0.rawValue] }
        event.occurrence = occurrence
        event.slot = slot
        record(event)
        touch(task)
        if name == .replaced || name == .merged { turn.left[task] = request.triggerEvent }
        return request
    }

    mutating func submit(_ submission: Submission, _ token: Token) {
        var submission = submission
        // A person waits for a continued task, so it may begin at once.
        if isContinued(submission) { submission.earliestBegin = nil }
        if let refusal = refusal(of: submission) ?? refusalOfMore(submission) {
            refuse(submission, refusal)
            return reply(token, .refused(refusal))
        }
        guard let definition = definition(of: submission.task) else { return }
        submission.params = definition.paramsToGive(again: submission.params)
        let origin: TaskRequest.Origin = submission.app == nil ? .operator : .plugin
        let isExtra = origin == .operator && !submission.isInstead && !Mutation.movesRhythm.isOn
        let due = isExtra ? repeatDue(of: definition) : nil
        let waiting = ledger.tasks[submission.task]?.pending
        if submission.isInstead { skipNextTime(of: definition, "an operator asked for a launch instead") }
        let name: HistoryEvent.Name = isExtra ? .merged : .replaced
        let reason =
            "a newer request of the same identifier was submitted"
            + (due.map { "; `repeat` stays due \(when($0))" } ?? "")
        let isBehind = standsBehind(submission)
        var replaced = endFollowing(of: submission.task, name, reason)
        if !isBehind { replaced = endPending(of: submission.task, name, reason) }
        let id = makeRequest(
            definition, kind: submission.kind, origin: origin, earliestBegin: submission.earliestBegin,
            requires: submission.requires, label: submission.label,
            occurrence: due.flatMap { Occurrence(repeat: $0) }, params: submission.params)
        recent.submits.note(.init(task: submission.task, request: id, replaced: replaced), token)
        let skipped = submission.isInstead ? waiting : nil
        let earlier = (replaced ?? skipped).flatMap { [.operator, .plugin].contains($0.origin) ? $0 : nil }
        let next = [
            earlier.map { "It takes the place of request \($0.id)\(withParams($0))." },
            (submission.isInstead ? nil : standing(of: definition))
                ?? rhythm(of: definition, wasInstead: submission.isInstead),
            heldBack(submission.task),
        ]
        let words = next.compactMap { $0 }.joined(separator: " ")
        reply(token, .accepted(id, next: origin == .operator && !words.isEmpty ? words : nil))
        // Nothing else may take the place that it was promised.
        if submission.isImmediate, let request = ledger.tasks[submission.task]?.pending,
            request.kind == .continued, apps[definition.app]?.worker == .warm
        {
            launch(submission.task, kind: .continued, request: request, reason: nil)
        }
    }

    /// Why a submit is refused; nil: it is accepted. It checks the gates that only the manifest, the plugin or an
    /// operator can open; the request waits for the others.
    private func refusal(of submission: Submission) -> Refusal? {
        let task = submission.task
        let input = gateInput(asking: submission)
        guard input.shuttingDown().isOpen else {
            return Refusal(.unavailable, "The host is shutting down; submit \(task) again when it is back.")
        }
        if let owner = input.definition?.app, let submitter = submission.app, submitter != owner {
            return Refusal(.notPermitted, "\(task) belongs to \(owner), and \(submitter) may not submit it.")
        }
        let permitted = input.permitted()
        guard permitted.isOpen, let definition = input.definition?.value else {
            return refusal(input, permitted)
        }
        if let sentence = definition.refusal(ofParams: submission.params) {
            return Refusal(.notPermitted, sentence)
        }
        if definition.kind == .push {
            return Refusal(
                .notPermitted, "\(task) is launched only by pushes: `lull push \(definition.app)` sends one."
            )
        }
        if definition.kind == .transfers {
            return Refusal(
                .notPermitted,
                "\(task) is launched only when transfers have ended: `lull transfers \(definition.app)` lists them."
            )
        }
        let enabled = input.enabled()
        if !enabled.isOpen { return refusal(input, enabled) }
        // While the worker starts, its plugin may be about to register the handler.
        if let record = input.appRecord, record.discovered != nil, record.stamp == input.stamp,
            !input.hasHandler, apps[definition.app]?.worker != .starting
        {
            return refusal(input, input.registered())
        }
        if submission.app != nil, !Mutation.forgetsQuotas.isOn,
            let refusal = quota(input.kind, of: definition)
        {
            return refusal
        }
        return submission.isImmediate && input.kind == .continued ? refusalAtOnce(input) : nil
    }

    private func refusal(_ input: GateInput, _ finding: GateFinding) -> Refusal {
        let verdict = input.told(finding)
        return Refusal(
            verdict.gate == .permitted ? .notPermitted : .unavailable,
            "\(input.task) can't be submitted: "
                + [verdict.reason, verdict.remedy].compactMap(\.self).joined(separator: "; ") + ".")
    }

    /// The input of the gates as if the submit were accepted.
    private func gateInput(asking submission: Submission) -> GateInput {
        var input = gateInput(for: submission.task)
        guard let definition = input.definition else { return input }
        var record =
            input.record?.value ?? TaskRecord(task: submission.task, app: definition.app, touched: now.wall)
        record.pending = TaskRequest(
            id: RequestID(ledger.nextRequest), task: submission.task, app: definition.app,
            kind: submission.kind ?? definition.kind, origin: submission.app == nil ? .operator : .plugin,
            submitted: now.wall, requires: submission.requires)
        input.record = Shared(record)
        return input
    }

    /// Takes the submit from the plugin's allowance; nil: it had room.
    private mutating func refusalOfMore(_ submission: Submission) -> Refusal? {
        guard let app = submission.app,
            let wait = apps[app, default: AppState()].allowance.take(at: now.monotonic)
        else { return nil }
        return Refusal(
            .tooManyPending,
            "\(app) submits too often: after a burst of \(Limits.submitsAtOnce) it may submit one every "
                + "\(Phrase.span(Limits.submitGap)). Submit it again in \(Phrase.span(wait)).")
    }

    func isContinued(_ submission: Submission) -> Bool {
        (submission.kind ?? definition(of: submission.task)?.kind) == .continued
    }

    /// Why a request that must not wait would have to, by the same gates as its launch; nil: it can be launched at
    /// once.
    private func refusalAtOnce(_ input: GateInput) -> Refusal? {
        let closed = input.evaluate().verdicts.filter { !$0.isOpen }
        guard !closed.isEmpty else { return nil }
        return Refusal(
            .immediateRunIneligible,
            "\(input.task) can't be launched at once: \(Phrase.list(closed.map { input.told($0).reason })). "
                + "Submit it with the strategy `queue`, and it waits for that.")
    }

    /// Apple's: 1 refresh and 10 processing requests pending for an app. The host's own do not count.
    ///
    /// Apple states no number for continued requests; they have a limit of their own.
    private func quota(_ kind: Kind, of definition: TaskDefinition) -> Refusal? {
        let holders = (ledger.apps[definition.app]?.pluginRequests ?? []).filter { task in
            guard task != definition.identifier, let record = ledger.tasks[task] else { return false }
            return (record.following ?? record.pending)?.kind == kind
        }
        let limit =
            switch kind {
            case .refresh: Limits.pendingRefreshRequests
            case .processing: Limits.pendingProcessingRequests
            case .continued: Limits.pendingContinuedRequests
            // No plugin submits them.
            case .push, .transfers: Int.max
            }
        guard holders.count >= limit else { return nil }
        return Refusal(
            .tooManyPending,
            "\(definition.app) has \(Phrase.count(holders.count, "\(kind.rawValue) request")) pending, and the limit is "
                + "\(limit): \(Phrase.list(holders.sorted().map(\.text))). Cancel one, or wait until it is launched."
        )
    }

    private mutating func refuse(_ submission: Submission, _ refusal: Refusal) {
        let time = now.wall
        guard let app = submission.app ?? definition(of: submission.task)?.app,
            let sentence = apps[app]?.records.admit(refusal.sentence, at: time)
        else { return }
        record(HistoryEvent(.refused, at: now.wall, app: app, task: submission.task, reason: sentence))
    }

    /// The plugin gave up waiting: its submit has no effect, and what it replaced is asked for again.
    mutating func withdraw(_ token: Token) {
        guard !Mutation.forgetsWithdrawals.isOn, let submit = recent.submits.take(token),
            let record = ledger.tasks[submit.task]
        else { return }
        let reason = "withdrawn: the plugin stopped waiting for the answer"
        var withdrawn: TaskRequest?
        let behind = record.following
        switch submit.request {
        case behind?.id: endFollowing(of: submit.task, .cancelled, reason)
        case record.pending?.id: withdrawn = endPending(of: submit.task, .cancelled, reason)
        default: return
        }
        guard let definition = definition(of: submit.task) else { return }
        // Its events include those of the request that it replaced, and more may have come.
        turn.left[submit.task] = withdrawn?.triggerEvent
        // The replaced request stays ended if another stood behind the withdrawn one and has taken its place.
        if let replaced = submit.replaced,
            withdrawn == nil || ledger.tasks[submit.task]?.pending == nil
        {
            let id = makeRequest(
                definition, kind: replaced.kind, origin: replaced.origin,
                earliestBegin: replaced.earliestBegin, requires: replaced.requires, label: replaced.label,
                reason: "restored: the request that replaced it was withdrawn",
                // Times of `at` may have been launched since.
                occurrence: definition.at == nil ? replaced.occurrence : (withdrawn ?? behind)?.occurrence,
                params: replaced.params, by: replaced.by)
            takePlace(of: replaced, by: id)
        } else {
            askForEvents(left: definition)
            ensureRepeat(definition)
            // The times that it owed go to the request that stood behind it.
            if let time = withdrawn?.occurrence?.time, let pending = ledger.tasks[submit.task]?.pending {
                move(definition, pending, to: time)
            } else {
                ensureTimes(definition)
            }
        }
    }

    /// Makes a request for events whose request is gone.
    private mutating func askForEvents(left definition: TaskDefinition) {
        guard let triggerEvent = turn.left.removeValue(forKey: definition.identifier) else { return }
        take(triggerEvent, for: definition.identifier)
    }

    /// Whether a plugin may cancel: its cancels are recorded as its submits are, and share their allowance.
    mutating func mayCancel(_ app: AppIdentifier, _ task: TaskIdentifier) -> Bool {
        guard let wait = apps[app, default: AppState()].allowance.take(at: now.monotonic) else { return true }
        note(
            violationOf: app, nil,
            "It cancels too often: \(task) goes on waiting. It may cancel again in \(Phrase.span(wait)).",
            task: task)
        return false
    }

    /// Expires the continued runs of a task; returns how many.
    mutating func stopContinued(_ task: TaskIdentifier) -> Int {
        let ids = runs.values.filter { $0.task == task && $0.kind == .continued }.map(\.id).sorted()
        for id in ids { signal(id, .stop(reason: "it was cancelled on request")) }
        return ids.count
    }
}
