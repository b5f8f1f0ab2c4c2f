import LullHistory
import LullModel
import TestSupport
import Testing

@testable import LullAnswers

/// A night in which no host ran for a while: the times that were missed are named, and no run that was cut off still runs.
struct AbsentTimelineTests {
    private let app: AppIdentifier
    private let task: TaskIdentifier

    init() throws {
        app = try .of("com.example.App")
        task = try .of("com.example.App.nightly")
    }

    private func event(
        _ name: HistoryEvent.Name, _ time: WallTime, run: UInt64? = nil, gates: [String]? = nil,
        begin: WallTime? = nil, outcome: Outcome? = nil
    ) -> HistoryEvent {
        var event = HistoryEvent(
            name, at: time, app: app, task: task, request: RequestID(1), run: run.map { RunID($0) },
            outcome: outcome)
        event.gates = gates
        event.earliestBegin = begin
        return event
    }

    private func absent(_ cause: AbsenceCause, from: WallTime, to: WallTime) -> HistoryEvent {
        var event = HistoryEvent(.absent, at: to, app: .host)
        (event.absence, event.milliseconds) = (cause, (to - from).milliseconds)
        return event
    }

    private func lane(_ events: [HistoryEvent]) throws -> Timeline.Lane {
        let timeline = Timeline(
            of: [task], from: at(18, day: 20), to: at(8), now: at(8), zone: .utc, events: events)
        return try #require(timeline.lanes.first)
    }

    private func result(_ lane: Timeline.Lane) -> Timeline.Lane.Result { lane.result(since: at(18, day: 20)) }

    @Test func `a window that passed without a host is why the task did not run`() throws {
        let lane = try lane([
            event(.submitted, at(9, day: 20)),
            event(.deferred, at(20, day: 20), gates: ["window"], begin: at(3)),
            absent(.stopped, from: at(2), to: at(5)),
            event(.deferred, at(5), gates: ["window"], begin: at(3, day: 22)),
        ])
        #expect(result(lane) == .held)
        #expect(
            lane.summary
                == "Did not run: outside its hours 20:00–02:00, no host ran when it was due (03:00) 02:00–05:00, "
                + "outside its hours 05:00–08:00.")
        #expect(lane.stretches.map(\.due) == [nil, nil, at(3), nil])
    }

    @Test func `what ran afterwards names the time that was lost, and a time that came later does not`()
        throws
    {
        let events = [
            event(.submitted, at(9, day: 20), begin: at(3)), absent(.asleep, from: at(1), to: at(6)),
            event(.launched, at(6), run: 4), event(.completed, at(6, 1), run: 4, outcome: .succeeded),
        ]
        let late = try lane(events)
        #expect(result(late) == .ran)
        #expect(
            late.summary
                == "Ran once, at 06:00: succeeded. It was due at 03:00 (the host was asleep 01:00–06:00).")
        let well = try lane([event(.submitted, at(9, day: 20), begin: at(7))] + events.dropFirst())
        #expect(well.summary == "Ran once, at 06:00: succeeded.")
    }

    @Test func `a run that was under way when its host was killed was cut off, and does not run still`()
        throws
    {
        let events = [
            event(.launched, at(1), run: 4), event(.completed, at(2), run: 4, outcome: .succeeded),
            event(.launched, at(3), run: 5), absent(.lost, from: at(4), to: at(8)),
        ]
        let lane = try lane(events)
        #expect(result(lane) == .cut)
        #expect(
            lane.summary
                == "Ran 2 times, 1 was cut short; last at 03:00, and was cut off with its host, last seen at 04:00."
        )
        #expect(lane.stretches.suffix(2).map(\.state) == [.running, .hostOff])
        let before = try self.lane([
            event(.launched, at(17, day: 20), run: 5), absent(.lost, from: at(4), to: at(8)),
        ])
        #expect(before.summary == "An earlier run was cut off with its host, last seen at 04:00.")
        // A machine that sleeps keeps its runs.
        let asleep = try self.lane([event(.launched, at(3), run: 5), absent(.asleep, from: at(4), to: at(8))])
        #expect(result(asleep) == .ran && asleep.summary.contains("still runs"))
    }

    @Test func `absences that overlap are told one after another`() {
        let timeline = Timeline(
            of: [], from: at(18, day: 20), to: at(8), now: at(8), zone: .utc,
            events: [absent(.asleep, from: at(3), to: at(7)), absent(.lost, from: at(1), to: at(7))])
        #expect(timeline.absences.map(\.absence) == [.lost])
        #expect(timeline.absences.map(\.from) == [at(1)] && timeline.absences.map(\.to) == [at(7)])
    }

    @Test func `a clock that was set back is told beside the absences, and takes nothing from a lane`() throws
    {
        var back = absent(.back, from: at(3), to: at(5))
        back.time = at(3)
        let events = [
            event(.submitted, at(9, day: 20), begin: at(4)), absent(.ahead, from: at(2), to: at(5)),
            event(.launched, at(5), run: 4), event(.completed, at(5, 1), run: 4, outcome: .succeeded), back,
        ]
        let timeline = Timeline(
            of: [task], from: at(18, day: 20), to: at(8), now: at(8), zone: .utc, events: events)
        #expect(timeline.absences.map(\.phrase) == ["the clock was set ahead", "the clock was set back"])
        #expect(timeline.absences.map(\.from) == [at(2), at(5)])
        #expect(timeline.absences.map(\.to) == [at(5), at(3)])
        #expect(
            timeline.lanes.first?.summary
                == "Ran once, at 05:00: succeeded. It was due at 04:00 (the clock was set ahead 02:00–05:00)."
        )
    }

    @Test func `what ran before the clock was set back is of the night`() throws {
        let history = MemoryHistory()
        var back = absent(.back, from: at(3), to: at(5))
        back.time = at(3)
        let events = [
            event(.submitted, at(1), begin: at(4)), absent(.ahead, from: at(2), to: at(5)),
            event(.launched, at(5), run: 4), event(.completed, at(5, 1), run: 4, outcome: .succeeded), back,
        ]
        try history.append(HistoryBatch(events: events, outputs: []))
        let read = try Timeline.read(
            of: [task], from: at(18, day: 20), to: at(3, 1), now: at(3, 1), zone: .utc, in: history)
        #expect(read.timeline.to == at(5, 1))
        #expect(read.timeline.lanes.first?.summary.hasPrefix("Ran once, at 05:00: succeeded.") == true)
        #expect(read.timeline.absences.map(\.absence) == [.ahead, .back])
    }

    @Test func `the last run is the one that was launched last, whatever the clock was set back to`() throws {
        var back = absent(.back, from: at(2), to: at(4))
        back.time = at(2)
        // In the order of a history, by the times that the clock showed.
        let lane = try lane([
            back, event(.launched, at(2, 30), run: 5),
            event(.completed, at(2, 31), run: 5, outcome: .succeeded),
            event(.launched, at(3), run: 4), event(.completed, at(3, 1), run: 4, outcome: .failed),
        ])
        #expect(lane.runs.map(\.run) == [RunID(4), RunID(5)])
        #expect(result(lane) == .ran)
        #expect(lane.summary == "Ran 2 times, 1 failed; last at 02:30: succeeded.")
    }

    @Test func `a run over which the clock was set back has ended, though before it was launched`() throws {
        var back = absent(.back, from: at(2), to: at(4))
        back.time = at(2)
        let lane = try lane([
            back, event(.completed, at(2, 5), run: 4, outcome: .succeeded),
            event(.launched, at(3, 59), run: 4),
        ])
        #expect(result(lane) == .ran)
        #expect(lane.summary == "Ran once, at 03:59: succeeded.")
        #expect(lane.stretches.last?.state != .running)
    }

    @Test func `that no host runs now is told as far as its last sign`() throws {
        let history = MemoryHistory()
        try history.append(HistoryBatch(events: [event(.launched, at(3), run: 5)], outputs: []))
        let read = try Timeline.read(
            of: [task], absent: .init(since: at(4), cause: .lost), from: at(18, day: 20), to: at(8),
            now: at(8),
            zone: .utc, in: history)
        #expect(read.timeline.lanes.first?.runs.map(\.lost) == [at(4)])
        #expect(read.timeline.absences.count == 1)
    }
}

/// Tasks without a request, because the task before them in the chain did not end as it had to.
struct TimelineChainsTests {
    private let app: AppIdentifier
    private let names: [TaskIdentifier]

    init() throws {
        app = try .of("com.example.App")
        names = try ["get", "unpack", "index", "post"].map { try .of("com.example.App.\($0)") }
    }

    private func event(_ name: HistoryEvent.Name, _ place: Int, _ time: WallTime, _ outcome: Outcome? = nil)
        -> HistoryEvent
    {
        HistoryEvent(
            name, at: time, app: app, task: names[place], run: RunID(UInt64(place + 1)), outcome: outcome)
    }

    private func summaries(_ events: [HistoryEvent], _ last: ChainOutcome = .success) -> [String] {
        let links = [
            names[1]: [ChainLink(task: names[0], outcome: .success)],
            names[2]: [ChainLink(task: names[1], outcome: .success)],
            names[3]: [ChainLink(task: names[2], outcome: last)],
        ]
        return Timeline(
            of: names, from: at(18, day: 20), to: at(8), now: at(8), zone: .utc, beginning: at(9, day: 20),
            chains: links, events: events
        ).lanes.map { "\($0.result(since: at(18, day: 20))): \($0.summary)" }
    }

    @Test func `each later task leads to the run that broke the chain`() {
        let told = summaries([
            event(.launched, 0, at(2)), event(.completed, 0, at(2, 5), .succeeded),
            event(.launched, 1, at(2, 5)), event(.failed, 1, at(2, 9), .crashed),
        ])
        #expect(told[0] == "ran: Ran once, at 02:00: succeeded.")
        #expect(
            told[2]
                == "held: Did not run: com.example.App.unpack crashed at 02:09, and this runs once that succeeds."
        )
        #expect(
            told[3]
                == "held: Did not run: com.example.App.index did not run: com.example.App.unpack crashed at 02:09."
        )
    }

    @Test func `a chain that was not begun, or waits for a failure that did not come, had nothing due`() {
        #expect(summaries([]).allSatisfy { $0.hasPrefix("quiet: ") })
        let well = (0..<3).flatMap {
            [event(.launched, $0, at($0 + 1)), event(.completed, $0, at($0 + 1, 5), .succeeded)]
        }
        #expect(summaries(well, .failure)[3].hasPrefix("quiet: "))
    }
}
