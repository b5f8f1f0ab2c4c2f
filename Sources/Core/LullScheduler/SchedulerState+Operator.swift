import LullModel

/// Operators' commands: launch, stop, shut down.
extension SchedulerState {
    /// `lull launch`: past every policy gate. If another gate is closed, it refuses and names the remedy.
    mutating func force(_ task: TaskIdentifier, instead: Bool, _ token: Token) {
        if let refusal = refusalToForce(task) { return reply(token, .refused(refusal)) }
        guard let name = definition(of: task)?.app else { return }
        switch apps[name]?.worker ?? .none {
        case .warm, .suspended:
            guard mayLaunchInWorker(of: name) else { fallthrough }
            launchForced(task, instead: instead, token)
        case .starting, .leaving: apps[name]?.forced.append((task, instead, token))
        case .none:
            apps[name]?.forced.append((task, instead, token))
            startWorker(name)
        }
    }

    private func refusalToForce(_ task: TaskIdentifier) -> Refusal? {
        if !options.launches {
            return Refusal(.unavailable, "No host is running to launch \(task). Start one with `lull run`.")
        }
        let input = gateInput(for: task)
        for gate in [input.permitted(), input.shuttingDown(), input.enabled()] where !gate.isOpen {
            return Refusal(
                gate.gate == .permitted ? .notPermitted : .unavailable, sentence(of: input.told(gate), task))
        }
        // An app that is undiscovered, changed or in trouble is tried.
        if let record = input.appRecord, record.discovered != nil, record.stamp == input.stamp,
            record.trouble == nil
        {
            let gate = input.registered()
            if !gate.isOpen { return Refusal(.unavailable, sentence(of: input.told(gate), task)) }
        }
        if input.mustWaitForRuns {
            return Refusal(
                .unavailable, "\(task) can't be launched: \(input.told(input.concurrency()).reason).")
        }
        return nil
    }

    private func sentence(of gate: GateVerdict, _ task: TaskIdentifier) -> String {
        "\(task) can't be launched: \(gate.reason)."
            + (gate.remedy.map { " To have it launched, \($0)." } ?? "")
    }

    /// Launches in the ready worker, and records which gates it passed over.
    mutating func launchForced(_ task: TaskIdentifier, instead: Bool, _ token: Token) {
        if let refusal = refusalToForce(task) { return reply(token, .refused(refusal)) }
        let passed = gateInput(for: task).evaluate().verdicts
            .filter { !$0.isOpen && $0.gate != .requested }.map(\.gate.rawValue)
        let reason =
            "launched by an operator"
            + (passed.isEmpty ? "" : ", past the gate\(passed.count == 1 ? "" : "s") \(Phrase.list(passed))")
        guard let definition = definition(of: task) else { return }
        if instead { skipNextTime(of: definition, "an operator launched it instead") }
        let pending = ledger.tasks[task]?.pending
        let isOfHost = pending?.origin == .repeat || pending?.origin == .at
        let isLeft = isOfHost && !instead && !Mutation.movesRhythm.isOn
        let request = isLeft ? nil : pending
        if let run = launch(
            task, kind: pending?.kind ?? definition.kind, request: request, reason: reason, isByHand: !instead
        ) {
            reply(
                token,
                .launched(run, next: rhythm(of: definition, wasInstead: instead) ?? heldTimes(of: task)))
        }
    }

    mutating func takeForced(
        of name: AppIdentifier
    ) -> [(task: TaskIdentifier, instead: Bool, token: Token)] {
        let forced = apps[name]?.forced ?? []
        apps[name]?.forced = []
        return forced
    }

    mutating func refuseForced(of name: AppIdentifier, _ refusal: Refusal) {
        for (_, _, token) in takeForced(of: name) { reply(token, .refused(refusal)) }
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
        for id in ids { signal(id, .stop(reason: "an operator stopped it")) }
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
