import LullHistory
import LullModel
import TestSupport
import Testing

@testable import LullAnswers

/// What became of a task in a night, from its events.
struct TimelineTests {
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

    @Test func `a task whose app can't start says why, without what it printed`() throws {
        let fault = HistoryEvent(
            .failed, at: at(2), app: app, outcome: .crashed,
            reason: "the app runs as 'ghost', which is no account here; it printed last: a secret")
        let events = [
            event(.submitted, at(1), begin: at(2)), fault,
            event(.deferred, at(2, 1), gates: ["backoff", "registered"]),
        ]
        let told = "Did not run: its app did not start: the app runs as 'ghost', which is no account here."
        #expect(try lane(events).summary == told)
        // A crash while its handler was there is no reason.
        let other = [events[0], fault, event(.deferred, at(2, 1), gates: ["network"])]
        #expect(try lane(other).fault == nil)
    }

    @Test func `a task that has no handler did not run, also if nothing of it was due`() throws {
        func lane(since: WallTime, _ events: [HistoryEvent] = []) throws -> Timeline.Lane {
            let gate = GateVerdict(
                .registered, isOpen: false,
                reason: "the plugin can't be loaded: no such file; it printed last: a secret",
                since: since)
            let timeline = Timeline(
                of: [task], lacks: [task: gate], from: at(18, day: 20), to: at(8), now: at(9), zone: .utc,
                events: events)
            return try #require(timeline.lanes.first)
        }
        let told = "Did not run: the plugin can't be loaded: no such file"
        #expect(try lane(since: at(9, day: 20)).summary == told + ".")
        let late = try lane(since: at(2))
        #expect(late.summary == told + " (since 02:00)." && late.result(since: at(18, day: 20)) == .held)
        #expect(try lane(since: at(8, 30)).result(since: at(18, day: 20)) == .quiet)
        let ran = try lane(
            since: at(5),
            [event(.launched, at(1), run: 1), event(.completed, at(2), run: 1, outcome: .succeeded)])
        #expect(ran.result(since: at(18, day: 20)) == .ran)
    }

    private func lane(_ events: [HistoryEvent], now: WallTime = at(8)) throws -> Timeline.Lane {
        let timeline = Timeline(
            of: [task], from: at(18, day: 20), to: at(8), now: now, zone: .utc, events: events)
        return try #require(timeline.lanes.first)
    }

    private func states(_ lane: Timeline.Lane) -> [String] {
        lane.stretches.map { stretch in
            ([stretch.state.rawValue] + stretch.gates).joined(separator: " ")
        }
    }

    @Test func `a night that it waited through is told gate by gate`() throws {
        let lane = try lane([
            event(.submitted, at(9, day: 20)), event(.deferred, at(9, day: 20), gates: ["window"]),
            event(.deferred, at(1), gates: ["external_power"]),
            event(.deferred, at(5), gates: ["external_power", "window"]),
        ])
        #expect(
            states(lane) == ["waiting window", "waiting external_power", "waiting external_power window"])
        #expect(lane.stretches.first?.from == at(18, day: 20))
        #expect(
            lane.summary
                == "Did not run: outside its hours 18:00–01:00, no external power 01:00–05:00, "
                + "no external power and outside its hours 05:00–08:00.")
    }

    @Test func `a run splits the night, and the next request waits for its time`() throws {
        let lane = try lane([
            event(.submitted, at(9, day: 20)), event(.deferred, at(9, day: 20), gates: ["window"]),
            event(.launched, at(1), run: 4), event(.submitted, at(1), begin: at(1, day: 22)),
            event(.completed, at(2), run: 4, outcome: .succeeded),
        ])
        #expect(states(lane) == ["waiting window", "running", "not_due"])
        #expect(lane.runs == [.init(run: RunID(4), launched: at(1), ended: at(2), outcome: .succeeded)])
        #expect(lane.summary == "Ran once, at 01:00: succeeded.")
    }

    @Test func `a run does not hide that its app lost the handler afterwards`() throws {
        func night(lost: WallTime, gates: [String] = ["registered"]) throws -> Timeline.Lane {
            try lane([
                event(.submitted, at(9, day: 20), begin: at(1)), event(.launched, at(1), run: 4),
                event(.submitted, at(1), begin: lost),
                event(.completed, at(1, 1), run: 4, outcome: .succeeded),
                event(.deferred, lost, gates: gates),
            ])
        }
        let found = try night(lost: at(2))
        #expect(found.result(since: at(18, day: 20)) == .held)
        #expect(
            found.summary
                == "Ran once, at 01:00: succeeded. It was due at 02:00, and did not run: no handler.")
        // A run from before the night hides it as little.
        let earlier = try lane([
            event(.launched, at(17, day: 20), run: 4),
            event(.completed, at(18, 5, day: 20), run: 4, outcome: .succeeded),
            event(.submitted, at(18, 5, day: 20), begin: at(2)),
            event(.deferred, at(2), gates: ["registered"]),
        ])
        #expect(earlier.result(since: at(18, day: 20)) == .held)
        #expect(earlier.summary.hasSuffix("succeeded. It was due at 02:00, and did not run: no handler."))
        // A moment, and a wait for what comes by itself, are no such loss.
        #expect(try night(lost: at(7, 58)).result(since: at(18, day: 20)) == .ran)
        #expect(try night(lost: at(2), gates: ["network"]).result(since: at(18, day: 20)) == .ran)
    }

    @Test func `time alone makes a request due`() throws {
        let lane = try lane([event(.submitted, at(12, day: 20), begin: at(3))])
        #expect(states(lane) == ["not_due", "due"])
        #expect(lane.stretches.last?.from == at(3))
        #expect(lane.summary == "Nothing was due.")
    }

    @Test func `a host that was off is no reason of the task's`() throws {
        var absent = HistoryEvent(.absent, at: at(6), app: .host)
        absent.milliseconds = 6 * 3_600_000
        absent.absence = .asleep
        let lane = try lane([
            event(.submitted, at(9, day: 20)), event(.deferred, at(9, day: 20), gates: ["network"]), absent,
        ])
        #expect(states(lane) == ["waiting network", "host_off", "waiting network"])
        #expect(lane.summary.contains("the host was asleep 00:00–06:00"))
    }

    @Test func `a run that ended with its host or its conditions was cut short, and did not fail`() throws {
        var ended = event(.failed, at(2), run: 4, outcome: .expired)
        ended.gates = ["shutting_down"]
        ended.reason = "it was told to end (the host was shutting down)"
        let cut = try lane([event(.launched, at(1), run: 4), ended])
        #expect(cut.result(since: at(18, day: 20)) == .cut)
        #expect(
            cut.summary == "Ran once, at 01:00: expired, it was told to end (the host was shutting down).")
        ended.gates = nil
        let failed = try lane([event(.launched, at(1), run: 4), ended])
        #expect(failed.result(since: at(18, day: 20)) == .failed)
        let again = [event(.launched, at(3), run: 5), event(.completed, at(4), run: 5, outcome: .succeeded)]
        ended.gates = ["network"]
        let well = try lane([event(.launched, at(1), run: 4), ended] + again)
        #expect(well.result(since: at(18, day: 20)) == .ran)
        #expect(well.summary == "Ran 2 times, 1 was cut short; last at 03:00: succeeded.")
    }

    @Test func `what ran and was removed from the manifest since is told, and says so`() throws {
        let history = MemoryHistory()
        let gone = try TaskIdentifier.of("com.example.App.renamed")
        var launched = event(.launched, at(1), run: 4)
        launched.task = gone
        var ended = event(.failed, at(2), run: 4, outcome: .failed)
        ended.task = gone
        try history.append(HistoryBatch(events: [launched, ended], outputs: []))
        func lanes(isWhole: Bool) throws -> [Timeline.Lane] {
            try Timeline.read(
                of: [task], isWhole: isWhole, from: at(18, day: 20), to: at(8), now: at(8), zone: .utc,
                in: history
            ).timeline.lanes
        }
        #expect(try lanes(isWhole: false).map(\.task) == [task])
        let all = try lanes(isWhole: true)
        #expect(all.map(\.task) == [task, gone] && all.map(\.isRemoved) == [false, true])
        #expect(all[1].result(since: at(18, day: 20)) == .failed)
        #expect(all[1].summary == "Ran once, at 01:00: failed. It is no longer in the manifest.")
    }

    @Test func `a run that has not ended still runs, and one that was cut off is told so`() throws {
        let open = try lane([event(.launched, at(7), run: 9)])
        #expect(states(open) == ["unknown", "running"])
        #expect(open.summary == "Ran once, at 07:00, and still runs.")
        let cut = try lane([event(.launched, at(7), run: 9), event(.interrupted, at(7, 30), run: 9)])
        #expect(cut.runs.first?.outcome == .interrupted)
        #expect(cut.summary == "Ran once, at 07:00: interrupted.")
    }

    @Test func `of runs the failures are counted`() throws {
        let lane = try lane([
            event(.launched, at(1), run: 1), event(.failed, at(1, 5), run: 1, outcome: .failed),
            event(.launched, at(2), run: 2), event(.completed, at(2, 5), run: 2, outcome: .succeeded),
        ])
        #expect(lane.summary == "Ran 2 times, 1 failed; last at 02:00: succeeded.")
    }

    @Test func `why it failed is said though it has run well since`() throws {
        var failed = event(.failed, at(1, 5), run: 1, outcome: .failed)
        failed.reason = "the command failed with exit code 7; it printed last: curl: (7) refused"
        let lane = try lane([
            event(.launched, at(1), run: 1), failed,
            event(.launched, at(2), run: 2), event(.completed, at(2, 5), run: 2, outcome: .succeeded),
        ])
        #expect(
            lane.summary
                == "Ran 2 times, 1 failed; last at 02:00: succeeded. "
                + "Last failure at 01:00: the command failed with exit code 7; it printed last: \"curl: (7) refused\"."
        )
    }

    @Test func `what had nothing due is not what did not run`() throws {
        func result(_ gates: [String], _ later: [String]? = nil) throws -> Timeline.Lane.Result {
            let more = later.map { [event(.deferred, at(5), gates: $0)] } ?? []
            return try lane(
                [event(.submitted, at(9, day: 20)), event(.deferred, at(10, day: 20), gates: gates)] + more
            )
            .result(since: at(18, day: 20))
        }
        for calm in ["window", "earliest_begin", "quiet", "enabled"] {
            #expect(try result([calm]) == .quiet, "\(calm)")
            #expect(try result(["network", calm]) == .quiet, "\(calm)")
        }
        #expect(try result([]) == .quiet)
        for closed in ["network", "paused", "idle_app", "backoff", "external_power"] {
            #expect(try result([closed]) == .held, "\(closed)")
            #expect(try result(["window"], [closed]) == .held, "\(closed)")
        }
        let window = try lane([
            event(.submitted, at(9, day: 20)), event(.deferred, at(9, day: 20), gates: ["window"]),
        ])
        #expect(window.summary == "Nothing was due: outside its hours all the time.")
        // A minute without network does not explain a night.
        let blip = try lane([
            event(.submitted, at(9, day: 20)), event(.deferred, at(9, day: 20), gates: []),
            event(.deferred, at(2), gates: ["network"]), event(.deferred, at(2, 1), gates: []),
        ])
        #expect(blip.result(since: at(18, day: 20)) == .quiet)
    }

    @Test func `a time that came while a window was closed was due`() throws {
        var asked = event(.submitted, at(9, day: 20))
        asked.origin = .at
        let lane = try lane([asked, event(.deferred, at(9, day: 20), gates: ["quiet"])])
        #expect(lane.summary == "Did not run: its quiet time all the time.")
    }

    @Test func `what is launched by hand while it is held back did not run by itself`() throws {
        var launched = event(.launched, at(1), run: 4)
        launched.request = nil
        launched.origin = .operator
        let lane = try lane([
            event(.submitted, at(9, day: 20)), event(.deferred, at(9, day: 20), gates: ["network"]),
            launched, event(.completed, at(1, 5), run: 4),
        ])
        #expect(lane.result(since: at(18, day: 20)) == .held)
        #expect(
            lane.summary
                == "Did not run by itself: no network all the time. It was launched by hand at 01:00: succeeded."
        )
    }

    @Test func `times that were given up stand beside the runs`() throws {
        var skipped = event(.givenUp, at(2))
        skipped.occurrence = Occurrence(time: at(2), times: 2)
        skipped.reason = "01:58 and 01:59 were missed"
        let lane = try lane([
            event(.submitted, at(9, day: 20)), event(.launched, at(1), run: 4),
            event(.completed, at(1), run: 4), event(.submitted, at(1), begin: at(2)), skipped,
        ])
        #expect(
            lane.summary
                == "Ran once, at 01:00: succeeded. 2 times were given up: 01:58 and 01:59 were missed.")
    }

    @Test func `what had nothing due says what else was closed`() throws {
        let lane = try lane([
            event(.submitted, at(9, day: 20), begin: at(3, day: 22)),
            event(.deferred, at(2), gates: ["earliest_begin", "enabled"]),
            event(.deferred, at(5), gates: ["earliest_begin"]),
        ])
        #expect(lane.summary == "Nothing was due: disabled 02:00–05:00.")
    }

    @Test func `a time that was skipped did not run, with the reason that was given then`() throws {
        var skipped = event(.givenUp, at(2, 31))
        skipped.occurrence = Occurrence(time: at(2, 30))
        skipped.reason =
            "02:30 was missed by more than 1 min, and `missed: skip`: load: the load is 3.1 per core"
        let missed = try lane([
            event(.submitted, at(9, day: 20), begin: at(2, 30)), skipped,
            event(.submitted, at(2, 31), begin: at(2, 30, day: 22)),
        ])
        #expect(missed.result(since: at(18, day: 20)) == .held)
        #expect(missed.summary.hasPrefix("Did not run: 02:30 was missed by more than 1 min"))
        // A request that an edit removed leaves a quiet night.
        let edited = try lane([event(.submitted, at(9, day: 20), begin: at(2, 30)), event(.givenUp, at(1))])
        #expect(edited.result(since: at(18, day: 20)) == .quiet)
    }

    @Test func `a run from before counts, and its failure too`() throws {
        let events = [
            event(.launched, at(17, day: 20), run: 3),
            event(.failed, at(19, day: 20), run: 3, outcome: .killed),
        ]
        #expect(try lane(events).result(since: at(18, day: 20)) == .failed)
        #expect(try lane(events).summary == "An earlier run ended at 19:00: killed.")
        #expect(try lane([events[0]]).result(since: at(18, day: 20)) == .ran)
        #expect(try lane([events[0]]).summary == "An earlier run still runs.")
    }

    @Test func `a night that flickers is told by what weighs most`() throws {
        var events = [event(.submitted, at(9, day: 20))]
        for hour in 0..<8 {
            events.append(event(.deferred, at(hour), gates: [hour % 2 == 0 ? "load" : "network"]))
        }
        #expect(try lane(events).summary.contains("load too high for 4 h, no network for 4 h in all"))
    }

    @Test func `of a task without events nothing is known`() throws {
        let lane = try lane([])
        #expect(lane.stretches.map(\.state) == [.unknown])
        #expect(lane.summary == "Nothing is known about this time.")
    }

    @Test func `of a task that nobody asked for the history's beginning is enough`() throws {
        func lane(_ events: [HistoryEvent], isDisabled: Bool = false) throws -> Timeline.Lane {
            let timeline = Timeline(
                of: [task], disabled: isDisabled ? [task] : [], from: at(18, day: 20), to: at(8), now: at(8),
                zone: .utc, beginning: at(22, day: 20), events: events)
            return try #require(timeline.lanes.first)
        }
        let unasked = try lane([])
        #expect(states(unasked) == ["unknown", "unasked"])
        #expect(unasked.stretches.last?.from == at(22, day: 20))
        #expect(unasked.summary == "Nothing was due: nobody asked for it since 22:00.")
        let disabled = try lane([], isDisabled: true)
        #expect(states(disabled) == ["unknown", "unasked enabled"])
        #expect(disabled.summary == "Nothing was due: disabled since 22:00.")
        #expect(disabled.result(since: at(18, day: 20)) == .quiet)
        // A run from before the task was disabled is shown, and a waiting request names its gate.
        let ran = try lane(
            [event(.launched, at(1), run: 4), event(.completed, at(2), run: 4, outcome: .succeeded)],
            isDisabled: true)
        #expect(states(ran) == ["unknown", "unasked", "running", "unasked enabled"])
        let waits = try lane(
            [event(.submitted, at(1)), event(.deferred, at(1), gates: ["load"])], isDisabled: true)
        #expect(states(waits) == ["unknown", "unasked", "waiting load"])
    }

    @Test func `a task that is new was asked for by nobody before, and that is no news`() throws {
        func lane(_ origin: TaskRequest.Origin) throws -> Timeline.Lane {
            var first = event(.submitted, at(3), begin: at(2, day: 22))
            first.origin = origin
            let timeline = Timeline(
                of: [task], from: at(18, day: 20), to: at(8), now: at(8), zone: .utc,
                beginning: at(22, day: 20), events: [first])
            return try #require(timeline.lanes.first)
        }
        for origin in [TaskRequest.Origin.at, .repeat] {
            #expect(states(try lane(origin)) == ["unknown", "not_due"])
            #expect(try lane(origin).summary == "Nothing was due.")
        }
        #expect(states(try lane(.plugin)) == ["unknown", "unasked", "not_due"])
    }

    @Test func `a launch by hand leaves the task's own next time as it is`() throws {
        var launched = event(.launched, at(3), run: 4)
        launched.request = nil
        let ended = event(.completed, at(4), run: 4, outcome: .succeeded)
        let lane = try lane([event(.submitted, at(9, day: 20), begin: at(2, day: 22)), launched, ended])
        #expect(states(lane) == ["not_due", "running", "not_due"])
    }

    @Test func `what did not run says that it has run since`() throws {
        var skipped = event(.givenUp, at(2, 31))
        skipped.occurrence = Occurrence(time: at(2, 30))
        skipped.reason = "02:30 was missed"
        let night = [event(.submitted, at(9, day: 20), begin: at(2, 30)), skipped]
        let begun = [event(.launched, at(11, 20), run: 4)]
        func ended(_ outcome: Outcome) -> [HistoryEvent] {
            begun + [event(outcome.isSuccess ? .completed : .failed, at(11, 21), run: 4, outcome: outcome)]
        }
        func sequel(_ later: [HistoryEvent]) throws -> String? {
            let lane = try lane(night + later, now: at(12))
            #expect(lane.result(since: at(18, day: 20)) == .held)
            #expect(lane.summary == "Did not run: 02:30 was missed.")
            #expect(lane.runs.isEmpty)
            return lane.sequel
        }
        #expect(try sequel([]) == nil)
        #expect(try sequel(begun) == "A later run, launched at 11:20, is under way.")
        #expect(try sequel(ended(.succeeded)) == "Since then it ran well, at 11:20.")
        #expect(try sequel(ended(.failed)) == "Since then it failed, at 11:20.")
        let failed = [
            event(.launched, at(1), run: 1), event(.failed, at(1, 5), run: 1, outcome: .failed),
        ]
        #expect(
            try lane(failed + ended(.failed), now: at(12)).sequel == "Since then it failed again, at 11:20.")
    }

    @Test func `a run that ended after the night has ended`() throws {
        let lane = try lane(
            [event(.launched, at(7), run: 9), event(.completed, at(9), run: 9, outcome: .succeeded)],
            now: at(12))
        #expect(states(lane) == ["unknown", "running"])
        #expect(lane.summary == "Ran once, at 07:00: succeeded.")
        #expect(lane.later == nil)
    }

    @Test func `of a task that was removed nobody is missed who could ask for it`() throws {
        var first = event(.submitted, at(1))
        first.origin = .at
        first.earliestBegin = at(30)
        var removed = event(.givenUp, at(5))
        removed.gates = [GateName.permitted.rawValue]
        let timeline = Timeline(
            of: [task], from: at(18, day: 20), to: at(8), now: at(8), zone: .utc,
            beginning: at(22, day: 20), events: [first, removed])
        let lane = try #require(timeline.lanes.first)
        #expect(states(lane) == ["unknown", "not_due", "unasked permitted"])
        #expect(lane.summary.contains("not in the manifest") && !lane.summary.contains("nobody"))
    }

    @Test func `a run that is still on does not hide that those before it failed`() throws {
        let failed = try lane([
            event(.launched, at(1), run: 1), event(.failed, at(1, 5), run: 1, outcome: .failed),
            event(.launched, at(2), run: 2),
        ])
        #expect(failed.result(since: at(18, day: 20)) == .failed)
        #expect(failed.summary == "Ran 2 times, 1 failed; last at 02:00, and still runs.")
        let first = try lane([event(.launched, at(2), run: 2)])
        #expect(first.result(since: at(18, day: 20)) == .ran)
    }

    @Test func `stretches follow each other without gaps, whatever the events are`() throws {
        for seed in UInt64(1)...200 {
            var random = SeededGenerator(seed: seed)
            var time = at(12, day: 20)
            var events: [HistoryEvent] = []
            for step in 0..<30 {
                time = time + .seconds(Int.random(in: 0...3600, using: &random))
                let names: [HistoryEvent.Name] = [
                    .submitted, .deferred, .launched, .completed, .cancelled, .failed, .interrupted, .absent,
                ]
                let name = names[Int.random(in: 0..<names.count, using: &random)]
                var next = event(name, time, run: UInt64(step % 3), gates: step % 4 == 0 ? [] : ["load"])
                if step % 5 == 0 {
                    next.earliestBegin = time + .seconds(Int.random(in: -999...9999, using: &random))
                }
                next.milliseconds = Int64.random(in: -5...3_600_000, using: &random)
                events.append(next)
            }
            let stretches = try lane(events).stretches.filter { $0.state != .hostOff }
            #expect(zip(stretches, stretches.dropFirst()).allSatisfy { $0.to <= $1.from }, "seed \(seed)")
            #expect(
                stretches.allSatisfy { $0.from < $0.to && $0.from >= at(18, day: 20) && $0.to <= at(8) },
                "seed \(seed)")
        }
    }

    @Test func `last night ends this morning, in the zone's own time`() {
        let zone = Zone(name: "Test/Zone", initialOffset: 7200)
        let night = TimelineSpan.night.range(at: at(12), in: zone)
        #expect(night.from == at(16, day: 20))
        #expect(night.to == at(8))
        #expect(TimelineSpan.night.range(at: at(3), in: .utc).to == at(3))
        // In spring an hour is missing: the evening before is still at 18:00.
        let spring = Zone(
            name: "Test/Spring", initialOffset: 3600, transitions: [.init(at: at(1), offset: 7200)])
        #expect(TimelineSpan.night.range(at: at(12), in: spring).from == at(17, day: 20))
    }
}
