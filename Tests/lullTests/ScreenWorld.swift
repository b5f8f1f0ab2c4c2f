import LullHistory
import LullHost
import LullManifest
import LullModel
import LullScheduler
import LullSimulator
import Testing

@testable import LullCommands
@testable import lull

/// A host with made-up apps on a virtual clock, as the screens show it: three days, from a Monday on.
struct ScreenWorld {
    static let manifest = """
        version: 1
        defaults: { requires: { idle: false } }
        apps:
          com.example.Feed:
            plugin: Feed
            usage: manual
            tasks:
              refresh: { kind: refresh, repeat: 15m }
              tidy: { kind: processing, repeat: 1d, windows: ["01:00-05:00"] }
          com.example.Backup:
            plugin: Command
            idle_after: never
            tasks:
              nightly:
                kind: processing
                at: "02:00"
                missed: skip
                requires: { external_power: true }
                settings: { run: restic backup /srv }
              mail: { kind: processing, repeat: 4h, settings: { run: fetchmail -d0 } }
              weekly: { kind: processing, at: "Sun 03:00", settings: { run: restic prune } }

        """

    /// Monday, 2026-03-02, 00:00 UTC.
    static let start = WallTime(seconds: 1_772_409_600)

    let manifest: Manifest
    let simulation: Simulation
    let history = MemoryHistory()
    let terminal = Terminal(columns: 80)

    var now: Now { simulation.now }
    var phrases: Phrases { Phrases(now: now.wall, zone: .utc) }

    init() throws {
        manifest = try #require(Self.read(Self.manifest).manifest)
        var world = World(manifest: manifest, start: Self.start, seed: 16)
        world.options.sendsNotices = false
        world.conditions = Conditions(
            externalPower: .known(true), battery: .known(1), presence: .known(.idle(since: Self.start)),
            load: 0.12, diskFree: 400 << 30)
        let feed = try Self.app("com.example.Feed")
        world.history = Self.uses(of: feed, days: -21..<0).map {
            HistoryEvent(.used, at: $0, app: feed)
        }
        world.timeline = Self.uses(of: feed, days: 0..<3).map { World.Entry($0, .used(feed)) }
        var dark = world.conditions
        dark.externalPower = .known(false)
        dark.battery = .known(0.8)
        let evening = Self.start + .hours(2 * 24 + 22)
        world.timeline += [
            World.Entry(evening, .conditions(dark)),
            World.Entry(evening + .hours(8), .conditions(world.conditions)),
        ]
        world.handlers[try Self.task("com.example.Backup.mail")] = {
            var fails = HandlerModel()
            fails.fails = 1
            return fails
        }()
        var simulation = Simulation(world)
        simulation.run(until: Self.start + .hours(3 * 24 + 9))
        self.simulation = simulation
        try history.append([HistoryBatch(events: world.history + simulation.trace.events)])
    }

    /// At half past seven, at noon and at eight on working days.
    private static func uses(of app: AppIdentifier, days: Range<Int>) -> [WallTime] {
        days.filter { ($0 + 21) % 7 < 5 }.flatMap { day in
            [450, 725, 1200].map { start + .days(day) + .minutes($0 + (day * 7 + 21 * 7) % 11) }
        }
    }

    static func app(_ name: String) throws -> AppIdentifier { try #require(AppIdentifier(name)) }
    static func task(_ name: String) throws -> TaskIdentifier { try #require(TaskIdentifier(name)) }

    /// A machine with the plugins and nothing else.
    static func machine(_ text: String, at path: String = "jobs.yaml") -> FixedFileSystem {
        var entries = ["/usr/lib/lull": FileEntry(.folder, realPath: "/usr/lib/lull")]
        for file in ["/usr/lib/lull/libFeed.so", "/usr/lib/lull/libCommand.so", "/etc/lull/" + path] {
            entries[file] = FileEntry(.file, realPath: file)
        }
        return FixedFileSystem(
            currentFolder: "/etc/lull", entries: entries, texts: ["/etc/lull/" + path: text])
    }

    static func read(_ text: String, at path: String = "jobs.yaml") -> ManifestResult {
        ManifestReader(
            pluginPath: ["/usr/lib/lull"], fileSystem: machine(text, at: path), zoneFolder: "/zones"
        ).read(path: path)
    }
}
