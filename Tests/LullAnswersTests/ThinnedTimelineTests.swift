import Foundation
import LullHistory
import LullModel
import TestSupport
import Testing

@testable import LullAnswers

/// Nights whose events were deleted to limit the history's size.
struct ThinnedTimelineTests {
    private static let days = 6
    private let folder = FileManager.default.temporaryDirectory.path + "/lull-" + UUID().uuidString
    private let app: AppIdentifier
    private let task: TaskIdentifier
    private let other: TaskIdentifier
    private let begin: WallTime

    init() throws {
        app = try .of("com.example.App")
        task = try .of("com.example.App.often")
        other = try .of("com.example.App.rarely")
        begin = at(0, day: 10)
    }

    /// A task that runs every ten minutes, each 50th time in vain, and one that ran on the first day alone.
    private func history() throws -> SQLiteHistory {
        let history = try SQLiteHistory.open(folder: folder, mode: .readWrite)
        var batch = HistoryBatch()
        var number: UInt64 = 0
        for slot in 0..<Self.days * 144 {
            for task in slot < 3 ? [task, other] : [task] {
                number += 1
                let isFailure = task == self.task && slot % 50 == 49
                let time = begin + .minutes(slot * 10)
                func event(_ name: HistoryEvent.Name, _ time: WallTime) -> HistoryEvent {
                    HistoryEvent(
                        name, at: time, app: app, task: task, request: RequestID(number), run: RunID(number))
                }
                var ended = event(isFailure ? .failed : .completed, time + .seconds(1))
                ended.outcome = isFailure ? .failed : .succeeded
                batch.events += [event(.launched, time), ended]
            }
        }
        batch.checkpoint = Checkpoint(version: 1, data: Data())
        try history.append(batch)
        return history
    }

    private func thinned(_ history: SQLiteHistory) throws -> SQLiteHistory {
        var bounds = PruneBounds(eventsBefore: .distantPast, outputsBefore: .distantPast)
        bounds.bytes = 1
        while try history.prune(bounds).hasMore {}
        return history
    }

    private func read(_ history: SQLiteHistory, from: WallTime, to: WallTime) throws -> Timeline {
        try Timeline.read(
            of: [task], isWhole: true, from: from, to: to, now: begin + .days(Self.days), zone: .utc,
            in: history
        ).timeline
    }

    @Test func `a night before that is told by its days' figures, and nothing is made up`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let timeline = try read(
            try thinned(history()), from: begin + .hours(18), to: begin + .days(1) + .hours(10))
        let until = try #require(timeline.thinned)
        #expect(until > timeline.to)
        #expect(timeline.lanes.map(\.task) == [task, other] && timeline.lanes[1].isRemoved)
        let lane = timeline.lanes[0]
        let days = "from \(Self.date(begin)) to \(Self.date(begin + .days(1))) (UTC)"
        #expect(lane.summary == "Ran 288 times \(days), 5 failed.")
        #expect(lane.result(since: timeline.from) == .ran)
        #expect(lane.stretches == [.init(from: timeline.from, to: timeline.to, state: .unknown)])
        #expect(lane.days.map(\.launched) == [144, 144] && lane.days.map(\.failed) == [2, 3])
        // The failures are still there, run by run.
        #expect(!lane.runs.isEmpty && lane.runs.allSatisfy(\.isFailure))
        let told = "Ran 3 times \(days), all well. It is no longer in the manifest."
        #expect(timeline.lanes[1].summary == told)
        let later = try read(try reopened(), from: begin + .days(1), to: begin + .days(1) + .hours(10))
        #expect(later.lanes.map(\.task) == [task])
    }

    @Test func `a span that is thinned in part is told in both ways`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let timeline = try read(try thinned(history()), from: begin, to: begin + .days(Self.days))
        let until = try #require(timeline.thinned)
        let lane = timeline.lanes[0]
        let counted = Int((until - begin).milliseconds / 600_000)
        #expect(lane.summary.hasPrefix("Ran \(counted) times from \(Self.date(begin)) to "))
        #expect(lane.summary.contains(" Ran \(Self.days * 144 - counted) times, "))
        #expect(lane.stretches.first?.state == .unknown && lane.stretches.first?.to == until)
        let json = try JSONEncoder().encode(
            TimelineJSON(timeline, zone: .utc, isCut: false, showsPrinted: true))
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains("\"thinned\":\"\(until.rfc3339)\"") && text.contains("\"launchedCount\":144"))
    }

    @Test func `a span whose events are all there is as before`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (from, to) = (begin + .days(Self.days - 1), begin + .days(Self.days))
        let before = try read(try history(), from: from, to: to)
        let after = try read(try thinned(reopened(.readWrite)), from: from, to: to)
        #expect(before.lanes[0].runs.count == 144)
        #expect(after.thinned == nil && after.lanes == before.lanes)
    }

    private func reopened(_ mode: SQLiteHistory.Mode = .readOnly) throws -> SQLiteHistory {
        try SQLiteHistory.open(folder: folder, mode: mode)
    }

    private static func date(_ time: WallTime) -> String { String(time.rfc3339.prefix(10)) }
}
