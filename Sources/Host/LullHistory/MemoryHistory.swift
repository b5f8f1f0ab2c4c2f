import Foundation
public import LullModel
import Synchronization

/// The history in memory: for simulations, for tests, and for uses that should leave no trace.
///
/// It keeps the promises of `SQLiteHistory` but one: it ends with the process.
public final class MemoryHistory: History {
    private struct State {
        var events: [(seq: Int64, event: HistoryEvent)] = []
        var outputs: [RunID: RunOutput] = [:]
        var checkpoint: Checkpoint?
        var lastSeq: Int64 = 0
        var openTransfers = OpenTransfers()

        mutating func spend(_ seq: Int64) {
            guard let place = events.lastIndex(where: { $0.seq == seq }) else { return }
            events[place].event.transfer = events[place].event.transfer?.spent
        }
    }

    private let state = Mutex(State())

    public init() {}

    public func append(_ batches: [HistoryBatch]) throws(HistoryError) {
        state.withLock { state in
            for batch in batches {
                for event in batch.events {
                    state.lastSeq += 1
                    state.events.append((state.lastSeq, event))
                    for spent in state.openTransfers.note(event, at: state.lastSeq) { state.spend(spent) }
                }
                for chunk in batch.outputs where !chunk.isEmpty {
                    state.outputs[chunk.run, default: RunOutput(run: chunk.run, pieces: [])].append(chunk)
                }
                if let checkpoint = batch.checkpoint {
                    state.checkpoint = Checkpoint(
                        version: checkpoint.version, data: checkpoint.data, seq: state.lastSeq)
                }
            }
            state.openTransfers.end(isWritten: true)
        }
    }

    public func checkpoint() throws(HistoryError) -> Checkpoint? {
        state.withLock(\.checkpoint)
    }

    public func forEachEvent(after seq: Int64, _ body: (HistoryEvent) -> Void) throws(HistoryError) {
        for (number, event) in state.withLock(\.events) where number > seq { body(event) }
    }

    public func forEachEvent(
        matching query: HistoryQuery, _ body: (HistoryEvent) -> Void
    ) throws(HistoryError) {
        let found = state.withLock(\.events).filter { query.matches($0.event) }
            .sorted { ($0.event.time, $0.seq) < ($1.event.time, $1.seq) }
        let ordered = query.order == .oldestFirst ? found : found.reversed()
        for (_, event) in ordered.prefix(query.limit.map { max(0, $0) } ?? .max) { body(query.shown(event)) }
    }

    public func output(of run: RunID) throws(HistoryError) -> RunOutput? {
        state.withLock { $0.outputs[run] }
    }

    public func unknown(among events: [HistoryEvent]) throws(HistoryError) -> [HistoryEvent] {
        var seen = Set(state.withLock(\.events).map { EventIdentity($0.event) })
        return events.filter { seen.insert(EventIdentity($0)).inserted }
    }

    public func holdsNumbers() throws(HistoryError) -> Bool {
        state.withLock { state in
            state.checkpoint != nil
                || state.events.contains {
                    $0.event.run != nil || $0.event.request != nil || $0.event.event == .transfer
                }
        }
    }

    /// Ignores `outputsUpTo`, because its outputs have no numbers.
    public func prune(_ bounds: PruneBounds) throws(HistoryError) -> PruneReport {
        state.withLock { state in
            let events = state.events.count
            let covered = min(state.checkpoint?.seq ?? 0, bounds.eventsUpTo)
            let oldest = state.events.filter { $0.seq <= covered }.map(\.event.time).min()
            let end = bounds.end(bounds.eventsBefore, oldest: oldest ?? bounds.eventsBefore)
            state.events.removeAll { $0.seq <= covered && $0.event.time < end }
            let pieces = state.outputs.values.flatMap(\.pieces)
            let last = bounds.end(
                bounds.outputsBefore, oldest: pieces.map(\.time).min() ?? bounds.outputsBefore)
            for (run, output) in state.outputs {
                let kept = output.pieces.filter { $0.time >= last }
                state.outputs[run] = kept.isEmpty ? nil : RunOutput(run: run, pieces: kept)
            }
            let left = state.outputs.values.flatMap(\.pieces)
            var report = PruneReport(
                events: events - state.events.count, outputs: pieces.count - left.count)
            report.hasMore =
                state.events.contains { $0.seq <= covered && $0.event.time < bounds.eventsBefore }
                || left.contains { $0.time < bounds.outputsBefore }
            return report
        }
    }
}
