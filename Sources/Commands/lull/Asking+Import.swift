import LullCommands
import LullControl
import LullModel

extension Asking {
    /// Adds events to the history, through the host if one runs; returns how many were new to it, and how many were not.
    ///
    /// A running host takes uses in portions, so that it does its work in between. A backup, whose events have numbers,
    /// goes in as a whole: its first portion would make the history refuse the second.
    func importEvents(
        _ events: [HistoryEvent], _ outputs: [RunID: JSONValue] = [:]
    ) throws -> (added: Int, known: Int) {
        var result = (added: 0, known: 0)
        for part in try parts(of: events) {
            // Outputs belong to runs, and a file with runs goes in as one part.
            let counts = try ask(Ask.ImportEvents(part, outputs))
            result.added += counts.added
            result.known += counts.known
        }
        return result
    }

    private func parts(of events: [HistoryEvent]) throws -> [[HistoryEvent]] {
        let portion = 2_000
        guard events.count > portion, events.allSatisfy({ $0.run == nil && $0.request == nil }),
            options.isHostRunning
        else { return [events] }
        return stride(from: 0, to: events.count, by: portion).map {
            Array(events[$0..<min($0 + portion, events.count)])
        }
    }
}
