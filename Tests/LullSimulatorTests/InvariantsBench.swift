import LullModel
import LullScheduler
import Testing

@testable import LullSimulator

/// Puts made-up traces before the invariants: an app with one task, at a quiet moment on external power.
struct InvariantsBench {
    var task: TaskDefinition
    var app: App
    var conditions = Conditions(presence: .unknown("not sensed"))
    var hostConcurrency = 2
    var isShuttingDown = false

    init(_ change: (inout TaskDefinition) -> Void = { _ in }) {
        guard let name = AppIdentifier("com.example.A"), let task = TaskIdentifier("com.example.A.t") else {
            preconditionFailure("names that are written down here are reverse-DNS names")
        }
        var definition = TaskDefinition(identifier: task, app: name, kind: .processing)
        change(&definition)
        self.task = definition
        app = App(identifier: name, plugin: "/plugins/a.so")
        app.idleAfter = nil
    }

    func faults(_ script: (inout InvariantsPlay) -> Void) -> [String] {
        var app = app
        app.tasks = [task]
        var play = InvariantsPlay(
            manifest: Manifest(hostConcurrency: hostConcurrency, apps: [app]), conditions: conditions,
            isShuttingDown: isShuttingDown)
        script(&play)
        return play.takeFaults()
    }

    func finds(_ words: String, _ script: (inout InvariantsPlay) -> Void) -> Bool {
        let faults = faults(script)
        return faults.count == 1 && faults[0].contains(words)
    }
}

/// A trace as it is made up, step by step.
struct InvariantsPlay {
    private let manifest: Manifest
    private let conditions: Conditions
    private let isShuttingDown: Bool
    private var invariants: Invariants
    /// At midnight of a Monday.
    static let monday = WallTime(seconds: 1_772_409_600)
    private var clock = VirtualClock(start: monday)
    /// The time of `at` that the next records are for.
    var occurrence: Occurrence?

    init(manifest: Manifest, conditions: Conditions, isShuttingDown: Bool) {
        self.manifest = manifest
        self.conditions = conditions
        self.isShuttingDown = isShuttingDown
        invariants = Invariants(manifest: manifest, zones: .utc, history: [])
        invariants.willAnswer(Token(1))
        invariants.registered = [manifest.apps[0].identifier: Set(manifest.tasks.map(\.identifier))]
    }

    private var app: AppIdentifier { manifest.apps[0].identifier }
    private var task: TaskDefinition { manifest.apps[0].tasks[0] }

    private func frame(_ effects: [Effect] = []) -> Frame {
        var about = Frame.About()
        about.isShuttingDown = isShuttingDown
        return Frame(
            effects: effects, now: Now(wall: clock.wall, monotonic: clock.monotonic, zones: .utc),
            clock: clock,
            conditions: conditions, manifest: manifest, about: about)
    }

    mutating func takeFaults() -> [String] { invariants.takeFaults(at: clock, seed: 0) }

    mutating func pass(_ span: Duration) { clock.advance(to: clock.trueTime + span) }

    mutating func record(
        _ name: HistoryEvent.Name, request: UInt64? = nil, run: UInt64? = nil, task other: String? = nil,
        kind: Kind? = nil, origin: TaskRequest.Origin = .operator, begin: Duration? = nil,
        reason: String? = nil
    ) {
        var event = HistoryEvent(
            name, at: clock.wall, app: app, task: other.flatMap { TaskIdentifier($0) } ?? task.identifier,
            request: request.map { RequestID($0) }, run: run.map { RunID($0) },
            outcome: name == .completed ? .succeeded : nil, reason: reason)
        event.kind = kind ?? task.kind
        event.origin = origin
        event.occurrence = occurrence
        event.earliestBegin = begin.map { clock.wall + $0 }
        invariants.begin(frame())
        invariants.record(event)
    }

    mutating func end(run: UInt64, _ outcome: Outcome, after span: Duration = .zero) {
        var event = HistoryEvent(
            outcome.isSuccess ? .completed : .failed, at: clock.wall, app: app, task: task.identifier,
            run: RunID(run), outcome: outcome)
        event.milliseconds = span.milliseconds
        let frame = frame()
        invariants.begin(frame)
        invariants.record(event)
        invariants.check(frame)
    }

    var worker: WorkerID { WorkerID(app: app, number: 1) }

    /// Recorded, judged and carried out.
    mutating func launch(run: UInt64, request: UInt64?, kind: Kind? = nil) {
        let launch = Launch(
            run: RunID(run), request: request.map { RequestID($0) }, task: task.identifier, worker: worker,
            kind: kind ?? task.kind, deadline: nil)
        let frame = frame([.launch(launch)])
        var event = HistoryEvent(
            .launched, at: clock.wall, app: app, task: task.identifier,
            request: request.map { RequestID($0) },
            run: RunID(run))
        event.kind = launch.kind
        event.occurrence = occurrence
        invariants.begin(frame)
        invariants.record(event)
        invariants.check(frame)
        invariants.note(.launch(launch), of: frame)
    }

    /// Asked for by an operator just now, and launched at once.
    mutating func launchAsked(
        _ number: UInt64 = 1, begin: Duration? = nil, origin: TaskRequest.Origin = .operator
    ) {
        record(.submitted, request: number, origin: origin, begin: begin)
        launch(run: number, request: number)
    }

    mutating func carryOut(launchOf run: UInt64) {
        let launch = Launch(
            run: RunID(run), request: nil, task: task.identifier, worker: worker, kind: task.kind,
            deadline: nil)
        invariants.note(.launch(launch), of: frame())
    }

    mutating func start() { invariants.note(.startWorker(worker), of: frame()) }
    mutating func register(nothing: Bool) { if nothing { invariants.registered = [:] } }
    mutating func reply(_ token: UInt64, _ reply: Reply) {
        invariants.note(.reply(Token(token), reply), of: frame())
    }

    mutating func wish(_ token: UInt64, begin: Duration?) {
        let submission = Submission(
            app: nil, task: task.identifier, earliestBegin: begin.map { clock.wall + $0 })
        invariants.willSubmit(Token(token), submission)
    }

    mutating func withdraw(_ token: UInt64) {
        invariants.withdraw(Token(token))
        var frame = frame()
        frame.about.withdrawn = Token(token)
        invariants.carriedOut(frame)
    }

    /// The log restores an empty ledger, though the acknowledged requests have not ended.
    mutating func restore() {
        invariants.pending = [:]
        invariants.check(restored: Ledger(), durable: Ledger())
    }

    mutating func kill(runningFor span: Duration, expiredFor warned: Duration) {
        let start = clock.monotonic
        var worker = VirtualWorker(number: 1, began: start)
        worker.phase = .warm
        var run = VirtualWorker.Run(task: task.identifier, began: start)
        run.hasReturned = true
        run.expired = start + span - warned
        worker.runs[RunID(1)] = run
        invariants.check(killed: worker, of: app, "it hangs", at: start + span)
    }

    mutating func kill(startingFor span: Duration) {
        let worker = VirtualWorker(number: 1, began: clock.monotonic)
        invariants.check(killed: worker, of: app, "it hangs", at: clock.monotonic + span)
    }
}
