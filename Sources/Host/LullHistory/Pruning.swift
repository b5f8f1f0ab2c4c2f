public import LullModel

/// The records that retention may delete.
public struct PruneBounds: Sendable, Equatable {
    public var eventsBefore: WallTime
    public var outputsBefore: WallTime
    /// The time span that is deleted at once, from the oldest record on; nil for all.
    public var span: Duration?
    /// The numbers of the last event and the last piece of output that may be deleted.
    public var eventsUpTo = Int64.max
    public var outputsUpTo = Int64.max
    /// The size that the history may have; nil for no limit. Beyond it the oldest details are deleted, a part at a time.
    public var bytes: Int64?
    /// A note on retention for the next host, written in the same transaction; nil keeps the last one.
    public var memo: String?

    public init(eventsBefore: WallTime, outputsBefore: WallTime) {
        self.eventsBefore = eventsBefore
        self.outputsBefore = outputsBefore
    }

    /// The time up to which to delete, if the oldest record that may be deleted has the time `oldest`.
    func end(_ before: WallTime, oldest: WallTime) -> WallTime {
        span.map { min(before, oldest + $0) } ?? before
    }
}

/// The numbers of records that retention has deleted.
public struct PruneReport: Sendable, Equatable {
    public var events: Int
    /// Runs' pieces of output.
    public var outputs: Int
    /// Whether there is more to delete.
    public var hasMore = false
    /// The details that were deleted for the history's size, now or before; nil if none were.
    public var thinning: HistoryThinning?
    /// The highest numbers after the deletion.
    public var last = RecordNumbers(event: 0, output: 0)

    public init(events: Int, outputs: Int) {
        self.events = events
        self.outputs = outputs
    }
}

/// The highest numbers that were given: all later records have higher ones.
public struct RecordNumbers: Sendable, Equatable {
    public var event: Int64
    public var output: Int64

    public init(event: Int64, output: Int64) {
        self.event = event
        self.output = output
    }
}
