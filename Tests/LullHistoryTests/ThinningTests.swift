import Foundation
import GRDB
import LullModel
import TestSupport
import Testing

@testable import LullHistory

/// A history that outgrows its size loses its oldest details, but no day's figures.
struct ThinningTests {
    private let folder: TemporaryFolder
    private let history: SQLiteHistory
    private static let days = 10

    init() throws {
        folder = try TemporaryFolder()
        history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
    }

    /// Two tasks that run every ten minutes; each 50th run of the second fails. Each run prints some output.
    private func fill(printing bytes: Int = 100, isCovered: Bool = true) throws {
        let begin = WallTime(milliseconds: Sample.start.milliseconds / 86_400_000 * 86_400_000)
        var run: UInt64 = 0
        for day in 0..<Self.days {
            var batch = HistoryBatch()
            for slot in 0..<144 {
                let time = begin + .days(day) + .minutes(slot * 10)
                for task in ["one", "two"] {
                    run += 1
                    let isFailure = task == "two" && run % 100 == 0
                    var submitted = try event(.submitted, at: time - .minutes(1), task, run)
                    submitted.run = nil
                    var ended = try event(isFailure ? .failed : .completed, at: time + .seconds(1), task, run)
                    ended.outcome = isFailure ? .failed : .succeeded
                    ended.milliseconds = 1000
                    batch.events += [submitted, try event(.launched, at: time, task, run), ended]
                    batch.outputs.append(
                        OutputChunk(
                            run: RunID(run), stream: .standardOutput, time: time,
                            bytes: [UInt8](repeating: 65, count: bytes)))
                }
            }
            batch.events.append(
                HistoryEvent(.used, at: begin + .days(day) + .hours(1), app: try Sample.app()))
            batch.events.append(HistoryEvent(.conditions, at: begin + .days(day) + .hours(1), app: .host))
            if isCovered { batch.checkpoint = Checkpoint(version: 1, data: Data()) }
            try history.append(batch)
        }
    }

    private func event(
        _ name: HistoryEvent.Name, at time: WallTime, _ task: String, _ run: UInt64
    ) throws -> HistoryEvent {
        HistoryEvent(
            name, at: time, app: try Sample.app(), task: try Sample.task(task), request: RequestID(run),
            run: RunID(run))
    }

    private func thin(to bytes: Int64, turns: Int = 200) throws -> (turns: Int, report: PruneReport) {
        var bounds = PruneBounds(eventsBefore: .distantPast, outputsBefore: .distantPast)
        bounds.bytes = bytes
        var report = try history.prune(bounds)
        var count = 1
        while report.hasMore, count < turns {
            report = try history.prune(bounds)
            count += 1
        }
        return (count, report)
    }

    private func size() throws -> Int64 { try history.read { try Thinner.bytes($0) } }

    @Test func `what fits is left alone`() throws {
        try fill()
        let (turns, report) = try thin(to: 1 << 30)
        #expect(turns == 1)
        #expect(report.thinning == nil)
        #expect(try history.events().count == Self.days * (144 * 6 + 2))
    }

    @Test func `output goes first, and no more than is needed`() throws {
        try fill(printing: 2000)
        let before = try size()
        let events = try history.events()
        let (turns, report) = try thin(to: before * 3 / 4)
        #expect(turns > 1 && turns < Self.days)
        #expect(try size() <= before * 3 / 4)
        #expect(try history.events() == events)
        #expect(report.thinning?.output != nil && report.thinning?.events == nil)
        #expect(try history.output(of: RunID(1)) == nil)
        #expect(try history.output(of: RunID(UInt64(Self.days * 288))) != nil)
    }

    @Test func `runs that succeeded go next, day by day, and their figures stay`() throws {
        try fill()
        let figures = try history.days(since: .distantPast)
        #expect(figures.count == Self.days * 2)
        #expect(figures.allSatisfy { $0.launched == 144 })
        let failures = try history.events(matching: HistoryQuery(names: [.failed]))
        let (_, report) = try thin(to: 1)
        let gone = try #require(report.thinning?.events)
        // The newest records are spared.
        #expect(gone > Sample.start + .days(Self.days - 3) && gone < Sample.start + .days(Self.days))
        let left = try history.events()
        // Forecasts and likelihoods need these.
        for name in [HistoryEvent.Name.used, .conditions] {
            #expect(left.count { $0.event == name } == Self.days)
        }
        #expect(left.filter { $0.event == .failed } == failures)
        for failure in failures {
            let whole = left.filter { $0.request == failure.request }.map(\.event)
            #expect(whole == [.submitted, .launched, .failed])
        }
        let succeeded = left.filter { $0.event == .completed }
        #expect(!succeeded.isEmpty && succeeded.allSatisfy { $0.time >= gone })
        #expect(try history.days(since: .distantPast) == figures)
        let one = try Sample.task("one")
        #expect(try history.days(of: one, since: .distantPast) == figures.filter { $0.task == one })
        #expect(try history.thinning() == report.thinning)
        let sentence = try #require(report.thinning?.sentence(limit: 1 << 30))
        #expect(sentence.contains("reached its limit (1 GiB)") && sentence.contains("lull history --days"))
    }

    @Test func `figures that are none, or more than a day has, are passed over or cut`() throws {
        try fill()
        _ = try thin(to: 1)
        let queue = try DatabaseQueue(path: history.path)
        try queue.write { db in
            try db.execute(
                sql: "UPDATE days SET launched = 'many', ms = x'00' WHERE day = (SELECT min(day) FROM days)")
            try db.execute(
                sql:
                    "UPDATE days SET launched = ?, failed = ?, ms = ? WHERE day = (SELECT max(day) FROM days)",
                arguments: [Int64.max, Int64.min, Int64.max])
        }
        try queue.close()
        let figures = try history.days(since: .distantPast)
        #expect(figures.count == (Self.days - 1) * 2)
        #expect(figures.allSatisfy { $0.failed >= 0 && $0.milliseconds <= 1 << 41 })
    }

    @Test func `what apps said beside their runs goes as well, in the end all but the last hour`() throws {
        try fill()
        let last = try #require(try history.events().last?.time)
        var batch = HistoryBatch()
        for hour in 1..<200 {
            for name in [HistoryEvent.Name.transfer, .notification, .notice] {
                var said = HistoryEvent(name, at: last - .minutes(hour * 50), app: try Sample.app())
                if name == .transfer { said.transfer = .asked(TransferID(UInt64(hour)), Sample.order) }
                batch.events.append(said)
            }
        }
        batch.events.append(HistoryEvent(.used, at: last, app: try Sample.app()))
        batch.checkpoint = Checkpoint(version: 1, data: Data())
        try history.append(batch)
        let (_, report) = try thin(to: 1)
        let until = try #require(report.thinning?.asides)
        #expect(until > last - .hours(3) && until <= last - .hours(1))
        let left = try history.events()
        let asides = left.filter { [.transfer, .notification, .notice].contains($0.event) }
        #expect(!asides.isEmpty && asides.allSatisfy { $0.time >= until })
        #expect(left.count { $0.event == .used } == Self.days + 1)
        // Runs of the last day stay, whatever apps recorded since.
        #expect(left.contains { $0.event == .completed && $0.time < until })
        let sentence = try #require(report.thinning?.sentence(limit: 1 << 24))
        let words = "and transfers, notifications and notices before \(until.rfc3339.prefix(10)) "
        #expect(sentence.contains(words))
    }

    @Test func `what no checkpoint covers stays`() throws {
        try fill(isCovered: false)
        _ = try thin(to: 1)
        #expect(try history.events().count == Self.days * (144 * 6 + 2))
    }

    /// The pages of a tree, with its root first.
    private func pages(of table: String) throws -> [Int] {
        let root = try history.read {
            try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")
        }
        return [try #require(root)]
    }

    enum Loss: CaseIterable { case nothing, firstPage, names, memo }

    @Test(arguments: Loss.allCases)
    func `figures outlive a salvage, and go with retention`(loss: Loss) throws {
        try fill()
        let figures = try history.days(since: .distantPast)
        _ = try thin(to: 1)
        let gone = try history.thinning()?.events
        let page: Int? =
            switch loss {
            case .nothing: nil
            case .firstPage: 1
            case .names: try pages(of: "names").first
            case .memo: try pages(of: "meta").first
            }
        try history.close()
        if let page {
            let file = try #require(FileHandle(forUpdatingAtPath: history.path))
            try file.seek(toOffset: UInt64(page - 1) * 4096)
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
            try file.close()
        }
        let (saved, report) = try SQLiteHistory.openSalvaging(folder: folder.path, at: Sample.start)
        if loss == .nothing {
            #expect(report == nil)
            try saved.close()
            _ = try SQLiteHistory.salvage(folder: folder.path, at: Sample.start)
        }
        let next = loss == .nothing ? try SQLiteHistory.open(folder: folder.path, mode: .readWrite) : saved
        #expect(loss == .nothing || report != nil)
        #expect(try next.days(since: .distantPast) == figures)
        #expect(try next.thinning()?.events == gone)
        _ = try next.prune(eventsBefore: .distantFuture, outputsBefore: .distantPast)
        #expect(try next.days(since: .distantPast).isEmpty)
    }

    @Test func `figures that stand before and behind a page that can't be read are saved`() throws {
        let days = try (0..<400).map { day in
            HistoryDay(
                day: WallTime(milliseconds: Int64(day) * 86_400_000), app: try Sample.app(),
                task: try Sample.task("task\(day % 3)"), launched: day, succeeded: day, failed: 0,
                milliseconds: 1 << 30)
        }
        var names = Names()
        try #require(history.writer).write { try DayFigures.put(days, &names, $0) }
        let root = try #require(try pages(of: "days").first)
        try history.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: history.path))
        let start = (root - 1) * 4096
        func short(_ at: Int) -> Int { Int(bytes[start + at]) << 8 | Int(bytes[start + at + 1]) }
        #expect(bytes[start] == 2, "The root is an interior page.")
        // The second child of the page, from its second cell.
        let child = short(short(14) + 2)
        let file = try #require(FileHandle(forUpdatingAtPath: history.path))
        try file.seek(toOffset: UInt64(child - 1) * 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try file.close()
        let (saved, report) = try SQLiteHistory.openSalvaging(folder: folder.path, at: Sample.start)
        #expect(report != nil)
        let left = try saved.days(since: .distantPast)
        #expect(left.first == days.first && left.last == days.last)
        #expect(left.count > 200 && left.count < 400)
    }
}
