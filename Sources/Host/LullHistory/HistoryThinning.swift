public import LullModel

/// The details that a history has deleted to stay within its size.
public struct HistoryThinning: Sendable, Equatable, Codable {
    /// The time before which the output of runs is gone; nil if none was deleted for its size.
    public var output: WallTime?
    /// The time before which the events of successful runs are gone, except for their daily figures.
    public var events: WallTime?
    /// The time before which transfers, notifications and notices are gone; nil if only those before `events` are.
    public var asides: WallTime?

    public init(output: WallTime? = nil, events: WallTime? = nil, asides: WallTime? = nil) {
        self.output = output
        self.events = events
        self.asides = asides
    }

    /// Nil if nothing was deleted.
    public func sentence(limit: Int64) -> String? {
        var gone: [String] = []
        if let output { gone.append("the output of runs before \(day(output))") }
        if let events { gone.append("the events of runs that succeeded before \(day(events))") }
        if let asides = [asides, events].compactMap(\.self).max() {
            gone.append("transfers, notifications and notices before \(moment(asides))")
        }
        guard !gone.isEmpty else { return nil }
        let figures =
            events == nil ? "" : " Each task's figures of those days are kept: `lull history --days`."
        return
            "The history has reached its limit (\(Phrase.size(limit))); Lull deleted \(Phrase.list(gone))."
            + figures + " `retention: { size: … }` in `defaults` raises the limit."
    }

    private func moment(_ time: WallTime) -> String {
        time.rfc3339.prefix(16).replacing("T", with: " ") + " UTC"
    }

    private func day(_ time: WallTime) -> String { String(time.rfc3339.prefix(10)) }
}

/// The figures that are left of events that were deleted for the history's size.
public struct ThinnedPast: Sendable, Equatable {
    /// The time before which the events of successful runs are gone.
    public var until: WallTime
    /// The figures in their place, of each day that overlaps the requested span.
    public var days: [HistoryDay]

    public init(until: WallTime, days: [HistoryDay]) {
        self.until = until
        self.days = days
    }
}

/// The figures of a task on one day, by UTC.
public struct HistoryDay: Sendable, Equatable {
    /// Its beginning.
    public var day: WallTime
    public var app: AppIdentifier
    public var task: TaskIdentifier
    public var launched: Int
    public var succeeded: Int
    /// Runs that ended in any other way.
    public var failed: Int
    /// The total duration of the runs that have ended.
    public var milliseconds: Int64

    public init(
        day: WallTime, app: AppIdentifier, task: TaskIdentifier, launched: Int, succeeded: Int, failed: Int,
        milliseconds: Int64
    ) {
        self.day = day
        self.app = app
        self.task = task
        self.launched = launched
        self.succeeded = succeeded
        self.failed = failed
        self.milliseconds = milliseconds
    }

    mutating func add(_ other: HistoryDay) {
        launched += other.launched
        succeeded += other.succeeded
        failed += other.failed
        milliseconds += other.milliseconds
    }
}
