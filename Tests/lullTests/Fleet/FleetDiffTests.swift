import ArgumentParser
import LullHistory
import LullModel
import LullSimulator
import LullSystem
import Testing

@testable import LullCommands
@testable import lull
@testable import lull_lab

/// `lull fleet diff` on histories that are made up.
struct FleetDiffTests {
    private let now = WallTime(seconds: 1_795_276_800)
    private let app: AppIdentifier
    private let task: TaskIdentifier

    init() throws {
        app = try #require(AppIdentifier("com.example.App"))
        task = try #require(TaskIdentifier("com.example.App.report"))
    }

    /// At 02:30 each day, on any host.
    private func manifest(_ change: (inout TaskDefinition, inout FleetDefinition) -> Void = { _, _ in })
        throws
        -> Manifest
    {
        var app = App(identifier: app, plugin: "/app.so")
        app.idleAfter = nil
        var definition = TaskDefinition(identifier: task, app: app.identifier, kind: .processing)
        definition.requires.idle = false
        definition.at = try ExactTimes("30 2 * * *")
        definition.timeLimit = .hours(3)
        definition.line = 7
        definition.fleet.scope = .anyHost
        var fleet = FleetDefinition(database: "service=lull")
        change(&definition, &fleet)
        app.tasks = [definition]
        var manifest = Manifest(path: "jobs.yaml", apps: [app])
        manifest.fleet = fleet
        return manifest
    }

    /// It ran for an hour on each of the last ten days.
    private var nights: [HistoryEvent] {
        (1...10).reversed().flatMap { day -> [HistoryEvent] in
            let time =
                WallTime(milliseconds: now.milliseconds / 86_400_000 * 86_400_000) - .days(day)
                + .minutes(150)
            let run = RunID(UInt64(100 - day))
            var launched = HistoryEvent(.launched, at: time, app: app, task: task, run: run)
            launched.occurrence = Occurrence(time: time)
            var completed = HistoryEvent(
                .completed, at: time + .hours(1), app: app, task: task, run: run, outcome: .succeeded)
            completed.milliseconds = 3_600_000
            return [launched, completed]
        }
    }

    private func comparison(
        _ manifest: Manifest, _ events: [HistoryEvent], isAnyHost: Bool = false
    ) throws -> FleetComparison {
        let history = MemoryHistory()
        try history.append([HistoryBatch(events: events.sorted { $0.time < $1.time })])
        return try FleetComparison(
            manifest, history, last: .days(4), until: now, zones: .utc, isAnyHost: isAnyHost)
    }

    private func text(_ comparison: FleetComparison) -> String {
        FleetDiffText(comparison, phrases: Phrases(now: now, zone: .utc)).rendered(
            for: Terminal(columns: 110))
    }

    @Test func `what a fleet of one decides alike is counted`() throws {
        let found = try comparison(manifest(), nights)
        #expect(found.replay.slots.count == 4 && found.replay.differences.isEmpty)
        #expect(text(found) == "4 slots of 1 task in the last 4 d: decided alike.")
    }

    @Test func `a host without the label is told of each slot and why`() throws {
        let found = try comparison(manifest { task, _ in task.fleet.labels = ["role": "db"] }, nights)
        #expect(found.replay.differences.count == 4)
        let text = text(found)
        #expect(
            text.hasPrefix("4 slots of 1 task in the last 4 d: 0 decided alike, 4 differently.\n"), "\(text)")
        #expect(text.contains("com.example.App.report (jobs.yaml:7):\n"), "\(text)")
        #expect(text.contains("SLOT") && text.contains("02:30:00"), "\(text)")
        #expect(text.contains("it runs on hosts with the label"), "\(text)")
    }

    @Test func `a host that sleeps amid a run loses it in a fleet alone`() throws {
        var absent = HistoryEvent(.absent, at: nights[16].time + .minutes(45), app: .host)
        absent.milliseconds = 1_800_000
        absent.absence = .asleep
        let found = try comparison(manifest(), nights + [absent])
        let difference = try #require(found.replay.differences.first)
        #expect(difference.nominal == nights[16].time)
        #expect(difference.alone?.act == .ran && difference.alone?.end == .succeeded)
        #expect(difference.fleet?.act == .ran && difference.fleet?.end != .succeeded)
        #expect(text(found).contains("lease"), "\(text(found))")
    }

    @Test func `tasks of each host ask no fleet, unless they are taken as any host's`() throws {
        let manifest = try manifest { task, _ in
            task.fleet.scope = .eachHost
            task.spread = .minutes(30)
        }
        let each = try comparison(manifest, nights)
        #expect(each.replay.differences.isEmpty)
        #expect(text(each).contains("`lull fleet diff --any-host`"))
        // The shift of `spread` is then the fleet's, and no longer this host's.
        let any = try comparison(manifest, nights, isAnyHost: true)
        #expect(any.replay.differences.count == 4)
        #expect(any.asksFleet && any.replay.differences.allSatisfy { $0.reason != nil }, "\(text(any))")
    }

    @Test func `conditions, uses and what an operator did are replayed`() throws {
        let manifest = try manifest { task, _ in task.requires.externalPower = true }
        // Power goes at 02:00 on the last night, and comes back at 05:00.
        let night = try #require(nights.last).time - .minutes(90)
        var gone = HistoryEvent(.conditions, at: night, app: .host)
        (gone.milliseconds, gone.shares, gone.gates) = (
            3_600_000, ["external_power": 0.5], ["external_power"]
        )
        var back = HistoryEvent(.conditions, at: night + .hours(3), app: .host)
        (back.milliseconds, back.shares, back.gates) = (10_800_000, ["external_power": 0], [])
        var paused = HistoryEvent(.paused, at: night - .days(2), app: app, task: task)
        paused.earliestBegin = night - .days(2) + .hours(6)
        let found = try comparison(manifest, nights + [gone, back, paused])
        let runs = found.replay.slots.compactMap { $0.alone.map { ($0.time - night).milliseconds } }
        #expect(found.replay.differences.isEmpty)
        // Its worker takes a moment to start.
        #expect(runs.contains(10_800_100), "\(runs)")
        #expect(runs.contains((.hours(6) - .days(2) as Duration).milliseconds + 100), "\(runs)")
    }

    @Test func `programs get each difference`() throws {
        let found = try comparison(manifest { task, _ in task.fleet.labels = ["role": "db"] }, nights)
        let json = FleetDiffJSON(found)
        #expect(json.slotCount == 4 && json.tasks.map(\.differentCount) == [4] && json.differences.count == 4)
        let first = try #require(json.differences.first)
        #expect(
            first.alone?.decision == .ran && first.inFleet?.decision == .waits && first.inFleet?.time == nil)
    }
}
