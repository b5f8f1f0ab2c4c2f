import LullModel
import LullScheduler
import LullSimulator
import Testing

/// Monday, 2026-03-02, 00:00 UTC.
let monday = WallTime(seconds: 1_772_409_600)

/// Days and hours after that Monday.
func at(_ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0) -> WallTime {
    monday + .seconds(86400 * day + 3600 * hour + 60 * minute + second)
}

/// A name that a test writes down.
func app(_ text: String) -> AppIdentifier {
    guard let identifier = AppIdentifier(text) else { preconditionFailure("\(text) is a reverse-DNS name") }
    return identifier
}

func task(_ text: String) -> TaskIdentifier {
    guard let identifier = TaskIdentifier(text) else { preconditionFailure("\(text) is a reverse-DNS name") }
    return identifier
}

let feed = app("com.example.ColorFeed")
let refresh = task("com.example.ColorFeed.refresh")
let cleaning = task("com.example.ColorFeed.db_cleaning")

extension App {
    init(_ identifier: AppIdentifier, _ tasks: [TaskDefinition]) {
        self.init(identifier: identifier, plugin: "/plugins/\(identifier).so")
        usage = .manual
        self.tasks = tasks
    }
}

extension TaskDefinition {
    init(
        _ identifier: TaskIdentifier, of app: AppIdentifier = feed, _ kind: Kind, repeat gap: Duration? = nil,
        _ change: (inout Self) -> Void = { _ in }
    ) {
        self.init(identifier: identifier, app: app, kind: kind)
        self.repeat = gap
        change(&self)
    }
}

/// A host with an app that refreshes every quarter of an hour at most.
func feedWorld(start: WallTime = monday, _ change: (inout World) -> Void = { _ in }) -> World {
    var world = World(
        manifest: Manifest(apps: [App(feed, [TaskDefinition(refresh, .refresh, repeat: .minutes(15))])]),
        start: start)
    change(&world)
    return world
}

/// A host with an app that nobody uses, whose task is processing and does not care whether the host is idle.
func cleaningWorld(
    repeat gap: Duration? = .hours(1), start: WallTime = monday,
    _ change: (inout TaskDefinition) -> Void = { _ in }
) -> World {
    let definition = TaskDefinition(cleaning, .processing, repeat: gap) { task in
        task.requires.idle = false
        change(&task)
    }
    var owner = App(feed, [definition])
    owner.idleAfter = nil
    return World(manifest: Manifest(apps: [owner]), start: start)
}

extension World {
    mutating func at(_ time: WallTime, _ stimulus: Stimulus) {
        timeline.append(Entry(time, stimulus))
    }

    /// An app that is never idle, unless a test is about that.
    func neverIdle() -> World {
        var world = self
        for index in world.manifest.apps.indices { world.manifest.apps[index].idleAfter = nil }
        return world
    }

    func run(until end: WallTime) -> Trace {
        var simulation = Simulation(self)
        simulation.run(until: end)
        return simulation.trace
    }
}

/// Uses at a time of day on the weekdays among `days`.
func weekdayUses(of app: AppIdentifier = feed, days: Range<Int>, _ hour: Int, _ minute: Int) -> [HistoryEvent]
{
    days.filter { (($0 % 7) + 7) % 7 < 5 }.map { HistoryEvent(.used, at: at($0, hour, minute), app: app) }
}

extension Reply {
    var refusal: Refusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}
