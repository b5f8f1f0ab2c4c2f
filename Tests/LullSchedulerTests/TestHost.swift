import LullModel
import Testing

@testable import LullScheduler

/// A scheduler under a hand-moved clock, with a shell that carries out its effects at once.
struct TestHost {
    var state: SchedulerState
    var now: Now
    /// Every effect since the last `take`.
    var effects: [Effect] = []
    var records: [HistoryEvent] = []
    /// Whether workers become ready and exit at once; if not, the test reports both itself.
    var startsWorkers = true
    /// Whether the plugins have a worker of its own for each run.
    var runsAlone = false
    var registers: [AppIdentifier: [TaskIdentifier]] = [:]
    var armed = Deadline()
    var sampled: Set<Conditions.Sensor> = []
    var hasFinished = false
    var wakes = 0
    /// Workers in the order of their starts.
    private(set) var started: [WorkerID] = []
    private var nextToken: UInt64 = 1
    /// The operator who acts.
    private var actor: String?

    /// Monday 2026-11-23 00:00 UTC.
    static let monday = WallTime(seconds: 1_795_392_000)

    init(
        _ manifest: Manifest? = nil, at wall: WallTime = TestHost.monday, ledger: Ledger = Ledger(),
        zones: Zones = .utc,
        options: SchedulerOptions = .init(), conditions: Conditions? = .quiet
    ) {
        state = SchedulerState(ledger: ledger, options: options)
        now = Now(wall: wall, monotonic: MonotonicTime(nanoseconds: 1_000_000_000), zones: zones)
        if let conditions { handle(.conditionsChanged(conditions)) }
        if let manifest { load(manifest) }
    }

    mutating func load(_ manifest: Manifest, stamp: String = "1") {
        let stamps = Dictionary(manifest.apps.map { ($0.identifier, stamp) }) { _, last in last }
        for app in manifest.apps where registers[app.identifier] == nil {
            registers[app.identifier] = app.tasks.map(\.identifier)
        }
        handle(.manifestLoaded(manifest, stamps: stamps))
    }

    @discardableResult
    mutating func handle(_ event: Event) -> [Effect] {
        let by = actor
        actor = nil
        defer { actor = by }
        let new = state.handle(event, at: now, by: by)
        var all = new
        effects += new
        var answers: [Event] = []
        for effect in new {
            if case .startWorker(let worker) = effect { started.append(worker) }
            switch effect {
            case .record(let event): records.append(event)
            case .arm(let deadline): armed = deadline
            case .sample(let sensors): sampled = sensors
            case .finished: hasFinished = true
            case .launch(let launch): answers.append(.carriedOut(.launch(launch.run)))
            case .expire(let run, _, _): answers.append(.carriedOut(.expire(run)))
            case .startWorker(let worker) where !startsWorkers:
                answers.append(.carriedOut(.startWorker(worker)))
            case .startWorker(let worker):
                answers.append(
                    .workerReady(
                        worker, registered: registers[worker.app] ?? [], runsAlone: runsAlone))
            case .evictWorker(let worker) where startsWorkers:
                answers.append(.workerExited(worker, sentence: "ended by itself (status 0)"))
            case .killWorker(let worker, _) where startsWorkers:
                answers.append(.workerExited(worker, sentence: "ended by signal 9 (SIGKILL)"))
            default: break
            }
        }
        for answer in answers { all += handle(answer) }
        return all
    }

    /// Moves both clocks to the next armed moment as often as it takes, at most to `span` from now.
    mutating func pass(
        _ span: Duration, completing: Bool = true, until stop: (TestHost) -> Bool = { _ in false }
    ) {
        let end = now.wall + span
        while now.wall < end, !stop(self) {
            if completing { complete() }
            var step = end - now.wall
            if let wall = armed.wall { step = min(step, max(.milliseconds(1), wall - now.wall)) }
            if let monotonic = armed.monotonic {
                step = min(step, max(.milliseconds(1), monotonic - now.monotonic))
            }
            advance(step)
            handle(.wake)
            wakes += 1
        }
        if completing { complete() }
    }

    mutating func advance(_ span: Duration) {
        now.wall = now.wall + span
        now.monotonic = now.monotonic + span
    }

    /// Every run under way succeeds.
    mutating func complete(success: Bool = true, exitCode: UInt8? = nil) {
        for run in state.runs.keys.sorted() {
            handle(.launchReturned(run))
            if let exitCode { handle(.exited(run, code: exitCode)) }
            handle(.completed(run, success: success, summary: nil))
        }
    }

    mutating func token() -> Token {
        nextToken += 1
        return Token(nextToken)
    }

    mutating func submit(
        _ task: TaskIdentifier, from app: AppIdentifier? = nil, kind: Kind? = nil, begin: WallTime? = nil,
        requires: Requirements = .none
    ) -> Reply? {
        let token = token()
        let submission = Submission(
            app: app, task: task, kind: kind, earliestBegin: begin, requires: requires)
        let effects = handle(.submitted(submission, reply: token))
        return reply(to: token, in: effects)
    }

    mutating func launch(_ task: TaskIdentifier, instead: Bool = false) -> Reply? {
        let token = token()
        let effects = handle(.launchRequested(task, instead: instead, reply: token))
        return reply(to: token, in: effects)
    }

    mutating func cancel(
        _ task: TaskIdentifier, of app: AppIdentifier = Sample.feed, next: Bool = false
    ) -> Reply? {
        let token = token()
        let effects = handle(.cancelled(app, task, next: next, reply: token))
        return reply(to: token, in: effects)
    }

    /// Does it as this operator; what follows by itself is not the operator's.
    mutating func act<Result>(as name: String, _ body: (inout TestHost) -> Result) -> Result {
        actor = name
        defer { actor = nil }
        return body(&self)
    }

    mutating func tell(_ event: (Token) -> Event) -> Reply? {
        let token = token()
        return reply(to: token, in: handle(event(token)))
    }

    func reply(to token: Token, in effects: [Effect]) -> Reply? {
        for case .reply(token, let reply) in effects { return reply }
        return nil
    }

    func gate(_ gate: GateName, of task: TaskIdentifier) -> GateVerdict? {
        state.verdict(for: task, at: now).gates.first { $0.gate == gate }
    }

    func closed(_ task: TaskIdentifier) -> [GateName] {
        state.verdict(for: task, at: now).closed.map(\.gate)
    }

    func names(_ task: TaskIdentifier? = nil) -> [HistoryEvent.Name] {
        records.filter { task == nil || $0.task == task }.map(\.event)
    }

    func launches(of task: TaskIdentifier) -> [WallTime] {
        records.filter { $0.event == .launched && $0.task == task }.map(\.time)
    }

    var running: [RunID] { state.runs.keys.sorted() }
    func record(_ task: TaskIdentifier) -> TaskRecord? { state.ledger.tasks[task] }
    /// The worker of an app that was started last; number 0 if none was.
    func last(_ app: AppIdentifier) -> WorkerID {
        started.last { $0.app == app } ?? WorkerID(app: app, number: 0)
    }
    func worker(_ app: AppIdentifier) -> WorkerState? { state.apps[app]?.worker }

    mutating func take() -> [Effect] {
        defer { effects = [] }
        return effects
    }
}

extension Conditions {
    static let quiet = Conditions(presence: .known(.idle(since: WallTime(seconds: 0))), load: 0.1)
}

extension WallTime {
    /// UTC, days from Monday 2026-11-23.
    static func at(_ day: Int, _ hour: Int, _ minute: Int = 0) -> WallTime {
        TestHost.monday + .days(day) + .hours(hour) + .minutes(minute)
    }
}

/// Identifiers and manifests that tests speak of.
enum Sample {
    static func app(_ text: String) -> AppIdentifier {
        guard let app = AppIdentifier(text) else {
            preconditionFailure("'\(text)' is not a reverse-DNS name")
        }
        return app
    }
    static func task(_ text: String) -> TaskIdentifier {
        guard let task = TaskIdentifier(text) else {
            preconditionFailure("'\(text)' is not a reverse-DNS name")
        }
        return task
    }
    static let feed = app("com.example.Feed")
    static let refresh = task("com.example.Feed.refresh")
    static let cleaning = task("com.example.Feed.cleaning")
    static let indexing = task("com.example.Feed.indexing")
    static let other = app("com.example.Other")
    static let otherWork = task("com.example.Other.work")

    static func definition(
        _ task: TaskIdentifier, of app: AppIdentifier = feed, _ kind: Kind,
        _ change: (inout TaskDefinition) -> Void = { _ in }
    ) -> TaskDefinition {
        var definition = TaskDefinition(identifier: task, app: app, kind: kind)
        change(&definition)
        return definition
    }

    static func manifest(
        _ tasks: [TaskDefinition], concurrency: Int = 4, _ change: (inout App) -> Void = { _ in }
    ) -> Manifest {
        var apps: [App] = []
        for task in tasks {
            if let place = apps.firstIndex(where: { $0.identifier == task.app }) {
                apps[place].tasks.append(task)
            } else {
                var app = App(identifier: task.app, plugin: "/plugins/\(task.app).so")
                app.tasks = [task]
                apps.append(app)
            }
        }
        for place in apps.indices { change(&apps[place]) }
        return Manifest(hostConcurrency: concurrency, apps: apps)
    }

    /// One processing task that runs on a busy host too, launched on request.
    static func simple(_ change: (inout TaskDefinition) -> Void = { _ in }) -> Manifest {
        manifest([
            definition(cleaning, .processing) {
                $0.requires.idle = false
                change(&$0)
            }
        ])
    }
}
