public import LullHistory
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
        /// Nobody had asked for it; `gates` says so where it is disabled, or was not in the manifest.
        case unasked
        /// No host could launch it: `absence` says why.
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
        /// Of `host_off`: why, and when the task was due first while it lasted.
        public var absence: AbsenceCause?
        public var due: WallTime?

        public init(
            from: WallTime, to: WallTime, state: State, gates: [String] = [], reason: String? = nil,
            absence: AbsenceCause? = nil
        ) {
            self.absence = absence
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
        /// Somebody launched it by hand, besides what its own times ask for.
        public var isExtra = false
        public var ended: WallTime?
        public var outcome: Outcome?
        /// The gates whose closing ended it; nil: none.
        public var gates: [String]?
        public var reason: String?
        /// The last sign of the host that it was cut off with, and that nobody has followed; nil: it was not, as far as is known.
        public var lost: WallTime?

        /// The task is to blame for its end.
        public var isFailure: Bool { outcome?.isFailure(endedBy: gates) ?? false }
        /// It ended before it was done, through no fault of the task.
        public var isCutShort: Bool { outcome.map { !$0.isSuccess && !isFailure } ?? (lost != nil) }
        public var isOver: Bool { outcome != nil || lost != nil }
    }

    /// A time of `at` that was given up.
    public struct Missed: Sendable, Equatable {
        public var time: WallTime
        /// How many were given up at once.
        public var count = 1
        public var reason: String?
    }

    public struct Lane: Sendable, Equatable {
        public var task: TaskIdentifier
        /// It ran in the span, and the manifest does not list it any more.
        public var isRemoved = false
        public var stretches: [Stretch]
        /// Those launched or ended in the span.
        public var runs: [Run]
        public var missed: [Missed]
        /// It was asked for at times of `at`, which come whatever is closed on purpose.
        public var hasTimes = false
        /// The last run that was launched after the span.
        public var later: Run?
        /// Where the history's size has cost events of the span: the figures in their place, of whole days by UTC.
        public var days: [HistoryDay] = []
        /// Up to when that is so.
        public var thinned: WallTime?
        /// Why nobody asked for it: the task before it in its chain did not end as it had to; nil: that is not why.
        public var brokenChain: String?
        /// What became of it, in a sentence.
        public var summary: String
        /// What has become of a failure or of what did not run since the span; nil: nothing, or there is neither.
        public var sequel: String?
    }

    public var from: WallTime
    public var to: WallTime
    /// Of the history; nil: nothing stands in it, or events may be missing.
    public var beginning: WallTime?
    /// Before it the events of runs that succeeded are gone, for the history's size; nil: of the span all are there.
    public var thinned: WallTime?
    public var lanes: [Lane]
    /// Of the span: when no host could launch anything, in order; then each time at which the clock was set back.
    public var absences: [Stretch]

    /// - Parameters:
    ///   - removed: those that ran in the span and are not in the manifest any more.
    ///   - events: in ascending order; those before `from` tell how things stood then, those after `to` what became
    ///     of it since.
    ///   - now: what is later is not drawn.
    ///   - beginning: of the history; nil: events may be missing.
    ///   - chains: of the tasks that run after others.
    ///   - past: what is left of events that were deleted for the history's size.
    public init(
        of tasks: [TaskIdentifier], disabled: Set<TaskIdentifier> = [], removed: [TaskIdentifier] = [],
        from: WallTime, to: WallTime, now: WallTime, zone: Zone, beginning: WallTime? = nil,
        past: ThinnedPast? = nil, chains: [TaskIdentifier: [ChainLink]] = [:], events: [HistoryEvent]
    ) {
        self.from = from
        self.to = to
        self.beginning = beginning
        thinned = past?.until
        let end = min(to, now)
        let absences = Self.absences(in: events)
        let steps = Self.stepsBack(in: events).filter { $0.to >= from && $0.to <= end }
        self.absences = absences.filter { $0.from < end && $0.to > from } + steps
        var own: [TaskIdentifier: [HistoryEvent]] = [:]
        for event in events {
            if let task = event.task, !task.isWildcard { own[task, default: []].append(event) }
        }
        lanes = (tasks + removed).map { task in
            let events = own[task] ?? []
            // Its manifest's rhythm asks for it as soon as it is there.
            let isNew = events.first.map {
                $0.event == .submitted && ($0.origin == .at || $0.origin == .repeat)
            }
            var fold = TimelineFold(unaskedSince: isNew == true || past != nil ? nil : beginning)
            for event in events where event.time <= end { fold.apply(event) }
            if disabled.contains(task) { fold.disable() }
            let known = past.map { min(max(from, $0.until), end) } ?? from
            let waits = fold.stretches(until: end)
            let stretches =
                (known > from ? [Stretch(from: from, to: known, state: .unknown)] : [])
                + Self.cut(
                    waits, from: known, to: end,
                    without: absences.map { Self.due(in: $0, waits, from: known) })
            let missed = fold.missed.filter { $0.time >= from }
            for event in events where event.time > end { fold.apply(event) }
            fold.lose(runsIn: absences)
            let runs = fold.runs.filter { $0.launched <= end && ($0.ended ?? end) >= from }
            var lane = Lane(task: task, stretches: stretches, runs: runs, missed: missed, summary: "")
            lane.hasTimes = events.contains { $0.event == .submitted && $0.origin == .at }
            lane.isRemoved = removed.contains(task)
            lane.later = fold.runs.last { $0.launched > end }
            lane.days = past?.days.filter { $0.task == task } ?? []
            lane.thinned = past?.until
            return lane
        }
        let chain = TimelineChains(lanes: lanes, links: chains, from: from, zone: zone)
        for index in lanes.indices {
            lanes[index].brokenChain = chain.cause(of: lanes[index].task)
            let words = TimelineWords(lane: lanes[index], from: from, to: to, zone: zone)
            lanes[index].summary = words.summary
            lanes[index].sequel = words.sequel
        }
    }

    private static func absences(in events: [HistoryEvent]) -> [Stretch] {
        let found = events.compactMap { event -> Stretch? in
            guard event.event == .absent, event.absence != .back, let milliseconds = event.milliseconds,
                milliseconds > 0
            else { return nil }
            return Stretch(
                from: event.time - .milliseconds(milliseconds), to: event.time, state: .hostOff,
                reason: event.reason, absence: event.absence)
        }
        // A machine may have slept while no host ran on it.
        var apart: [Stretch] = []
        for stretch in found.sorted(by: { ($0.from, $1.to) < ($1.from, $0.to) }) {
            var stretch = stretch
            if let last = apart.last { stretch.from = max(stretch.from, last.to) }
            if stretch.from < stretch.to { apart.append(stretch) }
        }
        return apart
    }

    /// Each from what the clock showed to what it was set back to.
    private static func stepsBack(in events: [HistoryEvent]) -> [Stretch] {
        events.compactMap { event in
            guard event.event == .absent, event.absence == .back, let milliseconds = event.milliseconds else {
                return nil
            }
            return Stretch(
                from: event.time + .milliseconds(milliseconds), to: event.time, state: .hostOff,
                reason: event.reason, absence: .back)
        }
    }

    /// An absence, with when a task was due first while it lasted.
    private static func due(in absence: Stretch, _ waits: [Stretch], from: WallTime) -> Stretch {
        var absence = absence
        let start = max(absence.from, from)
        absence.due = waits.first { $0.state == .due && $0.from < absence.to && $0.to > start }
            .map { max($0.from, start) }
        return absence
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
