public import LullModel

/// What became of each task in a span of time: when it ran, and what held it back when it did not.
///
/// Read from the history alone; nothing is judged anew. Of the time before the history's own beginning nothing is
/// known; after it, a task of which nothing stands there was asked for by nobody.
public struct Timeline: Sendable, Equatable {
    /// What a task was doing.
    public enum State: String, Sendable, Codable {
        case running
        /// Gates were closed: `gates` names them.
        case waiting
        /// All gates were open, and a better moment was expected.
        case moment
        /// Asked for, and not before a time that had not come.
        case notDue = "not_due"
        /// Its time had come and no gate is known to have been closed: it was about to be launched.
        case due
        /// Nobody had asked for it; `gates` says so where it is disabled.
        case unasked
        /// The host was off, asleep or not running.
        case hostOff = "host_off"
        case unknown
    }

    public struct Stretch: Sendable, Equatable {
        public var from: WallTime
        public var to: WallTime
        public var state: State
        /// The closed gates, by name.
        public var gates: [String]
        /// What was said at its beginning.
        public var reason: String?

        public init(
            from: WallTime, to: WallTime, state: State, gates: [String] = [], reason: String? = nil
        ) {
            self.from = from
            self.to = to
            self.state = state
            self.gates = gates
            self.reason = reason
        }
    }

    public struct Run: Sendable, Equatable {
        public var run: RunID
        public var launched: WallTime
        public var ended: WallTime?
        public var outcome: Outcome?
        public var reason: String?
    }

    /// A time of `at` that was given up.
    public struct Missed: Sendable, Equatable {
        public var time: WallTime
        public var reason: String?
    }

    public struct Lane: Sendable, Equatable {
        public var task: TaskIdentifier
        public var stretches: [Stretch]
        /// Those launched or ended in the span.
        public var runs: [Run]
        public var missed: [Missed]
        /// What became of it, in a sentence.
        public var summary: String
    }

    public var from: WallTime
    public var to: WallTime
    /// Of the history; nil: nothing stands in it, or events may be missing.
    public var beginning: WallTime?
    public var lanes: [Lane]

    /// - Parameters:
    ///   - events: in ascending order; those before `from` tell how things stood then.
    ///   - now: what is later is not drawn.
    ///   - beginning: of the history; nil: events may be missing.
    public init(
        of tasks: [TaskIdentifier], disabled: Set<TaskIdentifier> = [], from: WallTime, to: WallTime,
        now: WallTime, zone: Zone, beginning: WallTime? = nil, events: [HistoryEvent]
    ) {
        self.from = from
        self.to = to
        self.beginning = beginning
        let end = min(to, now)
        let absences = Self.absences(in: events)
        var folds: [TaskIdentifier: TimelineFold] = [:]
        for event in events where event.time <= end {
            guard let task = event.task, !task.isWildcard else { continue }
            folds[task, default: TimelineFold(unaskedSince: beginning)].apply(event)
        }
        lanes = tasks.map { task in
            var fold = folds[task] ?? TimelineFold(unaskedSince: beginning)
            if disabled.contains(task) { fold.disable() }
            let stretches = Self.cut(fold.stretches(until: end), from: from, to: end, without: absences)
            let runs = fold.runs.filter { $0.launched >= from || ($0.ended ?? end) >= from }
            let missed = fold.missed.filter { $0.time >= from }
            var lane = Lane(task: task, stretches: stretches, runs: runs, missed: missed, summary: "")
            lane.summary = TimelineWords(lane: lane, from: from, zone: zone).summary
            return lane
        }
    }

    private static func absences(in events: [HistoryEvent]) -> [Stretch] {
        events.compactMap { event in
            guard event.event == .absent, let milliseconds = event.milliseconds, milliseconds > 0 else {
                return nil
            }
            return Stretch(
                from: event.time - .milliseconds(milliseconds), to: event.time, state: .hostOff,
                reason: event.reason)
        }
    }

    /// The stretches within the span, with the host's absences in the place of what they cover.
    private static func cut(
        _ stretches: [Stretch], from: WallTime, to: WallTime, without absences: [Stretch]
    ) -> [Stretch] {
        var result: [Stretch] = []
        func put(_ stretch: Stretch) {
            var stretch = stretch
            stretch.from = max(stretch.from, from)
            stretch.to = min(stretch.to, to)
            if stretch.from < stretch.to { result.append(stretch) }
        }
        for stretch in stretches {
            var rest = stretch
            for absence in absences where absence.from < rest.to && absence.to > rest.from {
                var before = rest
                before.to = max(absence.from, rest.from)
                put(before)
                rest.from = min(absence.to, rest.to)
            }
            put(rest)
        }
        absences.forEach(put)
        return result.sorted { $0.from < $1.from }
    }
}
