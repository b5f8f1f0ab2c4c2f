import Foundation
import LullHistory
import LullModel
import LullScheduler
import Testing

@testable import LullHost

/// What becomes of a state that another Lull has kept.
struct LedgerStoreTests {
    private let zones = Zones.utc

    /// Two uses, of which a checkpoint covers both, or also lets the first go.
    private func history(version: Int, isPruned: Bool) throws -> MemoryHistory {
        let history = MemoryHistory()
        let app = try #require(AppIdentifier("com.example.App"))
        let uses = [1, 2].map { HistoryEvent(.used, at: WallTime(seconds: $0), app: app) }
        try history.append(
            HistoryBatch(events: uses, checkpoint: Checkpoint(version: version, data: Data([1, 2, 3]))))
        try history.append(HistoryBatch(events: [HistoryEvent(.used, at: WallTime(seconds: 3), app: app)]))
        if isPruned {
            let report = try history.prune(
                eventsBefore: WallTime(seconds: 2), outputsBefore: WallTime(seconds: 2))
            try #require(report.events == 1)
        }
        return history
    }

    private func load(_ history: MemoryHistory) throws -> (ledger: Ledger, said: [String]) {
        var said: [String] = []
        let ledger = try LedgerStore.load(from: history, zones: zones) { said.append($0) }
        return (ledger, said)
    }

    @Test(arguments: [-1, 1])
    func `with the whole log a checkpoint of another version is made anew without a word`(step: Int) throws {
        let (ledger, said) = try load(try history(version: Ledger.version + step, isPruned: false))
        #expect(said.isEmpty)
        #expect(ledger.apps.count == 1)
    }

    @Test func `an older Lull does not forget what only the newer one's checkpoint holds`() throws {
        let history = try history(version: Ledger.version + 1, isPruned: true)
        let error = HistoryError.newerCheckpoint(version: Ledger.version + 1, known: Ledger.version)
        #expect(throws: error) { try load(history) }
        #expect(error.fix.contains("Run the Lull that kept it"))
    }

    @Test func `a newer Lull says what it can't take from an older one's checkpoint`() throws {
        let (ledger, said) = try load(try history(version: Ledger.version - 1, isPruned: true))
        #expect(said.count == 1)
        #expect(said.allSatisfy { $0.contains("retention has deleted") })
        #expect(ledger.apps.count == 1)
    }
}
