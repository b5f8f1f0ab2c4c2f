import Foundation
import GRDB
import LullModel
import TestSupport

@testable import LullHistory

/// A history as version 6 wrote it: each text in full, a column for each field.
enum WideFile {
    /// Open; whoever closes it leaves all of it in the file.
    static func make(
        in folder: TemporaryFolder, _ events: [HistoryEvent], outputs: [OutputChunk] = [],
        checkpoint: Checkpoint? = nil
    ) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: folder.path + "/history.sqlite")
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try queue.write { db in
            try HistorySchema.makeWide(db)
            for (index, event) in events.enumerated() {
                try db.execute(
                    sql: WideEventRow.insertion,
                    arguments: WideEventRow.arguments(of: event, seq: Int64(index + 1)))
            }
            for chunk in outputs { try OutputRows.append(chunk, db) }
            if let checkpoint { try SQLiteHistory.put(checkpoint, seq: Int64(events.count), db) }
            try SQLiteHistory.put("kept", as: "retention", db)
        }
        return queue
    }

    static func events(_ count: Int, seed: UInt64) throws -> [HistoryEvent] {
        var random = SeededGenerator(seed: seed)
        return try (0..<count).map { number in
            var event = try Sample.random(using: &random)
            // No host that wrote such a file knew of it.
            event.notification = nil
            guard !event.event.concernsHost else { return event }
            // Several apps and tasks, and sentences that come again and that do not.
            event.app = try Sample.app("App\(number % 3)")
            event.task = number % 4 == 0 ? nil : TaskIdentifier("com.example.App\(number % 3).t\(number % 5)")
            event.reason = number % 2 == 0 ? "the command exited with code \(number % 7)" : "it was \(number)"
            event.request = RequestID(UInt64(number / 3))
            event.run = number % 3 == 0 ? nil : RunID(UInt64(number / 6))
            event.provenance?.place = "/etc/lull/jobs.yaml:\(number % 9)"
            return event
        }
    }
}
