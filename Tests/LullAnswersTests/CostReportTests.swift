import LullHistory
import LullModel
import TestSupport
import Testing

@testable import LullAnswers

/// What the runs of a span cost, added up; what is unknown adds nothing.
struct CostReportTests {
    private let app: AppIdentifier

    init() throws { app = try .of("com.example.App") }

    private func end(
        _ run: UInt64, of task: String, at time: WallTime, _ cost: RunCost?, took: Duration = .zero
    ) throws -> HistoryEvent {
        var event = HistoryEvent(
            .completed, at: time, app: app, task: try .of("com.example.App." + task), run: RunID(run),
            outcome: .succeeded)
        event.cost = cost
        event.milliseconds = took.milliseconds
        return event
    }

    private func report(
        _ events: [HistoryEvent], since: WallTime = at(0), by grouping: CostReport.Grouping = .task
    ) throws -> CostReport {
        let history = MemoryHistory()
        try history.append(HistoryBatch(events: events))
        return try CostReport.read(since: since, by: grouping, now: at(20), zone: .utc, in: history)
    }

    @Test func `the dearest task comes first, and what is unknown last`() throws {
        let report = try report([
            end(1, of: "cheap", at: at(1), RunCost(processor: 100, memory: 5, read: 1)),
            end(2, of: "dear", at: at(2), RunCost(processor: 500, memory: 7, read: 1, written: 3)),
            end(3, of: "dear", at: at(3), RunCost(processor: 300, memory: 9, read: 2)),
            end(4, of: "dear", at: at(4), RunCost(sharers: 1)),
            end(5, of: "unknown", at: at(5), nil),
        ])
        #expect(report.rows.map(\.name) == ["dear", "cheap", "unknown"].map { "com.example.App." + $0 })
        let dear = report.rows[0]
        #expect(dear.sum.runs == 3 && dear.sum.unknown == 1)
        #expect(dear.sum.processor == 800 && dear.sum.mean == 400)
        #expect(dear.sum.peak == 9 && dear.sum.read == 3 && dear.sum.written == 3)
        #expect(report.share(of: dear) == 800.0 / 900)
        #expect(report.rows[2].sum.mean == nil && report.share(of: report.rows[2]) == nil)
        #expect(report.total.runs == 5 && report.total.processor == 900)
        #expect(report.dearest.map(\.run) == [RunID(2), RunID(3), RunID(1)])
    }

    @Test func `runs from before the span, and ends without a run, do not count`() throws {
        var unloadable = try end(2, of: "a", at: at(6), RunCost(processor: 1))
        unloadable.run = nil
        let report = try report(
            [end(1, of: "a", at: at(1), RunCost(processor: 1)), unloadable], since: at(5))
        #expect(report.total == CostSum() && report.rows.isEmpty)
    }

    @Test func `a run counts in the hour in which it began`() throws {
        let report = try report(
            [
                end(1, of: "a", at: at(4, 10), RunCost(processor: 1), took: .minutes(70)),
                end(2, of: "a", at: at(2, 10), RunCost(processor: 2)),
                end(3, of: "a", at: at(3, 10), RunCost(processor: 4)),
            ], by: .hour)
        #expect(report.rows.map(\.hour) == [2, 3] && report.rows.map(\.sum.processor) == [2, 5])
    }

    @Test func `of many runs the dearest five are named`() throws {
        let report = try report(
            (1...9).map { try end($0, of: "a", at: at(Int($0)), RunCost(processor: Int64($0 * 7 % 10))) },
            by: .app)
        #expect(report.dearest.map(\.run.number) == [7, 4, 1, 8, 5])
        #expect(report.rows.map(\.name) == ["com.example.App"])
    }

    @Test func `costs that no machine can have add up to the most there is`() throws {
        let cost = RunCost(processor: .max, memory: .max, read: .max, written: .max)
        let report = try report([end(1, of: "a", at: at(1), cost), end(2, of: "a", at: at(2), cost)])
        #expect(report.total.processor == .max && report.total.read == .max)
    }
}
