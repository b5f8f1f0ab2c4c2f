public import LullHistory
public import LullModel

/// Each task in a span of time: when it ran, and what held it back when it did not.
///
/// It comes from the history alone; no gates are evaluated again. Nothing is known of the time before the history begins;
/// after it, a task without events was not requested.
public struct Timeline: Sendable, Equatable {
    /// The state of a task.
    public enum State: String, Sendable, Codable {
        case running
        /// Gates were closed: `gates` names them.
        case waiting
        /// All gates were open, and a better moment was expected.
        case moment
        /// Requested for a later time.
        case notDue = "not_due"
        /// Its time had come, and no gate is known to have been closed: it was about to be launched.
        case due
        /// Not requested; `gates` says if it is disabled, or was not in the manifest.
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
        /// The reason recorded at its beginning.
        public var reason: String?
        /// Of `host_off`: the cause, and when the task was first due meanwhile.
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
        /// Whether an operator launched it by hand, in addition to its own times.
        public var isExtra = false
        public var ended: WallTime?
        public var outcome: Outcome?
        /// The gates whose closing ended it; nil: none.
        public var gates: [String]?
        public var reason: String?
        /// The last sign of life of the host with which it was cut off, without a recorded end; nil: it was not, or not known.
        public var lost: WallTime?

        /// Whether the task is to blame for its end.
        public var isFailure: Bool { outcome?.isFailure(endedBy: gates) ?? false }
        /// Whether it ended before it was done, through no fault of the task.
        public var isCutShort: Bool { outcome.map { !$0.isSuccess && !isFailure } ?? (lost != nil) }
        public var isOver: Bool { outcome != nil || lost != nil }
    }

    /// A time of `at` that was given up.
    public struct Missed: Sendable, Equatable {
        public var time: WallTime
        /// How many times were given up at once.
        public var count = 1
        public var reason: String?
    }

    public struct Lane: Sendable, Equatable {
        public var task: TaskIdentifier
        /// Whether it ran in the span and is no longer in the manifest.
        public var isRemoved = false
        public var stretches: [Stretch]
        /// The runs that were under way at some time of the span.
        public var runs: [Run]
        public var missed: [Missed]
        /// Whether it had times of `at`, which come even when a gate is closed on purpose.
        public var hasTimes = false
        /// The last run that was launched after the span.
        public var later: Run?
        /// The figures of whole UTC days in place of events that were deleted because of the history's size.
        public var days: [HistoryDay] = []
        /// Up to here such events were deleted; nil: none were.
        public var thinned: WallTime?
        /// Why it was not requested: the preceding task of its chain did not end as it had to; nil: that is not the reason.
        public var brokenChain: String?
        /// Why its app did not start while it had no handler, without what that printed; nil: that is not the reason.
        public var fault: String?
        /// The gate `registered`, if it has been closed from some time of the span up to now: the task could not run, whether or not
        /// it was due.
        public var lack: GateVerdict?
        /// Its result in a sentence.
        public var summary: String
        /// What happened since the span to a task that failed or did not run; nil: nothing, or it did neither.
        public var sequel: String?
    }

    public var from: WallTime
    public var to: WallTime
    /// The beginning of the history; nil: it is empty, or events may be missing.
    public var beginning: WallTime?
    /// Before it, events of successful runs were deleted because of the history's size; nil: all events of the span are there.
    public var thinned: WallTime?
    public var lanes: [Lane]
    /// The spans in which no host could launch anything, in order; then each time at which the clock was set back.
    public var absences: [Stretch]

    /// - Parameters:
    ///   - lacks: the tasks whose plugin can't be loaded now.
    ///   - removed: tasks that ran in the span and are no longer in the manifest.
    ///   - events: in ascending order; events before `from` give the state at the beginning, events after `to` what
    ///     happened since.
    ///   - now: later times are not drawn.
    ///   - beginning: the beginning of the history; nil: events may be missing.
    ///   - chains: the links of tasks that run after others.
    ///   - past: the figures of events that were deleted because of the history's size.
    public init(
        of tasks: [TaskIdentifier], disabled: Set<TaskIdentifier> = [],
        lacks: [TaskIdentifier: GateVerdict] = [:], removed: [TaskIdentifier] = [],
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
        let faults = Dictionary(
            grouping: events.filter {
                $0.event == .failed && $0.task == nil && $0.run == nil && $0.time <= end && $0.reason != nil
            }, by: \.app)
        var own: [TaskIdentifier: [HistoryEvent]] = [:]
        for event in events {
            if let task = event.task, !task.isWildcard { own[task, default: []].append(event) }
        }
        lanes = (tasks + removed).map { task in
            let events = own[task] ?? []
            // A task with `at` or `repeat` is requested as soon as it is in the manifest.
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
            lane.fault =
                events.last.flatMap { faults[$0.app] }?.last { fault in
                    stretches.contains {
                        $0.gates.contains(GateName.registered.rawValue) && $0.to > fault.time
                    }
                }?.reason.map { PrintedLast($0).sentence }
            lane.lack = lacks[task].flatMap { ($0.since ?? end) < end && !disabled.contains(task) ? $0 : nil }
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
        // The absences may overlap: a machine may have slept while no host ran on it.
        var apart: [Stretch] = []
        for stretch in found.sorted(by: { ($0.from, $1.to) < ($1.from, $0.to) }) {
            var stretch = stretch
            if let last = apart.last { stretch.from = max(stretch.from, last.to) }
            if stretch.from < stretch.to { apart.append(stretch) }
        }
        return apart
    }

    /// The steps of the clock, each from the time that it showed to the time that it was set back to.
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

    /// An absence, with the time at which a task was first due meanwhile.
    private static func due(in absence: Stretch, _ waits: [Stretch], from: WallTime) -> Stretch {
        var absence = absence
        let start = max(absence.from, from)
        absence.due = waits.first { $0.state == .due && $0.from < absence.to && $0.to > start }
            .map { max($0.from, start) }
        return absence
    }

    /// The stretches within the span, with the host's absences in place of the parts that they cover.
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
