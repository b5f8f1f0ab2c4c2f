import Foundation
import GRDB

/// A damaged database, opened for reading however much of it is broken.
enum SalvageSource {
    private static let pageBytes = 4096

    /// Nil when nothing can be read of it; `model` is a new history, closed, whose first page may be borrowed.
    static func open(_ path: String, scratch: String, model: String) -> DatabaseQueue? {
        let repaired = scratch + "/repaired.sqlite"
        if let status = try? FileManager.default.attributesOfItem(atPath: path),
            status[.size] as? Int != 0
        {
            if let queue = open(path) { return queue }
        } else {
            // SQLite would throw away what its WAL holds.
            guard let wal = try? Data(contentsOf: URL(fileURLWithPath: path + "-wal")),
                let first = try? Data(contentsOf: URL(fileURLWithPath: model)),
                let database = WALPages.database(from: wal, model: first),
                (try? database.write(to: URL(fileURLWithPath: repaired))) != nil
            else { return nil }
            return open(repaired)
        }
        guard (try? repair(path, to: repaired, model: model)) != nil else { return nil }
        return open(repaired)
    }

    private static func open(_ path: String) -> DatabaseQueue? {
        var configuration = Configuration()
        configuration.readonly = true
        // Lets SQLite read a file that is shorter than its header says.
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA writable_schema = ON") }
        guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return nil }
        return queue.unsafeRead { version(of: $0) } == nil ? nil : queue
    }

    /// By what the table has: what `meta` says of it may be on a page that can't be read.
    static func version(of db: Database) -> Int? {
        if (try? db.makeStatement(sql: EventRow.selection)) != nil { return HistorySchema.version }
        return (1...HistorySchema.wideVersion).reversed().first { version in
            (try? db.makeStatement(sql: WideEventRow.selection(version: version))) != nil
        }
    }

    /// Copies the file with the first page of a new history in place of its own.
    ///
    /// The first page holds the header and where the tables begin. Every history of one kind makes its tables in the same
    /// order, so they begin on the same pages; of the two kinds the one is meant whose tables and indices are where the file
    /// has some.
    private static func repair(_ path: String, to copy: String, model: String) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let wide = copy + ".wide"
        let queue = try DatabaseQueue(path: wide)
        try queue.write { try HistorySchema.makeWide($0) }
        try queue.close()
        let models = try [model, wide].map { ($0, try fit($0, bytes)) }
        guard let best = models.max(by: { $0.1 < $1.1 })?.0 else { return }
        var first = try Data(contentsOf: URL(fileURLWithPath: best)).prefix(pageBytes)
        guard bytes.count >= pageBytes, first.count == pageBytes else {
            throw CocoaError(.fileReadCorruptFile)
        }
        func put(_ number: Int, at offset: Int) {
            for byte in 0..<4 { first[offset + byte] = UInt8(truncatingIfNeeded: number >> (24 - 8 * byte)) }
        }
        // The file's format: a journal, not a WAL; the number of pages; no free pages.
        (first[18], first[19]) = (1, 1)
        put(bytes.count / pageBytes, at: 28)
        put(0, at: 32)
        put(0, at: 36)
        bytes.replaceSubrange(0..<pageBytes, with: first)
        try bytes.write(to: URL(fileURLWithPath: copy))
    }

    /// The share of the model's tables and indices that begin on a page of their kind in the file.
    private static func fit(_ model: String, _ bytes: Data) throws -> Double {
        let queue = try DatabaseQueue(path: model, configuration: SQLiteHistory.configuration(readonly: true))
        defer { try? queue.close() }
        let roots = try queue.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT rootpage, type = 'table' AND sql NOT LIKE '%WITHOUT ROWID' FROM sqlite_master
                    WHERE rootpage > 0
                    """)
        }
        let fitting = roots.filter { row in
            let place = ((row[0] as Int) - 1) * pageBytes
            guard place < bytes.count else { return false }
            // As SQLite's file format has them: leaves and inner pages.
            return ((row[1] as Bool) ? [13, 5] : [10, 2]).contains(bytes[bytes.startIndex + place])
        }
        return Double(fitting.count) / Double(max(1, roots.count))
    }
}
