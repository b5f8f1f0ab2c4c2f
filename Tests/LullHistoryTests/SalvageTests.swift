import Foundation
import GRDB
import LullModel
import TestSupport
import Testing

@testable import LullHistory

/// A database damaged in each of the ways in which disks and people damage one.
@Suite struct `A damaged history` {
    let folder: TemporaryFolder
    let path: String
    static let pageBytes = 4096

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/history.sqlite"
    }

    /// A history of 5,000 uses, some output and a checkpoint, all in the database file itself.
    private func make() throws {
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try history.append(
            HistoryBatch(
                events: try Sample.uses(0..<5000), outputs: (1...20).map { Sample.chunk($0, "run \($0)\n") },
                checkpoint: Checkpoint(version: 1, data: Data([1]))))
        try history.close()
    }

    private func overwrite(at offset: Int, with bytes: Data) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: bytes)
        try file.close()
    }

    private func size() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.size] as? NSNumber).intValue
    }

    /// The number of a page in the middle of the table of events.
    private func pageOfEvents() throws -> Int {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { db in
            // Leaves of the table have no entry in the list of indices; the root names its children in its cells.
            let root = try #require(
                try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'events'"))
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            func short(_ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
            let start = (root - 1) * Self.pageBytes
            #expect(bytes[start] == 5, "The root is an interior page.")
            let cell = start + short(start + 12 + 2 * (short(start + 3) / 2))
            return short(cell) << 16 | short(cell + 2)
        }
    }

    private func expectDamage(_ mode: SQLiteHistory.Mode = .readWrite) throws {
        let error = #expect(throws: HistoryError.self) {
            try SQLiteHistory.open(folder: folder.path, mode: mode)
        }
        guard case .damaged(path, _) = error else {
            Issue.record("\(String(describing: error)) is not .damaged")
            return
        }
    }

    private func salvage() throws -> (SQLiteHistory, SalvageReport) {
        let (history, report) = try SQLiteHistory.openSalvaging(folder: folder.path, at: Sample.start)
        return (history, try #require(report))
    }

    @Test func `with a page of garbage in its middle keeps all other rows`() throws {
        try make()
        let page = try pageOfEvents()
        try overwrite(at: (page - 1) * Self.pageBytes, with: Data(repeating: 0xA5, count: Self.pageBytes))
        try expectDamage()
        let (history, report) = try salvage()
        #expect(report.events > 4800 && report.events < 5000)
        #expect(report.events + report.lostEvents == 5000)
        #expect(report.outputs == 20)
        #expect(report.hasCheckpoint)
        let events = try history.events()
        #expect(events.count == report.events)
        #expect(events.first == (try Sample.use(0)))
        #expect(events.last == (try Sample.use(4999)))
        #expect(try history.checkpoint()?.seq == 5000)
        #expect(try history.output(of: RunID(20))?.text == "run 20\n")
        try history.append(HistoryBatch(events: [try Sample.use(5000)]))
        #expect(try history.load().events == [Sample.use(5000)])
    }

    @Test func `is kept beside the new one`() throws {
        try make()
        let page = try pageOfEvents()
        try overwrite(at: (page - 1) * Self.pageBytes, with: Data(repeating: 0, count: Self.pageBytes))
        let damaged = try Data(contentsOf: URL(fileURLWithPath: path))
        let (_, report) = try salvage()
        #expect(report.movedTo == folder.path + "/history.damaged-20261118T110640000Z.sqlite")
        #expect(try Data(contentsOf: URL(fileURLWithPath: report.movedTo)) == damaged)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains("history.salvage"))
    }

    @Test func `that was cut short keeps what comes before the cut`() throws {
        try make()
        let half = try size() / Self.pageBytes / 2 * Self.pageBytes
        try #require(FileHandle(forUpdatingAtPath: path)).truncate(atOffset: UInt64(half))
        try expectDamage()
        try expectDamage(.readOnly)
        let (history, report) = try salvage()
        #expect(report.events > 500)
        #expect(try history.events().count == report.events)
    }

    @Test(arguments: [16, 100, 4096])
    func `with a garbage beginning is found out, and saved whole`(_ count: Int) throws {
        try make()
        try overwrite(at: 0, with: Data(repeating: 0x5A, count: count))
        try expectDamage()
        try expectDamage(.readOnly)
        let (history, report) = try salvage()
        #expect(FileManager.default.fileExists(atPath: report.movedTo))
        #expect((report.events, report.outputs, report.hasCheckpoint) == (5000, 20, true))
        #expect(try history.events() == Sample.uses(0..<5000))
        try history.append(HistoryBatch(events: [try Sample.use(5000)]))
        #expect(try history.load().events == [Sample.use(5000)])
    }

    @Test func `of nothing but noise is moved aside`() throws {
        var random = SeededGenerator(seed: 7)
        let noise = Data((0..<50_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        try noise.write(to: URL(fileURLWithPath: path))
        try expectDamage()
        let (history, report) = try salvage()
        #expect(report.events == 0)
        #expect(try history.events() == [])
    }

    @Test(arguments: [
        "UPDATE events SET event = 60 WHERE seq = 3000", "UPDATE events SET app = '' WHERE seq = 3000",
        "UPDATE events SET app = 60000 WHERE seq = 3000", "UPDATE events SET outcome = 1 WHERE seq = 3000",
        "UPDATE events SET time = 'noon' WHERE seq = 3000",
        "UPDATE events SET details = x'01' WHERE seq = 3000",
        "UPDATE events SET details = x'7F' WHERE seq = 3000",
        "UPDATE events SET details = 'text' WHERE seq = 3000",
        "UPDATE events SET details = x'0105717569636B' WHERE seq = 3000",
        "UPDATE events SET details = x'05037B' WHERE seq = 3000",
    ])
    func `with a row that says nothing is named when it is read`(_ sql: String) throws {
        try make()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try #require(history.writer).write { try $0.execute(sql: sql) }
        let expected = HistoryError.damaged(
            path: path, what: "row 3000 of the table 'events' can't be understood")
        #expect(throws: expected) { try history.events() }
        try history.close()
        let report = try SQLiteHistory.salvage(folder: folder.path, at: Sample.start)
        #expect(report.events == 4999)
        #expect(report.lostEvents == 1)
    }

    @Test func `keeps what stood only in the WAL`() throws {
        // As after a crash: the copy is made while the history is open, with all events in the WAL.
        let other = try TemporaryFolder()
        let live = try SQLiteHistory.open(folder: other.path, mode: .readWrite)
        try live.append(HistoryBatch(events: try Sample.uses(0..<100)))
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: live.path + suffix, toPath: path + suffix)
        }
        let report = try SQLiteHistory.salvage(folder: folder.path, at: Sample.start)
        #expect(report.events == 100)
    }

    @Test func `whose saving was cut off after it was moved aside is not replaced by an empty one`() throws {
        try make()
        let scratch = folder.path + "/history.saved-20261118T110640000Z"
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: false)
        for suffix in ["-wal", "-shm", ""] {
            try FileManager.default.moveItem(
                atPath: path + suffix, toPath: scratch + "/history.sqlite" + suffix)
        }
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        #expect(try history.events().count == 5000)
        #expect(!FileManager.default.fileExists(atPath: scratch))
    }

    @Test func `that is sound is just opened`() throws {
        try make()
        let (history, report) = try SQLiteHistory.openSalvaging(folder: folder.path, at: Sample.start)
        #expect(report == nil)
        #expect(try history.events().count == 5000)
    }

    @Test(arguments: ["UPDATE events SET seq = ? WHERE seq = 5000", "UPDATE checkpoint SET seq = ?"])
    func `whose last number leaves none for what comes is moved aside, and goes on`(sql: String) throws {
        try make()
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql, arguments: [Int64.max]) }
        try queue.close()
        let (history, salvage) = try SQLiteHistory.openSalvaging(folder: folder.path, at: Sample.start)
        #expect((4999...5000).contains(try #require(salvage).events))
        try history.append(HistoryBatch(events: try Sample.uses(0..<1)))
        #expect(try history.events().count > 5000 - 1)
    }
}
