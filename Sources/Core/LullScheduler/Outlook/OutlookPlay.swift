import LullModel

/// A copy of the scheduler with one task (`SchedulerState.alone`), played forward: it gets the events that a host would
/// feed it, at the moments at which its gates may change, and its own gates decide.
struct OutlookPlay {
    private(set) var state: SchedulerState
    private(set) var now: Now
    let task: TaskIdentifier
    let app: AppIdentifier
    /// When the runs that hold its place are likely to end, the first last; empty: it waits for none.
    private var ends: [(run: RunID, at: WallTime)] = []
    /// When it may be launched; nil: not yet.
    private(set) var launch: WallTime?
    /// A time of its `at` was given up.
    private(set) var hasSkipped = false
    /// The launch does not depend on time alone: a run had to end, or a use would have changed the plan.
    private(set) var isGuess = false

    /// The least time that a run takes from now on.
    private static let leastRun: Duration = .minutes(1)

    /// Nil: the manifest does not list the task.
    init?(_ host: SchedulerState, _ task: TaskIdentifier, _ record: TaskRecord? = nil, at now: Now) {
        guard let state = host.alone(task, record, at: now), let app = state.manifest.apps.first else {
            return nil
        }
        self.state = state
        self.now = now
        self.task = task
        self.app = app.identifier
        if !self.state.gateInput(for: task).concurrency().isOpen {
            isGuess = true
            ends = self.state.runs.values.map { ($0.id, end(of: $0)) }
                .sorted { ($1.at, $1.run) < ($0.at, $0.run) }
        }
        for worker in state.apps[app.identifier]?.workers ?? [] {
            switch worker.state {
            case .starting: feed(.workerReady(worker.id, registered: registered))
            case .leaving: feed(.workerExited(worker.id, sentence: ""))
            case .none, .warm, .suspended: break
            }
        }
        feed(.wake)
    }

    /// The handlers that its plugin is assumed to register: those of its last discovery, and this task's.
    private var registered: [TaskIdentifier] {
        (state.ledger.apps[app]?.registered ?? []) + state.listing.identifiers
    }

    /// When a run is assumed to end: it takes as long again as it has so far. The lengths of earlier runs are not kept.
    private func end(of run: Run) -> WallTime {
        now.wall + max(Self.leastRun, now.monotonic - run.launched)
    }

    // MARK: What the state says

    var isAskedFor: Bool { state.ledger.tasks[task]?.pending != nil }
    var awaitsBoot: Bool { state.ledger.tasks[task]?.pending?.awaitsBoot == true }
    var isRegistered: Bool { state.gateInput(for: task).registered().isOpen }

    /// Whether a change of the sensors of its last closed gates matters.
    var isWatching: Bool { state.tasks[task].map { !$0.watching.isEmpty } ?? false }

    /// Whether the next use of its app matters.
    var isAwaitingUse: Bool {
        guard let state = self.state.apps[app] else { return false }
        return state.awaitingMoment.contains(task) || isIdle
    }

    private var isIdle: Bool { state.app(app).map { state.isIdle($0) } ?? false }

    /// Whether the app is idle by the week rule at that time, unless it is used before.
    func isIdle(by time: WallTime) -> Bool {
        var input = state.gateInput(for: task)
        input.now.wall = time
        return !input.idleApp().isOpen
    }

    /// Whether time alone no longer decides: it may be launched, or waits for conditions or the end of a run.
    var opensByTime: Bool { launch != nil || isWatching || !ends.isEmpty }

    /// Whether time alone opens a closed gate.
    var mayOpen: Bool { state.tasks[task]?.mayOpenAt != nil }

    var look: (GateInput, Evaluation) {
        let input = state.gateInput(for: task)
        return (input, input.evaluate())
    }

    var plan: Plan? { state.tasks[task]?.plan }

    /// The next moment at which time, or the end of a run, may change what its gates say; nil: none.
    mutating func next() -> WallTime? {
        let time = state.tasks[task]?.mayOpenAt ?? state.nextCheck()
        let next = [time, ends.last?.at].compactMap { $0 }.min()
        return next.map { max($0, now.wall + .milliseconds(1)) }
    }

    // MARK: Playing

    /// Moves on to a time. `conditions`: those to assume then; nil: they have to be fed anew.
    mutating func pass(to time: WallTime, conditions: Conditions? = nil) {
        move(to: time)
        state.sensing.conditions = conditions
        endRuns()
        feed(.wake)
    }

    mutating func move(to time: WallTime) {
        let span = time - now.wall
        now.wall = time
        now.monotonic = now.monotonic + span
    }

    mutating func endRuns() {
        while let end = ends.last, end.at <= now.wall {
            ends.removeLast()
            feed(.launchReturned(end.run))
            feed(.completed(end.run, success: true, summary: nil))
        }
    }

    mutating func feed(_ event: Event) {
        var answers: [Event] = []
        for effect in state.handle(event, at: now) {
            switch effect {
            case .startWorker(let worker): answers.append(.workerReady(worker, registered: registered))
            case .evictWorker(let worker), .killWorker(let worker, _):
                answers.append(.workerExited(worker, sentence: ""))
            case .record(let event) where event.event == .givenUp && event.task == task: hasSkipped = true
            case .record, .comparePlugin, .resumeWorker, .suspendWorker, .launch, .expire, .reply, .arm,
                .sample, .deliver, .keepWorker,
                .ping, .beginTransfer, .stopTransfer, .removeTransferFiles, .tellTransfers, .askFleet,
                .finished:
                break
            }
        }
        for answer in answers { feed(answer) }
        if state.apps[app]?.awaitingMoment.contains(task) == true, plan != nil { isGuess = true }
        if launch == nil, state.tasks[task]?.ready != nil, hasRoom { launch = now.wall }
    }

    private var hasRoom: Bool { ends.isEmpty || state.gateInput(for: task).concurrency().isOpen }

    /// Takes a plan that another future made at about this moment, after the same use.
    mutating func take(_ plan: Plan?, session: WallTime?) {
        guard let plan else { return }
        var taken = Plan(made: now.wall, look: plan.look, launches: plan.launches, basis: plan.basis)
        taken.session = session
        state.tasks[task]?.plan = taken
    }

    /// Resets `hasSkipped`: from here on a time may be given up in some futures only.
    mutating func forgetSkipped() { hasSkipped = false }

    /// Plays by time alone, and by the ends of runs, until it may be launched or something else has to be known.
    ///
    /// `uses`: whether the uses of its app can be predicted.
    mutating func passTime(until end: WallTime, uses: Bool) {
        while launch == nil, !isWatching, !(uses && isAwaitingUse) {
            guard let next = next(), next < end, !(uses && isIdle(by: next)) else { return }
            pass(to: next)
        }
    }
}
