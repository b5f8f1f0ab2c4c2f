import LullModel
import LullScheduler

/// The content of one commit of a simulated host: all of it is written, or nothing.
struct VirtualBatch: CommitBatch, Sendable {
    var frames: [Frame] = []
    /// Events that were imported, and that no scheduler decided.
    var imported: [HistoryEvent] = []
    var checkpoint: Ledger?

    /// A checkpoint covers what stands before it in its transaction, and what is imported has its place in the order.
    mutating func join(_ other: VirtualBatch) -> Bool {
        guard checkpoint == nil, imported.isEmpty, other.imported.isEmpty else { return false }
        frames += other.frames
        checkpoint = other.checkpoint
        return true
    }
}

/// The history of a simulated host: what was committed outlives everything, the rest is gone with the host.
struct VirtualLog: Sendable {
    /// The checkpoint that was written last, and the events since.
    private var checkpoint: Ledger
    private var events: [HistoryEvent] = []
    /// The fold of every event that was ever committed, checkpoints or not.
    private(set) var ledger: Ledger
    private let zones: Zones

    init(_ ledger: Ledger, zones: Zones) {
        checkpoint = ledger
        self.ledger = ledger
        self.zones = zones
    }

    mutating func append(_ event: HistoryEvent) {
        ledger.apply(event, zones: zones)
        events.append(event)
    }

    mutating func write(checkpoint: Ledger) {
        self.checkpoint = checkpoint
        events = []
    }

    /// The ledger that a host begins with now: the checkpoint, and the fold of the events since.
    func restore() -> Ledger {
        var restored = checkpoint
        for event in events { restored.apply(event, zones: zones) }
        return restored
    }

    /// A disk that says a write is durable, and forgets it: no host can stand that, and the invariants must see it.
    mutating func forgetLastEvent() {
        guard let last = events.popLast(), last.event.concernsHost || last.event == .deferred else { return }
        forgetLastEvent()
    }
}

/// How long writing to the history takes, and when it fails.
struct VirtualDisk: Sendable {
    /// From the write to its durability, in milliseconds; nil: at once.
    var milliseconds: ClosedRange<Int64>?
    /// Every write fails before this true time.
    var isFullUntil = WallTime.distantPast
    /// No write ends before the machine has been awake for so long: a disk rests when the machine does.
    var hangsUntil: Duration = .zero
    /// So many of the next writes fail.
    var failures = 0

    /// A host tries again after this time.
    static let retry: Duration = .seconds(5)

    mutating func fails(at time: WallTime) -> Bool {
        if time < isFullUntil { return true }
        guard failures > 0 else { return false }
        failures -= 1
        return true
    }
}
