import Collections
import LullHistory
import LullLoop
import LullModel

/// Holds work back until what was recorded before them is durable.
///
/// The log comes first: a batch of records goes to the history's writer, and what stood behind it waits here, in order,
/// for the writer's word. A batch that fails stays at the head and is tried again; nothing behind it happens meanwhile.
final class CommitQueue {
    private struct Step {
        /// The last batch that must be durable first.
        var after: UInt64
        var work: () -> Void
    }

    private let writer: HistoryWriter
    private var channel: LoopChannel<HistoryError?>?
    private var steps: Deque<Step> = []
    /// What the writer has, and is not known to be durable. One batch at a time, so that a failure reorders nothing.
    private var inFlight: (number: UInt64, batch: HistoryBatch)?
    /// Everything recorded meanwhile: the next transactions, usually one.
    private var waiting: Deque<(number: UInt64, batch: HistoryBatch)> = []
    private var recorded: UInt64 = 0
    private var durable: UInt64 = 0
    private var isFailing = false
    /// Called with the error of each failed commit, and with nil after each that succeeded.
    var trouble: (HistoryError?) -> Void = { _ in }

    init(writer: HistoryWriter, loop: EventLoop) throws(LoopError) {
        self.writer = writer
        channel = try LoopChannel(on: loop) { [unowned self] results in
            for result in results { finished(result) }
        }
    }

    /// Whether everything recorded is durable and all work that waited for it is done.
    var isQuiet: Bool { inFlight == nil && waiting.isEmpty && steps.isEmpty }

    /// Writes `records`, if there are any, and does `work` once everything recorded so far is durable.
    func add(_ records: HistoryBatch?, then work: (() -> Void)?) {
        if let records {
            recorded += 1
            // A checkpoint covers what stands before it in its transaction, so nothing may join behind it.
            if let last = waiting.last, last.batch.checkpoint == nil {
                waiting[waiting.count - 1].number = recorded
                waiting[waiting.count - 1].batch.events += records.events
                waiting[waiting.count - 1].batch.outputs += records.outputs
                waiting[waiting.count - 1].batch.checkpoint = records.checkpoint
            } else {
                waiting.append((recorded, records))
            }
        }
        if let work {
            if durable == recorded, steps.isEmpty {
                work()
            } else {
                steps.append(Step(after: recorded, work: work))
            }
        }
        pump()
    }

    /// Tries again what failed; the host calls it when its retry is due.
    func retry() {
        guard isFailing, let inFlight else { return }
        isFailing = false
        submit(inFlight.batch)
    }

    private func pump() {
        guard inFlight == nil, let next = waiting.popFirst() else { return }
        inFlight = next
        submit(next.batch)
    }

    private func submit(_ batch: HistoryBatch) {
        guard let channel else { return }
        writer.submit(batch) { result in
            switch result {
            case .success: channel.send(nil)
            case .failure(let error): channel.send(error)
            }
        }
    }

    private func finished(_ error: HistoryError?) {
        if let error {
            isFailing = true
            trouble(error)
            return
        }
        durable = inFlight?.number ?? durable
        inFlight = nil
        trouble(nil)
        pump()
        while let step = steps.first, step.after <= durable {
            steps.removeFirst()
            step.work()
        }
    }
}
