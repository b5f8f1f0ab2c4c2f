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
    public static func load(from history: some History, zones: Zones) throws(HistoryError) -> Ledger {
        var ledger = Ledger()
        var covered: Int64 = 0
        if let checkpoint = try history.checkpoint(), checkpoint.version == Ledger.version,
            let stored = try? PropertyListDecoder().decode(Ledger.self, from: checkpoint.data)
        {
            ledger = stored
            covered = checkpoint.seq
        }
        try history.forEachEvent(after: covered) { ledger.apply($0, zones: zones) }
        return ledger
    }
}
