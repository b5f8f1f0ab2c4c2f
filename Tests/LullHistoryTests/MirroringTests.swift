import LullModel
import TestSupport
import Testing

@testable import LullHistory

struct MirroringTests {
    private let app = AppIdentifier("com.example.Feed") ?? .host
    private let start = WallTime(seconds: 1_800_000_000)

    private func used(_ minute: Int) -> HistoryEvent {
        HistoryEvent(.used, at: start + .minutes(minute), app: app)
    }

    @Test func `pages follow one another and leave nothing out`() throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try history.append(HistoryBatch(events: (0..<7).map(used)))
        var after: Int64 = 0
        var sizes: [Int] = []
        while true {
            let page = try history.page(.init(after: after, events: 3, bytes: 1 << 20))
            sizes.append(page.count)
            #expect(page.last == 7 && page.isFull == (page.through < 7))
            after = page.through
            if !page.isFull { break }
        }
        #expect(sizes == [3, 3, 1] && after == 7)
        #expect(try history.page(.init(after: 7, events: 3, bytes: 1 << 20)).count == 0)
    }

    @Test func `a page has room for one event, however large`() throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try history.append(HistoryBatch(events: (0..<3).map(used)))
        let page = try history.page(.init(after: 0, events: 200, bytes: 1))
        #expect(page.count == 1 && page.isFull && page.through == 1)
    }

    @Test func `what a run printed last goes with its end`() throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        let end = HistoryEvent(
            .failed, at: start, app: app, run: RunID(4), outcome: .failed, reason: "It failed.")
        let lines = (0..<20_000).map { "line \($0)\n" }.joined()
        try history.append(
            HistoryBatch(
                events: [used(0), end],
                outputs: [
                    OutputChunk(run: RunID(4), stream: .standardError, time: start, bytes: Array(lines.utf8))
                ]))
        let page = try history.page(.init(after: 0, events: 200, bytes: 1 << 20))
        #expect(page.body.contains(#""outputs":[{"run":4,"sequence":2,"text":"…"#))
        #expect(page.body.contains(#"line 19999\n"}]"#))
        #expect(page.body.utf8.count < MirrorPage.outputBytes + 20_000)
        let brief = try history.page(.init(after: 1, events: 1, bytes: 1 << 20, isBrief: true))
        #expect(brief.body.contains(#""outputs":[]"#) && !brief.body.contains("It failed."))
    }

    @Test func `of what is sent first the oldest is left out`() throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try history.append(HistoryBatch(events: (0..<9).map(used)))
        let page = try history.page(
            .init(after: 0, events: 200, bytes: 1 << 20, oldest: start + .minutes(5)))
        #expect(page.count == 4 && page.through == 9)
        let later = try history.page(
            .init(after: 2, events: 200, bytes: 1 << 20, oldest: start + .minutes(5)))
        #expect(later.count == 7)
    }

    @Test func `what every host of a fleet records alike stays on the host, and is counted`() throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        let task = try #require(TaskIdentifier("com.example.Feed.refresh"))
        func event(_ name: HistoryEvent.Name, _ act: SlotNote.Act?) -> HistoryEvent {
            var event = HistoryEvent(name, at: start, app: app, task: task)
            event.slot = act.map { SlotNote($0, SlotName(task, at: start)) }
            return event
        }
        let events = [
            event(.submitted, .shared), event(.deferred, .shared), event(.launched, .held),
            event(.completed, nil), event(.slot, .settled), event(.submitted, .shared),
            event(.slot, .elsewhere), event(.givenUp, .shared), event(.givenUp, nil),
            event(.deferred, .shared),
        ]
        try history.append(HistoryBatch(events: events))
        let page = try history.page(.init(after: 0, events: 200, bytes: 1 << 20))
        #expect(page.count == 4 && page.withheld == 6 && page.through == 10 && !page.isFull)
        #expect(
            page.body.contains(#"{"seq":3,"withheld":2,"line""#) && page.body.contains(#"{"seq":4,"line""#))
        #expect(page.body.hasSuffix(#""through":10,"withheld":1"#))
        let first = try history.page(.init(after: 0, events: 1, bytes: 1 << 20))
        #expect(first.count == 1 && first.through == 3 && first.isFull)
        #expect(try history.events(matching: HistoryQuery()).count == 10)
    }

    @Test func `a push's payload stays at home`() throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        var event = HistoryEvent(.submitted, at: start, app: app)
        event.push = PushNote(json: ["from": "http", "payload": "{\"secret\":1}"])
        #expect(event.push != nil)
        try history.append(HistoryBatch(events: [event]))
        let page = try history.page(.init(after: 0, events: 200, bytes: 1 << 20))
        #expect(page.body.contains("http") && !page.body.contains("secret"))
    }
}
