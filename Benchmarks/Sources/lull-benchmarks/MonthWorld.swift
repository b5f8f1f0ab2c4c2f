import HeapModule
import LullModel
import LullScheduler

/// The scheduler over a month of many tasks, under a virtual clock, with a shell that carries out its effects and counts
/// them.
struct MonthWorld {
    private struct Due: Comparable {
        enum Kind { case use(Int), completion(RunID) }
        var time: WallTime
        var kind: Kind
        static func < (a: Self, b: Self) -> Bool { a.time < b.time }
        static func == (a: Self, b: Self) -> Bool { a.time == b.time }
    }

    private var state: SchedulerState
    private var now = Now(
        wall: WallTime(seconds: 1_795_392_000), monotonic: MonotonicTime(nanoseconds: 1_000_000_000))
    private var agenda = Heap<Due>()
    private var armed = Deadline()
    private let manifest: Manifest
    private let registered: [AppIdentifier: [TaskIdentifier]]
    private var random = 1 as UInt64
    private(set) var pending: Set<RequestID> = []
    private(set) var running: Set<RunID> = []
    private(set) var requests = 0
    private(set) var runs = 0
    private(set) var uses = 0
    private(set) var events = 0
    /// The nanoseconds that the scheduler spent on each event.
    private(set) var spans: [Double] = []
    /// The number of inconsistent effects, such as ends of runs that had not begun.
    private(set) var faults = 0

    /// One task of each app is a refresh; each other task runs once a day.
    init(apps: Int, tasksPerApp: Int) {
        var manifest = Manifest(hostConcurrency: 16)
        var registered: [AppIdentifier: [TaskIdentifier]] = [:]
        for number in 0..<apps {
            guard let identifier = AppIdentifier("com.example.App\(number)") else { continue }
            var app = App(identifier: identifier, plugin: "/nowhere.so")
            app.usage = .manual
            for index in 0..<tasksPerApp {
                guard let task = TaskIdentifier("task\(index)", of: identifier) else { continue }
                var definition = TaskDefinition(
                    identifier: task, app: identifier, kind: index == 0 ? .refresh : .processing)
                definition.repeat = index == 0 ? .hours(1) : .hours(24)
                definition.requires.idle = false
                app.tasks.append(definition)
            }
            registered[identifier] = app.tasks.map(\.identifier)
            manifest.apps.append(app)
        }
        self.manifest = manifest
        self.registered = registered
        state = SchedulerState(ledger: Ledger(), options: SchedulerOptions())
        let stamps = Dictionary(manifest.apps.map { ($0.identifier, "1") }) { first, _ in first }
        tell(.conditionsChanged(Conditions()))
        tell(.manifestLoaded(manifest, stamps: stamps))
        for app in manifest.apps.indices {
            agenda.insert(Due(time: now.wall + .seconds(Int64(app) * 37 % 86_400), kind: .use(app)))
        }
    }

    mutating func run(days: Int) {
        let end = now.wall + .days(days)
        while let next = nextTime, next <= end {
            let step = max(.zero, next - now.wall)
            now.wall = now.wall + step
            now.monotonic = now.monotonic + step
            guard let due = agenda.min, due.time <= now.wall else {
                if let wall = armed.wall, wall <= now.wall { armed.wall = nil }
                if let monotonic = armed.monotonic, monotonic <= now.monotonic { armed.monotonic = nil }
                tell(.wake)
                continue
            }
            agenda.removeMin()
            switch due.kind {
            case .completion(let run): tell(.completed(run, success: true, summary: nil))
            case .use(let app):
                uses += 1
                tell(.used(manifest.apps[app].identifier, at: now.wall))
                // Twice a day, at different hours for each app.
                agenda.insert(Due(time: now.wall + .seconds(40_000 + take(6_400)), kind: .use(app)))
            }
        }
    }

    /// The number of requests that are pending only in the scheduler, or only in the shell's own list.
    var disagreements: Int { Set(state.pending(of: nil).map(\.id)).symmetricDifference(pending).count }

    private var nextTime: WallTime? {
        let monotonic = armed.monotonic.map { now.wall + max(.zero, $0 - now.monotonic) }
        return [agenda.min?.time, armed.wall, monotonic].compactMap { $0 }.min()
    }

    private mutating func take(_ bound: UInt64) -> Int64 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int64((random >> 33) % bound)
    }

    private mutating func tell(_ event: Event) {
        let watch = Stopwatch()
        let effects = state.handle(event, at: now)
        spans.append(watch.nanoseconds)
        for effect in effects {
            switch effect {
            case .record(let event): account(for: event)
            case .startWorker(let worker):
                tell(.workerReady(worker, registered: registered[worker.app] ?? []))
            case .evictWorker(let worker): tell(.workerExited(worker, sentence: "ended by itself (status 0)"))
            case .launch(let launch):
                agenda.insert(
                    Due(time: now.wall + .milliseconds(200 + take(1800)), kind: .completion(launch.run)))
                tell(.launchReturned(launch.run))
            case .arm(let deadline): armed = deadline
            default: break
            }
        }
    }

    private mutating func account(for event: HistoryEvent) {
        events += 1
        switch event.event {
        case .submitted:
            requests += 1
            if let id = event.request, !pending.insert(id).inserted { faults += 1 }
        case .launched:
            runs += 1
            if let id = event.request, pending.remove(id) == nil { faults += 1 }
            if let run = event.run, !running.insert(run).inserted { faults += 1 }
        case .replaced, .merged, .cancelled, .givenUp:
            if let id = event.request, pending.remove(id) == nil { faults += 1 }
        case .completed, .failed, .interrupted:
            if let run = event.run, running.remove(run) == nil { faults += 1 }
        default: break
        }
    }
}
