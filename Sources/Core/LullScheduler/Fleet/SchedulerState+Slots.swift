import LullModel

/// Claims slots once only the fleet's gate is left, the best task first, and handles the database's answers.
extension SchedulerState {
    /// Whether one more run has room here beside the runs of outstanding leases.
    var hasRoom: Bool {
        guard let fleet else {
            return runs.count + workers.startingToLaunch < max(1, manifest.hostConcurrency)
        }
        // A worker that starts for a granted lease takes no second place.
        let starting = Set(fleet.outstanding.compactMap { definition(of: $0)?.app }).count {
            apps[$0]?.worker == .starting && !workers.discovering.contains($0)
        }
        return runs.count + workers.startingToLaunch - starting + fleet.outstanding.count
            < max(1, manifest.hostConcurrency)
    }

    private func hasRoom(in app: App, for request: TaskRequest) -> Bool {
        let outstanding = (fleet?.outstanding ?? []).filter { definition(of: $0)?.app == app.identifier }
        // A refresh holds back the next refresh of its app.
        if request.kind == .refresh,
            outstanding.contains(where: { ledger.tasks[$0]?.pending?.kind == .refresh })
        {
            return false
        }
        return (apps[app.identifier]?.runs.count ?? 0) + outstanding.count < max(1, app.concurrency)
    }

    /// After a review of a task's gates: notes that its slot is to be claimed if nothing else is closed, and gives back
    /// a lease that is not needed.
    mutating func tendLease(of task: TaskIdentifier, _ input: GateInput, _ evaluation: Evaluation) {
        if case .granted(let lease)? = fleet?.wishes[task] {
            if !evaluation.isReady {
                giveBack(lease, of: task, "its gates closed before it began")
            } else if input.sharing != .holds(lease.number) {
                giveBack(lease, of: task, "it was no longer requested")
            }
        }
        guard evaluation.wantsLease, let definition = input.definition, let request = input.request else {
            fleet?.wanting[task] = nil
            return
        }
        fleet?.wanting[task] = Ready(
            task: task, app: definition.app, request: request.id, isStarved: evaluation.isStarved,
            priority: definition.priority, score: evaluation.score ?? 0)
    }

    /// Once in each event: claims slots while there is room for their runs, the best first.
    mutating func claimWanted() {
        guard let wanting = fleet?.wanting, !wanting.isEmpty, !isShuttingDown else { return }
        fleet?.wanting = [:]
        for ready in wanting.values.sorted(by: >) {
            guard let fleet, let definition = definition(of: ready.task), let app = app(ready.app),
                let request = ledger.tasks[ready.task]?.pending, request.id == ready.request
            else { continue }
            guard hasRoom, hasRoom(in: app, for: request) else {
                self.fleet?.wantsRoom.insert(ready.task)
                continue
            }
            if fleet.wishes[ready.task] == nil, let delay = timeout(for: definition, request, fleet) {
                later(ready.task, delay.why, delay.span)
                agenda[.task(ready.task)] = now.wall + max(delay.span, .milliseconds(1))
            } else {
                claim(definition, in: app, request)
            }
        }
    }

    /// How much later than the best host this one asks; nil: not later.
    private func timeout(
        for task: TaskDefinition, _ request: TaskRequest, _ fleet: FleetState
    ) -> (why: FleetState.Delay, span: Duration)? {
        guard fleet.hosts > 1, task.fleet.scope == .anyHost else { return nil }
        // So that many hosts do not all come at once.
        let most = min(Duration.seconds(5), .milliseconds(10 * fleet.hosts))
        let name = "\(task.identifier) \(slot(of: task, request).nominal.milliseconds)"
        let turn = most * fleet.share(name, of: options.fleet)
        guard let own = score(of: task), let best = fleet.best[task.identifier], best > own else {
            return turn < .milliseconds(1) ? nil : (.turn, turn)
        }
        return (.better(best, own: own), FleetTimes.timeout * (best - own) + turn)
    }

    /// The slot that a request stands for.
    private func slot(of task: TaskDefinition, _ request: TaskRequest) -> SlotName {
        SlotName(
            task.identifier, at: request.occurrence?.time ?? request.earliestBegin ?? request.submitted,
            target: task.fleet.scope == .anyHost ? "" : options.fleet.place)
    }

    private mutating func claim(_ task: TaskDefinition, in app: App, _ request: TaskRequest) {
        let slot = slot(of: task, request)
        let occurrence = covered(by: request, of: task)
        let most = task.fleet.concurrency ?? (task.fleet.scope == .anyHost ? max(1, task.concurrency) : .max)
        let claim = FleetClaim(
            host: options.fleet.host, slot: slot, definitionHash: task.definitionHash(in: app),
            through: task.missed == .all ? nil : max(slot.nominal, occurrence?.time ?? slot.nominal),
            tolerance: tolerance(of: task),
            every: task.repeat?.milliseconds, limit: min(most, 1_000_000), spread: task.fleet.spread,
            lease: task.leaseLength.milliseconds)
        let number = ask(
            .claim(claim),
            .claim(
                task.identifier, request.id, sent: now.boot, lease: task.leaseLength, occurrence, most: most))
        fleet?.wishes[task.identifier] = .asked(number)
    }

    mutating func take(
        _ answer: FleetClaim.Answer, for task: TaskIdentifier, _ request: RequestID, sent: Duration,
        lasting length: Duration, _ occurrence: Occurrence?, most: Int
    ) {
        noteClock(answer.now)
        fleet?.wishes[task] = nil
        touch(task)
        switch answer.verdict {
        case .claimed:
            guard let lease = answer.lease else {
                return later(task, .trouble("it granted no lease"), FleetTimes.beat)
            }
            // A lease that it has is not taken again: the database may repeat an answer that was lost.
            guard fleet?.held[lease] == nil, ledger.slots.entries[lease] == nil else {
                return later(task, .notDue, FleetTimes.beat)
            }
            let held = FleetState.Held(
                lease: lease, occurrence: occurrence, length: length, attempt: answer.attempt ?? 1,
                renewed: sent)
            let own = Array(((fleet?.own ?? []) + [lease]).suffix(256))
            fleet?.own = own
            fleet?.held[lease] = held
            fleet?.offered.insert(lease.slot)
            // The request is gone, or the answer came late.
            guard ledger.tasks[task]?.pending?.id == request, now.boot < held.trust else {
                return giveBack(lease, of: task, "it was no longer requested")
            }
            fleet?.wishes[task] = .granted(lease)
        case .leased:
            guard let slotStatus = answer.slotStatus else { return later(task, .notDue, FleetTimes.beat) }
            heard(slotStatus)
        case .ended:
            if let slotStatus = answer.slotStatus { heard(slotStatus) }
            // `heard` has moved the request on, unless this host knows better.
            if ledger.tasks[task]?.pending?.id == request { later(task, .notDue, FleetTimes.beat) }
        case .notDue:
            let wait = Duration.milliseconds(answer.wait ?? FleetTimes.beat.milliseconds)
            if let slotStatus = answer.slotStatus { heard(slotStatus) }
            if ledger.tasks[task]?.pending?.id == request {
                later(task, .notDue, max(wait, .milliseconds(100)))
            }
        case .full: later(task, .full(answer.holders ?? [], most: most), FleetTimes.beat)
        case .differs: later(task, .differs(answer.holders ?? []), FleetTimes.beat)
        case .draining:
            // The next beat says more. If the drain should be over by now, the database's clock is behind: not asked
            // again at once.
            var drain = fleet?.drain ?? FleetState.Drain()
            drain.until = drain.until.map { max($0, now.wall + FleetTimes.beat) }
            fleet?.drain = drain
        case .unknown:
            fleet?.isKnown = false
            beat(in: .zero)
            later(task, .trouble("the database does not know this host yet"), .seconds(1))
        }
    }

    /// Stores whether the database has drained this host; returns whether that has changed.
    mutating func note(_ drain: FleetDrain?) -> Bool {
        let before = fleet?.drain
        guard let drain else {
            fleet?.drain = nil
            return before != nil
        }
        var new = FleetState.Drain(
            by: drain.by, reason: drain.reason, since: now.wall - .milliseconds(drain.ago),
            until: drain.left.map { now.wall + .milliseconds($0) })
        // A difference by the time that an answer takes is no change.
        func isNear(_ a: WallTime?, _ b: WallTime?) -> Bool {
            guard let a, let b else { return a == nil && b == nil }
            return max(a - b, b - a) < .seconds(5)
        }
        if let before, isNear(before.since, new.since), isNear(before.until, new.until) {
            (new.since, new.until) = (before.since, before.until)
        }
        fleet?.drain = new
        return new != before
    }

    /// The fleet is not asked for the task before this span is over.
    mutating func later(_ task: TaskIdentifier, _ delay: FleetState.Delay, _ span: Duration) {
        let until = now.wall + max(span, .milliseconds(1))
        fleet?.wishes[task] = .later(delay, until: until)
    }

    mutating func noteClock(_ time: Int64) {
        let skew = now.wall - WallTime(recorded: time)
        fleet?.skew = skew
    }
}
