import LullModel

/// How the host learns when its conditions hold: from events that it gets anyway, and never by waking up for it.
extension SchedulerState {
    /// Called at the end of each event.
    mutating func observeConditions() {
        guard options.launches, listing.since != nil, !isShuttingDown else { return }
        if options.isPass { return observePass() }
        note(sensing.recorder.observe(sensing.conditions, sampling: sensing.sampling, at: now))
    }

    /// Watches the conditions that the manifest requires.
    mutating func watchConditions() {
        guard options.launches else { return }
        let sets = manifest.conditionSets
        if options.isPass { return sensing.watchInPass(sets) }
        note(sensing.recorder.watch(sets))
    }

    /// Records the last spans before the host ends.
    mutating func endObservation() { note(sensing.recorder.end(at: now)) }

    private mutating func note(_ spans: [ConditionRecorder.Span]) {
        for span in spans {
            var event = HistoryEvent(.conditions, at: span.to, app: .host)
            event.milliseconds = (span.to - span.from).milliseconds
            event.shares = span.shares
            event.gates = span.closed
            record(event)
        }
    }

    /// After a longer gap the pass before says nothing of the time between.
    private static let longestBetweenPasses: Duration = .hours(3)

    /// A pass observes once: a condition that is as in the last pass counts as unchanged between, and one that is not
    /// as changed half-way.
    private mutating func observePass() {
        let sets = sensing.takePassSets()
        guard let conditions = sensing.conditions, !sets.isEmpty else { return }
        let last = sets.compactMap { ledger.conditions[$0.name]?.last }.min()
        let gap = last.map { now.wall - $0 }
        // A negative gap means that the clock was set back.
        if let gap, gap < ConditionRecorder.least, gap >= .zero { return }
        let isJoined = gap.map { $0 > .zero && $0 <= Self.longestBetweenPasses } ?? false
        var event = HistoryEvent(.conditions, at: now.wall, app: .host)
        event.milliseconds = isJoined ? gap?.milliseconds : 0
        var shares: [String: Double] = [:]
        var closed: [String] = []
        for set in sets {
            let isOpen = set.holds(conditions, at: now.wall)
            let wasOpen = ledger.conditions[set.name]?.isOpen ?? isOpen
            shares[set.name] = isOpen == wasOpen ? (isOpen ? 1 : 0) : 0.5
            if !isOpen { closed.append(set.name) }
        }
        event.shares = shares
        event.gates = closed.sorted()
        record(event)
    }
}
