public import LullModel
import LullScheduler

/// The shipping scheduler on a virtual clock, which receives the uses of a log one by one as they happened.
///
/// It receives the past alone: each use in the second after it. So a launch can't depend on the future, and
/// `BacktestCausality` checks that for each build. Workers are ready and runs are over at once, and conditions are ideal:
/// only the times of the launches are measured.
///
/// It wakes at whole seconds, the resolution of such logs.
public struct Backtest: Sendable {
    /// The launches of one task, in ascending order.
    public struct Launches: Sendable, Equatable {
        public let task: TaskIdentifier
        /// The place of its app in the log.
        public let app: Int
        public internal(set) var times: [Int64] = []
    }

    public let log: BacktestLog
    private var manifest: Manifest
    /// The place in the log of each app of the manifest.
    private let places: [AppIdentifier: Int]
    /// The zone of all apps; nil: each app has the zone of its uses.
    private let zone: Zone?
    /// For a test, a planted look into the future: a launch is requested this many seconds before each use.
    var foresight: Int64?

    /// A made-up manifest with one refresh task for each app of the log, named by its place.
    public init(_ log: BacktestLog, budget: Double, objective: Objective) {
        let apps = log.apps.indices.compactMap { place -> App? in
            // Short, for they are compared and hashed at every turn.
            guard let name = AppIdentifier("a.\(place)"), let task = TaskIdentifier("r", of: name) else {
                return nil
            }
            var app = App(identifier: name, plugin: "")
            var definition = TaskDefinition(identifier: task, app: name, kind: .refresh)
            definition.repeat = .minutes(15)
            definition.budget = budget
            definition.objective = objective
            app.tasks = [definition]
            return app
        }
        self.init(log, manifest: Manifest(apps: apps)) { Int($0.text.dropFirst(2)) }
    }

    /// The refresh tasks of a manifest; the log names its apps by their identifiers.
    ///
    /// Every task of an app that is not in the log is left out: nothing can be said about it.
    public init(_ log: BacktestLog, manifest: Manifest, zone: Zone) {
        let names = Dictionary(uniqueKeysWithValues: log.apps.enumerated().map { ($1.name, $0) })
        self.init(log, manifest: manifest, zone: zone) { names[$0.text] }
    }

    private init(
        _ log: BacktestLog, manifest: Manifest, zone: Zone? = nil, place: (AppIdentifier) -> Int?
    ) {
        self.log = log
        self.zone = zone
        var places: [AppIdentifier: Int] = [:]
        var manifest = manifest
        manifest.apps = manifest.apps.compactMap { app in
            guard app.enabled, let place = place(app.identifier) else { return nil }
            var app = app
            app.tasks = app.tasks.compactMap(Self.idealised)
            guard !app.tasks.isEmpty else { return nil }
            app.keepWarm = .days(36_500)
            places[app.identifier] = place
            return app
        }
        manifest.hostConcurrency = max(1, manifest.apps.reduce(0) { $0 + $1.tasks.count })
        self.manifest = manifest
        self.places = places
    }

    /// A refresh task that is asked for whenever it has been launched, under conditions that always hold.
    private static func idealised(_ task: TaskDefinition) -> TaskDefinition? {
        guard task.kind == .refresh, task.enabled else { return nil }
        var task = task
        task.requires = .none
        task.repeat = task.repeat ?? task.minGap
        return task
    }

    /// From this number of apps on, a log is played in two parts, each with a refresh budget of its own.
    public static let shared = 250

    /// Parts that can be played at the same time: two, each with every second app and a refresh budget, if there are so many apps
    /// that the price is the same in both; otherwise this one.
    public var parts: [Backtest] {
        guard manifest.apps.count >= Self.shared else { return [self] }
        return (0..<2).map { part in
            var half = self
            half.manifest.apps = manifest.apps.enumerated().filter { $0.offset % 2 == part }.map(\.element)
            return half
        }
    }

    /// The launches of the parts, in the manifest's order.
    public func joined(_ parts: [[Launches]]) -> [Launches] {
        let order = Dictionary(uniqueKeysWithValues: manifest.tasks.enumerated().map { ($1.identifier, $0) })
        return parts.joined().sorted { (order[$0.task] ?? 0) < (order[$1.task] ?? 0) }
    }

    /// The launches of each task, in the manifest's order.
    public func launches(progress: ((_ share: Double) -> Void)? = nil) -> [Launches] {
        var run = BacktestRun(log, manifest: manifest, places: places, zone: zone, foresight: foresight)
        run.play(progress: progress)
        return manifest.apps.flatMap { app in
            app.tasks.map {
                Launches(
                    task: $0.identifier, app: places[app.identifier] ?? 0,
                    times: run.launches[$0.identifier] ?? [])
            }
        }
    }
}
