import LullModel
import LullScheduler

/// One pass of the scheduler through a log.
struct BacktestRun {
    private(set) var launches: [TaskIdentifier: [Int64]] = [:]

    private var host: PlainHost
    private let manifest: Manifest
    private let apps: [BacktestApp]
    /// By their place in the log; nil: not of the manifest.
    private var names: [AppIdentifier?]
    private let told: [Told]

    private var zones = Zones.utc
    private let hasOneZone: Bool
    private var transitions: [[Zone.Transition]]
    private var second: Int64
    private let start: Int64

    init(
        _ log: BacktestLog, manifest: Manifest, places: [AppIdentifier: Int], zone: Zone?, foresight: Int64?
    ) {
        hasOneZone = zone != nil
        if let zone { zones = Zones(host: zone) }
        self.manifest = manifest
        apps = log.apps
        names = Array(repeating: nil, count: log.apps.count)
        transitions = Array(repeating: [], count: log.apps.count)
        for (name, place) in places { names[place] = name }
        var told: [Told] = []
        told.reserveCapacity(log.useCount)
        for (place, app) in log.apps.enumerated() where names[place] != nil {
            for (index, use) in app.uses.enumerated() {
                if let foresight { told.append(Told(second: use - foresight, app: place, index: nil)) }
                // In the second after it, when it has happened.
                told.append(Told(second: use + 1, app: place, index: index))
            }
        }
        told.sort()
        self.told = told
        start = (told.first?.second ?? 0) - 1
        second = start

        // Each app was discovered longer ago than the week rule allows, and never used: it is live from its first use on.
        var ledger = Ledger()
        for app in manifest.apps {
            let tasks = app.tasks.map(\.identifier)
            let longAgo = WallTime(seconds: start) - (app.idleAfter ?? .days(7)) - .days(1)
            var event = HistoryEvent(.discovered, at: longAgo, app: app.identifier)
            event.registered = tasks
            ledger.apply(event, zones: .utc)
        }
        var options = SchedulerOptions(discovers: false)
        options.explains = false
        options.sendsNotices = false
        host = PlainHost(SchedulerState(ledger: ledger, options: options), manifest)
    }

    mutating func play(progress: ((Double) -> Void)?) {
        handle(.manifestLoaded(manifest, stamps: [:]))
        handle(.conditionsChanged(Conditions()))
        for (number, use) in told.enumerated() {
            while let wake, wake <= use.second {
                advance(to: wake)
                handle(.wake)
            }
            advance(to: use.second)
            if let index = use.index {
                take(apps[use.app], use.app, index)
            } else {
                force(use.app)
            }
            if let progress, number % 1024 == 0 { progress(Double(number) / Double(told.count)) }
        }
    }

    private mutating func take(_ app: BacktestApp, _ place: Int, _ index: Int) {
        guard let name = names[place] else { return }
        let time = app.uses[index]
        let offset = app.offsets[index]
        if !hasOneZone, index == 0 || offset != app.offsets[index - 1] {
            transitions[place].append(Zone.Transition(at: WallTime(seconds: time), offset: offset))
            zones.ofApps[name] = Zone(
                name: app.name, initialOffset: app.offsets[0], transitions: transitions[place])
        }
        handle(.used(name, at: WallTime(seconds: time)))
    }

    private mutating func force(_ place: Int) {
        guard let name = names[place], let task = host.firstTask(of: name) else { return }
        handle(.launchRequested(task, instead: true, reply: Token(0)))
    }

    private var wake: Int64? { host.armed.wall.map { -(-$0).seconds } }

    private mutating func advance(to time: Int64) { second = max(second, time) }

    private var now: Now {
        Now(
            wall: WallTime(seconds: second),
            monotonic: MonotonicTime(nanoseconds: (second - start + 1000) * 1_000_000_000), zones: zones)
    }

    /// Handles an event. Runs are over at once; limits on the monotonic clock do not matter.
    private mutating func handle(_ event: Event) {
        host.handle(event, at: now) { effect in
            guard case .launch(let launch) = effect else { return [] }
            launches[launch.task, default: []].append(second)
            return [.completed(launch.run, success: true, summary: nil)]
        }
    }
}

/// A use, and when the scheduler learns of it.
private struct Told: Comparable {
    let second: Int64
    /// The place in the log.
    let app: Int
    /// The place of the use in the app's; nil: the planted look into the future.
    let index: Int?

    static func < (a: Self, b: Self) -> Bool {
        (a.second, a.app, a.index ?? -1) < (b.second, b.app, b.index ?? -1)
    }
}

extension WallTime {
    /// The mirror image, so that rounding down rounds up.
    fileprivate static prefix func - (time: WallTime) -> WallTime {
        WallTime(milliseconds: -time.milliseconds)
    }
}
