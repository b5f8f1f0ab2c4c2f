import CFaultyDisk
import Foundation
import GRDB
import LullModel
import TestSupport
import Testing

@testable import LullHistory

/// Power cuts at every kind of instant, on a disk that forgets unsynced writes; in separate processes, because the disk applies
/// to a whole process. `LULL_CUTS` is their number.
@Suite struct `After a power cut` {
    private static let cuts = ProcessInfo.processInfo.environment["LULL_CUTS"].flatMap { Int($0) } ?? 250

    @Test func `all that was acknowledged is there, and the database is sound`() async throws {
        let result = try await #require(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            let outcome = try Self.cut(synchronous: 2, times: Self.cuts, seed: 1)
            print("power cuts: \(outcome)")
            exit(outcome.lost == 0 && outcome.damaged == 0 && outcome.cuts >= Self.cuts ? 0 : 1)
        }
        print(String(decoding: result.standardOutputContent, as: UTF8.self), terminator: "")
    }

    /// Shows that the test can fail: without the sync at each commit it does.
    @Test func `a history that did not sync each commit would have lost some`() async throws {
        await #expect(processExitsWith: .success) {
            let outcome = try Self.cut(synchronous: 1, times: 100, seed: 1)
            exit(outcome.lost > 0 && outcome.damaged == 0 ? 0 : 1)
        }
    }

    private struct CutOutcome: CustomStringConvertible {
        var cuts = 0
        var acknowledged = 0
        var lost = 0
        var damaged = 0
        var description: String {
            "\(cuts) cuts, \(acknowledged) acknowledged events in all: \(lost) lost, \(damaged) damaged databases"
        }
    }

    /// Writes once, then cuts the power at `times` instants of the recorded steps.
    private static func cut(synchronous: Int, times: Int, seed: UInt64) throws -> CutOutcome {
        let folder = try TemporaryFolder()
        guard faulty_disk_install(folder.path + "/live") == 0 else { throw CancellationError() }
        let history = try SQLiteHistory.open(folder: folder.path + "/live", mode: .readWrite)
        guard let writer = history.writer else { throw CancellationError() }
        try writer.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = \(synchronous)")
            // Moves pages into the database often, where a missing sync does most harm.
            _ = try Row.fetchAll(db, sql: "PRAGMA wal_autocheckpoint = 12")
        }
        var random = SeededGenerator(seed: seed)
        // The number of events after each commit.
        var bounds = [0]
        for _ in 0..<160 {
            let next = bounds.last.map { $0..<($0 + Int.random(in: 1...9, using: &random)) } ?? 0..<0
            let text = String(repeating: "x", count: Int.random(in: 1...6000, using: &random))
            let chunk = Sample.chunk(UInt64(next.lowerBound), text, minute: next.lowerBound)
            let isFolded = Int.random(in: 0..<20, using: &random) == 0
            let checkpoint = isFolded ? Checkpoint(version: 1, data: Data(text.utf8)) : nil
            try history.append(
                HistoryBatch(events: try Sample.uses(next), outputs: [chunk], checkpoint: checkpoint))
            bounds.append(next.upperBound)
            faulty_disk_mark(Int64(next.upperBound))
        }

        var outcome = CutOutcome()
        var disk = PowerCut()
        let steps = faulty_disk_count()
        for step in 0..<steps {
            disk.take(faulty_disk_step(step))
            // The instants are spread over all steps, and include the last.
            guard (step + 1) * Int64(times) / steps > step * Int64(times) / steps else { continue }
            let place = folder.path + "/cut-\(step)"
            try disk.leave(in: place, using: &random)
            let acknowledged = Int(max(0, disk.mark))
            let (events, verdict) = try read(place)
            let isWhole = try events == Sample.uses(0..<events.count) && bounds.contains(events.count)
            outcome.cuts += 1
            outcome.acknowledged += acknowledged
            outcome.lost += max(0, acknowledged - events.count)
            if verdict != "ok" || !isWhole { outcome.damaged += 1 }
            try? FileManager.default.removeItem(atPath: place)
        }
        return outcome
    }

    /// The events that the next host finds; a database that needs salvage is not sound.
    private static func read(_ folder: String) throws -> (events: [HistoryEvent], verdict: String?) {
        let (history, salvage) = try SQLiteHistory.openSalvaging(folder: folder, at: Sample.start)
        let verdict = try history.writer?.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        let events = try history.events()
        try history.append(HistoryBatch(events: [try Sample.use(1_000_000)]))
        try history.close()
        return (events, salvage == nil ? verdict : "salvaged")
    }
}

/// Each write and each sync of a commit fails in turn, with each error of a disk.
@Suite struct `A disk that fails` {
    @Test(arguments: [ENOSPC, EIO, EROFS])
    func `costs the commit under way and nothing else`(code: CInt) async throws {
        let result = try await #require(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) { [code = code as CInt] in
            let folder = try TemporaryFolder()
            guard faulty_disk_install(folder.path) == 0 else { exit(2) }
            let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
            try history.writer?.writeWithoutTransaction { db in
                _ = try Row.fetchAll(db, sql: "PRAGMA wal_autocheckpoint = 7")
            }
            var expected: [HistoryEvent] = []
            var failures = 0
            for round in 0..<300 {
                let event = try Sample.use(round)
                let batch = HistoryBatch(
                    events: [event], outputs: [Sample.chunk(UInt64(round), "\(round)", minute: round)])
                let call = round % 3 == 0 ? FAULTY_SYNCS : round % 3 == 1 ? FAULTY_WRITES : FAULTY_ANY
                faulty_disk_fail(CInt(call.rawValue), Int64(round / 3 % 20), round % 2 == 0 ? 1 : 50, code)
                do throws(HistoryError) {
                    try history.append(batch)
                    expected.append(event)
                } catch {
                    failures += 1
                    guard Self.names(error, code) else {
                        print("errno \(code) was told as: \(error)")
                        exit(3)
                    }
                }
                // Ends the error.
                faulty_disk_fail(0, 0, 0, 0)
                if expected.last != event {
                    try history.append(batch)
                    expected.append(event)
                }
            }
            guard failures > 30, try history.events() == expected else { exit(4) }
            let verdict = try history.writer?.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
            try history.close()
            let (again, salvage) = try SQLiteHistory.openSalvaging(folder: folder.path, at: Sample.start)
            guard verdict == "ok", salvage == nil, try again.events() == expected else { exit(5) }
            print("errno \(code): \(failures) of 300 commits failed: 0 lost, none damaged")
            exit(0)
        }
        print(String(decoding: result.standardOutputContent, as: UTF8.self), terminator: "")
    }

    private static func names(_ error: HistoryError, _ code: CInt) -> Bool {
        switch (error, code) {
        // A sync reports missing space only through its errno.
        case (.full, ENOSPC), (.readOnly, EROFS): true
        case (.failed(_, _, let reason), EIO): reason.contains("Input/output error") || reason.contains("I/O")
        default: false
        }
    }
}
