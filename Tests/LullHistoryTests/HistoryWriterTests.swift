import Foundation
import LullHistory
import LullModel
import Synchronization
import Testing

@Suite struct `A history writer` {
    @Test func `commits everything queued during a commit in the next one`() throws {
        let history = GatedHistory()
        let writer = HistoryWriter(history)
        writer.submit(HistoryBatch(events: [try Sample.use(0)]))
        history.waitUntilCommitting()
        for minute in 1...100 { writer.submit(HistoryBatch(events: [try Sample.use(minute)])) }
        history.open()
        writer.flush()
        #expect(history.groups == [1, 100])
        #expect(try history.events() == Sample.uses(0..<101))
    }

    @Test func `completes in order, and only after the commit`() throws {
        let history = GatedHistory()
        let writer = HistoryWriter(history)
        let order = Mutex<[Int]>([])
        func submit(_ number: Int) throws {
            writer.submit(HistoryBatch(events: [try Sample.use(number)])) { result in
                let isThere = (try? history.events().contains(Sample.use(number))) == true
                let isFine = if case .success = result { isThere } else { false }
                order.withLock { $0.append(isFine ? number : -number) }
            }
        }
        try submit(1)
        history.waitUntilCommitting()
        for number in 2...50 { try submit(number) }
        #expect(order.withLock { $0 } == [])
        history.open()
        writer.flush()
        #expect(order.withLock { $0 } == Array(1...50))
    }

    @Test func `tells all of a group that its commit failed, and goes on`() throws {
        let history = GatedHistory()
        let writer = HistoryWriter(history)
        let results = Mutex<[String]>([])
        func submit(_ number: Int) throws {
            writer.submit(HistoryBatch(events: [try Sample.use(number)])) { result in
                let word = if case .failure(.full("disk")) = result { "full" } else { "written" }
                results.withLock { $0.append(word) }
            }
        }
        try submit(0)
        history.waitUntilCommitting()
        history.failNext()
        try submit(1)
        try submit(2)
        history.open()
        writer.flush()
        try submit(3)
        writer.flush()
        #expect(results.withLock { $0 } == ["written", "full", "full", "written"])
        #expect(try history.events() == [Sample.use(0), Sample.use(3)])
    }

    @Test func `prunes behind what was submitted before`() throws {
        let history = GatedHistory()
        let writer = HistoryWriter(history)
        history.open()
        let batch = HistoryBatch(
            events: try Sample.uses(0..<5), checkpoint: Checkpoint(version: 1, data: Data()))
        writer.submit(batch)
        let pruned = Mutex(0)
        writer.prune(PruneBounds(eventsBefore: .distantFuture, outputsBefore: .distantPast)) { result in
            pruned.withLock { $0 = (try? result.get().events) ?? -1 }
        }
        writer.flush()
        #expect(pruned.withLock { $0 } == 5)
    }

    @Test func `writes what is queued when it closes, and refuses what comes later`() throws {
        let history = GatedHistory()
        let writer = HistoryWriter(history)
        for minute in 0..<10 { writer.submit(HistoryBatch(events: [try Sample.use(minute)])) }
        history.open()
        writer.close()
        #expect(try history.events() == Sample.uses(0..<10))
        let refused = Mutex(false)
        writer.submit(HistoryBatch(events: [try Sample.use(10)])) { result in
            if case .failure(.closed) = result { refused.withLock { $0 = true } }
        }
        #expect(refused.withLock { $0 })
        #expect(try history.events().count == 10)
        writer.close()
    }

    @Test func `ends its thread when it is let go`() throws {
        weak var kept: GatedHistory?
        let ended = DispatchSemaphore(value: 0)
        do {
            let history = GatedHistory { ended.signal() }
            kept = history
            history.open()
            HistoryWriter(history).submit(HistoryBatch(events: [try Sample.use(0)]))
        }
        ended.wait()
        #expect(kept == nil)
    }

    @Test func `takes batches from many threads`() throws {
        let history = MemoryHistory()
        let writer = HistoryWriter(history)
        let use = try Sample.use(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<200 { writer.submit(HistoryBatch(events: [use])) }
        }
        writer.flush()
        #expect(try history.events().count == 1600)
    }
}

/// A history in memory that counts its commits, and holds them until they are let through.
private final class GatedHistory: History {
    private struct State {
        var groups: [Int] = []
        var failures = 0
    }

    private let inner = MemoryHistory()
    private let state = Mutex(State())
    private let began = DispatchSemaphore(value: 0)
    private let gate = DispatchSemaphore(value: 0)
    private let end: @Sendable () -> Void

    init(atEnd end: @escaping @Sendable () -> Void = {}) { self.end = end }
    deinit { end() }

    /// The sizes of the groups that were committed, without empty batches.
    var groups: [Int] { state.withLock(\.groups).filter { $0 > 0 } }

    func waitUntilCommitting() { began.wait() }

    /// Lets the waiting commit and all later ones through.
    func open() { gate.signal() }

    func failNext() { state.withLock { $0.failures += 1 } }

    func append(_ batches: [HistoryBatch]) throws(HistoryError) {
        let isFirst = state.withLock { state in
            state.groups.append(batches.count { !$0.isEmpty })
            return state.groups.count == 1
        }
        began.signal()
        gate.wait()
        gate.signal()
        let fails = state.withLock { state in
            guard !isFirst, state.failures > 0 else { return false }
            state.failures -= 1
            return true
        }
        if fails { throw .full(path: "disk") }
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
