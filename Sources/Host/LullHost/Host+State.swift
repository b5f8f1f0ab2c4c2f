import Logging
import LullHistory
import LullModel
import LullScheduler

/// The state in the folder: how it is opened, and what is done when it is gone.
extension Host {
    /// Opens the history and folds its ledger. A damaged history is moved aside, and the log says what was lost.
    static func openHistory(
        _ folder: String, _ zones: Zones, at time: WallTime, _ logger: Logger
    ) throws(HistoryError) -> (SQLiteHistory, Ledger) {
        if let sentence = SQLiteHistory.missingWAL(folder: folder) { logger.notice("\(sentence)") }
        let opened = try SQLiteHistory.openSalvaging(folder: folder, at: time)
        if let salvage = opened.salvage { logger.error("\(salvage.message)") }
        do {
            return (opened.history, try load(opened.history, zones, logger))
        } catch {
            // A row that SQLite reads without complaint may still make no sense.
            guard case .damaged = error else { throw error }
            try opened.history.close()
            let report = try SQLiteHistory.salvage(folder: folder, at: time)
            logger.error("\(error.message) \(report.message)")
            let history = try SQLiteHistory.open(folder: folder, mode: .readWrite)
            return (history, try load(history, zones, logger))
        }
    }

    private static func load(
        _ history: SQLiteHistory, _ zones: Zones, _ logger: Logger
    ) throws(HistoryError) -> Ledger {
        try LedgerStore.load(from: history, zones: zones) { sentence in logger.warning("\(sentence)") }
    }

    /// Whether the state is where it was; ends the host when it is not.
    ///
    /// Called before anything is made by its path, which might lead beneath a mount point.
    @discardableResult
    func verifyState() -> Bool {
        // Once it is closed there is nothing to look at.
        guard stateTrouble == nil, !isClosing else { return false }
        do throws(HistoryError) {
            try lock.verify()
            try history.verify()
            return true
        } catch {
            endWithoutState(error)
            return false
        }
    }

    /// Ends the host, since nothing can be recorded any more and another host may begin on the folder's replacement:
    /// the workers are killed, and nothing is written.
    func endWithoutState(_ error: HistoryError) {
        guard stateTrouble == nil else { return }
        stateTrouble = error
        history.abandon()
        pool?.killAll(reason: "the state folder is gone or damaged")
        isFinished = true
        loop.stop()
    }
}
