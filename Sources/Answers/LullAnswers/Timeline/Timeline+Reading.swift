public import LullHistory
public import LullModel

extension Timeline {
    /// More events than this are not read; the newest are.
    static let eventLimit = 50_000
    /// Most events of a night are these, and most of what they hold says where a run came from.
    private static let brief: Set<HistoryEvent.Name> = [.launched, .completed]
    /// Of a clock that was set back since, so much of what it showed before belongs to the night.
    private static let longestStepBack: Duration = .hours(12)

    /// Reads what a history tells of a span, and what tells how each task stood at its beginning.
    ///
    /// `isCut`: the span holds more events than were read. `disabled`: those of the tasks that are so now. `isWhole`: the
    /// tasks are all of the manifest, and what else ran in the span has been removed from it. `absent`: that no host runs now.
    public static func read(
        of tasks: [TaskIdentifier], disabled: Set<TaskIdentifier> = [], isWhole: Bool = false,
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
        // The next host records it.
        if let absent { events.append(absent.event(until: now)) }
        let isCut = found.count == eventLimit
        // Whatever was not read may have asked for a task. Uses are imported from before there was a host.
        let kept = HistoryQuery(names: Set(HistoryEvent.Name.allCases).subtracting([.used]), limit: 1)
        let beginning = isCut ? nil : try history.events(matching: kept).first?.time
        let timeline = Timeline(
            of: tasks, disabled: disabled, removed: removed, from: from, to: to, now: now, zone: zone,
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
