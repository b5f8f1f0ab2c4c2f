import Foundation
import GRDB
import LullModel
import TestSupport
import Testing

@testable import LullHistory

/// Damage at random places: bytes, pages, lengths, and files that are missing. `LULL_DAMAGES` says how often.
@Suite struct `A history damaged at random` {
    private static let times =
        ProcessInfo.processInfo.environment["LULL_DAMAGES"].flatMap { Int($0) } ?? 120
    private static let events = 600

    private enum Damage: CaseIterable {
        case bytes, page, cut, walBytes, walCut, walMissing, sharedMemory, header
    }

    @Test func `opens, says what was lost, keeps the rest and goes on`() throws {
        let source = try TemporaryFolder()
        // Two copies: one with all commits in the database file, one with the last commits in the WAL.
        let live = try SQLiteHistory.open(folder: source.path, mode: .readWrite)
        for start in stride(from: 0, to: Self.events, by: 20) {
            try live.append(
                HistoryBatch(
                    events: try Sample.uses(start..<(start + 20)),
                    outputs: [Sample.chunk(UInt64(start), String(repeating: "y", count: 700), minute: start)],
                    checkpoint: start == 300 ? Checkpoint(version: 1, data: Data([1])) : nil))
        }
        let open = try contents(of: source.path)
        try live.close()
        let closed = try contents(of: source.path)

        var salvaged = 0
        var saved = 0
        for seed in 0..<UInt64(Self.times) {
            var random = SeededGenerator(seed: seed)
            let damage = Damage.allCases[Int(seed) % Damage.allCases.count]
            let concernsWAL = [.walBytes, .walCut, .walMissing, .sharedMemory].contains(damage)
            var files = concernsWAL ? open : closed
            inflict(damage, on: &files, using: &random)
            let folder = try TemporaryFolder()
            for (name, bytes) in files {
                try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/" + name))
            }
            let opened = Result {
                try SQLiteHistory.openSalvaging(folder: folder.path, at: Sample.start)
            }
            guard case .success((let history, let report)) = opened else {
                Issue.record("seed \(seed), \(damage): \(opened)")
                continue
            }
            let (current, found) = try readable(history, in: folder.path)
            #expect(found.count <= Self.events, "seed \(seed), \(damage)")
            // A missing WAL is noticed before opening; a damaged one ends at the damage, as after a power cut.
            if found.count < Self.events, !concernsWAL {
                #expect(report != nil || current !== history, "seed \(seed), \(damage): lost in silence")
            }
            if let report {
                salvaged += 1
                saved += report.events
                #expect(report.events == found.count, "seed \(seed), \(damage)")
                #expect(FileManager.default.fileExists(atPath: report.movedTo), "seed \(seed), \(damage)")
            }
            try current.append(HistoryBatch(events: [try Sample.use(9000)]))
            #expect(try current.events().count == found.count + 1, "seed \(seed), \(damage)")
            let verdict = try current.writer?.read { try String.fetchOne($0, sql: "PRAGMA quick_check") }
            #expect(verdict == "ok", "seed \(seed), \(damage)")
            try current.close()
        }
        print(
            "\(Self.times) damages: \(salvaged) salvages, \(saved) of \(salvaged * Self.events) events saved")
        #expect(salvaged > Self.times / 10)
        #expect(saved > salvaged * Self.events / 2)
    }

    @Test func `keeps every name that is on one of two pages`() throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        let events = try (0..<400).map { number in
            HistoryEvent(
                .launched, at: Sample.start + .minutes(number), app: try Sample.app("App\(number)"),
                task: TaskIdentifier("com.example.App\(number).some_longer_name_of_a_task"))
        }
        try history.append(HistoryBatch(events: events))
        let roots = try history.read {
            try Int.fetchAll($0, sql: "SELECT rootpage FROM sqlite_master WHERE tbl_name = 'names'")
        }
        try history.close()
        #expect(roots.count == 2)
        let whole = try Data(contentsOf: URL(fileURLWithPath: history.path))
        for root in roots {
            var bytes = whole
            bytes.replaceSubrange((root - 1) * 4096..<root * 4096, with: Data(repeating: 0xA5, count: 4096))
            try bytes.write(to: URL(fileURLWithPath: history.path))
            let (saved, report) = try SQLiteHistory.openSalvaging(
                folder: folder.path, at: Sample.start + .seconds(root))
            #expect(report?.events == 400)
            #expect(try saved.events() == events)
            try saved.close()
        }
    }

    @Test func `whose last number leaves no next one is damaged, and does not end the host`() throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try history.append(HistoryBatch(events: try Sample.uses(0..<5)))
        try #require(history.writer).write {
            try $0.execute(sql: "UPDATE events SET seq = \(Int64.max) WHERE seq = 5")
        }
        let error = #expect(throws: HistoryError.self) {
            try history.append(HistoryBatch(events: [Sample.use(6)]))
        }
        guard case .damaged? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        try history.close()
        let report = try SQLiteHistory.salvage(folder: folder.path, at: Sample.start)
        #expect(report.events == 4)
        let next = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try next.append(HistoryBatch(events: [Sample.use(6)]))
        #expect(try next.events().count == 5)
    }

    @Test func `without the WAL that belongs to it is told from one that has it`() throws {
        let folder = try TemporaryFolder()
        #expect(SQLiteHistory.missingWAL(folder: folder.path) == nil)
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try history.append(HistoryBatch(events: [try Sample.use(0)]))
        try history.close()
        #expect(SQLiteHistory.missingWAL(folder: folder.path) == nil)
        try FileManager.default.removeItem(atPath: history.path + "-wal")
        #expect(SQLiteHistory.missingWAL(folder: folder.path)?.contains("-wal is missing") == true)
    }

    /// The events of a history that opens. If reading them fails, the history is salvaged, as a host would.
    private func readable(
        _ history: SQLiteHistory, in folder: String
    ) throws -> (SQLiteHistory, [HistoryEvent]) {
        if let events = try? history.events() { return (history, events) }
        try history.close()
        let report = try SQLiteHistory.salvage(folder: folder, at: Sample.start + .minutes(1))
        let next = try SQLiteHistory.open(folder: folder, mode: .readWrite)
        let events = try next.events()
        #expect(report.events == events.count)
        return (next, events)
    }

    private func contents(of folder: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for suffix in ["", "-wal", "-shm"] {
            let name = "history.sqlite" + suffix
            files[name] = Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
        }
        return files
    }

    private func inflict(
        _ damage: Damage, on files: inout [String: [UInt8]], using random: inout SeededGenerator
    ) {
        let (main, wal, shared) = ("history.sqlite", "history.sqlite-wal", "history.sqlite-shm")
        func flip(_ name: String, in range: Range<Int>? = nil) {
            guard var bytes = files[name], !bytes.isEmpty else { return }
            for _ in 0..<Int.random(in: 1...32, using: &random) {
                let place = Int.random(in: range ?? 0..<bytes.count, using: &random)
                bytes[place] ^= UInt8.random(in: 1...255, using: &random)
            }
            files[name] = bytes
        }
        func cut(_ name: String) {
            guard let bytes = files[name], !bytes.isEmpty else { return }
            files[name] = Array(bytes.prefix(Int.random(in: 1..<bytes.count, using: &random)))
        }
        switch damage {
        case .bytes: flip(main)
        case .header: flip(main, in: 0..<1024)
        case .page:
            guard var bytes = files[main] else { return }
            let page = Int.random(in: 0..<(bytes.count / 4096), using: &random) * 4096
            let value: UInt8? = Bool.random(using: &random) ? 0 : nil
            for place in page..<(page + 4096) {
                bytes[place] = value ?? UInt8.random(in: 0...255, using: &random)
            }
            files[main] = bytes
        case .cut: cut(main)
        case .walBytes: flip(wal)
        case .walCut: cut(wal)
        case .walMissing: files[wal] = nil
        case .sharedMemory: flip(shared)
        }
    }
}

/// The files are moved or replaced while the history is open.
@Suite struct `A history that is taken away` {
    @Test(arguments: ["history.sqlite", "history.sqlite-wal", "history.sqlite-shm", ""])
    func `is noticed at the next commit, which is not acknowledged`(name: String) throws {
        let folder = try TemporaryFolder()
        let place = folder.path + "/state"
        let history = try SQLiteHistory.open(folder: place, mode: .readWrite)
        try history.append(HistoryBatch(events: [try Sample.use(0)]))
        try history.verify()
        if name.isEmpty {
            try FileManager.default.moveItem(atPath: place, toPath: folder.path + "/elsewhere")
        } else {
            try FileManager.default.removeItem(atPath: place + "/" + name)
        }
        let gone = HistoryError.vanished(path: place + "/" + (name.isEmpty ? "history.sqlite" : name))
        #expect(throws: gone) { try history.append(HistoryBatch(events: [Sample.use(1)])) }
        #expect(throws: gone) { try history.verify() }
    }

    @Test func `takes its lock along`() throws {
        let folder = try TemporaryFolder()
        let lock = try StateLock.take(folder: folder.path, at: Sample.start)
        try lock.verify()
        try FileManager.default.removeItem(atPath: folder.path + "/lock")
        #expect(throws: HistoryError.vanished(path: folder.path + "/lock")) { try lock.verify() }
        // Another host takes the new lock: the first must not go on.
        let other = try StateLock.take(folder: folder.path, at: Sample.start)
        #expect(throws: HistoryError.vanished(path: folder.path + "/lock")) { try lock.verify() }
        try other.verify()
    }
}
