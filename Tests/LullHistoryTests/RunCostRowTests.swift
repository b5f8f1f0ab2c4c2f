import LullHistory
import LullModel
import TestSupport
import Testing

/// What a run cost, with the end of the run: an unknown figure stays one.
struct RunCostRowTests {
    @Test(arguments: Twin.allCases)
    func `each cost is read as it was written`(twin: Twin) throws {
        let costs = [
            RunCost(sharers: 1001),
            RunCost(), RunCost(sharers: 3), RunCost(processor: .max, read: 0),
            RunCost(memory: 1, written: .max),
        ]
        let events = try costs.enumerated().map { minute, cost in
            var event = try Sample.launch(minute, run: UInt64(minute + 1))
            event.event = .completed
            event.cost = cost
            return event
        }
        let folder = try TemporaryFolder()
        let history = try twin.make(in: folder)
        try history.append(HistoryBatch(events: events))
        #expect(try history.events(matching: HistoryQuery()).map(\.cost) == costs)
        let lines = events.map { HistoryLines.encode($0) }
        #expect(try lines.map { try HistoryLines.decode($0, number: 1, path: "f").cost } == costs)
    }
}
