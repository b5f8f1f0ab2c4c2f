import LullModel

/// The leases of this host: used by a launch, given back, lost or ended in time; and the results of their runs.
extension SchedulerState {
    /// Takes the granted lease that a launch uses; nil: there is none.
    mutating func takeLease(of task: TaskIdentifier) -> FleetState.Held? {
        guard case .granted(let lease)? = fleet?.wishes[task], let held = fleet?.held[lease] else {
            return nil
        }
        fleet?.wishes[task] = nil
        return held
    }

    /// The origin of a run for its handler, as JSON.
    func origin(
        _ triggerEvent: TriggerEvent?, _ attempt: Attempt?, _ lease: SlotLease?, _ params: [String: String]?
    ) -> String? {
        guard attempt != nil || lease != nil || params != nil else { return triggerEvent?.json.text }
        var members: [String: JSONValue] = [:]
        if case .object(let events)? = triggerEvent?.json { members = events }
        if let attempt {
            members["attempt"] = .integer(Int64(attempt.number))
            members["attempts"] = .integer(Int64(attempt.most))
        }
        if let lease {
            members["fence"] = .integer(lease.number)
            members["slot"] = .integer(lease.slot.nominal.milliseconds)
        }
        if let params { members["params"] = JSONValue(texts: params) }
        return JSONValue.object(members).text
    }

    /// The task has no request any more: its wish for a slot is dropped, and a granted lease given back.
    mutating func dropWish(of task: TaskIdentifier) {
        fleet?.wanting[task] = nil
        guard let wish = fleet?.wishes[task] else { return }
        if case .granted(let lease) = wish { giveBack(lease, of: task, "it was no longer requested") }
        if case .asked = wish { return }
        fleet?.wishes[task] = nil
    }

    mutating func giveBack(_ lease: SlotLease, of task: TaskIdentifier, _ reason: String) {
        guard fleet?.held.removeValue(forKey: lease) != nil else { return }
        fleet?.wishes[task] = nil
        _ = ask(
            .finish(FleetFinish(host: options.fleet.host, lease, .open, reason: reason, began: false)),
            .giveBack)
    }

    /// The database has given the slot to another host, or the slot has ended.
    mutating func lose(_ lease: SlotLease) {
        guard let held = fleet?.held[lease] else { return }
        guard let run = held.run else {
            fleet?.held[lease] = nil
            let task = lease.slot.task
            if fleet?.wishes[task] == .granted(lease) { fleet?.wishes[task] = nil }
            return touch(task)
        }
        fleet?.held[lease]?.isLost = true
        if Mutation.keepsLostLeases.isOn { return }
        signal(
            run,
            .expire(
                reason: "the fleet's database no longer has its lease, which was renewed "
                    + "\(Phrase.span(now.boot - held.renewed)) ago",
                gates: [GateName.fleet.rawValue]))
    }

    static func killTime(_ held: FleetState.Held) -> Duration {
        held.killAt ?? held.trust + FleetTimes.latestEnd
    }

    mutating func endUntrusted() {
        guard let fleet, !fleet.held.isEmpty, !Mutation.keepsLostLeases.isOn else { return }
        for held in fleet.held.values.sorted(by: { $0.lease.number < $1.lease.number }) {
            guard let id = held.run, let run = runs[id] else {
                if held.run == nil, now.boot >= held.trust { lose(held.lease) }
                continue
            }
            guard now.boot >= held.trust - min(run.grace, FleetTimes.latestEnd) else { continue }
            if now.boot >= Self.killTime(held) {
                if held.killAt == nil, hasLetPass(the: run.worker) {
                    awaitSupervisor(of: held.lease)
                    continue
                }
                // After a sleep another host may have the slot already. Other runs in the worker should not pay for
                // that.
                let isAlone = (worker(run.worker)?.runs.count ?? 0) <= 1
                guard run.phase == .running, held.killAt == nil, !isAlone else {
                    kill(
                        run.worker,
                        because: run.phase == .running
                            ? "its lease in the fleet ended while the host hung or the machine slept"
                            : "its lease in the fleet ended before it did", culprit: id)
                    continue
                }
                let killAt = now.boot + min(run.grace, FleetTimes.latestEnd)
                self.fleet?.held[held.lease]?.killAt = killAt
            }
            guard !held.isOverdue else { continue }
            signal(
                id, .expire(reason: notRenewed(held, of: run.worker), gates: [GateName.fleet.rawValue]))
        }
    }

    /// Why a lease was not renewed: the machine slept, or the database did not answer.
    private func notRenewed(_ held: FleetState.Held, of worker: WorkerID) -> String {
        let slept = fleet?.kept[worker].map { now.asleep - $0.asleep } ?? .zero
        let silence = Phrase.span(now.boot - held.renewed)
        return "its lease in the fleet of \(Phrase.span(held.length)) could not be renewed: "
            + (slept >= .seconds(1)
                ? "the machine slept, and the last heartbeat was \(silence) ago"
                : "the database has not answered since the last heartbeat, \(silence) ago")
    }

    // MARK: Ended

    /// Once in each event: reports the results of runs to the database, and sets the alarm.
    mutating func settleSlots() {
        guard var fleet else { return }
        for (lease, held) in fleet.held where held.run.map({ runs[$0] == nil }) == true {
            fleet.held[lease] = nil
        }
        self.fleet = fleet
        tellSupervisors()
        if fleet.isReached, !ledger.slots.isEmpty, !Mutation.forgetsResults.isOn {
            let asked = fleet.calls.values.compactMap {
                if case .finish(let lease) = $0 { lease } else { nil }
            }
            for entry in ledger.slots.ended
            where !asked.contains(entry.lease) && !fleet.untold.contains(entry.lease) { tell(entry) }
        }
        setFleetAlarm()
    }

    private mutating func tell(_ entry: SlotBook.Entry) {
        guard let end = entry.end else { return }
        var finish = FleetFinish(
            host: options.fleet.host, entry.lease, end.state, reason: end.reason, began: end.counts)
        let record = ledger.tasks[entry.task]
        // Its next attempt waits here, but any other host may make it as well.
        if end.state == .failed, record?.tried != nil, let pending = record?.pending, pending.origin == .at,
            pending.occurrence?.time == entry.lease.slot.nominal
        {
            finish.state = .open
        }
        if end.state == .failed, let definition = definition(of: entry.task), definition.repeat != nil {
            let failures = ledger.tasks[entry.task]?.failures ?? 1
            finish.next = Backoff(retry: definition.retry).delay(after: max(1, failures)).milliseconds
        }
        _ = ask(.finish(finish), .finish(entry.lease))
    }

    mutating func settled(_ lease: SlotLease, _ answer: FleetFinish.Answer) {
        let number = lease.number
        // The twin process may have ended a moment ago, or live and be the original of which this state is a copy.
        if answer.twin != nil {
            fleet?.untold.insert(lease)
            return
        }
        guard let entry = ledger.slots.entries[lease], let end = entry.end else { return }
        let holder = answer.slotStatus?.host
        var reason =
            "the fleet has it as \((answer.slotStatus?.state ?? end.state).rawValue) (lease \(number))"
        if !answer.accepted {
            let now = holder.map { "\($0) had the slot by then" } ?? "the slot had passed on"
            let isOthers = answer.slotStatus?.state == .leased && answer.slotStatus?.number == number
            reason =
                isOthers
                ? "its lease \(number) belongs to \(holder ?? "another host"), and this host's state is a copy of that host's: "
                    + "start a copy of a machine with an empty state folder"
                : "its lease \(number) had ended, and \(now); this host's run: \(end.reason ?? end.state.rawValue)"
        }
        var event = HistoryEvent(
            .slot, at: now.wall, app: entry.app, task: entry.task, run: entry.run, reason: reason)
        event.slot = SlotNote(
            answer.accepted ? .settled : .refused, entry.lease.slot, number: number,
            host: answer.accepted ? nil : holder, state: answer.slotStatus?.state ?? end.state)
        record(event)
    }

    /// Whether the goodbye is over: the last step of a clean stop, once there is nothing else to wait for. A database
    /// that is away gets none, and the answer is waited for no longer than a moment.
    mutating func hasSaidGoodbye() -> Bool {
        guard let fleet else { return true }
        if let end = fleet.leavesBy {
            let waits = fleet.calls.values.contains { if case .leave = $0 { true } else { false } }
            return !waits || end <= now.monotonic
        }
        guard fleet.isReached else { return true }
        _ = ask(.leave(FleetLeave(host: options.fleet.host)), .leave)
        let end = now.monotonic + FleetTimes.goodbye
        self.fleet?.leavesBy = end
        setFleetAlarm()
        return false
    }

    private mutating func setFleetAlarm() {
        guard let fleet else { return }
        var next = fleet.leavesBy ?? (fleet.isConnected ? fleet.beatDue : nil)
        for held in fleet.held.values {
            let run = held.run.flatMap { runs[$0] }
            var end = held.trust - min(run?.grace ?? .zero, FleetTimes.latestEnd)
            if end <= now.boot { end = Self.killTime(held) }
            let time = now.monotonic + max(.zero, end - now.boot)
            if end > now.boot { next = min(next ?? time, time) }
        }
        guard next != fleet.alarm else { return }
        self.fleet?.alarm = next
        if let next { alarms.insert(Alarm(time: next, subject: .fleet)) }
    }
}
