import LullHistory
import LullModel
import Testing

@testable import lull

/// `lull history --events --failed`: as many failures as are asked for, however many runs were cut short since.
struct NewestFailuresTests {
    @Test(arguments: [1, 2, 3, 7, 100])
    func `runs that were cut short take no failure's place`(part: Int) throws {
        let app = try #require(AppIdentifier("a.b"))
        let time = WallTime(seconds: 1_795_276_800)
        let events = (0..<12).map { index in
            var event = HistoryEvent(
                .failed, at: time + .seconds(index), app: app, task: TaskIdentifier("a.b.t"),
                run: RunID(UInt64(index) + 1), outcome: .expired)
            // The first four failed; the others were ended by a host that shut down.
            if index >= 4 { event.gates = [GateName.shuttingDown.rawValue] }
            return event
        }
        let history = MemoryHistory()
        try history.append([HistoryBatch(events: events)])
        let query = HistoryQuery(names: [.failed, .interrupted])
        func runs(_ most: Int) throws -> [UInt64] {
            try history.newestFailures(matching: query, most: most, part: part).compactMap { $0.run?.number }
        }
        #expect(try runs(3) == [4, 3, 2])
        #expect(try runs(.max) == [4, 3, 2, 1])
    }
}
