import LullHistory
import LullModel
import TestSupport
import Testing

@testable import LullAnswers

/// A rise is named only if it stands out from what single runs differ by.
struct CostRiseTests {
    private func rise(_ last: [Int64], after earlier: [Int64]) throws -> CostRise? {
        CostRise(of: try .of("com.example.App.nightly"), last + earlier)
    }

    private let steady = [Int64](repeating: 1000, count: 12)

    @Test func `three times the time of before is a rise, and less is none`() throws {
        let rise = try #require(try rise([3000, 3100, 3000, 3000, 2900], after: steady))
        #expect(rise.before == 1000 && rise.after == 3000)
        #expect(
            rise.sentence
                == "com.example.App.nightly costs more than before: a run takes 3 s of the processor (the median of "
                + "the last 5) and took 1 s (of 12 earlier ones).")
        #expect(try self.rise([2999, 2999, 2999, 2999, 2999], after: steady) == nil)
    }

    @Test func `few runs tell nothing`() throws {
        #expect(try rise([9000, 9000, 9000, 9000, 9000], after: [Int64](repeating: 1000, count: 9)) == nil)
        #expect(try rise([9000, 9000], after: []) == nil)
    }

    @Test func `two dear runs among the last, or a cheap one, are no rise`() throws {
        #expect(try rise([9000, 1000, 9000, 1000, 1000], after: steady) == nil)
        #expect(try rise([9000, 9000, 9000, 9000, 1000], after: steady) == nil)
    }

    @Test func `a task whose runs differ anyway has no rise`() throws {
        // A quarter of its runs always took that long.
        let uneven: [Int64] = [9000, 1000, 1000, 1000, 9000, 1000, 1000, 9000, 1000, 1000, 1000, 9000]
        #expect(try rise([9000, 9000, 9000, 9000, 9000], after: uneven) == nil)
    }

    @Test func `a rise of less than a second is none`() throws {
        #expect(
            try rise([990, 990, 990, 990, 990], after: [Int64](repeating: 10, count: 20)) == nil)
    }

    @Test func `the night names the tasks that ran in it, from their successful runs of known cost`() throws {
        let history = MemoryHistory()
        let task = try TaskIdentifier.of("com.example.App.nightly")
        func end(_ run: Int, _ name: HistoryEvent.Name, _ cost: RunCost?) throws -> HistoryEvent {
            var event = HistoryEvent(
                name, at: at(run), app: try .of("com.example.App"), task: task, run: RunID(UInt64(run)))
            event.cost = cost
            return event
        }
        var events = try (1...12).map { try end($0, .completed, RunCost(processor: 1000)) }
        events += try [end(13, .failed, RunCost(processor: 10)), end(14, .completed, RunCost(sharers: 1))]
        events += try (15...19).map { try end($0, .completed, RunCost(processor: 4000)) }
        try history.append(HistoryBatch(events: events))
        #expect(try CostRise.read(since: at(18), until: at(20), in: history).map(\.task) == [task])
        #expect(try CostRise.read(since: at(20), until: at(21), in: history).isEmpty)
        // Until then it had not risen.
        #expect(try CostRise.read(since: at(10), until: at(16), in: history).isEmpty)
    }
}
