import LullModel

/// A `lull launch` that waits for its app's worker.
struct ForcedLaunch: Sendable {
    let task: TaskIdentifier
    var instead = false
    var params: [String: String]?
    let token: Token
    var by: String?
}

/// Operators' commands: launch, stop, reload, shut down.
extension SchedulerState {
    /// The one who acts, in a sentence.
    private var actor: String { turn.by ?? "an operator" }

    /// The reason of an act without any other, where `by` does not say who made it.
    var byOperator: String? { turn.by == nil ? "by an operator" : nil }

    mutating func reloaded(_ sentence: String) {
        record(HistoryEvent(.reloaded, at: now.wall, app: .host, reason: sentence))
    }

    /// `lull launch`: past every policy gate. If another gate is closed, it refuses and names the remedy.
    mutating func force(_ launch: ForcedLaunch) {
        if let refusal = refusalToForce(launch) { return reply(launch.token, .refused(refusal)) }
        guard let name = definition(of: launch.task)?.app else { return }
        switch apps[name]?.worker ?? .none {
        case .warm, .suspended:
            guard mayLaunchInWorker(of: name) else { fallthrough }
            launchForced(launch)
        case .starting, .leaving: apps[name]?.forced.append(launch)
        case .none:
            apps[name]?.forced.append(launch)
            startWorker(name)
        }
    }

    private func refusalToForce(_ launch: ForcedLaunch) -> Refusal? {
        let task = launch.task
        if !options.launches {
            return Refusal(.unavailable, "No host is running to launch \(task). Start one with `lull run`.")
        }
        let input = gateInput(for: task)
        for gate in [input.permitted(), input.shuttingDown(), input.enabled()] where !gate.isOpen {
            return Refusal(
                gate.gate == .permitted ? .notPermitted : .unavailable, sentence(of: input.told(gate), task))
        }
        if let sentence = definition(of: task)?.refusal(ofParams: launch.params) {
            return Refusal(.notPermitted, sentence)
        }
        if launch.instead, let refusal = refusalToTakeTurn(launch) { return refusal }
        // An app that is undiscovered, changed or in trouble is tried.
        if let record = input.appRecord, record.discovered != nil, record.stamp == input.stamp,
            record.trouble == nil
        {
            let gate = input.registered()
            if !gate.isOpen { return Refusal(.unavailable, sentence(of: input.told(gate), task)) }
        }
        if input.mustWaitForRuns {
            return Refusal(
                .unavailable,
                "\(task) can't be launched: \(input.told(input.concurrency()).reason). "
                    + "`lull why \(task)` says what to do.")
        }
        return nil
    }

    /// A waiting request of an operator is for another run. A launch instead would leave it the next time, unless that has come
    /// and neither has values of its own: then one launch serves both.
    private func refusalToTakeTurn(_ launch: ForcedLaunch) -> Refusal? {
        let task = launch.task
        guard let pending = ledger.tasks[task]?.pending, pending.origin == .operator,
            let occurrence = pending.occurrence, let definition = definition(of: task)
        else { return nil }
        let times = [
            occurrence.time.flatMap { timetable(of: definition)?.due($0) }, occurrence.repeat,
        ].compactMap(\.self)
        let hasCome = times.contains { $0 <= now.wall }
        if hasCome, pending.params == nil, definition.paramsToGive(again: launch.params) == nil { return nil }
        return Refusal(
            .unavailable,
            "Request \(pending.id)\(withParams(pending)) of \(task) waits, and has the next time with it. "
                + "Cancel it with `lull cancel \(task)`, and launch again.")
    }

    private func sentence(of gate: GateVerdict, _ task: TaskIdentifier) -> String {
        "\(task) can't be launched: \(gate.reason)."
            + (gate.remedy.map { " To have it launched, \($0)." } ?? "")
    }

    /// Launches in the ready worker, and records which gates it passed over.
    private mutating func launchForced(_ launch: ForcedLaunch) {
        turn.by = launch.by
        defer { turn.by = nil }
        if let refusal = refusalToForce(launch) { return reply(launch.token, .refused(refusal)) }
        let (task, instead) = (launch.task, launch.instead)
        let passed = gateInput(for: task).evaluate().verdicts
            .filter { !$0.isOpen && $0.gate != .requested }.map(\.gate.rawValue)
        let reason =
            "launched by \(actor)"
            + (passed.isEmpty ? "" : ", past the gate\(passed.count == 1 ? "" : "s") \(Phrase.list(passed))")
        guard let definition = definition(of: task) else { return }
        let params = definition.paramsToGive(again: launch.params)
        if instead { skipNextTime(of: definition, "an operator launched it instead") }
        let pending = ledger.tasks[task]?.pending
        let isOfHost = pending?.origin == .repeat || pending?.origin == .at
        // A request with other parameters is for another run.
        let isOther =
            !isOfHost && !definition.hasSameParams(given: params, and: pending?.params)
        let isLeft = isOther || isOfHost && !instead && !Mutation.movesRhythm.isOn
        let request = isLeft ? nil : pending
        guard
            let run = self.launch(
                task, kind: request?.kind ?? definition.kind, request: request, reason: reason,
                isByHand: !instead, params: params)
        else { return }
        let left = isOther ? pending.map { "Request \($0.id)\(withParams($0)) goes on waiting." } : nil
        let words = [left, rhythm(of: definition, wasInstead: instead) ?? heldTimes(of: task)]
            .compactMap(\.self).joined(separator: " ")
        reply(launch.token, .launched(run, next: words.isEmpty ? nil : words))
    }

    /// The parameters of a request, after its number in a sentence.
    func withParams(_ request: TaskRequest) -> String {
        request.params.map { " with \(TaskParam.words($0))" } ?? ""
    }

    mutating func takeForced(of name: AppIdentifier) -> [ForcedLaunch] {
        let forced = apps[name]?.forced ?? []
        apps[name]?.forced = []
        return forced
    }

    mutating func refuseForced(of name: AppIdentifier, _ refusal: Refusal) {
        for launch in takeForced(of: name) { reply(launch.token, .refused(refusal)) }
    }

    /// `lull stop`: tells the task's runs to end, as when their time is up; they are not tried again.
    mutating func stop(_ task: TaskIdentifier, _ token: Token) {
        let ids = openRuns(of: task)
        guard place(of: task) != nil || !ids.isEmpty else {
            return reply(token, .refused(Refusal(.notPermitted, "\(task) is not in \(manifest.path).")))
        }
        guard !ids.isEmpty else {
            return reply(
                token,
                .refused(
                    Refusal(.unavailable, "\(task) is not running. Start it with `lull launch \(task)`.")))
        }
        for id in ids { signal(id, .stop(reason: "\(actor) stopped it")) }
        let grace = ids.compactMap { runs[$0]?.grace }.max() ?? .zero
        let which = "\(ids.count == 1 ? "run" : "runs") \(Phrase.list(ids.map(\.description))) of \(task)"
        let next = definition(of: task).flatMap { rhythm(of: $0, wasInstead: false) ?? heldTimes(of: task) }
        reply(
            token,
            .done(
                "Told \(which) to end; Lull kills what has not ended after \(Phrase.span(grace)), "
                    + "and does not retry it." + (next.map { " " + $0 } ?? "")))
    }

    /// Launches nothing more, expires the open runs, and ends idle workers.
    mutating func shutDown() {
        guard !isShuttingDown else { return }
        isShuttingDown = true
        endObservation()
        workers.forgetWanted()
        // Claimed slots whose runs have not begun are given back.
        touchShared()
        for name in apps.keys.sorted() {
            refuseForced(of: name, Refusal(.unavailable, "The host is shutting down."))
            evictIdleWorkers(of: name)
        }
        for run in runs.keys.sorted() {
            signal(
                run, .expire(reason: "the host was shutting down", gates: [GateName.shuttingDown.rawValue]))
        }
    }
}
