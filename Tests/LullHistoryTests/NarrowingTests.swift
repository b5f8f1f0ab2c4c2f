import Foundation
import GRDB
import LullModel
import TestSupport
import Testing

@testable import LullHistory

/// A history of wide rows, and what becomes of it.
@Suite struct `A history of wide rows` {
    let folder: TemporaryFolder
    private static let events = Result { try WideFile.events(3000, seed: 5) }

    init() throws { folder = try TemporaryFolder() }

    private func make() throws -> [HistoryEvent] {
        let events = try Self.events.get()
        try WideFile.make(
            in: folder, events, outputs: (1...700).map { Sample.chunk($0, "run \($0)\n") },
            checkpoint: Checkpoint(version: 3, data: Data([1, 2]))
        ).close()
        return events
    }

    private func open(_ mode: SQLiteHistory.Mode = .readWrite) throws -> SQLiteHistory {
        try SQLiteHistory.open(folder: folder.path, mode: mode)
    }

    private func size() throws -> Int {
        try FileManager.default.attributesOfItem(atPath: folder.path + "/history.sqlite")[.size] as? Int ?? 0
    }

    /// Everything that can be asked of it, as text.
    private func answers(_ history: SQLiteHistory) throws -> [String] {
        let events = try Self.events.get()
        var queries = [HistoryQuery(), HistoryQuery(order: .newestFirst, limit: 17), HistoryQuery(limit: 0)]
        for number in 0..<3 {
            let app = try Sample.app("App\(number)")
            queries.append(HistoryQuery(app: app))
            queries.append(HistoryQuery(app: app, order: .newestFirst, limit: 40))
            queries.append(HistoryQuery(app: app, names: [.used, .failed, .completed], limit: 50))
            queries.append(HistoryQuery(app: app, names: [.used, .failed], order: .newestFirst))
            queries.append(HistoryQuery(task: TaskIdentifier("com.example.App\(number).t1")))
        }
        let times = events.map(\.time).sorted()
        queries.append(HistoryQuery(names: [.conditions, .absent], since: times[500], until: times[2500]))
        queries.append(HistoryQuery(names: [.launched, .deferred], since: times[500], order: .newestFirst))
        queries.append(HistoryQuery(app: .host))
        queries.append(HistoryQuery(app: try Sample.app("Nobody")))
        queries.append(HistoryQuery(task: TaskIdentifier("com.example.Nobody.t"), names: [.failed]))
        queries.append(HistoryQuery(request: RequestID(77)))
        queries.append(HistoryQuery(run: RunID(123)))
        var lines = try queries.map {
            try history.events(matching: $0).map(HistoryLines.encode).joined(separator: "\n")
        }
        lines.append(try history.load().events.map(HistoryLines.encode).joined(separator: "\n"))
        var all = ""
        try history.forEachEvent(after: 0) { all += HistoryLines.encode($0) }
        var part = ""
        let last = try history.follow(after: 100, limit: 70) { part += HistoryLines.encode($0) }
        lines += [all, part, "\(last)", "\(try history.unknown(among: Array(events[3..<90])).count)"]
        lines += ["\(try history.lastNumbers())", "\(String(describing: try history.checkpoint()))"]
        lines += [try history.retentionMemo() ?? "", try history.output(of: RunID(7))?.text ?? ""]
        return lines
    }

    @Test func `answers everything as before when it is narrow, at a fraction of its size`() throws {
        let events = try make()
        let before = try size()
        let reader = try open(.readOnly)
        let wide = try answers(reader)
        #expect(try reader.events(matching: HistoryQuery()).count == events.count)
        let history = try open()
        #expect(try answers(history) == wide)
        // Whoever had opened it before goes on with what is there now.
        #expect(try answers(reader) == wide)
        #expect(try history.problems().isEmpty)
        try history.close()
        let after = try size()
        #expect(after * 10 < before * 7, "\(after) of \(before)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.allSatisfy { $0.hasPrefix("history.sqlite") }, "\(names)")
        let memory = MemoryHistory()
        try memory.append(HistoryBatch(events: events))
        #expect(try open().events() == memory.events())
    }

    @Test func `is an old one or a new one wherever its narrowing is cut off`() throws {
        struct Cut: Error {}
        let events = try make()
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/history.sqlite"))
        var ends = 0
        for steps in 0..<60 where ends == 0 {
            try whole.write(to: URL(fileURLWithPath: folder.path + "/history.sqlite"))
            var left = steps
            var narrowing = Narrowing(folder: folder.path)
            narrowing.portion = 500
            narrowing.step = {
                left -= 1
                if left < 0 { throw Cut() }
            }
            do {
                let queue = try narrowing.run({ _ in }) {
                    try SQLiteHistory.openWriter(folder.path + "/history.sqlite")
                }
                try queue.close()
                ends += 1
            } catch is Cut {
                // Whoever reads it, and the next host, find all of it.
                #expect(try open(.readOnly).events().count == events.count, "\(steps)")
            }
            let history = try open()
            #expect(try history.load().checkpoint?.seq == Int64(events.count), "\(steps)")
            var count = 0
            try history.forEachEvent(after: 0) { event in
                #expect(event == events[count], "\(steps)")
                count += 1
            }
            #expect(count == events.count, "\(steps)")
            #expect(try history.output(of: RunID(700))?.text == "run 700\n", "\(steps)")
            try history.close()
        }
        #expect(ends == 1)
    }

    @Test func `that an older host wrote to meanwhile is copied anew`() throws {
        struct Cut: Error {}
        let events = try make()
        var narrowing = Narrowing(folder: folder.path)
        narrowing.portion = 500
        var left = 4
        narrowing.step = {
            left -= 1
            if left < 0 { throw Cut() }
        }
        #expect(throws: Cut.self) {
            _ = try narrowing.run({ _ in }) { try SQLiteHistory.openWriter(folder.path + "/history.sqlite") }
        }
        let old = try DatabaseQueue(path: folder.path + "/history.sqlite")
        let more = try Sample.use(1)
        try old.write { db in
            try db.execute(sql: "DELETE FROM events WHERE seq <= 100")
            try db.execute(
                sql: WideEventRow.insertion,
                arguments: WideEventRow.arguments(of: more, seq: Int64(events.count + 1)))
        }
        try old.close()
        let history = try open()
        var found: [HistoryEvent] = []
        try history.forEachEvent(after: 0) { found.append($0) }
        #expect(found == Array(events.dropFirst(100)) + [more])
    }

    /// By its numbers and times, as damage of a file can make them.
    @Test func `at both ends of all numbers is made narrow, and goes on`() throws {
        _ = try make()
        let queue = try DatabaseQueue(path: folder.path + "/history.sqlite")
        try queue.write { db in
            for (number, end) in [(2, Int64.min), (2999, Int64(1) << 61)] {
                try db.execute(
                    sql: "UPDATE events SET seq = ?, time = ? WHERE seq = ?", arguments: [end, end, number])
            }
            try db.execute(sql: "UPDATE output SET time = ? WHERE run = 3", arguments: [Int64.min])
        }
        try queue.close()
        let history = try open()
        #expect(try history.events().allSatisfy { (.distantPast ... .distantFuture).contains($0.time) })
        #expect(try history.events().map(\.time.rfc3339).count > 2000)
        #expect(try history.days(since: .distantPast).count > 0)
    }

    @Test func `without room for a smaller one is used as it is`() throws {
        let events = try make()
        var narrowing = Narrowing(folder: folder.path)
        narrowing.step = { throw HistoryError.full(path: "") }
        var sentences: [String] = []
        let path = folder.path + "/history.sqlite"
        let queue = try narrowing.run({ sentences.append($0) }) { try SQLiteHistory.openWriter(path) }
        #expect(sentences.last?.contains("no room on the disk") == true)
        let version = try queue.read { try HistorySchema.version(of: $0) }
        #expect(version == HistorySchema.wideVersion)
        // Wide rows have no place for it.
        var more = try Sample.full()
        more.notification = nil
        try queue.write { [more] db in
            try EventTable(of: db, SharedNames()).insert(more, seq: Int64(events.count + 1))
        }
        try queue.close()
        #expect(try open(.readOnly).load().events == [more])
        let history = try open()
        #expect(try history.load().events == [more])
        try history.append(HistoryBatch(events: [more]))
        #expect(try history.load().events == [more, more])
    }

    @Test(arguments: [16, 4096]) func `with a garbage beginning is saved whole`(count: Int) throws {
        let events = try make()
        let file = try #require(FileHandle(forUpdatingAtPath: folder.path + "/history.sqlite"))
        try file.write(contentsOf: Data(repeating: 0x5A, count: count))
        try file.close()
        let (history, report) = try SQLiteHistory.openSalvaging(folder: folder.path, at: Sample.start)
        #expect(report?.events == events.count)
        #expect(report?.outputs == 700)
        #expect(try history.load().checkpoint?.seq == Int64(events.count))
    }
}

/// Narrow rows say what the wide ones said.
@Suite struct `A narrow row` {
    @Test func `keeps every event as it was, however it is made up`() throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        var random = SeededGenerator(seed: 11)
        var events: [HistoryEvent] = []
        for _ in 0..<2000 { events.append(try Sample.random(using: &random)) }
        events.append(try Sample.full())
        var odd = try Sample.full()
        odd.provenance = Provenance(manifest: " a b ", place: "", lull: "\u{1F}")
        odd.provenance?.entry = "5f70 bf18"
        odd.provenance?.plugin = .init(buildID: nil, sdk: " ", abi: "")
        odd.occasion = Occasion(
            time: .distantFuture, times: 9, boot: "x", repeat: .distantPast)
        odd.reason = "used"
        odd.price = -0.0
        events.append(odd)
        for start in stride(from: 0, to: events.count, by: 100) {
            try history.append(HistoryBatch(events: Array(events[start..<min(events.count, start + 100)])))
        }
        var found: [HistoryEvent] = []
        try history.forEachEvent(after: 0) { found.append($0) }
        #expect(found == events)
        #expect(found.map(HistoryLines.encode) == events.map(HistoryLines.encode))
    }

    @Test func `of a commit that failed leaves no name behind that others would take`() throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try history.append(HistoryBatch(events: [try Sample.use(0)]))
        let writer = try #require(history.writer)
        func limit(_ pages: Int) throws {
            _ = try writer.writeWithoutTransaction {
                try Row.fetchOne($0, sql: "PRAGMA max_page_count = \(pages)")
            }
        }
        try limit(1)
        let flood = try (0..<2000).map { try Sample.use($0, "Lost\($0 % 50)") }
        #expect(throws: HistoryError.self) { try history.append(HistoryBatch(events: flood)) }
        try limit(1_000_000)
        let after = try (0..<60).map { try Sample.use($0, "Found\($0)") } + [try Sample.use(7, "Lost3")]
        try history.append(HistoryBatch(events: after))
        try history.close()
        let again = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        var found: [HistoryEvent] = []
        try again.forEachEvent(after: 1) { found.append($0) }
        #expect(found == after)
    }

    @Test func `has its words by numbers that never change`() throws {
        let words =
            HistoryEvent.Name.allCases.map(\.rawValue) + Kind.allCases.map(\.rawValue)
            + TaskRequest.Origin.allCases.map(\.rawValue) + NoticeKind.allCases.map(\.rawValue)
            + NoticeNote.State.allCases.map(\.rawValue)
        for word in words { #expect(Words.number(of: word).flatMap(Words.word) == word, "\(word)") }
        #expect(Words.all.count < Words.end)
        #expect(Words.number(of: "used") == 1 && Words.number(of: "output") == 44)
    }

    @Test func `takes no number from a plugin that makes up names without end`() throws {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try HistorySchema.make(db)
            try db.execute(sql: "INSERT INTO names VALUES (?, 'the last')", arguments: [Names.most])
            var names = Names()
            #expect(try names.identifier("com.example.Another", db) == .text("com.example.Another"))
            #expect(try names.known("the last", db) == .number(Names.most))
        }
    }

    @Test(arguments: [
        0, 1, -1, 0.1, 0.745, 1e-7, 1.0 / 3, 12345.678, 1e300, -Double.infinity, 77_637_996_544, -0.0,
    ])
    func `keeps a number to its last bit`(value: Double) throws {
        var packer = Packer()
        packer.put(value)
        var unpacker = Unpacker(packer.bytes)
        #expect(try unpacker.double().bitPattern == value.bitPattern)
    }
}
