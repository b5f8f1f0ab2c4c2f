import LullHistory
import LullModel
import LullScheduler
import LullSystem

/// Holds work back until what was recorded before it is durable, and hands the records to the history's writer.
///
/// The order is `CommitOrder`'s; here are the writer's thread and the loop. A batch that fails is tried again, and
/// nothing behind it happens meanwhile.
final class CommitQueue {
    private let writer: HistoryWriter
    private var channel: LoopChannel<HistoryError?>?
    private var prunes: LoopChannel<Result<PruneReport, HistoryError>>?
    private var settlements: LoopChannel<Result<HistoryExamination, HistoryError>>?
    private var order = CommitOrder<HistoryBatch, () -> Void>()
    private var isFailing = false
    /// Since when a write has been under way; nil: none is.
    private(set) var waitingSince: MonotonicTime?
    /// The error of the last try; nil once one succeeds.
    private(set) var lastError: HistoryError?
    /// Fires when a commit has taken long.
    var slowTimer: LoopTimer?
    /// Work is being done: what it adds comes after what already waits.
    private var isWorking = false
    /// Called with the error of each failed commit, and with nil after each that succeeded.
    var trouble: (HistoryError?) -> Void = { _ in }
    /// Called when retention has deleted something, or could not.
    var pruned: (Result<PruneReport, HistoryError>) -> Void = { _ in }

    /// Called when an examination of the whole history is recorded, with its repairs, or could not be.
    var settled: (Result<HistoryExamination, HistoryError>) -> Void = { _ in }

    init(writer: HistoryWriter, loop: EventLoop) throws(LoopError) {
        self.writer = writer
        channel = try LoopChannel(on: loop) { [unowned self] results in
            for result in results { finished(result) }
        }
        prunes = try LoopChannel(on: loop) { [unowned self] results in
            for result in results { pruned(result) }
        }
        settlements = try LoopChannel(on: loop) { [unowned self] results in
            for result in results { settled(result) }
        }
    }

    /// Whether everything recorded is durable and all work that waited for it is done.
    var isQuiet: Bool { order.isQuiet }

    /// Writes `records`, if there are any, and does `work` once everything recorded so far is durable.
    ///
    /// `urgent` is called at once, after the records are queued: records that it causes come behind them.
    func add(_ records: HistoryBatch?, atOnce urgent: () -> Void = {}, then work: (() -> Void)?) {
        order.add(records, then: work)
        urgent()
        goOn()
    }

    /// Deletes old records, behind the writes under way; nothing waits for it.
    func prune(_ bounds: PruneBounds) {
        guard let prunes else { return }
        writer.prune(bounds) { prunes.send($0) }
    }

    /// Repairs the wrong indices that an examination of the history found, and records it, behind the writes under way.
    func settle(_ problems: [String], in history: SQLiteHistory, at time: WallTime) {
        guard let settlements else { return }
        writer.run { error in
            settlements.send(
                Result { () throws(HistoryError) in
                    if let error { throw error }
                    return try history.settle(problems, at: time)
                })
        }
    }

    /// Retries the failed batch; the host calls it when its retry is due.
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
        if waitingSince == nil {
            let now = Clock.monotonic
            waitingSince = now
            slowTimer?.arm(now + StoreTrouble.timeout)
        }
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
            lastError = error
            trouble(error)
            return
        }
        order.committed()
        waitingSince = nil
        lastError = nil
        trouble(nil)
        goOn()
        if waitingSince == nil { slowTimer?.arm(nil) }
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
