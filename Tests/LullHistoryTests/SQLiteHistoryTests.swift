import Foundation
import GRDB
import Glibc
import LullModel
import TestSupport
import Testing

@testable import LullHistory

/// The promises of the history on disk alone.
@Suite struct `A history on disk` {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    func open(_ mode: SQLiteHistory.Mode = .readWrite) throws -> SQLiteHistory {
        try SQLiteHistory.open(folder: folder.path, mode: mode)
    }

    @Test func `syncs each commit in WAL mode`() throws {
        let writer = try #require(try open().writer)
        let (synchronous, mode) = try writer.writeWithoutTransaction { db in
            (
                try Int.fetchOne(db, sql: "PRAGMA synchronous"),
                try String.fetchOne(db, sql: "PRAGMA journal_mode")
            )
        }
        // 2 is FULL: GRDB's own WAL mode would leave 1, which loses acknowledged commits in a power cut.
        #expect(synchronous == 2)
        #expect(mode == "wal")
    }

    @Test func `syncs each commit after it was opened again`() throws {
        try open().close()
        let writer = try #require(try open().writer)
        let synchronous = try writer.writeWithoutTransaction {
            try Int.fetchOne($0, sql: "PRAGMA synchronous")
        }
        #expect(synchronous == 2)
    }

    @Test func `is what it was when it is opened again`() throws {
        let events = [try Sample.full(), try Sample.use(0)]
        let history = try open()
        try history.append(
            HistoryBatch(
                events: events, outputs: [Sample.chunk(1, "hello")],
                checkpoint: Checkpoint(version: 2, data: Data([7]))))
        try history.append(HistoryBatch(events: [try Sample.use(1)]))
        try history.close()
        let again = try open()
        let (checkpoint, rest) = try again.load()
        #expect(checkpoint == Checkpoint(version: 2, data: Data([7]), seq: 2))
        #expect(rest == [try Sample.use(1)])
        #expect(try again.events(matching: HistoryQuery(names: [.submitted])) == [try Sample.full()])
        #expect(try again.output(of: RunID(1))?.text == "hello")
    }

    @Test func `keeps a plugin's words to their end, whatever is in them`() throws {
        var event = try Sample.full()
        event.reason = "It said a\0b."
        event.label = RequestLabel(title: "\0", subtitle: "one\0two\0", protection: nil)
        let history = try open()
        try history.append(HistoryBatch(events: [event]))
        let kept = try #require(try history.events(matching: HistoryQuery()).first)
        #expect(kept.reason == "It said a\u{FFFD}b.")
        #expect(
            kept.label == RequestLabel(title: "\u{FFFD}", subtitle: "one\u{FFFD}two\u{FFFD}", protection: nil)
        )
    }

    @Test func `commits all batches of an append in one transaction`() throws {
        let history = try open()
        let counter = CommitCounter()
        try #require(history.writer).add(transactionObserver: counter)
        try history.append((0..<5).map { HistoryBatch(events: [try Sample.use($0)]) })
        #expect(counter.count == 1)
        try history.append(HistoryBatch())
        #expect(counter.count == 1)
    }

    @Test func `says that there is none yet`() throws {
        #expect(throws: HistoryError.missing(folder: folder.path)) { try open(.readOnly) }
        let nowhere = folder.path + "/nowhere"
        #expect(throws: HistoryError.missing(folder: nowhere)) {
            try SQLiteHistory.open(folder: nowhere, mode: .readOnly)
        }
        #expect(!FileManager.default.fileExists(atPath: nowhere))
    }

    @Test func `says that there is none yet while the first host makes it`() throws {
        try Data().write(to: URL(fileURLWithPath: folder.path + "/history.sqlite"))
        #expect(throws: HistoryError.missing(folder: folder.path)) { try open(.readOnly) }
        try open().append(HistoryBatch(events: [try Sample.use(0)]))
        #expect(try open(.readOnly).events().count == 1)
    }

    @Test func `makes the folders above it, for its owner alone`() throws {
        let deep = folder.path + "/a/b"
        _ = try SQLiteHistory.open(folder: deep, mode: .readWrite)
        let mode = try FileManager.default.attributesOfItem(atPath: deep)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o700)
    }

    @Test func `is for its owner alone, also where its folder lets others through`() throws {
        try open().append(HistoryBatch(events: [try Sample.use(0)]))
        for suffix in ["", "-wal", "-shm"] {
            let path = folder.path + "/history.sqlite" + suffix
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600, "\(suffix)")
        }
    }

    @Test func `refuses a folder that is a file`() throws {
        let file = folder.path + "/file"
        try Data().write(to: URL(fileURLWithPath: file))
        #expect(throws: HistoryError.inaccessible(path: file, reason: "the state folder is not a folder")) {
            try SQLiteHistory.open(folder: file, mode: .readWrite)
        }
    }

    @Test func `is read beside its writer, before and after each commit`() throws {
        let history = try open()
        let reader = try open(.readOnly)
        for minute in 0..<20 {
            try history.append(HistoryBatch(events: [try Sample.use(minute)]))
            #expect(try reader.events() == Sample.uses(0..<(minute + 1)))
            #expect(try history.events().count == minute + 1)
        }
    }

    @Test func `shows a reader one state while the writer goes on`() throws {
        let history = try open()
        try history.append(HistoryBatch(events: try Sample.uses(0..<50)))
        let reader = try open(.readOnly)
        let more = HistoryBatch(events: [try Sample.use(50)])
        var seen = 0
        try reader.forEachEvent(after: 0) { _ in
            if seen == 0 { #expect(throws: Never.self) { try history.append(more) } }
            seen += 1
        }
        #expect(seen == 50)
        #expect(try reader.events().count == 51)
    }

    @Test func `is read by a process that may not write`() throws {
        try open().append(HistoryBatch(events: [try Sample.use(0)]))
        let reader = try open(.readOnly)
        #expect(throws: HistoryError.readOnly(path: reader.path)) {
            try reader.append(HistoryBatch(events: [Sample.use(1)]))
        }
        #expect(throws: HistoryError.readOnly(path: reader.path)) {
            try reader.prune(eventsBefore: .distantFuture, outputsBefore: .distantFuture)
        }
    }

    @Test func `keeps its files when it closes, for those who may only read`() throws {
        let history = try open()
        try history.append(HistoryBatch(events: [try Sample.use(0)]))
        try history.close()
        for suffix in ["", "-wal", "-shm"] {
            #expect(FileManager.default.fileExists(atPath: history.path + suffix))
        }
    }

    @Test func `names a history that is newer`() throws {
        let history = try open()
        try #require(history.writer).write {
            try $0.execute(sql: "UPDATE meta SET value = 9 WHERE key = 'version'")
        }
        try history.close()
        let expected = HistoryError.newer(path: history.path, version: 9, known: HistorySchema.version)
        #expect(throws: expected) { try open() }
        #expect(throws: expected) { try open(.readOnly) }
    }

    @Test func `leaves another program's database alone`() throws {
        let path = folder.path + "/history.sqlite"
        let other = try DatabaseQueue(path: path)
        try other.write { try $0.execute(sql: "CREATE TABLE photos (id INTEGER)") }
        try other.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: HistoryError.foreign(path: path)) { try open() }
        #expect(throws: HistoryError.foreign(path: path)) { try open(.readOnly) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func `says that the disk is full, writes nothing, and goes on when there is room`() throws {
        let history = try open()
        try history.append(HistoryBatch(events: [try Sample.use(0)]))
        let writer = try #require(history.writer)
        func limit(_ sql: String) throws {
            _ = try writer.writeWithoutTransaction { try Row.fetchOne($0, sql: sql) }
        }
        try limit("PRAGMA max_page_count = 1")
        let flood = HistoryBatch(events: try Sample.uses(1..<2000))
        #expect(throws: HistoryError.full(path: history.path)) { try history.append(flood) }
        #expect(try history.events().count == 1)
        try limit("PRAGMA max_page_count = 1000000")
        try history.append(flood)
        #expect(try history.events().count == 2000)
    }

    @Test func `sets room aside, once, in the database and in the WAL`() throws {
        let history = try open()
        try history.append(HistoryBatch(events: try Sample.uses(0..<10)))
        let writer = try #require(history.writer)
        func pages() throws -> (free: Int, all: Int) {
            try writer.writeWithoutTransaction { db in
                (
                    try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0,
                    try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                )
            }
        }
        #expect(try history.keepReserve())
        let first = try pages()
        #expect(first.free * 4096 >= Int(HistoryReserve.pageBytes))
        var status = stat()
        #expect(stat(history.path + "-wal", &status) == 0)
        #expect(Int64(status.st_blocks) * 512 >= HistoryReserve.walBytes)
        #expect(try history.keepReserve())
        #expect(try pages() == first)
        // New records use the free pages, and the database does not grow.
        try history.append(HistoryBatch(events: try Sample.uses(10..<3000)))
        let later = try pages()
        #expect(later.all == first.all && later.free < first.free)
        let verdict = try writer.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(verdict == "ok")
        #expect(try history.events().count == 3000)
        // Each free page has space on the disk.
        #expect(history.emptyWAL())
        #expect(stat(history.path, &status) == 0)
        #expect(Int(status.st_blocks) * 512 >= later.all * 4096)
    }

    @Test func `serves each query from an index`() throws {
        let writer = try #require(try open().writer)
        let queries = [
            HistoryQuery(), HistoryQuery(app: try Sample.app()), HistoryQuery(task: try Sample.task()),
            HistoryQuery(run: RunID(1)), HistoryQuery(request: RequestID(1)),
            HistoryQuery(since: Sample.start),
            HistoryQuery(app: try Sample.app(), since: Sample.start, order: .newestFirst, limit: 10),
            HistoryQuery(app: try Sample.app(), names: [.used, .failed], limit: 10),
        ]
        try writer.read { db in
            let table = EventTable(of: db, SharedNames())
            for branch in try queries.flatMap(table.branches) {
                let plan = try Row.fetchAll(
                    db, sql: "EXPLAIN QUERY PLAN " + branch.sql, arguments: branch.arguments
                )
                .map { row in row["detail"] as String }.joined(separator: "; ")
                #expect(plan.contains("USING INDEX"), "\(branch.sql): \(plan)")
                let isOfOne = branch.sql.contains("run = ?") || branch.sql.contains("request = ?")
                #expect(isOfOne || !plan.contains("TEMP B-TREE"), "\(branch.sql): \(plan)")
            }
        }
    }
}

/// Counts the commits of a connection.
private final class CommitCounter: TransactionObserver {
    var count = 0

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { count += 1 }
    func databaseDidRollback(_ db: Database) {}
}
