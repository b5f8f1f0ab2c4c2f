import LullHistory
import LullLoop
import LullModel
import LullScheduler

/// Holds work back until what was recorded before it is durable, and hands the records to the history's writer.
///
/// The order is `CommitOrder`'s; here are the writer's thread and the loop. A batch that fails is tried again, and
/// nothing behind it happens meanwhile.
final class CommitQueue {
    private let writer: HistoryWriter
    private var channel: LoopChannel<HistoryError?>?
    private var prunes: LoopChannel<Result<PruneReport, HistoryError>>?
    private var order = CommitOrder<HistoryBatch, () -> Void>()
    private var isFailing = false
    /// What is asked for by work that is being done comes after what already waits.
    private var isWorking = false
    /// Called with the error of each failed commit, and with nil after each that succeeded.
    var trouble: (HistoryError?) -> Void = { _ in }
    /// Called when retention has deleted something, or could not.
    var pruned: (Result<PruneReport, HistoryError>) -> Void = { _ in }

    init(writer: HistoryWriter, loop: EventLoop) throws(LoopError) {
        self.writer = writer
        channel = try LoopChannel(on: loop) { [unowned self] results in
            for result in results { finished(result) }
        }
        prunes = try LoopChannel(on: loop) { [unowned self] results in
            for result in results { pruned(result) }
        }
    }

    /// Whether everything recorded is durable and all work that waited for it is done.
    var isQuiet: Bool { order.isQuiet }

    /// Writes `records`, if there are any, and does `work` once everything recorded so far is durable.
    ///
    /// `urgent` is done now, when the records have their place: what follows from it is recorded behind them.
    func add(_ records: HistoryBatch?, atOnce urgent: () -> Void = {}, then work: (() -> Void)?) {
        order.add(records, then: work)
        urgent()
        goOn()
    }

    /// Deletes what is old, behind what is being written; nothing waits for it.
    func prune(_ bounds: PruneBounds) {
        guard let prunes else { return }
        writer.prune(bounds) { prunes.send($0) }
    }

    /// Tries again what failed; the host calls it when its retry is due.
    func retry() {
        guard isFailing, let batch = order.inFlight else { return }
        isFailing = false
        submit(batch)
    }

    private func goOn() {
        if let batch = order.next() { submit(batch) }
        guard !isWorking else { return }
        isWorking = true
        while let work = order.take() { work() }
        isWorking = false
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
        order.committed()
        trouble(nil)
        goOn()
    }
}

extension HistoryBatch: CommitBatch {
    /// A checkpoint covers what stands before it in its transaction, so nothing joins behind it.
    public mutating func join(_ other: HistoryBatch) -> Bool {
        guard checkpoint == nil else { return false }
        events += other.events
        outputs += other.outputs
        checkpoint = other.checkpoint
        return true
    }
}
