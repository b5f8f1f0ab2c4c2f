import Foundation
import LullHistory
import LullModel
import LullScheduler

/// The ledger's way into a checkpoint and back.
public enum LedgerStore {
    /// A checkpoint is worth its writing after so many events.
    static let checkpointInterval = 5_000

    static func encode(_ ledger: Ledger) throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try encoder.encode(ledger)
    }

    /// The ledger as it stood when the last event was recorded.
    ///
    /// A checkpoint of another version is passed over as long as the whole log is there; the fold makes it anew.
    public static func load(
        from history: some History, zones: Zones, trouble: (String) -> Void = { _ in }
    ) throws(HistoryError) -> Ledger {
        var ledger = Ledger()
        var covered: Int64 = 0
        if let checkpoint = try history.checkpoint(), checkpoint.version == Ledger.version {
            if let stored = try? PropertyListDecoder().decode(Ledger.self, from: checkpoint.data) {
                ledger = stored
                covered = checkpoint.seq
            } else {
                trouble(
                    "The history's checkpoint is damaged. The state is folded from the whole log; what stood only in "
                        + "events that retention has deleted is lost.")
            }
        }
        try history.forEachEvent(after: covered) { ledger.apply($0, zones: zones) }
        return ledger
    }
}
