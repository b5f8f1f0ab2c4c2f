import LullModel

/// Which task is launched next, and which worker is started for it.
extension SchedulerState {
    /// Puts the best ready task of an app into the host's queue.
    mutating func offer(_ app: AppIdentifier) {
        guard let best = best(of: app), apps[app]?.offered != best else { return }
        apps[app]?.offered = best
        queue.offer(best)
    }

    private mutating func best(of app: AppIdentifier) -> Ready? {
        while let best = apps[app]?.ready.max {
            if tasks[best.task]?.ready == best { return best }
            apps[app]?.ready.removeMax()
        }
        return nil
    }

    /// Launches ready tasks while there is room, the best first.
    mutating func dispatch() {
        guard !isShuttingDown || Mutation.passesOver(.shuttingDown).isOn else { return }
        dispatchUrgent()
        while turn.mayLaunchMore, runs.count + workers.startingToLaunch < max(1, manifest.hostConcurrency),
            let offered = queue.popBest()
        {
            let name = offered.app
            guard apps[name]?.offered == offered else { continue }
            apps[name]?.offered = nil
            guard let best = best(of: name) else { continue }
            guard best == offered else {
                offer(name)
                continue
            }
            // Nothing is lost: when a run of the app ends or its worker is there, the app offers again.
            guard let app = app(name), (apps[name]?.runs.count ?? 0) < max(1, app.concurrency) else {
                continue
            }
            switch apps[name]?.worker ?? .none {
            case .starting, .leaving: continue
            case .none:
                // A process is started only for a task that may be launched now.
                if confirmed(best) != nil { startWorker(name) } else { offer(name) }
            case .warm, .suspended:
                if let request = confirmed(best) {
                    guard mayLaunchInWorker(of: name) else { continue }
                    let reason = missedRepeats(of: request)
                    launch(best.task, kind: request.kind, request: request, reason: reason)
                    turn.launches += 1
                }
                offer(name)
            }
        }
    }

    /// The stamp of a review that is made now; a review from before another launch no longer counts.
    var judgement: Judged { Judged(turn: turn.number, run: ledger.nextRun) }

    /// The request that is to be launched; nil: since it was judged, time or another launch has closed one of its gates.
    mutating func confirmed(_ ready: Ready) -> TaskRequest? {
        guard let request = ledger.tasks[ready.task]?.pending, request.id == ready.request,
            tasks[ready.task]?.judgement == judgement
                || gateInput(for: ready.task).evaluate().isReady
        else {
            tasks[ready.task]?.ready = nil
            touch(ready.task)
            return nil
        }
        return request
    }

    /// The launch of a refresh, or of processing that draws from the app's budget, closes a gate of the app's other
    /// ready tasks: they are reviewed now, not once there is room, to learn when they may be launched.
    private mutating func touchReady(of name: AppIdentifier, afterLaunchAs kind: Kind) {
        let ready = Set((apps[name]?.ready.unordered ?? []).map(\.task)).sorted()
        for task in ready where tasks[task]?.ready != nil {
            guard let pending = ledger.tasks[task]?.pending, pending.kind == kind else { continue }
            let isHeld =
                kind == .refresh ? definition(of: task)?.minGap ?? .zero > .zero : pending.origin == .plugin
            if isHeld { touch(task) }
        }
    }

    /// Many missed repeats become one launch, whose reason says how many it stands for.
    private func missedRepeats(of request: TaskRequest) -> String? {
        guard request.origin == .repeat, let gap = definition(of: request.task)?.repeat, gap > .zero,
            let begin = request.earliestBegin, definition(of: request.task)?.kind != .refresh
        else { return nil }
        let missed = (now.wall - begin).milliseconds / max(1, gap.milliseconds)
        return missed > 0 ? "stands for \(missed + 1) repeats, which came due while it waited" : nil
    }

    /// Whether a continued launch counts as a new use of its app: within a minute of the last use it does not.
    private func isUse(of app: AppIdentifier) -> Bool {
        guard let last = ledger.apps[app]?.lastUsed else { return true }
        return now.wall < last || now.wall - last >= .minutes(1) || ledger.apps[app]?.idledAt != nil
    }

    private mutating func provenance(of definition: TaskDefinition) -> Provenance? {
        guard options.traces else { return nil }
        let place = place(of: definition.identifier)
        let entry = place.map { listing.digest(at: $0) }
        return Provenance(
            manifest: manifest.hash, place: "\(definition.file ?? manifest.path):\(definition.line)",
            lull: LullVersion.text, entry: entry,
            plugin: apps[definition.app]?.current?.plugin, conditions: sensing.conditions)
    }

    @discardableResult
    mutating func launch(
        _ task: TaskIdentifier, kind: Kind, request: TaskRequest?, reason: String?, isByHand: Bool = false,
        params: [String: String]? = nil
    ) -> RunID? {
        guard let definition = definition(of: task), let worker = apps[definition.app]?.current else {
            return nil
        }
        let name = definition.app
        let id = RunID(ledger.nextRun)
        let held = isByHand || !needsLease(definition, request) ? nil : takeLease(of: task)
        let ofRequest = request?.givesParams(at: now.wall) == true ? request?.params : nil
        // An operator's launch with parameters stands for no time and no event: those have the defaults.
        let isApart = params == nil ? ofRequest != nil && request?.origin == .operator : isByHand
        let triggerEvent = isApart ? nil : request?.triggerEvent
        let covered = isApart ? nil : held?.occurrence ?? covered(by: request, of: definition)
        let attempt = attempt(for: request, of: definition, held, covered)
        let late =
            attempt.flatMap { $0.number > 1 ? $0.phrase : nil }
            ?? lateness(of: request, covered, of: definition)
        let isExtra = isApart || isExtra(request, covered, isByHand: isByHand)
        var event = HistoryEvent(
            .launched, at: now.wall, app: name, task: task,
            request: Mutation.passesOver(.requested).isOn ? nil : request?.id, run: id,
            reason: reason.map { reason in late.map { reason + "; " + $0 } ?? reason } ?? late)
        event.kind = kind
        event.occurrence = covered
        event.origin = isExtra ? .operator : nil
        event.triggerEvent = triggerEvent
        event.params = definition.params(given: params ?? ofRequest)
        event.by = request?.by
        event.attempt = attempt
        event.slot = held.map { SlotNote(.held, $0.lease.slot, number: $0.lease.number) }
        event.push = request?.push?.withoutPayload
        event.push?.isUrgent = isUrgent(request)
        // An extra launch draws from no budget.
        if kind == .refresh, !isExtra {
            // A launch that draws nothing from the refresh budget records no budget.
            if definition.freshShare != nil || covered != nil {
                event.price = ledger.apps[name]?.multiplier ?? 1
            } else if budget > 0 {
                event.price = Price.multiplier(afterLaunchAt: now.wall, ledger.spending, perDay: budget)
                event.budget = budget
            }
        }
        if !isByHand, kind == .processing, request?.origin == .plugin, gateInput(for: task).drawsFromApp {
            event.budget = app(name)?.processingBudget
        }
        event.provenance = provenance(of: definition)
        let origin =
            kind == .transfers
            ? originOfTransfers(name) : origin(triggerEvent, attempt, held?.lease, event.params)
        record(event)
        if isApart, let triggerEvent = request?.triggerEvent { take(triggerEvent, for: task) }
        // An operator's launch with the request's own values is what it asked for.
        let isUsedUp = isApart || isByHand && request?.triggerEvent == nil
        askForLater(afterLaunchFor: isUsedUp ? nil : request, definition)
        askForRepeat(afterLaunchFor: request, isExtra: isExtra, definition)
        if isApart, request != nil { ensureTimes(definition) } else { askAfterLaunch(definition, covered) }
        if kind == .continued, isUse(of: name) { use(name, at: now.wall) }

        let run = Run(
            id: id, task: task, group: definition.group, worker: worker.id, kind: kind, attempt: attempt,
            requires: definition.whileRunning == .end ? requirements(of: definition, request) : .none,
            launched: now.monotonic,
            timeLimit: definition.timeLimit(of: kind), warning: definition.warning, grace: definition.grace,
            returnBy: now.monotonic + Limits.launchReturnWait,
            progress: kind == .continued
                ? RunProgress(
                    run: id, title: request?.label?.title, subtitle: request?.label?.subtitle,
                    since: now.wall) : nil,
            hasBegun: false)
        runs[id] = run
        if let held { fleet?.held[held.lease]?.run = id }
        var push = request?.push
        push?.isUrgent = event.push?.isUrgent ?? false
        if apps[name]?.runs.isEmpty == true { disk.began[name] = nil }
        if let excess = folderExcess(of: name) { disk.allowed[id] = excess.bytes }
        if worker.state == .suspended {
            turn.effects.append(.resumeWorker(worker.id))
            setWorker(worker.id, .warm)
        }
        change(worker.id) {
            $0.timer = nil
            $0.hasLaunched = true
            $0.runs.append(id)
        }
        apps[name]?.runs.append(id)
        if held != nil { tellSupervisors() }
        turn.effects.append(
            .launch(
                Launch(
                    run: id, request: request?.id, task: task, worker: worker.id, kind: kind,
                    deadline: run.deadline,
                    label: request?.label, origin: origin, push: push, lease: held?.lease))
        )
        tasks[task]?.ready = nil
        if !isExtra {
            let rest = tasks[task]?.plan?.after(launchAt: now.wall)
            tasks[task]?.plan = rest
        }
        touch(task)
        touchGroup(run.group)
        if kind == .refresh || event.budget != nil { touchReady(of: name, afterLaunchAs: kind) }
        return id
    }

    /// Whether an operator asked for it in addition to `repeat` or `at`, and no time of those has come meanwhile.
    private func isExtra(_ request: TaskRequest?, _ covered: Occurrence?, isByHand: Bool) -> Bool {
        if covered?.time != nil { return false }
        guard let request else { return isByHand }
        guard request.origin == .operator, request.triggerEvent == nil else { return false }
        return request.repeatDue.map { $0 > now.wall } ?? true
    }
}
