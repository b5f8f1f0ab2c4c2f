public import LullModel

/// The log of all events: an event is durable before anyone is notified of it.
///
/// The state after a restart is the checkpoint and the fold of the events after it. Two implementations keep the
/// same promises, `SQLiteHistory` on disk and `MemoryHistory` for simulations and tests. All calls block; a loop
/// that must not wait appends through a `HistoryWriter`.
public protocol History: AnyObject, Sendable {
    /// Writes the batches in order, in one transaction; durable when it returns.
    func append(_ batches: [HistoryBatch]) throws(HistoryError)

    /// The latest checkpoint; nil when none was ever written.
    func checkpoint() throws(HistoryError) -> Checkpoint?

    /// Hands over the events after number `seq` in the order in which they were written.
    func forEachEvent(after seq: Int64, _ body: (HistoryEvent) -> Void) throws(HistoryError)

    /// Hands over the events that the query asks for, in the query's order.
    func forEachEvent(matching query: HistoryQuery, _ body: (HistoryEvent) -> Void) throws(HistoryError)

    /// The figures in place of events that were deleted for the history's size; nil if none of that span were deleted.
    func thinned(from: WallTime, to: WallTime) throws(HistoryError) -> ThinnedPast?

    /// The kept output of a run; nil if it printed nothing or its output is no longer kept.
    func output(of run: RunID) throws(HistoryError) -> RunOutput?

    /// The given events that the history does not hold yet, each once; `EventIdentity` decides which are the same.
    func unknown(among events: [HistoryEvent]) throws(HistoryError) -> [HistoryEvent]

    /// Whether it holds a request, a run, a transfer or a checkpoint: then another history's numbers can't be mixed in.
    func holdsNumbers() throws(HistoryError) -> Bool

    /// Deletes old records within these bounds; events only if the checkpoint covers them.
    func prune(_ bounds: PruneBounds) throws(HistoryError) -> PruneReport

    /// Reserves disk space for writing on a full disk. Returns whether the space is there.
    @discardableResult
    func keepReserve() throws(HistoryError) -> Bool
}

extension History {
    /// In memory nothing is deleted for its size.
    public func thinned(from: WallTime, to: WallTime) throws(HistoryError) -> ThinnedPast? { nil }

    public func append(_ batch: HistoryBatch) throws(HistoryError) {
        try append([batch])
    }

    public func prune(
        eventsBefore: WallTime, outputsBefore: WallTime
    ) throws(HistoryError) -> PruneReport {
        try prune(PruneBounds(eventsBefore: eventsBefore, outputsBefore: outputsBefore))
    }

    /// The state for a restart: the checkpoint, and the events after it in order.
    public func load() throws(HistoryError) -> (checkpoint: Checkpoint?, events: [HistoryEvent]) {
        let checkpoint = try checkpoint()
        var events: [HistoryEvent] = []
        try forEachEvent(after: checkpoint?.seq ?? 0) { events.append($0) }
        return (checkpoint, events)
    }

    public func events(matching query: HistoryQuery = HistoryQuery()) throws(HistoryError) -> [HistoryEvent] {
        var events: [HistoryEvent] = []
        try forEachEvent(matching: query) { events.append($0) }
        return events
    }
}
