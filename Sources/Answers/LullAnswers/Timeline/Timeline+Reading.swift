public import LullHistory
public import LullModel

extension Timeline {
    /// The most events that are read, the newest.
    static let eventLimit = 50_000
    /// Most events of a night are these. They are read without their details, which are mostly provenance.
    private static let brief: Set<HistoryEvent.Name> = [.launched, .completed]
    /// If the clock was set back by no more than this, events with later times than now still belong to the night.
    private static let longestStepBack: Duration = .hours(12)

    /// Reads the events of a span from a history, and the events that give each task's state at its beginning.
    ///
    /// `isCut`: the span has more events than were read. `disabled`, `lacks`: the tasks that are disabled, and
    /// whose plugin can't be loaded, now. `isWhole`: `tasks` are all tasks of the manifest, so other tasks with runs in the span were removed from it. `absent`: no host runs now.
    public static func read(
        of tasks: [TaskIdentifier], disabled: Set<TaskIdentifier> = [],
        lacks: [TaskIdentifier: GateVerdict] = [:], isWhole: Bool = false,
        chains: [TaskIdentifier: [ChainLink]] = [:], absent: StatusReport.Absent? = nil, from: WallTime,
        to: WallTime,
        now: WallTime, zone: Zone, in history: any History
    ) throws(HistoryError) -> (timeline: Timeline, isCut: Bool) {
        let names: Set<HistoryEvent.Name> = [
            .submitted, .replaced, .merged, .deferred, .cancelled, .givenUp, .launched, .completed, .failed,
            .interrupted, .absent,
        ]
        var (to, now) = (to, now)
        let ahead = HistoryQuery(names: names, since: now + .seconds(1), order: .newestFirst, limit: 1)
        if to >= now, let latest = try history.events(matching: ahead).first?.time,
            latest - now <= longestStepBack
        {
            now = latest
            to = max(to, latest)
        }
        var events: [HistoryEvent] = []
        for task in tasks where !task.isWildcard {
            var before = HistoryQuery(task: task, names: names, until: from, order: .newestFirst, limit: 12)
            before.brief = brief
            events += try history.events(matching: before).reversed()
        }
        var within = HistoryQuery(
            names: names, since: from, until: to + .milliseconds(1), order: .newestFirst, limit: eventLimit)
        within.brief = brief
        let found = try history.events(matching: within)
        events += found.reversed()
        let listed = Set(tasks)
        let past = try history.thinned(from: from, to: to)
        let others = Set(found.lazy.filter { $0.run != nil }.compactMap(\.task))
            .union(past?.days.map(\.task) ?? []).subtracting(listed)
        let removed =
            isWhole ? others.filter { !$0.isWildcard && listed.isDisjoint(with: $0.wildcards) }.sorted() : []
        if to < now {
            var since = HistoryQuery(
                names: [.launched, .completed, .failed, .interrupted], since: to + .milliseconds(1),
                until: now + .milliseconds(1), order: .newestFirst, limit: eventLimit)
            since.brief = brief
            events += try history.events(matching: since).reversed()
        }
        // The next host will record it.
        if let absent { events.append(absent.event(until: now)) }
        let isCut = found.count == eventLimit
        // Missing events may have requested a task. Uses do not count: they are imported from before the first host.
        let kept = HistoryQuery(names: Set(HistoryEvent.Name.allCases).subtracting([.used]), limit: 1)
        let beginning = isCut ? nil : try history.events(matching: kept).first?.time
        let timeline = Timeline(
            of: tasks, disabled: disabled, lacks: lacks, removed: removed, from: from, to: to, now: now,
            zone: zone,
            beginning: beginning, past: past, chains: chains, events: events)
        return (timeline, isCut)
    }
}

extension StatusReport.Absent {
    fileprivate func event(until now: WallTime) -> HistoryEvent {
        var event = HistoryEvent(.absent, at: now, app: .host, reason: "\(cause.phrase)")
        event.absence = cause
        event.milliseconds = (now - since).milliseconds
        return event
    }
}
