import LullAnswers
import LullHistory
import LullModel
import Testing

@testable import LullCommands
@testable import lull

/// The text of `lull night TASK`.
struct NightHoursTests {
    private let app: AppIdentifier
    private let task: TaskIdentifier
    /// Monday 2026-11-23, 09:00 UTC.
    private let now = WallTime(seconds: 1_795_424_400)

    init() throws {
        app = try #require(AppIdentifier("com.example.App"))
        task = try #require(TaskIdentifier("com.example.App.nightly"))
    }

    private func hours(_ events: [HistoryEvent], to: WallTime) -> String {
        let timeline = Timeline(
            of: [task], from: now - .hours(15), to: to, now: now, zone: .utc, beginning: now - .days(2),
            events: events)
        return NightText(timeline: timeline, isCut: false, phrases: Phrases(now: now, zone: .utc))
            .hours(for: Terminal(columns: 80))
    }

    private func run(_ number: UInt64, at time: WallTime) -> [HistoryEvent] {
        var waits = HistoryEvent(
            .submitted, at: time - .hours(1), app: app, task: task, request: RequestID(1))
        waits.earliestBegin = now + .hours(10)
        return [
            waits, HistoryEvent(.launched, at: time, app: app, task: task, run: RunID(number)),
            HistoryEvent(
                .completed, at: time, app: app, task: task, run: RunID(number), outcome: .succeeded,
                reason: "3 files."),
        ]
    }

    @Test func `a task whose runs cost more than before is named, in the table and by itself`() throws {
        let history = MemoryHistory()
        let events = (1...15).map { number in
            let time = now - .hours(16 - number)
            var event = HistoryEvent(
                .completed, at: time, app: app, task: task, run: RunID(UInt64(number)), outcome: .succeeded)
            event.cost = RunCost(processor: number > 10 ? 9000 : 1000)
            return event
        }
        try history.append(HistoryBatch(events: events))
        let timeline = Timeline(
            of: [task], from: now - .hours(2), to: now, now: now, zone: .utc, beginning: now - .days(2),
            events: events)
        let text = NightText(
            timeline: timeline, isCut: false, phrases: Phrases(now: now, zone: .utc),
            rises: try CostRise.read(since: now - .hours(2), until: now, in: history))
        let sentence = "com.example.App.nightly costs more than before: a run takes 9 s of the processor"
        #expect(text.table(for: Terminal(columns: 200)).contains("\n" + sentence))
        #expect(text.hours(for: Terminal(columns: 200)).contains(sentence))
    }

    @Test func `a run of a moment has its row`() {
        let text = hours(run(7, at: now - .seconds(30)), to: now)
        #expect(
            text.contains("08:59:30            08:59:30  run 7 succeeded      3 files."), "\(text)")
        #expect(text.hasSuffix("Ran once, at 08:59: succeeded."), "\(text)")
    }

    @Test func `a run since the span is named where nothing was due in it`() {
        let text = hours(run(7, at: now - .seconds(30)), to: now - .hours(2))
        #expect(text.hasSuffix(" Since then it ran well, at 08:59."), "\(text)")
    }
}
