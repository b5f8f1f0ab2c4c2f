import LullModel

/// The status of slots on other hosts, and its effect on the requests here.
extension SchedulerState {
    /// Handles the status of a slot that any host may have.
    mutating func heard(_ slotStatus: SlotStatus) {
        let task = slotStatus.slot.task
        fleet?.offered.insert(slotStatus.slot)
        guard fleet?.tasks.contains(task) == true, let definition = definition(of: task),
            // It is also sent slots of its own place that it has forgotten: its clock was set back.
            definition.fleet.scope == .anyHost || slotStatus.slot.target == options.fleet.place
        else { return }
        // For a task that repeats, this host knows its own runs: their ends are not another host's.
        if definition.at == nil, let number = slotStatus.number, slotStatus.state != .open,
            fleet?.own.contains(SlotLease(slotStatus.slot, number: number)) == true
        {
            return
        }
        let since = now.wall - .milliseconds(slotStatus.ago)
        switch slotStatus.state {
        case .open:
            if case .later(.elsewhere, _)? = fleet?.wishes[task] {
                fleet?.wishes[task] = nil
                touch(task)
            }
        case .leased:
            guard isWaiting(for: slotStatus.slot, definition) else { return }
            switch fleet?.wishes[task] {
            case .asked, .granted: return
            case .later, nil: break
            }
            let left = Duration.milliseconds(slotStatus.left ?? 0) + FleetTimes.grace
            later(task, .elsewhere(slotStatus.host ?? "another host", since: since), max(left, .seconds(1)))
            touch(task)
        case .done, .failed, .skipped, .expired: ended(slotStatus, definition, since: since)
        }
    }

    /// The note on an event that every host records alike, since any host may have the slot; nil: the event is this host's own.
    ///
    /// `ifOffered`: only of a slot that the database has. Else nobody could say there what became of it.
    func sharedSlot(
        of task: TaskDefinition, _ origin: TaskRequest.Origin, at time: WallTime, ifOffered: Bool = false
    ) -> SlotNote? {
        guard manifest.fleet != nil, task.fleet.scope == .anyHost, origin == .at || origin == .repeat else {
            return nil
        }
        let slot = SlotName(task.identifier, at: time)
        return ifOffered && fleet?.offered.contains(slot) != true ? nil : SlotNote(.shared, slot)
    }

    /// Whether a request here waits for that slot.
    private func isWaiting(for slot: SlotName, _ task: TaskDefinition) -> Bool {
        guard let pending = ledger.tasks[task.identifier]?.pending, needsLease(task, pending) else {
            return false
        }
        guard task.at != nil else { return pending.origin == .repeat }
        guard let time = pending.occurrence?.time else { return false }
        return task.missed == .all ? time == slot.nominal : time <= slot.nominal
    }

    /// Another host has handled the slot: the request here ends, and the next one is made.
    private mutating func ended(_ slotStatus: SlotStatus, _ task: TaskDefinition, since: WallTime) {
        guard isWaiting(for: slotStatus.slot, task),
            let pending = ledger.tasks[task.identifier]?.pending
        else { return }
        if case .asked? = fleet?.wishes[task.identifier] { return }
        let next = slotStatus.next.map { now.wall + .milliseconds(max(0, $0)) }
        if task.repeat != nil {
            // It counts from its own last run, or has been moved on already.
            guard let next, (pending.earliestBegin ?? pending.submitted) < next - .seconds(2) else { return }
        }
        let what = "\(slotStatus.state.rawValue)" + (slotStatus.reason.map { ": \($0)" } ?? "")
        var event = HistoryEvent(
            .slot, at: now.wall, app: task.app, task: task.identifier, request: pending.id,
            reason: slotStatus.host.map { "\($0) ran it \(when(since)) (\(what))" }
                ?? "no host ran it (\(what))")
        event.occurrence = task.at == nil ? nil : Occurrence(time: slotStatus.slot.nominal)
        event.slot = SlotNote(
            .elsewhere, slotStatus.slot, number: slotStatus.number, host: slotStatus.host,
            state: slotStatus.state)
        dropWish(of: task.identifier)
        fleet?.wishes[task.identifier] = nil
        record(event)
        touch(task.identifier)
        if let next, ledger.tasks[task.identifier]?.pending == nil {
            makeRequest(task, origin: .repeat, earliestBegin: next)
        } else {
            ensureTimes(task)
        }
    }
}
