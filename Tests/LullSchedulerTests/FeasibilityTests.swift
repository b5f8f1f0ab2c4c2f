import LullModel
import Testing

@testable import LullScheduler

/// The days on which the requirements of a task held.
@Suite struct `Feasibility of a task` {
    private let now = WallTime.at(60, 0)

    /// Six-hour spans; `holds` by day.
    private func events(_ name: String, days: Range<Int>, _ holds: (Int) -> Bool) -> [HistoryEvent] {
        days.flatMap { day in
            (0..<4).map { quarter in
                var event = HistoryEvent(.conditions, at: .at(day, quarter * 6 + 6), app: .host)
                event.milliseconds = 6 * 3_600_000
                event.shares = [name: holds(day) && quarter == 1 ? 0.5 : 0]
                event.gates = holds(day) && quarter == 1 ? [] : [name]
                return event
            }
        }
    }

    private func task(_ change: (inout TaskDefinition) -> Void) -> TaskDefinition {
        Sample.definition(Sample.cleaning, .processing, change)
    }

    @Test func `is the days on which its conditions held together`() throws {
        let task = task {
            $0.requires.externalPower = true
            $0.requires.network = .any
        }
        let past = events("network+external_power", days: 0..<60) { $0 % 7 == 0 }
        let feasibility = try #require(Feasibility(of: task, in: past, at: now, zones: .utc))
        #expect(feasibility.held == 9 && feasibility.watched >= 59 && feasibility.longestWithout == 6)
        #expect(feasibility.sentence == "network and external_power together held on 9 of the last 60 days")
        #expect(feasibility.obstacle(to: Expectation(count: 1, span: .days(7))) == nil)
        #expect(
            feasibility.obstacle(to: Expectation(count: 1, span: .days(2)))?.contains("6 days in a row")
                == true)
    }

    @Test func `of a set that was never watched as one is bound by its conditions`() throws {
        let task = task {
            $0.requires.externalPower = true
            $0.requires.network = .any
        }
        let past =
            events("network", days: 0..<20) { $0 < 10 } + events("external_power", days: 0..<20) { $0 >= 5 }
        let feasibility = try #require(Feasibility(of: task, in: past, at: now, zones: .utc))
        #expect(feasibility.held == 5 && feasibility.isBound)
        #expect(feasibility.sentence.contains("at most 5 of the 2"))
    }

    @Test func `counts only what held within a window`() throws {
        let task = task {
            $0.requires.externalPower = true
            $0.windows = [Window(opens: 0, closes: 60, text: "00:00-01:00")]
        }
        let past = events("external_power", days: 0..<60) { _ in true }
        let feasibility = try #require(Feasibility(of: task, in: past, at: now, zones: .utc))
        #expect(feasibility.held == 0)
    }

    @Test func `is not known of what nobody has watched, and of nothing that is required`() {
        #expect(Feasibility(of: task { _ in }, in: [], at: now, zones: .utc) == nil)
        #expect(
            Feasibility(of: task { $0.requires.externalPower = true }, in: [], at: now, zones: .utc) == nil)
    }
}
