import LullModel
import TestSupport
import Testing

@testable import LullHistory

/// Retention deletes part by part, and keeps what the history has to remember.
struct PruningTests {
    private func histories() throws -> [(any History, TemporaryFolder)] {
        let folder = try TemporaryFolder()
        return [
            (try SQLiteHistory.open(folder: folder.path, mode: .readWrite), folder),
            (MemoryHistory(), folder),
        ]
    }

    @Test func `a year too much goes a day at a time`() throws {
        for (history, _) in try histories() {
            let app = try #require(AppIdentifier("com.example.App"))
            let events = (0..<(365 * 4)).map {
                HistoryEvent(.used, at: Sample.start + .hours($0 * 6), app: app)
            }
            try history.append(
                HistoryBatch(events: events, checkpoint: Checkpoint(version: 1, data: .init())))
            var bounds = PruneBounds(eventsBefore: Sample.start + .days(360), outputsBefore: .distantPast)
            bounds.span = .days(1)
            var turns = 0
            while turns < 400 {
                turns += 1
                let report = try history.prune(bounds)
                #expect(report.events == 4, "\(turns)")
                if !report.hasMore { break }
            }
            #expect(turns == 360)
            #expect(try history.events().count == 5 * 4)
        }
    }

    @Test func `a gap is passed over at once, and what may not go holds nothing up`() throws {
        for (history, _) in try histories() {
            let app = try #require(AppIdentifier("com.example.App"))
            // The clock was wrong when the last event was recorded.
            let times: [Duration] = [.zero, .hours(1), .days(200), .days(300), .days(-9000)]
            let events = times.map { HistoryEvent(.used, at: Sample.start + $0, app: app) }
            try history.append(
                HistoryBatch(events: events, checkpoint: Checkpoint(version: 1, data: .init())))
            var bounds = PruneBounds(eventsBefore: Sample.start + .days(250), outputsBefore: .distantPast)
            bounds.span = .days(1)
            bounds.eventsUpTo = 4
            let first = try history.prune(bounds)
            #expect(first.events == 2)
            #expect(first.hasMore)
            let second = try history.prune(bounds)
            #expect(second.events == 1)
            #expect(!second.hasMore)
            #expect(try history.prune(bounds).events == 0)
            #expect(try history.events().count == 2)
        }
    }

    @Test func `what the next host has to know is kept`() throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        #expect(try history.retentionMemo() == nil)
        try history.append(HistoryBatch(events: [try Sample.use(0)]))
        var bounds = PruneBounds(eventsBefore: .distantPast, outputsBefore: .distantPast)
        bounds.memo = "since yesterday"
        #expect(try history.prune(bounds).last == RecordNumbers(event: 1, output: 0))
        try history.close()
        let next = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        #expect(try next.retentionMemo() == "since yesterday")
        #expect(try next.lastNumbers() == RecordNumbers(event: 1, output: 0))
    }
}
