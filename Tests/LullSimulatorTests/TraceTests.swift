import LullModel
import LullScheduler
import Testing

@testable import LullSimulator

@Suite struct TraceTests {
    @Test func `a day is summed up in the zone's own days`() throws {
        let app = try #require(AppIdentifier("com.example.A"))
        let task = try #require(TaskIdentifier("com.example.A.t"))
        // 23:30 UTC of Monday, 2026-03-02.
        let late = WallTime(seconds: 1_772_409_600 + 84_600)
        var trace = Trace()
        trace.events = [
            HistoryEvent(.used, at: late, app: app),
            HistoryEvent(.launched, at: late, app: app, task: task, run: RunID(1)),
            HistoryEvent(.completed, at: late, app: app, task: task, run: RunID(1), outcome: .succeeded),
        ]
        let utc = trace.days(zone: .utc)
        #expect(utc.map(\.day) == [2] && utc.map(\.weekday) == [0])
        #expect(utc.first?.uses == 1 && utc.first?.launches == [task: 1] && utc.first?.succeeded == 1)
        let east = trace.days(zone: Zone(name: "East", initialOffset: 3600))
        #expect(east.map(\.day) == [3] && east.map(\.weekday) == [1])
    }
}
