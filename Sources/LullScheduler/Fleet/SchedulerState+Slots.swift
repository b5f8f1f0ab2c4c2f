import LullModel

/// Slots: asked for, held, given back, and what the others did with theirs.
extension SchedulerState {
    /// Whether one more run has room here beside those that leases are under way for.
    var hasRoom: Bool {
        runs.count + workers.startingToLaunch + (fleet?.outstanding ?? 0) < max(1, manifest.hostConcurrency)
    }

    /// After a look at a task's gates: notes that its slot is to be asked for when nothing else is closed, and gives one back
    /// that is not needed.
    mutating func tendLease(of task: TaskIdentifier, _ input: GateInput, _ evaluation: Evaluation) {
        if case .granted(let lease)? = fleet?.wishes[task] {
            if !evaluation.isReady {
                giveBack(lease, of: task, "its gates closed before it began")
            } else if input.sharing != .holds(lease.number) {
                giveBack(lease, of: task, "nobody asked for it any more")
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

    /// Once in each event: asks for slots while there is room for their runs, the best first.
    mutating func claimWanted() {
        guard let wanting = fleet?.wanting, !wanting.isEmpty, !isShuttingDown else { return }
        fleet?.wanting = [:]
        for ready in wanting.values.sorted(by: >) {
            guard let fleet, let definition = definition(of: ready.task), let app = app(ready.app),
                let request = ledger.tasks[ready.task]?.pending, request.id == ready.request
            else { continue }
            guard hasRoom, (apps[ready.app]?.runs.count ?? 0) < max(1, app.concurrency) else {
                self.fleet?.wantsRoom.insert(ready.task)
                continue
            }
            if fleet.wishes[ready.task] == nil, let delay = patience(for: definition, request, fleet) {
                later(ready.task, delay.why, delay.span)
                look(at: .task(ready.task), at: now.wall + max(delay.span, .milliseconds(1)))
            } else {
                claim(definition, in: app, request)
            }
        }
    }

    /// How much later than the best host this one asks; nil: not later.
    private func patience(
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
        return (.better(best, own: own), FleetTimes.patience * (best - own) + turn)
    }

    /// The slot that a request stands for.
    private func slot(of task: TaskDefinition, _ request: TaskRequest) -> SlotName {
        SlotName(
            task.identifier, at: request.occasion?.time ?? request.earliestBegin ?? request.submitted,
            target: task.fleet.scope == .anyHost ? "" : options.fleet.place)
    }

    private mutating func claim(_ task: TaskDefinition, in app: App, _ request: TaskRequest) {
        let slot = slot(of: task, request)
        let occasion = covered(by: request, of: task)
        let most = task.fleet.concurrency ?? (task.fleet.scope == .anyHost ? max(1, task.concurrency) : .max)
        let claim = FleetClaim(
            host: options.fleet.host, slot: slot, meaning: task.meaning(in: app),
            through: task.missed == .all ? nil : max(slot.nominal, occasion?.time ?? slot.nominal),
            tolerance: tolerance(of: task),
            every: task.repeat?.milliseconds, limit: min(most, 1_000_000), spread: task.fleet.spread,
            lease: FleetTimes.lease.milliseconds)
        let number = ask(
            .claim(claim), .claim(task.identifier, request.id, sent: now.boot, occasion, most: most))
        fleet?.wishes[task.identifier] = .asked(number)
    }

    mutating func take(
        _ answer: FleetClaim.Answer, for task: TaskIdentifier, _ request: RequestID, sent: Duration,
        _ occasion: Occasion?, most: Int
    ) {
        noteClock(answer.now)
        fleet?.wishes[task] = nil
        touch(task)
        switch answer.verdict {
        case .claimed:
            guard let lease = answer.lease else {
                return later(task, .trouble("it named no lease"), FleetTimes.beat)
            }
            // What it has, it has: an answer that was lost comes again.
            guard fleet?.held[lease] == nil, ledger.slots.entries[lease] == nil else {
                return later(task, .notDue, FleetTimes.beat)
            }
            let trust = sent + FleetTimes.lease - FleetTimes.margin
            let own = Array(((fleet?.own ?? []) + [lease]).suffix(256))
            fleet?.own = own
            fleet?.held[lease] = .init(lease: lease, occasion: occasion, trust: trust)
            fleet?.offered.insert(lease.slot)
            // Nobody asks for it any more, or the answer came late.
            guard ledger.tasks[task]?.pending?.id == request, now.boot < trust else {
                return giveBack(lease, of: task, "nobody asked for it any more")
            }
            fleet?.wishes[task] = .granted(lease)
        case .leased:
            guard let standing = answer.standing else { return later(task, .notDue, FleetTimes.beat) }
            heard(standing)
        case .ended:
            if let standing = answer.standing { heard(standing) }
            // What was heard has moved the request on, unless it knows better.
            if ledger.tasks[task]?.pending?.id == request { later(task, .notDue, FleetTimes.beat) }
        case .notDue:
            let wait = Duration.milliseconds(answer.wait ?? FleetTimes.beat.milliseconds)
            if let standing = answer.standing { heard(standing) }
            if ledger.tasks[task]?.pending?.id == request {
                later(task, .notDue, max(wait, .milliseconds(100)))
            }
        case .full: later(task, .full(answer.holders ?? [], most: most), FleetTimes.beat)
        case .differs: later(task, .differs(answer.holders ?? []), FleetTimes.beat)
        case .draining: fleet?.isDraining = true
        case .unknown:
            fleet?.isKnown = false
            beat(in: .zero)
            later(task, .trouble("the database does not know this host yet"), .seconds(1))
        }
    }

    /// The fleet is not asked for the task before that.
    mutating func later(_ task: TaskIdentifier, _ delay: FleetState.Delay, _ span: Duration) {
        let until = now.wall + max(span, .milliseconds(1))
        fleet?.wishes[task] = .later(delay, until: until)
    }

    mutating func noteClock(_ time: Int64) {
        let skew = now.wall - WallTime(recorded: time)
        fleet?.skew = skew
    }

    // MARK: Held

    /// For a launch: the lease that it uses.
    mutating func takeLease(of task: TaskIdentifier) -> FleetState.Held? {
        guard case .granted(let lease)? = fleet?.wishes[task], let held = fleet?.held[lease] else {
            return nil
        }
        fleet?.wishes[task] = nil
        return held
    }

    /// What its handler is told of why it runs, as JSON.
    func origin(_ happening: Happening?, _ lease: SlotLease?) -> String? {
        guard let lease else { return happening?.json.text }
        var members: [String: JSONValue] = [:]
        if case .object(let events)? = happening?.json { members = events }
        members["fence"] = .integer(lease.number)
        members["slot"] = .integer(lease.slot.nominal.milliseconds)
        return JSONValue.object(members).text
    }

    /// Nobody asks for the task any more.
    mutating func dropWish(of task: TaskIdentifier) {
        fleet?.wanting[task] = nil
        guard let wish = fleet?.wishes[task] else { return }
        if case .granted(let lease) = wish { giveBack(lease, of: task, "nobody asked for it any more") }
        if case .asked = wish { return }
        fleet?.wishes[task] = nil
    }

    private mutating func giveBack(_ lease: SlotLease, of task: TaskIdentifier, _ reason: String) {
        guard fleet?.held.removeValue(forKey: lease) != nil else { return }
        fleet?.wishes[task] = nil
        _ = ask(.finish(FleetFinish(lease, .open, reason: reason, began: false)), .giveBack)
    }

    /// The database has given the slot to somebody else, or it has ended.
    mutating func lose(_ lease: SlotLease) {
        guard let held = fleet?.held[lease] else { return }
        guard let run = held.run else {
            fleet?.held[lease] = nil
            let task = lease.slot.task
            if fleet?.wishes[task] == .granted(lease) { fleet?.wishes[task] = nil }
            return touch(task)
        }
        fleet?.held[lease]?.isLost = true
        if PlantedBug.keepsLostLeases.isPlanted { return }
        signal(
            run,
            .expire(
                reason: "the fleet's database no longer has its lease", gates: [GateName.fleet.rawValue]))
    }

    /// A run that is not warned by then does not end before another host may begin.
    private static let latestEnd: Duration = .seconds(20)

    mutating func endUntrusted() {
        guard let fleet, !fleet.held.isEmpty, !PlantedBug.keepsLostLeases.isPlanted else { return }
        for held in fleet.held.values.sorted(by: { $0.lease.number < $1.lease.number }) {
            guard let id = held.run, let run = runs[id] else {
                if held.run == nil, now.boot >= held.trust { lose(held.lease) }
                continue
            }
            if now.boot >= held.trust + Self.latestEnd {
                kill(
                    run.worker, because: "its lease in the fleet ended, and it did not",
                    culprit: id)
            } else if now.boot >= held.trust - min(run.grace, Self.latestEnd) {
                signal(
                    id,
                    .expire(
                        reason: "its lease in the fleet could not be renewed",
                        gates: [GateName.fleet.rawValue]))
            }
        }
    }

    // MARK: Ended

    /// Once in each event: what became of runs is told to the database, and the alarm is set.
    mutating func settleSlots() {
        guard var fleet else { return }
        for (lease, held) in fleet.held where held.run.map({ runs[$0] == nil }) == true {
            fleet.held[lease] = nil
        }
        self.fleet = fleet
        if fleet.isReached, !ledger.slots.isEmpty, !PlantedBug.forgetsResults.isPlanted {
            let asked = fleet.calls.values.compactMap {
                if case .finish(let lease) = $0 { lease } else { nil }
            }
            for entry in ledger.slots.ended where !asked.contains(entry.lease) { tell(entry) }
        }
        setFleetAlarm()
    }

    private mutating func tell(_ entry: SlotBook.Entry) {
        guard let end = entry.end else { return }
        var finish = FleetFinish(entry.lease, end.state, reason: end.reason, began: end.counts)
        if end.state == .failed, let definition = definition(of: entry.task), definition.repeat != nil {
            let failures = ledger.tasks[entry.task]?.failures ?? 1
            finish.next = Backoff(retry: definition.retry).delay(after: max(1, failures)).milliseconds
        }
        _ = ask(.finish(finish), .finish(entry.lease))
    }

    mutating func settled(_ lease: SlotLease, _ answer: FleetFinish.Answer) {
        let number = lease.number
        guard let entry = ledger.slots.entries[lease], let end = entry.end else { return }
        let holder = answer.standing?.host
        var reason = "the fleet has it as \((answer.standing?.state ?? end.state).rawValue) (lease \(number))"
        if !answer.accepted {
            let now = holder.map { "\($0) had it by then" } ?? "it had passed on"
            reason =
                "its lease \(number) had ended, and \(now); this host's run: \(end.reason ?? end.state.rawValue)"
        }
        var event = HistoryEvent(
            .slot, at: now.wall, app: entry.app, task: entry.task, run: entry.run, reason: reason)
        event.slot = SlotNote(
            answer.accepted ? .settled : .refused, entry.lease.slot, number: number,
            host: answer.accepted ? nil : holder, state: answer.standing?.state ?? end.state)
        record(event)
    }

    private mutating func setFleetAlarm() {
        guard let fleet else { return }
        var next = fleet.isConnected ? fleet.beatDue : nil
        for held in fleet.held.values {
            let run = held.run.flatMap { runs[$0] }
            var end = held.trust - min(run?.grace ?? .zero, Self.latestEnd)
            if end <= now.boot { end = held.trust + Self.latestEnd }
            let time = now.monotonic + max(.zero, end - now.boot)
            if end > now.boot { next = min(next ?? time, time) }
        }
        guard next != fleet.alarm else { return }
        self.fleet?.alarm = next
        if let next { alarms.insert(Alarm(time: next, subject: .fleet)) }
    }

    // MARK: Elsewhere

    /// How a slot stands that any host may have.
    mutating func heard(_ standing: SlotStanding) {
        let task = standing.slot.task
        fleet?.offered.insert(standing.slot)
        guard fleet?.tasks.contains(task) == true, let definition = definition(of: task),
            definition.fleet.scope == .anyHost
        else { return }
        // Of what repeats this host knows its own runs: their ends are no other host's.
        if definition.at == nil, let number = standing.number, standing.state != .open,
            fleet?.own.contains(SlotLease(standing.slot, number: number)) == true
        {
            return
        }
        let since = now.wall - .milliseconds(standing.ago)
        switch standing.state {
        case .open:
            if case .later(.elsewhere, _)? = fleet?.wishes[task] {
                fleet?.wishes[task] = nil
                touch(task)
            }
        case .leased:
            guard isWaiting(for: standing.slot, definition) else { return }
            switch fleet?.wishes[task] {
            case .asked, .granted: return
            case .later, nil: break
            }
            let left = Duration.milliseconds(standing.left ?? 0) + FleetTimes.grace
            later(task, .elsewhere(standing.host ?? "another host", since: since), max(left, .seconds(1)))
            touch(task)
        case .done, .failed, .skipped, .expired: ended(standing, definition, since: since)
        }
    }

    /// Whether a request here waits for that slot.
    private func isWaiting(for slot: SlotName, _ task: TaskDefinition) -> Bool {
        guard let pending = ledger.tasks[task.identifier]?.pending, needsLease(task, pending) else {
            return false
        }
        guard task.at != nil else { return pending.origin == .repeat }
        guard let time = pending.occasion?.time else { return false }
        return task.missed == .all ? time == slot.nominal : time <= slot.nominal
    }

    /// Another host has seen to it: the request here ends, and the next is asked for.
    private mutating func ended(_ standing: SlotStanding, _ task: TaskDefinition, since: WallTime) {
        guard isWaiting(for: standing.slot, task),
            let pending = ledger.tasks[task.identifier]?.pending
        else { return }
        if case .asked? = fleet?.wishes[task.identifier] { return }
        let next = standing.next.map { now.wall + .milliseconds(max(0, $0)) }
        if task.repeat != nil {
            // It counts from its own last run, or has been moved on already.
            guard let next, (pending.earliestBegin ?? pending.submitted) < next - .seconds(2) else { return }
        }
        let what = "\(standing.state.rawValue)" + (standing.reason.map { ": \($0)" } ?? "")
        var event = HistoryEvent(
            .slot, at: now.wall, app: task.app, task: task.identifier, request: pending.id,
            reason: standing.host.map { "\($0) saw to it \(when(since)) (\(what))" }
                ?? "no host saw to it (\(what))")
        event.occasion = task.at == nil ? nil : Occasion(time: standing.slot.nominal)
        event.slot = SlotNote(
            .elsewhere, standing.slot, number: standing.number, host: standing.host, state: standing.state)
        dropWish(of: task.identifier)
        fleet?.wishes[task.identifier] = nil
        record(event)
        touch(task.identifier)
        if let next {
            makeRequest(task, origin: .repeat, earliestBegin: next)
        } else {
            ensureTimes(task)
        }
    }
}
