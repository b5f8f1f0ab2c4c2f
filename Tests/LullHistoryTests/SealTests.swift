import Foundation
import GRDB
import Glibc
import LullModel
import TestSupport
import Testing

@testable import LullHistory

/// A closed history is not checked page by page again, unless somebody may have written to it since.
struct SealTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/history.sqlite"
    }

    private func open(_ mode: SQLiteHistory.Mode = .readWrite) throws -> SQLiteHistory {
        try SQLiteHistory.open(folder: folder.path, mode: mode)
    }

    private func fill(_ count: Int = 100) throws {
        let history = try open()
        try history.append(HistoryBatch(events: try Sample.uses(0..<count)))
        try history.close()
    }

    @Test func `that was closed is as it was left, and no longer when it is open`() throws {
        try fill()
        #expect(DatabaseSeal.fits(path))
        let reader = try open(.readOnly)
        #expect(try reader.events().count == 100)
        try reader.close()
        #expect(DatabaseSeal.fits(path))
        let history = try open()
        #expect(!DatabaseSeal.fits(path))
        try history.close()
        #expect(DatabaseSeal.fits(path))
    }

    @Test func `that was cut off is not as anybody has left it`() throws {
        do { try open().append(HistoryBatch(events: try Sample.uses(0..<9))) }
        #expect(!DatabaseSeal.fits(path))
    }

    enum Change: CaseIterable {
        case byte, length, time, mode, copy, program, wal, seal, noSeal

        func make(to path: String) throws {
            switch self {
            case .byte: try put(Data([0x5A]), at: 9000, of: path)
            case .length: #expect(truncate(path, 20_000) == 0)
            case .time: #expect(utimes(path, nil) == 0)
            case .mode: #expect(chmod(path, 0o640) == 0)
            case .copy:
                try FileManager.default.copyItem(atPath: path, toPath: path + ".other")
                #expect(rename(path + ".other", path) == 0)
            case .program:
                let queue = try DatabaseQueue(path: path)
                try queue.write { try $0.execute(sql: "INSERT INTO meta VALUES ('other', 1)") }
                try queue.close()
            case .wal: try put(Data(repeating: 1, count: 100), at: 0, of: path + "-wal")
            case .seal: #expect(truncate(path + "-seal", 12) == 0)
            case .noSeal: #expect(unlink(path + "-seal") == 0)
            }
        }

        private func put(_ bytes: Data, at offset: UInt64, of path: String) throws {
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            try file.seek(toOffset: offset)
            try file.write(contentsOf: bytes)
            try file.close()
        }
    }

    /// Also within the kernel's tick: closing leaves a time that tells later writes apart.
    @Test(arguments: Change.allCases)
    func `whatever is done to it since is noticed`(change: Change) throws {
        try fill(2000)
        try change.make(to: path)
        #expect(!DatabaseSeal.fits(path))
        #expect(!DatabaseSeal.take(from: path))
        #expect(!FileManager.default.fileExists(atPath: path + "-seal"))
    }

    /// Damage without a write: the disk's own.
    private func damageBeneathTheSeal() throws {
        try fill(5000)
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: 30 * 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 20 * 4096))
        try file.close()
        DatabaseSeal.put(on: path)
        #expect(DatabaseSeal.fits(path))
    }

    @Test(arguments: [SQLiteHistory.Mode.readOnly, .readWrite])
    func `damage that the disk has done is named by who reads it, and the next opening saves the rest`(
        mode: SQLiteHistory.Mode
    ) throws {
        try damageBeneathTheSeal()
        let history = try open(mode)
        let error = #expect(throws: HistoryError.self) { try history.load() }
        guard case .damaged? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        try history.close()
        #expect(!DatabaseSeal.fits(path))
        let (saved, report) = try SQLiteHistory.openSalvaging(folder: folder.path, at: Sample.start)
        #expect(try #require(report).events > 2000)
        #expect(try saved.events().count == report?.events)
    }

    @Test func `damage that the weekly look finds is looked for at the next opening`() throws {
        try damageBeneathTheSeal()
        let history = try open()
        #expect(try !history.problems().isEmpty)
        try history.close()
        let (_, report) = try SQLiteHistory.openSalvaging(folder: folder.path, at: Sample.start)
        #expect(report != nil)
    }
}
