public import LullModel

/// What retention may delete.
public struct PruneBounds: Sendable, Equatable {
    public var eventsBefore: WallTime
    public var outputsBefore: WallTime
    /// How much goes at once: what is within so long of the oldest; nil: all of it.
    public var span: Duration?
    /// The last event and the last piece of output that may go, by their numbers.
    public var eventsUpTo = Int64.max
    public var outputsUpTo = Int64.max
    /// What the history may take on the disk; nil: as much as there is. Beyond it the oldest details go, a part at a time.
    public var bytes: Int64?
    /// What the next host has to know of retention; kept with what is deleted. Nil: as before.
    public var memo: String?

    public init(eventsBefore: WallTime, outputsBefore: WallTime) {
        self.eventsBefore = eventsBefore
        self.outputsBefore = outputsBefore
    }

    /// Where to stop, when the oldest that may go has this time.
    func end(_ before: WallTime, oldest: WallTime) -> WallTime {
        span.map { min(before, oldest + $0) } ?? before
    }
}

/// What retention deleted.
public struct PruneReport: Sendable, Equatable {
    public var events: Int
    /// Runs' pieces of output.
    public var outputs: Int
    /// There is more that is old enough.
    public var hasMore = false
    /// Where details were deleted for their size, now or before; nil: never.
    public var thinning: HistoryThinning?
    /// What was given last by then.
    public var last = RecordNumbers(event: 0, output: 0)

    public init(events: Int, outputs: Int) {
        self.events = events
        self.outputs = outputs
    }
}

/// The numbers that were given last: all that is recorded later has higher ones.
public struct RecordNumbers: Sendable, Equatable {
    public var event: Int64
    public var output: Int64

    public init(event: Int64, output: Int64) {
        self.event = event
        self.output = output
    }
}
