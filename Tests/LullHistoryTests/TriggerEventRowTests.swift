import GRDB
import LullModel
import TestSupport
import Testing

@testable import LullHistory

/// Events of `on` in the history: each name has a number, and the event comes back unchanged.
struct TriggerEventRowTests {
    private func event() throws -> HistoryEvent {
        var event = HistoryEvent(
            .happened, at: at(8), app: try .of("com.example.App"), task: try .of("com.example.App.scan"),
            request: RequestID(7))
        var triggerEvent = TriggerEvent(.path, at: at(8), count: 2)
        triggerEvent.add(["/srv/in/a \"b\".csv", "/srv/in/☃"])
        triggerEvent.wasMissed = true
        var other = TriggerEvent(.after, at: at(9))
        other.task = try .of("com.example.App.fetch")
        other.run = RunID(3)
        other.outcome = .succeeded
        triggerEvent.merge(other)
        event.triggerEvent = triggerEvent
        event.origin = .event
        return event
    }

    @Test func `each event has a number in the rows`() {
        for name in HistoryEvent.Name.allCases {
            #expect(Words.number(of: name.rawValue).flatMap(Words.event) == name, "\(name)")
        }
        #expect(Words.all.count < Words.end && Set(Words.all).count == Words.all.count)
    }

    @Test func `what happened comes back from the rows and from the lines`() throws {
        let event = try event()
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try history.append(HistoryBatch(events: [event]))
        #expect(try history.events(matching: HistoryQuery()) == [event])
        try history.close()
        #expect(try HistoryLines.decode(HistoryLines.encode(event), number: 1, path: "log") == event)
    }

    /// A name stays in the database for ever, also once `retention` has deleted its events.
    @Test func `no path and no parameter gets a name`() throws {
        var event = try event()
        event.params = ["token": "s3cret"]
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        for _ in 0..<3 { try history.append(HistoryBatch(events: [event])) }
        #expect(try history.events(matching: HistoryQuery()) == [event, event, event])
        try history.close()
        let database = try DatabaseQueue(path: folder.path + "/history.sqlite")
        let names = try database.read { try String.fetchAll($0, sql: "SELECT text FROM names") }
        #expect(names.contains("com.example.App.scan"))
        for text in ["s3cret", "/srv/in/☃", "com.example.App.fetch"] {
            #expect(!names.contains(text), "\(text)")
        }
    }
}
