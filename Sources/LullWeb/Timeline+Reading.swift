public import LullHistory
public import LullModel

extension Timeline {
    /// More events than this are not read; the newest are.
    static let eventLimit = 50_000

    /// Reads what a history tells of a span, and what tells how each task stood at its beginning.
    ///
    /// `isCut`: the span holds more events than were read. `disabled`: those of the tasks that are so now.
    public static func read(
        of tasks: [TaskIdentifier], disabled: Set<TaskIdentifier> = [], from: WallTime, to: WallTime,
        now: WallTime, zone: Zone, in history: any History
    ) throws(HistoryError) -> (timeline: Timeline, isCut: Bool) {
        let names: Set<HistoryEvent.Name> = [
            .submitted, .deferred, .cancelled, .givenUp, .launched, .completed, .failed, .interrupted,
            .absent,
        ]
        var events: [HistoryEvent] = []
        for task in tasks where !task.isWildcard {
            let before = HistoryQuery(task: task, names: names, until: from, order: .newestFirst, limit: 12)
            events += try history.events(matching: before).reversed()
        }
        let within = HistoryQuery(
            names: names, since: from, until: to + .milliseconds(1), order: .newestFirst, limit: eventLimit)
        let found = try history.events(matching: within)
        events += found.reversed()
        let isCut = found.count == eventLimit
        // Whatever was not read may have asked for a task. Uses are imported from before there was a host.
        let kept = HistoryQuery(names: Set(HistoryEvent.Name.allCases).subtracting([.used]), limit: 1)
        let beginning = isCut ? nil : try history.events(matching: kept).first?.time
        let timeline = Timeline(
            of: tasks, disabled: disabled, from: from, to: to, now: now, zone: zone, beginning: beginning,
            events: events)
        return (timeline, isCut)
    }
}
