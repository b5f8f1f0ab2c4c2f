import LullModel
import LullScheduler

/// A scheduler with many pending requests, under a hand-moved clock, and a shell that answers at once.
struct DecisionWorld {
    private(set) var state = SchedulerState(ledger: Ledger())
    private var now = Now(
        wall: WallTime(seconds: 1_795_392_000), monotonic: MonotonicTime(nanoseconds: 1_000_000_000))
    private var tasks: [TaskIdentifier] = []
    private var registered: [AppIdentifier: [TaskIdentifier]] = [:]
    private var running: [RunID] = []
    private var owner: [TaskIdentifier: AppIdentifier] = [:]
    /// When the next submitted request is due.
    private var nextBegin: WallTime
    private var nextToken: UInt64 = 0
    private var armed: WallTime?
    private var hasPower = true
    /// The events that the scheduler has recorded since the last reset.
    private(set) var recorded: [HistoryEvent] = []
    /// Nanoseconds spent in the scheduler since the last reset.
    private var spent = 0.0

    /// `pending` requests of apps with ten tasks each: due a second apart, starting in an hour, or all now.
    init(pending: Int, areDue: Bool) throws {
        var ledger = Ledger()
        var manifest = Manifest(hostConcurrency: 4)
        var stamps: [AppIdentifier: String] = [:]
        nextBegin = now.wall + .hours(1)
        for number in 0..<max(1, pending / 10) {
            guard let identifier = AppIdentifier("com.example.App\(number)") else { continue }
            var app = App(identifier: identifier, plugin: "/nowhere.so")
            app.idleAfter = nil
            app.keepWarm = .zero
            for index in 0..<10 {
                guard let task = TaskIdentifier("task\(index)", of: identifier) else { continue }
                var definition = TaskDefinition(identifier: task, app: identifier, kind: .processing)
                definition.requires.idle = false
                app.tasks.append(definition)
            }
            manifest.apps.append(app)
            stamps[identifier] = "1"
            registered[identifier] = app.tasks.map(\.identifier)
            var event = HistoryEvent(.discovered, at: now.wall, app: identifier)
            event.registered = app.tasks.map(\.identifier)
            event.stamp = "1"
            ledger.apply(event, zones: now.zones)
        }
        // Requests next to each other in time belong to different apps.
        let apps = manifest.apps
        for index in 0..<10 { for app in apps { tasks.append(app.tasks[index].identifier) } }
        for (place, task) in tasks.enumerated() {
            owner[task] = apps[place % apps.count].identifier
            var event = HistoryEvent(
                .submitted, at: now.wall, app: apps[place % apps.count].identifier, task: task,
                request: RequestID(UInt64(place + 1)))
            event.kind = .processing
            event.origin = .operator
            if !areDue { event.earliestBegin = takeBegin() }
            ledger.apply(event, zones: now.zones)
        }
        state = SchedulerState(ledger: ledger, options: SchedulerOptions(discovers: false))
        tell(.conditionsChanged(Conditions()))
        tell(.manifestLoaded(manifest, stamps: stamps))
        guard state.pending(of: nil).count + running.count == pending else {
            throw BenchmarkError("the scheduler holds other than \(pending) requests")
        }
        spent = 0
        recorded = []
    }

    /// The events that the scheduler records for a submit of one of the tasks, for a time that does not come.
    mutating func record(submit number: Int) throws -> [HistoryEvent] {
        recorded = []
        submit(tasks[number % tasks.count], begin: takeBegin())
        guard recorded.contains(where: { $0.event == .submitted }) else {
            throw BenchmarkError("submit \(number) was refused")
        }
        defer { recorded = [] }
        return recorded
    }

    /// The events that the scheduler records for a use; no two uses are in one millisecond.
    mutating func record(use number: Int) -> [HistoryEvent] {
        advance(.milliseconds(1))
        recorded = []
        let app = tasks[number % tasks.count]
        tell(.used(owner[app] ?? .host, at: now.wall))
        defer { recorded = [] }
        return recorded
    }

    /// A wake at which nothing is due.
    mutating func wakeForNothing() -> Double {
        advance(.milliseconds(1))
        tell(.wake)
        return takeSpent()
    }

    /// A change of conditions that no task minds.
    mutating func senseForNothing() -> Double {
        hasPower.toggle()
        tell(.conditionsChanged(Conditions(externalPower: .known(hasPower))))
        return takeSpent()
    }

    /// The next request comes due: measures the wake that launches it, with its worker's start.
    ///
    /// Then the run ends, and is requested again.
    mutating func wakeForOne() throws -> (wake: Double, submit: Double) {
        guard let armed else { throw BenchmarkError("no wake is armed, though requests wait") }
        advance(max(.milliseconds(1), armed - now.wall))
        tell(.wake)
        guard running.count == 1 else {
            throw BenchmarkError("\(running.count) runs are under way where one was due")
        }
        let wake = takeSpent()
        let run = running.removeFirst()
        tell(.completed(run, success: true, summary: nil))
        _ = takeSpent()
        submit(task(of: run), begin: takeBegin())
        return (wake, takeSpent())
    }

    /// A run ends, and the next pending request is launched, in a worker that must be started.
    mutating func completeOne() throws -> Double {
        guard running.count == 4 else {
            throw BenchmarkError("\(running.count) runs are under way where four may be")
        }
        // Long enough to evict idle workers: however few apps there are, the next worker is cold.
        advance(.seconds(3))
        tell(.wake)
        _ = takeSpent()
        let run = running.removeFirst()
        tell(.completed(run, success: true, summary: nil))
        let figure = takeSpent()
        submit(task(of: run), begin: nil)
        _ = takeSpent()
        return figure
    }

    private var taskOfRun: [RunID: TaskIdentifier] = [:]
    private mutating func task(of run: RunID) -> TaskIdentifier {
        taskOfRun.removeValue(forKey: run) ?? tasks[0]
    }

    private mutating func submit(_ task: TaskIdentifier, begin: WallTime?) {
        nextToken += 1
        tell(.submitted(Submission(app: nil, task: task, earliestBegin: begin), reply: Token(nextToken)))
    }

    private mutating func takeBegin() -> WallTime {
        nextBegin = nextBegin + .seconds(1)
        return nextBegin
    }

    private mutating func advance(_ span: Duration) {
        now.wall = now.wall + span
        now.monotonic = now.monotonic + span
    }

    private mutating func takeSpent() -> Double {
        defer { spent = 0 }
        return spent
    }

    /// Counts only the time in the scheduler.
    private mutating func tell(_ event: Event, isCounted: Bool = true) {
        let watch = Stopwatch()
        let effects = state.handle(event, at: now)
        if isCounted { spent += watch.nanoseconds }
        for effect in effects {
            switch effect {
            case .startWorker(let worker):
                tell(.workerReady(worker, registered: registered[worker.app] ?? []))
            case .evictWorker(let worker): tell(.workerExited(worker, sentence: "ended by itself (status 0)"))
            case .launch(let launch):
                running.append(launch.run)
                taskOfRun[launch.run] = launch.task
                tell(.launchReturned(launch.run), isCounted: false)
            case .record(let event): recorded.append(event)
            case .arm(let deadline): armed = deadline.wall
            default: break
            }
        }
    }
}
