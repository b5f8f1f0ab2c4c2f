import LullHistory
import LullModel
import LullScheduler
import LullSystem

/// Deletes records that were kept long enough; `RetentionRule` says how much may go.
extension Host {
    func beginRetention(_ history: SQLiteHistory) throws(HistoryError) {
        lastNumbers = try history.lastNumbers()
        let memo = try history.retentionMemo()
        retentionRule = RetentionRule(memo: memo) ?? RetentionRule(clocks, lastNumbers)
        retentionRule?.look(clocks, lastNumbers)
        retentionMemo = memo
        thinning = try history.thinning()
        let transfers = scheduler.ledger.transfers.records.values.map(\.state)
        try history.expect(transfersOf: Set(transfers.flatMap { [$0.asked, $0.ended].compactMap(\.self) }))
        commits.pruned = { [unowned self] in pruned($0) }
    }

    /// A checkpoint comes after many events, and a quiet host has few: records that are too old are deleted in any case.
    func keepRetention() {
        retention.looked(at: Clock.wall)
        // Only events that a checkpoint covers are deleted.
        if eventsSinceCheckpoint > 0 { checkpoint() } else { prune() }
    }

    func prune() {
        guard !isCommitFailing, var rule = retentionRule else { return }
        writer.keepReserve()
        let (reading, kept) = (clocks, manifest.retention)
        retention.looked(at: reading.wall)
        rule.look(reading, lastNumbers)
        let bounds = rule.bounds(at: reading, keepingEvents: kept.events, outputs: kept.output)
        if bounds != nil { rule.hasPruned(reading, keepingEvents: kept.events, outputs: kept.output) }
        retentionRule = rule
        var order = bounds ?? PruneBounds(eventsBefore: .distantPast, outputsBefore: .distantPast)
        order.memo = rule.memo == retentionMemo ? nil : rule.memo
        // The limit on size does not depend on the clocks.
        order.bytes = kept.bytes
        retentionMemo = rule.memo
        commits.prune(order)
    }

    private func pruned(_ result: Result<PruneReport, HistoryError>) {
        switch result {
        case .success(let report):
            lastNumbers = report.last
            noteThinning(report.thinning)
            retention.looked(at: Clock.wall, hasMore: report.hasMore)
            armLoop()
        // What could not be deleted is deleted next time; damage would be noticed nowhere else.
        case .failure(let error):
            if case .damaged = error { historyTrouble(error) }
        }
    }

    private func noteThinning(_ thinning: HistoryThinning?) {
        guard thinning != self.thinning else { return }
        if self.thinning == nil, let sentence = thinning?.sentence(limit: manifest.retention.bytes) {
            logger.notice("\(sentence)")
        }
        self.thinning = thinning
        noteChange()
    }

    var clocks: RetentionRule.Reading {
        let now = Clock.monotonic.nanoseconds / 1_000_000
        return RetentionRule.Reading(
            boot: bootName, sinceBoot: .milliseconds(now) + Clock.asleep, wall: Clock.wall,
            isSynchronised: Clock.isSynchronised)
    }
}
