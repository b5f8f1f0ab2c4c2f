import LullModel

/// Folds one task's events into its states over time.
struct TimelineFold {
    private struct Waiting: Equatable {
        var state = Timeline.State.unknown
        var gates: [String] = []
        var reason: String?
    }

    /// In the order of launch. Their numbers give the order even if the clock was set back in between.
    var runs: [Timeline.Run] { launches.sorted { $0.run < $1.run } }
    private var launches: [Timeline.Run] = []
    /// The ends of runs that, because the clock was set back meanwhile, lie before their launches.
    private var early: [RunID: HistoryEvent] = [:]
    private(set) var missed: [Timeline.Missed] = []
    private var done: [Timeline.Stretch] = []
    /// The time of the event that is being applied.
    private var now = WallTime.distantPast
    private var since = WallTime.distantPast
    private var waiting = Waiting()
    /// The time before which the request is not due; nil: it is due, or there is none.
    private var begin: WallTime?
    private var open: Set<RunID> = []
    private var request: RequestID?
    /// A request that the app submitted while another request waited; it takes effect when that one is over.
    private var following: HistoryEvent?

    /// `time` nil: the task may have been requested before the first event.
    init(unaskedSince time: WallTime?) {
        guard let time else { return }
        close(at: time)
        waiting = Waiting(state: .unasked)
    }

    /// The task is disabled now: the manifest has requested nothing since it last ran.
    mutating func disable() {
        if waiting.state == .unasked { waiting.gates = [GateName.enabled.rawValue] }
    }

    mutating func apply(_ event: HistoryEvent) {
        come(to: event.time)
        now = event.time
        switch event.event {
        case .submitted where request != nil && event.origin == .plugin: following = event
        case .submitted: ask(event)
        case .replaced, .merged:
            if event.request == request { request = nil }
            if event.request == following?.request { following = nil }
        case .deferred:
            let gates = event.gates ?? []
            begin = event.earliestBegin.flatMap { $0 > event.time ? $0 : nil }
            change(
                to: Waiting(
                    state: gates.isEmpty
                        ? .moment : gates == [GateName.earliestBegin.rawValue] ? .notDue : .waiting,
                    gates: gates, reason: event.reason))
        case .cancelled, .givenUp:
            // A request that is given up with an occurrence is a skipped time.
            if event.event == .givenUp, event.occurrence != nil {
                missed.append(
                    .init(time: event.time, count: event.occurrence?.times ?? 1, reason: event.reason))
            }
            if event.request == following?.request { following = nil }
            guard event.request == nil || event.request == request else { return }
            request = nil
            begin = nil
            change(to: Waiting(state: .unasked, gates: event.gates ?? [], reason: event.reason))
            askForFollowing()
        case .launched: launch(event)
        case .completed, .failed, .interrupted: end(event)
        default: break
        }
    }

    /// All stretches, the last one up to `end`.
    func stretches(until end: WallTime) -> [Timeline.Stretch] {
        var copy = self
        copy.come(to: end)
        copy.close(at: end)
        return copy.done
    }

    /// Marks runs without an end as lost if their host ended.
    mutating func lose(runsIn absences: [Timeline.Stretch]) {
        for index in launches.indices where launches[index].outcome == nil {
            launches[index].lost =
                absences.first {
                    $0.absence?.keepsRuns == false && $0.to > launches[index].launched
                }?.from
        }
    }

    private mutating func launch(_ event: HistoryEvent) {
        guard let run = event.run else { return }
        close(at: event.time)
        launches.append(.init(run: run, launched: event.time, isExtra: event.origin == .operator))
        if let end = early.removeValue(forKey: run) {
            launches[launches.count - 1].end(with: end)
        } else {
            open.insert(run)
        }
        // A launch by hand does not change the request for the task's own next time.
        guard request == nil || event.request == request else { return }
        request = nil
        begin = nil
        waiting = Waiting(state: .unasked)
        askForFollowing()
    }

    private mutating func ask(_ event: HistoryEvent) {
        request = event.request
        begin = event.earliestBegin.flatMap { $0 > now ? $0 : nil }
        // A request that replaces a waiting one goes on waiting in its place.
        let keeps = waiting.state == .waiting && begin == nil
        if !keeps { change(to: Waiting(state: begin == nil ? .due : .notDue)) }
    }

    private mutating func askForFollowing() {
        guard let event = following else { return }
        following = nil
        ask(event)
    }

    private mutating func end(_ event: HistoryEvent) {
        guard let run = event.run else { return }
        close(at: event.time)
        open.remove(run)
        if let index = launches.lastIndex(where: { $0.run == run }) {
            launches[index].end(with: event)
        } else {
            early[run] = event
        }
    }

    /// Time alone makes a request due.
    private mutating func come(to time: WallTime) {
        guard let due = begin, due < time else { return }
        begin = nil
        guard waiting.state == .notDue || waiting.state == .waiting else { return }
        close(at: due)
        waiting = Waiting(state: .due)
    }

    private mutating func change(to new: Waiting) {
        guard new != waiting else { return }
        close(at: now)
        waiting = new
    }

    private mutating func close(at time: WallTime) {
        defer { since = time }
        guard time > since else { return }
        var next = Timeline.Stretch(from: since, to: time, state: .running)
        if open.isEmpty {
            next = .init(
                from: since, to: time, state: waiting.state, gates: waiting.gates, reason: waiting.reason)
        }
        if let last = done.last, last.to == since, last.state == next.state, last.gates == next.gates {
            done[done.count - 1].to = time
        } else {
            done.append(next)
        }
    }
}

extension Timeline.Run {
    fileprivate mutating func end(with event: HistoryEvent) {
        (ended, outcome) = (event.time, event.ending)
        (gates, reason) = (event.gates, event.reason)
    }
}
