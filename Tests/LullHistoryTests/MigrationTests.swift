import Foundation
import GRDB
import LullModel
import TestSupport
import Testing

@testable import LullHistory

/// A database that the first version of Lull wrote.
@Suite struct `An older history` {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/history.sqlite"
    }

    /// As the first version made it, with 3,000 uses, a full event without the newer fields, and a checkpoint.
    private func make(wal: Bool = true) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            if wal { try db.execute(sql: "PRAGMA journal_mode = WAL") }
            try db.execute(sql: Self.schema)
            try db.inTransaction {
                for (index, event) in try events().enumerated() {
                    let columns = WideEventRow.columns.replacing(
                        ", price, budget, shares, title, subtitle, protection, provenance, notice, expected_by, occasion",
                        with: "")
                    try db.execute(
                        sql:
                            "INSERT INTO events (seq, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        arguments: StatementArguments(
                            WideEventRow.values(of: event, seq: Int64(index + 1)).dropLast(10)))
                }
                try db.execute(sql: "INSERT INTO checkpoint VALUES (1, 2, 1, x'07')")
                return .commit
            }
        }
        try queue.close()
    }

    private func events() throws -> [HistoryEvent] {
        var full = try Sample.full()
        full.happening = nil
        (full.price, full.budget, full.shares) = (nil, nil, nil)
        (full.label, full.occasion, full.push, full.transfer) = (nil, nil, nil, nil)
        (full.provenance, full.notice, full.expectedBy) = (nil, nil, nil)
        (full.notification, full.slot) = (nil, nil)
        full.time = Sample.start - .milliseconds(1)
        return [full] + (try Sample.uses(0..<3000))
    }

    private func version() throws -> Int? {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { try Int.fetchOne($0, sql: "SELECT value FROM meta WHERE key = 'version'") }
    }

    @Test func `is read without being changed`() throws {
        try make()
        let reader = try SQLiteHistory.open(folder: folder.path, mode: .readOnly)
        #expect(try reader.load().checkpoint?.seq == 2)
        #expect(try reader.events(matching: HistoryQuery(names: [.submitted])) == Array(events().prefix(1)))
        #expect(try reader.events() == events())
        try reader.close()
        #expect(try version() == 1)
    }

    @Test func `is brought up to date when it is opened for writing, and keeps everything`() throws {
        try make()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        #expect(try history.events() == events())
        #expect(try history.checkpoint()?.data == Data([7]))
        let new = try Sample.full()
        try history.append(HistoryBatch(events: [new]))
        try history.close()
        #expect(try version() == 8)
        let again = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        #expect(try again.load().events.last == new)
        #expect(try again.events().count == events().count + 1)
    }

    @Test func `is the same table afterwards as one made anew`() throws {
        try make()
        try SQLiteHistory.open(folder: folder.path, mode: .readWrite).close()
        let other = try TemporaryFolder()
        try SQLiteHistory.open(folder: other.path, mode: .readWrite).close()
        func columns(_ path: String) throws -> [Row] {
            let queue = try DatabaseQueue(path: path)
            defer { try? queue.close() }
            return try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM pragma_table_info('events')") }
        }
        #expect(try columns(path) == columns(other.path + "/history.sqlite"))
    }

    @Test func `goes on being read by who opened it before`() throws {
        try make()
        let reader = try SQLiteHistory.open(folder: folder.path, mode: .readOnly)
        #expect(try reader.events().count == events().count)
        let writer = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        let new = try Sample.full()
        try writer.append(HistoryBatch(events: [new]))
        #expect(try reader.load().events.last == new)
    }

    @Test func `is saved when it is damaged`() throws {
        try make(wal: false)
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.write(contentsOf: Data(repeating: 0x5A, count: 100))
        try file.close()
        let (history, report) = try SQLiteHistory.openSalvaging(folder: folder.path, at: Sample.start)
        #expect(report?.events == 3001)
        #expect(try history.events() == events())
        #expect(try history.checkpoint()?.seq == 2)
    }

    private static let schema = """
        PRAGMA application_id = \(HistorySchema.applicationID);
        CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
        INSERT INTO meta VALUES ('version', 1);
        CREATE TABLE events (
            seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, event TEXT NOT NULL, app TEXT NOT NULL,
            task TEXT, request INTEGER, run INTEGER, outcome TEXT, reason TEXT, kind TEXT, origin TEXT,
            earliest_begin INTEGER, requires TEXT, gates TEXT, registered TEXT, stamp TEXT, ms INTEGER
        );
        CREATE INDEX events_time ON events (time);
        CREATE INDEX events_app ON events (app, time);
        CREATE INDEX events_task ON events (task, time) WHERE task IS NOT NULL;
        CREATE INDEX events_run ON events (run) WHERE run IS NOT NULL;
        CREATE INDEX events_request ON events (request) WHERE request IS NOT NULL;
        CREATE TABLE checkpoint (
            id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, version INTEGER NOT NULL,
            data BLOB NOT NULL
        );
        CREATE TABLE output (
            run INTEGER NOT NULL, start INTEGER NOT NULL, stream TEXT NOT NULL, time INTEGER NOT NULL,
            shared INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (run, start)
        );
        CREATE INDEX output_time ON output (time);
        """
}
