public import LullModel

/// The slots whose results have yet to be reported to the fleet's database.
///
/// Part of the ledger, so that a host that stops before it has reported a result does so when it is back.
public struct SlotBook: Sendable, Equatable, Codable {
    public struct Entry: Sendable, Equatable, Codable {
        public let lease: SlotLease
        public let app: AppIdentifier
        public let task: TaskIdentifier
        public let run: RunID
        /// Nil: the run goes on.
        public internal(set) var end: End?
    }

    public struct End: Sendable, Equatable, Codable {
        public let state: SlotState
        /// The result of the run, in words.
        public let reason: String?
        /// False: its conditions ended, which does not count as an attempt.
        public var counts = true
    }

    /// By lease, for numbers are of a task: two tasks may have the same.
    public private(set) var entries: [SlotLease: Entry] = [:]

    public init() {}

    public var isEmpty: Bool { entries.isEmpty }

    /// The entries whose runs have ended, in order of their numbers.
    var ended: [Entry] {
        entries.values.filter { $0.end != nil }.sorted { $0.lease.number < $1.lease.number }
    }

    mutating func apply(_ event: HistoryEvent) {
        switch event.event {
        case .launched:
            guard let note = event.slot, let number = note.number, let run = event.run, let task = event.task
            else { return }
            let lease = SlotLease(note.name, number: number)
            entries[lease] = Entry(lease: lease, app: event.app, task: task, run: run)
        case .completed, .failed, .interrupted:
            guard !entries.isEmpty, let lease = entries.first(where: { $0.value.run == event.run })?.key
            else {
                return
            }
            entries[lease]?.end = End(event)
        case .slot:
            switch event.slot?.act {
            case .settled, .refused: if let lease = event.slot?.lease { entries[lease] = nil }
            case .held, .elsewhere, .shared, nil: break
            }
        default: break
        }
    }
}

extension SlotBook.End {
    /// A run that did not get to its end, through no fault of its own, leaves its slot open for another host.
    init?(_ event: HistoryEvent) {
        guard let outcome = event.ending else { return nil }
        if outcome.isSuccess {
            self.init(state: .done, reason: event.reason)
        } else if outcome == .stopped {
            self.init(state: .failed, reason: event.reason ?? "an operator stopped it")
        } else if outcome == .interrupted || !outcome.isFailure(endedBy: event.gates) {
            self.init(
                state: .open, reason: event.reason ?? "the host was cut off while it ran",
                counts: outcome == .interrupted)
        } else {
            self.init(state: .failed, reason: event.reason ?? "it \(outcome.rawValue)")
        }
    }
}
