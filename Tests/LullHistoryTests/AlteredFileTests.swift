import Foundation
import GRDB
import Glibc
import TestSupport
import Testing

@testable import LullHistory

/// Files that a program changes without SQLite while the history is open.
struct AlteredFileTests {
    private func history(_ folder: TemporaryFolder) throws -> SQLiteHistory {
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        // The first 200 events are all in the database, the later ones only in the WAL.
        try history.append(HistoryBatch(events: try Sample.uses(0..<200)))
        _ = try history.writer?.writeWithoutTransaction { try $0.checkpoint(.passive) }
        try history.append(HistoryBatch(events: []))
        for number in 200..<220 { try history.append(HistoryBatch(events: [try Sample.use(number)])) }
        try history.verify()
        return history
    }

    private func expect(_ path: String, isShorter: Bool, of history: SQLiteHistory) {
        #expect(throws: HistoryError.altered(path: path, isShorter: isShorter)) { try history.verify() }
        #expect(throws: HistoryError.altered(path: path, isShorter: isShorter)) {
            try history.append(HistoryBatch(events: [try Sample.use(900)]))
        }
        // A second append fails, too: the history does not accept the altered file as its own.
        #expect(throws: HistoryError.self) { try history.append(HistoryBatch(events: [try Sample.use(901)])) }
    }

    @Test(arguments: [("", 0), ("", 4096), ("-wal", 0), ("-wal", 32), ("-wal", 20_000)])
    func `what is cut short is found before anything is acknowledged`(suffix: String, length: Int) throws {
        let folder = try TemporaryFolder()
        let history = try history(folder)
        let path = history.path + suffix
        #expect(truncate(path, off_t(length)) == 0)
        expect(path, isShorter: true, of: history)
    }

    @Test func `a copy of another history over this one is found, though it is longer`() throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        let bigger = try SQLiteHistory.open(folder: other.path, mode: .readWrite)
        try bigger.append(HistoryBatch(events: try Sample.uses(0..<2000)))
        try bigger.close()
        let history = try history(folder)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: bigger.path))
        let file = open(history.path, O_WRONLY)
        #expect(bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) } == bytes.count)
        expect(history.path, isShorter: false, of: history)
        close(file)
    }

    @Test func `a WAL that is written over is found by the next commit`() throws {
        let folder = try TemporaryFolder()
        let history = try history(folder)
        let path = history.path + "-wal"
        let file = open(path, O_WRONLY)
        let bytes = [UInt8](repeating: 0xA5, count: 64 << 10)
        #expect(pwrite(file, bytes, bytes.count, 0) == bytes.count)
        close(file)
        #expect(throws: HistoryError.altered(path: path, isShorter: false)) {
            try history.append(HistoryBatch(events: [try Sample.use(900)]))
        }
    }

    @Test func `a new time on the file, and what another program does with SQLite, are no concern`() throws {
        let folder = try TemporaryFolder()
        let history = try history(folder)
        #expect(utimes(history.path, nil) == 0)
        try history.verify()
        try history.append(HistoryBatch(events: [try Sample.use(900)]))
        let other = try DatabaseQueue(path: history.path)
        try other.write { try $0.execute(sql: "INSERT INTO meta VALUES ('other', 1)") }
        try history.verify()
        _ = try other.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try history.verify()
        try history.append(HistoryBatch(events: [try Sample.use(901)]))
        try history.verify()
        #expect(try history.events().count == 222)
        try other.close()
    }

    @Test func `a history that grows and is copied into its database is itself`() throws {
        let folder = try TemporaryFolder()
        let history = try history(folder)
        for number in 0..<300 {
            try history.append(HistoryBatch(events: try Sample.uses(number * 20..<number * 20 + 20)))
            try history.verify()
        }
    }

    @Test func `a WAL that a reader has made in place of the lost one is named`() throws {
        let live = try TemporaryFolder()
        let left = try TemporaryFolder()
        let history = try history(live)
        for name in ["history.sqlite", "history.sqlite-open"] {
            try FileManager.default.copyItem(atPath: live.path + "/" + name, toPath: left.path + "/" + name)
        }
        #expect(SQLiteHistory.missingWAL(folder: left.path)?.contains("-wal is missing") == true)
        _ = try SQLiteHistory.open(folder: left.path, mode: .readOnly).events()
        #expect(FileManager.default.fileExists(atPath: left.path + "/history.sqlite-wal"))
        #expect(SQLiteHistory.missingWAL(folder: left.path)?.contains("has left commits in it") == true)
        #expect(SQLiteHistory.missingWAL(folder: live.path) == nil)
        try history.close()
        #expect(SQLiteHistory.missingWAL(folder: live.path) == nil)
    }

    @Test func `a history that is let go of without being closed has lost nothing`() throws {
        let folder = try TemporaryFolder()
        do { _ = try history(folder) }
        #expect(SQLiteHistory.missingWAL(folder: folder.path) == nil)
        let next = try SQLiteHistory.open(folder: folder.path, mode: .readOnly)
        #expect(try next.events().count == 220)
    }
}
