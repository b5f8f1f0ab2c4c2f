import Foundation
import LullAnswers
import LullForecast
import LullHistory
import LullImport
import LullManifest
import LullModel
import LullScheduler
import LullSimulator
import LullWorkers
import Testing

@testable import LullCommands
@testable import lull
@testable import lull_import
@testable import lull_lab

/// Eleven screens of the command line, whole, as they are at 80 columns; kept in `Screens`, a file each.
///
/// With LULL_RECORD set they are written anew: look through what git shows of them then.
struct ScreenTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Screens")

    private func expect(_ text: String, _ name: String, _ location: SourceLocation = #_sourceLocation) throws
    {
        let file = Self.folder.appendingPathComponent(name + ".txt")
        let text = text.hasSuffix("\n") ? text : text + "\n"
        guard ProcessInfo.processInfo.environment["LULL_RECORD"] == nil else {
            return try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let kept = try String(contentsOf: file, encoding: .utf8)
        #expect(
            text == kept,
            "\(name) looks different:\n\(text)`make screens` keeps it so.", sourceLocation: location)
    }

    private func expectFits(_ text: String) {
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test func status() throws {
        let world = try ScreenWorld()
        let report = world.simulation.state.report(isBrief: true, at: world.now)
        let text = StatusText(
            report: report, phrases: world.phrases,
            enforcement: Enforcement(landlock: 7, filtersCalls: true, isRoot: true)
        ).rendered(for: world.terminal)
        expectFits(text)
        try expect(text, "status")
    }

    @Test(arguments: ["Backup.mail", "Backup.nightly"])
    func why(name: String) throws {
        let world = try ScreenWorld()
        let task = try ScreenWorld.task("com.example." + name)
        let state = world.simulation.state
        let text = WhyText(
            verdict: state.verdict(for: task, at: world.now),
            status: state.report(at: world.now).tasks.first { $0.task == task },
            outlook: state.outlook(for: task, at: world.now), phrases: world.phrases,
            runs: WhatRuns(of: task, in: world.manifest)
        ).rendered(for: world.terminal)
        expectFits(text)
        try expect(text, "why-" + name.lowercased())
    }

    @Test func night() throws {
        let world = try ScreenWorld()
        let range = TimelineSpan.night.range(at: world.now.wall, in: .utc)
        let read = try Timeline.read(
            of: world.manifest.tasks.map(\.identifier), isWhole: true, from: range.from, to: range.to,
            now: world.now.wall, zone: .utc, in: world.history)
        let text = NightText(timeline: read.timeline, isCut: read.isCut, phrases: world.phrases)
        expectFits(text.table(for: world.terminal))
        try expect(text.table(for: world.terminal), "night")
    }

    /// Costs that were made up for each task; the world's plugins have none.
    @Test func cost() throws {
        let world = try ScreenWorld()
        let figures: [String: RunCost] = [
            "nightly": RunCost(processor: 372_000, memory: 1_288_490_189, read: 84 << 30, written: 3 << 30),
            "refresh": RunCost(processor: 180, memory: 34 << 20, read: 0, written: 4 << 20),
            "tidy": RunCost(sharers: 1),
        ]
        let priced = MemoryHistory()
        var events: [HistoryEvent] = []
        try world.history.forEachEvent(matching: HistoryQuery()) { event in
            var event = event
            if event.ending != nil, let name = event.task?.text.split(separator: ".").last {
                event.cost = figures[String(name)]
            }
            events.append(event)
        }
        try priced.append([HistoryBatch(events: events)])
        let report = try CostReport.read(
            since: ScreenWorld.start, by: .task, now: world.now.wall, zone: .utc, in: priced)
        let text = CostText(report: report, phrases: world.phrases).rendered(for: world.terminal)
        expectFits(text)
        try expect(text, "cost")
    }

    @Test func history() throws {
        let world = try ScreenWorld()
        let runs = try RunLines(RunQuery(showsPrinted: true), most: 12, in: world.history)
        try expect(runs.rendered(for: world.terminal, world.phrases), "history")
    }

    @Test func forecast() throws {
        let world = try ScreenWorld()
        let app = try ScreenWorld.app("com.example.Feed")
        let report = try #require(world.simulation.state.forecast(of: app, at: world.now))
        var past = ForecastPast()
        try world.history.forEachEvent(matching: .init(app: app, names: [.used])) { use in
            past.firstUse = past.firstUse ?? use.time
            past.uses += 1
        }
        let text = ForecastText(report: report, past: past)
            .rendered(for: world.terminal, ScreenColours(world.terminal, environment: [:]))
        expectFits(text)
        try expect(text, "forecast")
    }

    @Test func top() throws {
        let world = try ScreenWorld()
        var model = TopModel()
        model.hear(.status(world.simulation.state.report(isBrief: true, at: world.now)))
        let lines = model.lines(ScreenSize(columns: 80, rows: 24), phrases: world.phrases, hasColour: false)
        expectFits(lines.joined(separator: "\n"))
        try expect(lines.joined(separator: "\n"), "top")
    }

    @Test func simulate() throws {
        let world = try ScreenWorld()
        var simulation = world.simulation
        simulation.run(until: ScreenWorld.start + .days(10))
        let text = SimulateText(
            launches: simulation.trace.launches.map {
                Rehearsal.Launched(time: $0.time, task: $0.task, kind: $0.kind)
            }, manifest: world.manifest, start: ScreenWorld.start, days: 10,
            zone: .utc, idle: ["com.example.Feed goes idle on Wed at 20:03."])
        expectFits(text.rendered(for: world.terminal))
        try expect(text.rendered(for: world.terminal), "simulate")
    }

    @Test func check() throws {
        let text = ScreenWorld.manifest
            .replacingOccurrences(of: "kind: processing", with: "kind: procesing")
            .replacingOccurrences(of: "repeat: 15m", with: "repaet: 15m")
            .replacingOccurrences(of: "01:00-05:00", with: "01:00-25:00")
        let result = ScreenWorld.read(text)
        #expect(result.manifest == nil)
        let notes = result.diagnostics.map(ManifestNote.init)
        let screen = NoteList(notes).rendered(for: Terminal(columns: 80)) + [NoteList.count(notes)]
        try expect(screen.joined(separator: "\n"), "check")
    }

    @Test func diff() throws {
        let old = try #require(ScreenWorld.read(ScreenWorld.manifest, at: "old.yaml").manifest)
        let text = ScreenWorld.manifest
            .replacingOccurrences(of: "at: \"02:00\"", with: "at: \"02:30\"")
            .replacingOccurrences(of: "repeat: 15m", with: "repeat: 30m, requires: { network: unmetered }")
            .replacingOccurrences(of: "weekly:", with: "monthly:")
        let new = try #require(ScreenWorld.read(text).manifest)
        let places = KeyPlaces(of: new, fileSystem: ScreenWorld.machine(text))
        let comparison = ManifestComparison(
            new: new, old: old, diff: ManifestDiff(from: old, to: new, places: places))
        try expect(DiffText(comparison).rendered(for: Terminal(columns: 80)), "diff")
    }

    @Test func importing() throws {
        let crontab = """
            MAILTO=ops@example.org
            # The dump, before the backup leaves the house
            15 2 * * *  /usr/local/bin/dump --all
            45 2 * * 1-6  restic backup --quiet /srv
            @reboot  /usr/local/bin/warm-cache
            */5 8-18 * * mon-fri  cd /srv/shop && ./artisan schedule:run
            0 25 * * *  never
            0 3 * * *  sudo -n systemctl reload nginx

            """
        let machine = ImportMachine(isUser: { $0 == "root" }, isZone: { $0 == "UTC" }, sendsMail: true)
        let file = CrontabFile(path: "crontab", bytes: Array(crontab.utf8), format: .user(nil))
        let manifest = try CrontabImport(on: machine, cron: .debian).manifest(from: [file])
        let notes = manifest.notes.map { ImportTarget.rendered($0, for: Terminal(columns: 80)) }
        let screen = notes + [ImportTarget.size(manifest) + ".", "", manifest.text]
        try expect(screen.joined(separator: "\n"), "import")
    }
}
