import LullModel
import LullScheduler
import LullSimulator
import Testing

/// A run to which `why` gives a likelihood of p comes in a share p of the cases.
///
/// Few worlds and coarse bins, so that it is quick: a guard against getting worse, and no proof.
@Suite struct CalibrationTests {
    private static let backup = app("com.example.Backup")

    /// Tasks of every sort that conditions, windows and moments hold back.
    private static var tasks: [TaskDefinition] {
        func make(_ name: String, _ gap: Duration, _ change: (inout TaskDefinition) -> Void) -> TaskDefinition
        {
            TaskDefinition(task("com.example.Backup." + name), of: backup, .processing, repeat: gap) {
                definition in
                definition.requires.idle = false
                change(&definition)
            }
        }
        return [
            make("on_power", .hours(20)) { $0.requires.externalPower = true },
            make("on_network", .hours(3)) { $0.requires.network = .any },
            make("at_home", .hours(20)) {
                $0.requires.externalPower = true
                $0.requires.network = .unmetered
            },
            make("at_night", .hours(12)) {
                $0.requires.externalPower = true
                $0.windows = [Window(opens: 60, closes: 300, text: "01:00-05:00")]
            },
            make("in_a_pause", .hours(4)) { $0.requires.idle = true },
            make("quietly", .hours(6)) {
                $0.requires.idle = nil
                $0.requires.network = .any
            },
            make("unladen", .hours(5)) { $0.requires.loadBelow = 0.5 },
        ]
    }

    private static func world(days: Int) -> World {
        var owner = App(backup, tasks)
        owner.idleAfter = nil
        return World(manifest: Manifest(hostConcurrency: 8, apps: [owner]), start: monday)
    }

    @Test func `on a laptop`() {
        var table = Calibration()
        for seed in UInt64(0)..<8 {
            let world = Habits.laptop(Self.world(days: Self.days), days: Self.days, seed: seed)
            table.ask(world, days: Self.days, seed: seed)
        }
        #expect(table.isGood, "\(table)")
    }

    @Test func `on a server`() {
        var table = Calibration()
        for seed in UInt64(0)..<4 {
            let world = Habits.server(Self.world(days: Self.days), days: Self.days, seed: seed)
            table.ask(world, days: Self.days, seed: seed)
        }
        #expect(table.isGood, "\(table)")
    }

    @Test func `of refreshes`() {
        let feed = app("com.example.Feed")
        var table = Calibration()
        for seed in UInt64(0)..<6 {
            let owner = App(
                feed,
                [
                    TaskDefinition(task("com.example.Feed.often"), of: feed, .refresh, repeat: .minutes(30)) {
                        $0.budget = 8
                    },
                    TaskDefinition(task("com.example.Feed.seldom"), of: feed, .refresh, repeat: .hours(3)) {
                        $0.budget = 3
                    },
                ])
            let world = Habits.reader(
                World(manifest: Manifest(hostConcurrency: 8, apps: [owner]), start: monday), of: feed,
                days: Self.days, seed: seed)
            table.ask(world, days: Self.days, seed: seed)
        }
        #expect(table.isGood, "\(table)")
    }

    private static let days = 84
}

/// The stated likelihoods, and the outcomes.
struct Calibration: CustomStringConvertible {
    private struct Case {
        let task: TaskIdentifier
        let span: Duration
        let said: Double
        let happened: Bool
    }
    private var cases: [Case] = []
    private var unknown = 0

    /// Asks about every task at random moments of the second half of the days.
    mutating func ask(_ world: World, days: Int, seed: UInt64, asks: Int = 40) {
        var life = Life(world)
        var random = SeededGenerator(seed: seed &+ 1_000_000)
        let first = days * 2 / 5
        let moments = (0..<asks)
            .map { _ in
                world.start
                    + .milliseconds(
                        Int64.random(
                            in: Int64(first) * 86_400_000..<Int64(days - 8) * 86_400_000, using: &random))
            }
            .sorted()
        var asked: [(task: TaskIdentifier, at: WallTime, chance: Outlook.Chance)] = []
        for moment in moments {
            life.run(until: moment)
            for task in world.manifest.tasks.map(\.identifier) {
                let outlook = life.state.outlook(for: task, at: life.now, futures: 100)
                if outlook.chances.isEmpty { unknown += 1 }
                for chance in outlook.chances { asked.append((task, moment, chance)) }
            }
        }
        life.run(until: world.start + .days(days))
        let launches = Dictionary(grouping: life.launches, by: \.task)
        for (task, at, chance) in asked {
            let happened = (launches[task] ?? []).contains { at < $0.time && $0.time <= chance.by }
            cases.append(Case(task: task, span: chance.by - at, said: chance.probability, happened: happened))
        }
    }

    private struct Row {
        let label: String
        let cases: [Case]
        var said: Double { cases.reduce(0) { $0 + $1.said } / Double(max(1, cases.count)) }
        var happened: Double { Double(cases.count(where: \.happened)) / Double(max(1, cases.count)) }
        var isGood: Bool { abs(said - happened) <= 0.05 }
        var text: String {
            "\(label)\t\(cases.count)\tsaid \(percent(said))\thappened \(percent(happened))\(isGood ? "" : "\t!")"
        }
        private func percent(_ share: Double) -> String { "\(Double(Int(share * 1000)) / 10)" }
    }

    private var bins: [Row] {
        let borders = [0, 0.05, 0.35, 0.65, 0.95, 1.01]
        return zip(borders, borders.dropFirst()).map { from, to in
            Row(label: "\(from)–\(min(1, to))", cases: cases.filter { from <= $0.said && $0.said < to })
        }
    }

    /// Cases of one night hang together: a few hundred are some dozens of nights, and fewer say nothing.
    private static let enough = 400

    var isGood: Bool {
        bins.allSatisfy { $0.cases.count < Self.enough || $0.isGood }
            && Row(label: "all", cases: cases).isGood
    }

    var description: String {
        var rows = bins.map(\.text)
        rows.append(Row(label: "all", cases: cases).text)
        rows.append("without an answer: \(unknown)")
        for (task, cases) in Dictionary(grouping: cases, by: \.task).sorted(by: { $0.key < $1.key }) {
            rows.append(Row(label: task.text, cases: cases).text)
            for span in Outlook.spans {
                rows.append(Row(label: "  \(span)", cases: cases.filter { $0.span == span }).text)
            }
        }
        return rows.joined(separator: "\n")
    }
}

/// A scheduler under a world's conditions. It does less than a `Simulation`, which would check each of the samples that a
/// host takes while it waits; here the launches and their times are enough.
struct Life {
    var state: SchedulerState
    private(set) var now: Now
    /// The events named `notice`.
    private(set) var notices: [HistoryEvent] = []
    private(set) var launches: [(task: TaskIdentifier, time: WallTime)] = []
    private let manifest: Manifest
    private var armed = Deadline()
    private var sampled: Set<Conditions.Sensor> = []
    /// A sensor that begins to be sampled is read at once.
    private var isAsked = false
    private var conditions: Conditions
    private var told: Conditions
    private var changes: ArraySlice<World.Entry>

    init(_ world: World) {
        state = SchedulerState(ledger: Ledger())
        now = Now(wall: world.start, monotonic: MonotonicTime(nanoseconds: 0))
        changes = world.timeline.sorted { $0.time < $1.time }[...]
        manifest = world.manifest
        conditions = world.conditions
        told = world.conditions
        let stamps = manifest.apps.map { ($0.identifier, "1") }
        handle(.manifestLoaded(manifest, stamps: Dictionary(uniqueKeysWithValues: stamps)))
        handle(.conditionsChanged(world.conditions))
    }

    mutating func run(until end: WallTime) {
        while true {
            var next = changes.first?.time ?? .distantFuture
            if let wall = armed.wall { next = min(next, wall) }
            if let monotonic = armed.monotonic { next = min(next, now.wall + (monotonic - now.monotonic)) }
            if isAsked {
                isAsked = false
                tell()
                continue
            }
            guard next <= end else { break }
            move(to: next)
            if let entry = changes.first, entry.time <= now.wall {
                changes.removeFirst()
                switch entry.stimulus {
                case .conditions(let new):
                    conditions = new
                    tell()
                case .used(let app): handle(.used(app, at: now.wall))
                default: break
                }
            } else {
                handle(.wake)
            }
        }
        move(to: end)
    }

    /// A changed load alone is no event: the host reads it only while it samples it.
    private mutating func tell() {
        let load = sampled.contains(.load) ? conditions.load : told.load
        told = conditions
        told.load = load
        handle(.conditionsChanged(told))
    }

    private mutating func move(to time: WallTime) {
        let span = max(.zero, time - now.wall)
        now.wall = now.wall + span
        now.monotonic = now.monotonic + span
    }

    /// Workers are ready, and handlers done, as soon as they are asked for. What follows from an event is handled once all of
    /// its effects are carried out, so that the last deadline is the one that holds.
    private mutating func handle(_ event: Event) {
        var events = [event][...]
        while let event = events.popFirst() {
            for effect in state.handle(event, at: now) {
                switch effect {
                case .arm(let deadline): armed = deadline
                case .sample(let sensors):
                    sampled = sensors
                    isAsked = !sensors.isEmpty
                case .startWorker(let worker):
                    let tasks = manifest.apps.first { $0.identifier == worker.app }?.tasks.map(\.identifier)
                    events.append(.workerReady(worker, registered: tasks ?? []))
                case .evictWorker(let worker): events.append(.workerExited(worker, sentence: "ended"))
                case .record(let event): if event.event == .notice { notices.append(event) }
                case .deliver(let delivery): events.append(.delivered(delivery.notice.id, trouble: nil))
                case .launch(let launch):
                    launches.append((launch.task, now.wall))
                    events.append(.launchReturned(launch.run))
                    events.append(.completed(launch.run, success: true, summary: nil))
                default: break
                }
            }
        }
    }
}
