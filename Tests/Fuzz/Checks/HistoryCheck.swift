import GRDB
import LullModel

@testable import LullHistory

/// Lines are events that are written back unchanged, or the error names each bad line and its place.
enum HistoryCheck {
    static func run(_ bytes: [UInt8]) throws {
        let (events, outputs): ([HistoryEvent], [RunID: JSONValue])
        do {
            (events, outputs) = try HistoryLines.decode(file: bytes, path: "history.jsonl")
        } catch {
            guard case .lines(let problems, _) = error else { throw Broken("refused by \(error)") }
            try hold(!problems.isEmpty && !error.fix.isEmpty, "refused without a reason or a remedy")
            var last = 0
            for problem in problems {
                try hold(problem.line > last && problem.column > 0, "no place, or not in order: \(problem)")
                last = problem.line
                try hold(
                    problem.description.hasSuffix(".") || problem.description.hasSuffix("?"), "\(problem)")
            }
            return
        }
        for event in events {
            let line = HistoryLines.encode(event)
            try hold(!line.contains("\n"), "one event on two lines: \(line)")
            let again: HistoryEvent
            do {
                again = try HistoryLines.decode(line, number: 1, path: "history.jsonl")
            } catch {
                throw Broken("what was written can't be read: \(error)\n\(line)")
            }
            try hold(again == event, "read anew it is another: \(line)\n\(event)\n\(again)")
        }
        let history = MemoryHistory()
        let plan: HistoryImport
        do {
            plan = try HistoryImport(events, outputs, from: "history.jsonl", into: history)
        } catch {
            throw Broken("decoded, but not to be imported: \(error)")
        }
        try hold(
            plan.events.count + plan.known == events.count,
            "\(plan.events.count) new and \(plan.known) known are not the \(events.count) events given")
        try history.append(HistoryBatch(plan))
        for output in plan.outputs {
            let kept = try history.output(of: output.run)
            try hold(kept?.text == output.text, "kept as another: \(output)")
        }
        try keep(plan.events)
        guard events.allSatisfy({ $0.run == nil && $0.request == nil }) else { return }
        let second = try HistoryImport(events, from: "history.jsonl", into: history)
        try hold(second.events.isEmpty, "imported again it adds \(second.events.count)")
    }

    /// SQLite returns each event unchanged.
    private static func keep(_ events: [HistoryEvent]) throws {
        try database.get().writeWithoutTransaction { db in
            try db.inTransaction {
                let table = EventTable(of: db, SharedNames())
                for (index, event) in events.enumerated() { try table.insert(event, seq: Int64(index)) }
                let rows = try Row.fetchAll(db, sql: table.selection + " ORDER BY seq")
                try hold(rows.count == events.count, "\(rows.count) rows of \(events.count) events")
                for (row, event) in zip(rows, events) {
                    let kept = try table.event(row)
                    try hold(kept == event, "kept as another: \(event)\n\(kept)")
                }
                return .rollback
            }
        }
    }

    /// One database for all inputs; each rolls back.
    private static let database = Result {
        let queue = try DatabaseQueue()
        try queue.write { try HistorySchema.make($0) }
        return queue
    }
}
