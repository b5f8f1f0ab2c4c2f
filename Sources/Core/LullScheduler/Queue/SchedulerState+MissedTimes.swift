import LullCalendar
import LullModel

/// `missed: skip`: times that are given up, and why.
extension SchedulerState {
    /// Gives up a missed time that is to be skipped; true: the task has another request now.
    mutating func skipMissed(_ task: TaskIdentifier, _ request: TaskRequest) -> Bool {
        guard let definition = definition(of: task), definition.missed == .skip,
            let table = timetable(of: definition), let time = request.occurrence?.time
        else { return false }
        let input = gateInput(for: task)
        guard let lapse = input.lapse, lapse <= now.wall else { return false }
        // A time that is late by less than the tolerance may still be launched.
        let still = now.wall - input.tolerance
        let passed = table.passed(after: time, dueBy: still)
        let covered = Occurrence(time: passed?.last ?? time, times: (passed?.count ?? 0) + 1)
        endPending(
            of: task, .givenUp, skipped(input, table, time, times: covered?.times ?? 1), occurrence: covered,
            // The database may have the first of many times, and none of the others.
            slot: (covered?.times ?? 1) > 1
                ? nil : sharedSlot(of: definition, .at, at: time, ifOffered: true))
        let start = max(passed?.last ?? time, still - table.shift - .milliseconds(1))
        if let pending = ledger.tasks[task]?.pending {
            move(definition, pending, to: table.next(after: start))
        } else {
            askForNextTime(definition, table, from: start)
        }
        return true
    }

    /// Gives up the times that the next start of a host would give up, so that a report of a stopped host does not
    /// list them as due.
    ///
    /// `interval`: between two passes of `lull run --once`; a time that came since the last pass is met by the next one.
    public mutating func giveUpMissed(betweenPasses interval: Duration?, at now: Now) {
        begin(at: now)
        let usual = options.passInterval
        options.passInterval = interval
        for task in ledger.tasks.keys.sorted() {
            if let request = ledger.tasks[task]?.pending, request.origin == .at {
                _ = skipMissed(task, request)
            }
        }
        options.passInterval = usual
        turn.effects = []
    }

    private func skipped(_ input: GateInput, _ table: Timetable, _ time: WallTime, times: Int) -> String {
        let moment = Phrase.time(table.due(time), seenFrom: now.wall, in: table.zone)
        let closed = input.evaluate().verdicts.filter { !$0.isOpen }
        let lapse = table.due(time) + input.tolerance
        // A gate that had closed by then and is closed still would have held it back in any case.
        let lasting = closed.filter { gate in
            ledger.tasks[input.task]?.closed[gate.gate.rawValue].map { $0 <= lapse } ?? false
        }
        func told(_ gates: [GateFinding]) -> String {
            Phrase.list(gates.map { "\($0.gate.rawValue): \(input.told($0).reason)" })
        }
        let why =
            !lasting.isEmpty
            ? told(lasting)
            : absence(at: lapse, of: input.task, in: table.zone)
                ?? (closed.isEmpty ? "the host was off, asleep or busy" : told(closed))
        let many = times > 1 ? "\(Phrase.times(times)) from \(moment) on were" : "\(moment) was"
        return "\(many) missed by more than \(Phrase.span(input.tolerance)), and `missed: skip`: \(why)"
    }

    /// Why no host could launch it when its time came to count as missed, whatever is closed now; nil: a host could.
    private func absence(at lapse: WallTime, of task: TaskIdentifier, in zone: Zone) -> String? {
        guard let span = ledger.away.spans.last(where: { $0.from < lapse && lapse <= $0.until }) else {
            return nil
        }
        let cause = ledger.tasks[task]?.absent.flatMap { $0.until == span.until ? $0.cause.phrase : nil }
        let (from, until) = (span.from, span.until)
        func told(_ time: WallTime) -> String { Phrase.time(time, seenFrom: now.wall, in: zone) }
        return "\(cause ?? "no host could launch it") from \(told(from)) to \(told(until))"
    }
}
