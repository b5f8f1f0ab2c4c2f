import LullModel

/// Records the gates that hold back a requested task: an event each time they change.
extension SchedulerState {
    mutating func noteDeferral(
        _ task: TaskIdentifier, _ record: TaskRecord, _ input: GateInput, _ evaluation: Evaluation
    ) {
        let closed = evaluation.deferring
        let isNoted =
            closed.isEmpty
            ? record.openSince != nil && record.closed.isEmpty
            : record.closed.count == closed.count && closed.allSatisfy { record.closed[$0] != nil }
        guard !isNoted else { return }
        var event = HistoryEvent(
            .deferred, at: now.wall, app: record.app, task: task, request: record.pending?.id)
        event.gates = closed
        event.earliestBegin = closed.isEmpty ? nil : evaluation.opens
        if let definition = definition(of: task), let pending = record.pending {
            event.slot = sharedSlot(
                of: definition, pending.origin,
                at: pending.occurrence?.time ?? pending.earliestBegin ?? pending.submitted)
        }
        guard options.explains else { return self.record(event) }
        event.reason =
            closed.isEmpty
            ? "all gates are open, and it waits for its moment"
            : evaluation.verdicts.filter { closed.contains($0.gate.rawValue) && !$0.isOpen }
                .map { "\($0.gate.rawValue): \(input.told($0).reason)" }.joined(separator: "; ")
        self.record(event)
    }

    /// Records each ready task that found no room, so that the history says since when it waits for other runs to end.
    ///
    /// A task that has room but waits for a worker to start is looked at again.
    mutating func noteWaitsForRoom() {
        for task in queue.takeUnplaced(atMost: Turn.mostLaunches) where tasks[task]?.ready != nil {
            guard let record = ledger.tasks[task] else { continue }
            let input = gateInput(for: task)
            let evaluation = input.evaluate()
            if evaluation.deferring.isEmpty {
                queue.noteUnplaced(task)
            } else {
                noteDeferral(task, record, input, evaluation)
            }
        }
    }
}
