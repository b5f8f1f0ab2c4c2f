import Foundation
import LullHistory
import LullModel
import LullScheduler
import Testing

@testable import LullHost

/// A host starts with the state of another version of Lull.
struct LedgerStoreTests {
    private let zones = Zones.utc

    /// Two uses that a checkpoint covers, the first of them pruned if `isPruned`, and a third use.
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

    @Test(arguments: [Ledger.version - 1, Ledger.version + 1])
    func `with the whole log a checkpoint of another version is made anew without a word`(version: Int) throws
    {
        let (ledger, said) = try load(try history(version: version, isPruned: false))
        #expect(said.isEmpty)
        #expect(ledger.apps.count == 1)
    }

    @Test func `an older Lull does not forget what only the newer one's checkpoint holds`() throws {
        let history = try history(version: Ledger.version + 1, isPruned: true)
        let error = HistoryError.newerCheckpoint(version: Ledger.version + 1, known: Ledger.version)
        #expect(throws: error) { try load(history) }
        #expect(error.fix.contains("Run the Lull that wrote it"))
    }

    @Test func `a newer Lull says what it can't take from an older one's checkpoint`() throws {
        let (ledger, said) = try load(try history(version: Ledger.version - 1, isPruned: true))
        #expect(said.count == 1)
        #expect(said.allSatisfy { $0.contains("what only deleted events said is lost") })
        #expect(ledger.apps.count == 1)
    }

    private func checkpointed(_ data: Data, version: Int) throws -> MemoryHistory {
        let history = MemoryHistory()
        try history.append(HistoryBatch(checkpoint: Checkpoint(version: version, data: data)))
        return history
    }

    private func lived() throws -> Ledger {
        let app = try #require(AppIdentifier("com.example.App"))
        let task = try #require(TaskIdentifier("refresh", of: app))
        var submitted = HistoryEvent(
            .submitted, at: WallTime(seconds: 4), app: app, task: task, request: RequestID(1))
        (submitted.kind, submitted.origin, submitted.requires) = (
            .refresh, .repeat, Requirements(batteryAbove: 0.3)
        )
        submitted.earliestBegin = WallTime(seconds: 900)
        var launched = HistoryEvent(
            .launched, at: WallTime(seconds: 901), app: app, task: task, request: RequestID(1), run: RunID(1))
        (launched.kind, launched.price, launched.budget) = (.refresh, 1.1, 8)
        var ledger = Ledger()
        for event in [
            HistoryEvent(.used, at: WallTime(seconds: 3), app: app), submitted, launched, submitted,
        ] {
            ledger.apply(event, zones: zones)
        }
        return ledger
    }

    @Test func `a ledger comes back from its checkpoint as it was`() throws {
        let lived = try lived()
        let history = try checkpointed(try LedgerStore.encode(lived), version: Ledger.version)
        let (ledger, said) = try load(history)
        #expect(said.isEmpty)
        #expect(ledger == lived)
    }

    /// A checkpoint holds every task, so a checkpoint after every few events would cost more than the events.
    @Test func `a checkpoint of many tasks waits for more events`() throws {
        let app = try #require(AppIdentifier("com.example.App"))
        var ledger = Ledger()
        #expect(LedgerStore.checkpointInterval(ledger) == 5_000)
        for number in 1...2_000 {
            let task = try #require(TaskIdentifier("com.example.App.t\(number)"))
            let launched = HistoryEvent(
                .launched, at: WallTime(seconds: 1), app: app, task: task, run: RunID(UInt64(number)))
            ledger.apply(launched, zones: zones)
        }
        #expect(LedgerStore.checkpointInterval(ledger) == 10_000)
    }
}
