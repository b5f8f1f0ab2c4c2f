import Foundation
import GRDB

/// Opens a damaged database for reading, however much of it is broken.
enum SalvageSource {
    private static let pageBytes = 4096

    /// Nil if nothing of it can be read; `model` is a new history, closed, whose first page may be borrowed.
    static func open(_ path: String, scratch: String, model: String) -> DatabaseQueue? {
        let repaired = scratch + "/repaired.sqlite"
        if let status = try? FileManager.default.attributesOfItem(atPath: path),
            status[.size] as? Int != 0
        {
            if let queue = open(path) { return queue }
        } else {
            // SQLite would discard the WAL of an empty database.
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
        return queue.unsafeRead { hasEvents($0) } ? queue : nil
    }

    /// Tests the table itself, because `meta` may be on a page that can't be read.
    static func hasEvents(_ db: Database) -> Bool { (try? db.makeStatement(sql: EventRow.selection)) != nil }

    /// Copies the file with the first page of a new history in place of its own.
    ///
    /// The first page holds the header and where the tables begin. Every history makes its tables in the same order, so they
    /// begin on the same pages.
    private static func repair(_ path: String, to copy: String, model: String) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var first = try Data(contentsOf: URL(fileURLWithPath: model)).prefix(pageBytes)
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
}
