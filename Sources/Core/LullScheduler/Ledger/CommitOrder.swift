/// Records that are written to the log together.
package protocol CommitBatch {
    /// Appends the other batch, to be written in the same transaction; returns whether it was taken.
    mutating func join(_ other: Self) -> Bool
}

/// The log comes first: work waits here, in order, until the records before it are durable.
///
/// One batch is written at a time, so that a failure reorders nothing; records that come meanwhile go into the next
/// ones. A batch that fails stays at the head until it is written, and nothing behind it happens. Pure, so that the
/// host and the simulator keep the order with the same code.
package struct CommitOrder<Batch: CommitBatch, Work> {
    fileprivate struct Step {
        /// The last batch that must be durable first.
        var after: UInt64
        var work: Work
    }

    /// The batch that is being written, and not known to be durable.
    package private(set) var inFlight: Batch?
    private var inFlightNumber: UInt64 = 0
    private var waiting: [(number: UInt64, batch: Batch)] = []
    /// The oldest steps, the first at the end, so that taking one does not move the others; newer ones are in `steps`.
    private var leaving: [Step] = []
    private var steps: [Step] = []
    private var recorded: UInt64 = 0
    private var durable: UInt64 = 0

    package init() {}

    /// Whether everything recorded is durable and all work that waited for it was taken.
    package var isQuiet: Bool { inFlight == nil && waiting.isEmpty && leaving.isEmpty && steps.isEmpty }

    /// Takes in records and the work that must wait for them and for all that was recorded before.
    package mutating func add(_ batch: Batch?, then work: Work?) {
        if let batch {
            recorded += 1
            if waiting.isEmpty || !waiting[waiting.count - 1].batch.join(batch) {
                waiting.append((recorded, batch))
            } else {
                waiting[waiting.count - 1].number = recorded
            }
        }
        if let work { steps.append(Step(after: recorded, work: work)) }
    }

    /// The batch that is to be written now; nil: there is none, or one is being written.
    package mutating func next() -> Batch? {
        guard inFlight == nil, !waiting.isEmpty else { return nil }
        let next = waiting.removeFirst()
        (inFlightNumber, inFlight) = (next.number, next.batch)
        return next.batch
    }

    /// The batch that was being written is durable.
    package mutating func committed() {
        guard inFlight != nil else { return }
        durable = inFlightNumber
        inFlight = nil
    }

    /// The next work whose records are durable.
    package mutating func take() -> Work? {
        if leaving.isEmpty { (leaving, steps) = (steps.reversed(), []) }
        guard let first = leaving.last, first.after <= durable || Mutation.actsEarly.isOn else {
            return nil
        }
        return leaving.popLast()?.work
    }
}

extension CommitOrder: Sendable where Batch: Sendable, Work: Sendable {}
extension CommitOrder.Step: Sendable where Work: Sendable {}
