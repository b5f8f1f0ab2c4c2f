import Foundation
import LullHistory
import LullModel
import LullScheduler

/// Writes the ledger into a checkpoint, and reads it back.
public enum LedgerStore {
    /// The number of events after which a checkpoint is worth writing: it holds every task, so more tasks need more events.
    static func checkpointInterval(_ ledger: Ledger) -> Int { max(5_000, 5 * ledger.tasks.count) }

    static func encode(_ ledger: Ledger) throws -> Data {
        Data(try Packed.encode(ledger))
    }

    /// The ledger as it stood when the last event was recorded.
    ///
    /// A checkpoint of another version is passed over as long as the whole log is there; the fold makes it anew. Where
    /// retention has deleted a part of the log, one of a newer Lull is refused: that Lull still reads it.
    public static func load(
        from history: some History, zones: Zones, trouble: (String) -> Void = { _ in }
    ) throws(HistoryError) -> Ledger {
        var ledger = Ledger()
        var covered: Int64 = 0
        if let checkpoint = try history.checkpoint() {
            if checkpoint.version == Ledger.version {
                if let stored = try? Packed.decode(Ledger.self, from: checkpoint.data) {
                    ledger = stored
                    covered = checkpoint.seq
                } else {
                    trouble("The history's checkpoint is damaged. " + loss)
                }
            } else if try lacksEvents(before: checkpoint, history) {
                guard checkpoint.version < Ledger.version else {
                    throw .newerCheckpoint(version: checkpoint.version, known: Ledger.version)
                }
                trouble(
                    "The history's checkpoint has version \(checkpoint.version), and this Lull reads version "
                        + "\(Ledger.version). " + loss)
            }
        }
        try history.forEachEvent(after: covered) { ledger.apply($0, zones: zones) }
        return ledger
    }

    private static let loss =
        "Lull rebuilds the state from all events; what only deleted events said is lost."

    /// Whether some of the events that a checkpoint covers are gone; they were numbered without a gap.
    private static func lacksEvents(
        before checkpoint: Checkpoint, _ history: some History
    ) throws(HistoryError) -> Bool {
        var count: Int64 = 0
        try history.forEachEvent(after: 0) { _ in count += 1 }
        try history.forEachEvent(after: checkpoint.seq) { _ in count -= 1 }
        return count < checkpoint.seq
    }
}
