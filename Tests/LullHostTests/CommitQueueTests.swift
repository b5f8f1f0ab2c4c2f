import Foundation
import LullHistory
import LullModel
import LullSystem
import Synchronization
import Testing

@testable import LullHost

/// The order of durability: work queued after a record starts when the record is durable.
struct CommitQueueTests {
    @Test func `work waits for what was recorded before it, and keeps its order`() throws {
        let loop = try EventLoop()
        let history = MemoryHistory()
        let queue = try CommitQueue(writer: HistoryWriter(history), loop: loop)
        var order: [String] = []
        let app = try #require(AppIdentifier("com.example.App"))
        queue.add(nil) { order.append("nothing recorded yet") }
        #expect(order == ["nothing recorded yet"])
        queue.add(batch(1, app)) { order.append("after 1: \((try? history.events().count) ?? -1)") }
        queue.add(nil) { order.append("behind it") }
        queue.add(batch(2, app)) {
            order.append("after 2: \((try? history.events().count) ?? -1)")
            loop.stop()
        }
        #expect(order == ["nothing recorded yet"])
        loop.run()
        #expect(order.count == 4)
        #expect(order[1].hasPrefix("after 1: "))
        #expect(order[2] == "behind it")
        #expect(order[3] == "after 2: 2")
        #expect(queue.isQuiet)
    }

    @Test func `a commit that fails holds everything back until it succeeds`() throws {
        let loop = try EventLoop()
        let history = FailingHistory(failures: 2)
        let queue = try CommitQueue(writer: HistoryWriter(history), loop: loop)
        let app = try #require(AppIdentifier("com.example.App"))
        var failures = 0
        var isDone = false
        queue.trouble = { error in
            guard error != nil else { return }
            failures += 1
            #expect(!isDone)
            queue.retry()
        }
        queue.add(batch(1, app)) { isDone = true }
        queue.add(batch(2, app)) { loop.stop() }
        loop.run()
        #expect(isDone)
        #expect(failures == 2)
        #expect(try history.inner.events().map(\.time.milliseconds) == [1, 2])
    }

    @Test func `nothing joins a transaction behind its checkpoint`() throws {
        let loop = try EventLoop()
        let history = MemoryHistory()
        let queue = try CommitQueue(writer: HistoryWriter(history), loop: loop)
        let app = try #require(AppIdentifier("com.example.App"))
        queue.add(batch(1, app), then: nil)
        queue.add(batch(2, app), then: nil)
        queue.add(HistoryBatch(checkpoint: Checkpoint(version: 1, data: Data([7]))), then: nil)
        queue.add(batch(3, app)) { loop.stop() }
        loop.run()
        let state = try history.load()
        #expect(state.checkpoint?.data == Data([7]))
        #expect(state.events.map(\.time.milliseconds) == [3])
    }

    private func batch(_ time: Int64, _ app: AppIdentifier) -> HistoryBatch {
        HistoryBatch(events: [HistoryEvent(.used, at: WallTime(milliseconds: time), app: app)])
    }
}

/// A history whose first commits fail, as on a full disk.
private final class FailingHistory: History {
    let inner = MemoryHistory()
    private let failures: Counter

    init(failures: Int) { self.failures = Counter(failures) }

    func append(_ batches: [HistoryBatch]) throws(HistoryError) {
        guard failures.isExhausted() else { throw .full(path: "history.sqlite") }
        try inner.append(batches)
    }
    func checkpoint() throws(HistoryError) -> Checkpoint? { try inner.checkpoint() }
    func forEachEvent(after seq: Int64, _ body: (HistoryEvent) -> Void) throws(HistoryError) {
        try inner.forEachEvent(after: seq, body)
    }
    func forEachEvent(matching query: HistoryQuery, _ body: (HistoryEvent) -> Void) throws(HistoryError) {
        try inner.forEachEvent(matching: query, body)
    }
    func output(of run: RunID) throws(HistoryError) -> RunOutput? { try inner.output(of: run) }
    func unknown(among events: [HistoryEvent]) throws(HistoryError) -> [HistoryEvent] {
        try inner.unknown(among: events)
    }
    func holdsNumbers() throws(HistoryError) -> Bool { try inner.holdsNumbers() }
    func prune(_ bounds: PruneBounds) throws(HistoryError) -> PruneReport {
        try inner.prune(bounds)
    }
}

private final class Counter: Sendable {
    private let left: Mutex<Int>
    init(_ count: Int) { left = Mutex(count) }

    func isExhausted() -> Bool {
        left.withLock { left in
            guard left > 0 else { return true }
            left -= 1
            return false
        }
    }
}
