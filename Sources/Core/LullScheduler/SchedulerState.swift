import HeapModule
public import LullModel

/// The one decision function: state and event at a time in, new state and effects out.
///
/// Pure: it reads no clock and does no I/O. The host, the simulator, `why` and `status` all ask it.
///
/// Durable state is in the ledger and changes by recorded events alone. The rest is a host's view of the world,
/// forgotten when it ends: conditions, workers, runs under way, and the indices that keep an event's cost independent
/// of how many requests wait.
public struct SchedulerState: Sendable {
    public internal(set) var ledger: Ledger
    var options: SchedulerOptions

    var listing = Listing()
    var sensing = Sensing()
    var refreshBudget = RefreshBudget()
    var disk = DiskState()
    var triggers = Triggers()
    var tasks: [TaskIdentifier: TaskState] = [:]
    var apps: [AppIdentifier: AppState] = [:]
    var runs = OpenRuns()
    var workers = WorkerBook()
    var watchers = Watchers()
    var agenda = Agenda()
    /// The limits of runs and workers, on the monotonic clock.
    var alarms = Heap<Alarm>()
    var touched = Touched()
    var queue = LaunchQueue()
    var recent = RecentAnswers()
    var transfers = RunningTransfers()
    /// Nil: the manifest has no fleet.
    var fleet: FleetState?
    var deliveries = Deliveries()
    var heartbeats = Heartbeats()
    /// Tasks that are expected to be launched or to succeed.
    var awaited: Set<TaskIdentifier> = []
    var isShuttingDown = false
    var hasFinished = false

    var armed: Deadline?
    var turn: Turn

    /// The event that is being handled.
    struct Turn: Sendable {
        var now = Now(wall: .distantPast, monotonic: .init(nanoseconds: .min / 2))
        var number: UInt64 = 0
        var effects: [Effect] = []
        /// The operator whose act is being carried out; nil: none, or not known.
        var by: String?
        /// The launches of this turn that were not made by hand.
        var launches = 0
        /// The trigger events of replaced requests, for the requests that replace them.
        var left: [TaskIdentifier: TriggerEvent] = [:]

        /// A turn makes at most this many launches and is then recorded, so that the first of many due runs begin while
        /// the host decides on the rest. The next turn follows at once.
        static let mostLaunches = 64
        var mayLaunchMore: Bool { launches < Self.mostLaunches }
    }

    public init(ledger: Ledger, options: SchedulerOptions = .init()) {
        self.ledger = ledger
        self.options = options
        turn = Turn()
    }

    /// Takes in one event. `now` never goes back on the monotonic clock; the wall clock may step. `by`: the operator whose act
    /// it is.
    public mutating func handle(_ event: Event, at now: Now, by: String? = nil) -> [Effect] {
        begin(at: now)
        turn.by = by
        switch event {
        case .manifestLoaded(let manifest, let stamps): load(manifest, stamps: stamps)
        case .conditionsChanged(let conditions): sense(conditions)
        case .wake: armed = nil
        case .absent(let absence): record(absence.event)
        case .happened(let trigger, let triggerEvent, let token): happened(trigger, triggerEvent, token)
        case .watching(let watches): triggers.watches = watches
        case .used(let app, let time, let token): use(app, at: time, token)
        case .usesFound(let uses): take(uses)
        case .submitted(let submission, let token): submit(submission, token)
        case .pushed(let app, let push, let token): self.push(app, push, token)
        case .urgencyRestored(let app, let token): restoreUrgency(of: app, token)
        case .reported(let run, let text): reported(run, text)
        case .exited(let run, let code): runs[run]?.exitCode = code
        case .measured(let run, let cost): runs[run]?.cost = cost
        case .withdrawn(let token):
            withdraw(token)
            withdrawNotification(token)
            withdrawTransfer(token)
        case .notificationAdded(let app, let notification, let token): add(notification, of: app, token)
        case .notificationsRemoved(let app, let identifiers, let delivered, let token):
            removeNotifications(identifiers, delivered: delivered, of: app, token)
        case .badgeSet(let app, let count, let token): setBadge(count, of: app, token)
        case .transferAsked(let app, let order, let token): askTransfer(app, order, token)
        case .transferActed(let app, let id, let act, let token): self.act(app, id, act, token)
        case .transferAnswered(let app, let id, let answer, let token): self.answer(app, id, answer, token)
        case .transferNews(let id, let attempt, let news): heard(id, attempt: attempt, news)
        case .transferOrdered(let id, let ordering, let token): order(id, ordering, token)
        case .cancelled(let app, let task, let next, let token): cancel(app, task, next: next, token)
        case .launchRequested(let task, let instead, let params, let token):
            force(ForcedLaunch(task: task, instead: instead, params: params, token: token, by: by))
        case .expireRequested(let task, let token): stop(task, token)
        case .enabled(let app, let isEnabled, let task, let token): enable(app, task, isEnabled, token)
        case .paused(let scope, let until, let reason, let token): pause(scope, until, reason, token)
        case .resumed(let scope, let token): resume(scope, token)
        case .pluginCompared(let worker, let stamp): pluginCompared(worker, stamp)
        case .workerReady(let worker, let registered, let plugin, let runsAlone):
            workerReady(worker, registered, plugin, runsAlone: runsAlone)
        case .workerFailed(let worker, let sentence): workerFailed(worker, sentence)
        case .workerHeldBack(let worker, let sentence): workerHeldBack(worker, sentence)
        case .workerExited(let worker, let sentence, let isLost):
            workerExited(worker, sentence, isLost: isLost)
        case .workerOverdue(let worker): workerOverdue(worker)
        case .registered(let worker, let task): register(worker, task)
        case .carriedOut(let deed): carriedOut(deed)
        case .launchReturned(let run): launchReturned(run)
        case .progressed(let run, let progress): progressed(run, progress)
        case .completed(let run, let success, let summary): completed(run, success, summary)
        case .printed(let run): runs[run]?.hasPrinted = true
        case .lastLines(let lines): for (run, lines) in lines { runs[run]?.lastLines = lines }
        case .outputKept(let bytes): keepOutput(bytes)
        case .manifestJudged(let sentence, let isInForce): judged(sentence, isInForce: isInForce)
        case .delivered(let notice, let trouble): delivered(notice, trouble: trouble)
        case .pinged(let name, let trouble): pinged(name, trouble: trouble)
        case .violation(let worker, let run, let task, let sentence, let isFatal):
            violation(worker, run, task, sentence, isFatal)
        case .diskLooked(let room, let isFull): diskLooked(room, isFull: isFull)
        case .foldersLooked(let looks, let isAll): foldersLooked(looks, isAll: isAll)
        case .fleet(let event): hear(event)
        case .reloaded(let sentence): reloaded(sentence)
        case .shutdown: shutDown()
        }
        turn.by = nil
        settle()
        defer { turn.effects = [] }
        return turn.effects
    }

    /// Applies events that were imported into the history and are already recorded there. The caller sends a `wake`
    /// next.
    public mutating func take(imported events: [HistoryEvent], zones: Zones) {
        for event in events { ledger.apply(event, zones: zones) }
        touched.isEverything = true
    }

    /// Sets this process's identity in the fleet; called before a manifest with a fleet is loaded.
    public mutating func join(as identity: FleetIdentity) { options.fleet = identity }
    public var identity: FleetIdentity { options.fleet }
    /// Whether runs have leases, or their results have yet to reach the fleet's database.
    public var owesFleet: Bool { !ledger.slots.isEmpty }

    public func isRunning(_ run: RunID) -> Bool { runs[run] != nil }

    /// Whether an open run was told to end because the host shuts down.
    public func isEndedByShutdown(_ run: RunID) -> Bool {
        ledger.runs[run]?.expiredBy?.contains(GateName.shuttingDown.rawValue) == true
    }

    public var runCount: Int { runs.count }

    public func runCount(of app: AppIdentifier) -> Int { apps[app]?.runs.count ?? 0 }

    /// The task of an open run; nil: the run is not open.
    public func task(of run: RunID) -> TaskIdentifier? { runs[run]?.task }

    /// The worker in which an open run was launched.
    public func worker(of run: RunID) -> WorkerID? { runs[run]?.worker }

    /// When a run is to be over; nil: it has no limit, or is over.
    public func deadline(of run: RunID) -> MonotonicTime? { runs[run]?.deadline }

    /// Whether some worker starts: it has been asked for and is not ready yet.
    package var startsWorkers: Bool { workers.starting > 0 }

    /// Whether a run, a worker's start, a delivery, a ping, a transfer or work for the fleet is under way.
    public var isBusy: Bool {
        !runs.isEmpty || workers.isBusy || !deliveries.isIdle || !heartbeats.isIdle || transfers.count > 0
            || fleet?.isBusy == true
    }

    /// Pending requests, in order of submission; pushes without their payload.
    public func pending(of app: AppIdentifier?) -> [TaskRequest] {
        ledger.tasks.values.filter { app == nil || $0.app == app }
            .flatMap { [$0.pending?.shown, $0.following?.shown].compactMap(\.self) }.sorted { $0.id < $1.id }
    }
}

extension SchedulerState {
    var now: Now { turn.now }

    /// Appends an event to the history and applies it to the ledger, which is the history's fold.
    mutating func record(_ event: HistoryEvent) {
        var event = event
        if let by = turn.by, event.isAct { event.by = by }
        if let reason = event.reason, reason.utf8.count > Limits.reasonBytes {
            event.reason = PrintedLast(reason).clipped
        }
        let told = beforeTelling(event)
        turn.effects.append(.record(event))
        charge(event)
        ledger.apply(event, zones: now.zones)
        if let told { tell(of: event, told) }
        if !awaited.isEmpty { reconsiderLateness(after: event) }
    }

    mutating func reply(_ token: Token?, _ reply: Reply) {
        if let token { turn.effects.append(.reply(token, reply)) }
    }

    /// Refresh launches a day, of all apps together.
    var budget: Double { refreshBudget.perDay }

    mutating func touch(_ task: TaskIdentifier) {
        if !transfers.isEmpty, let app = listing.app(ofTransferTask: task) { touchTransfers(of: app) }
        if let isNews = tasks[task]?.touch() {
            if isNews { touched.add(task) }
            return
        }
        guard ledger.tasks[task]?.pending != nil else { return }
        tasks[task] = TaskState(isTouched: true)
        touched.add(task)
    }

    mutating func touchTasks(of app: AppIdentifier) {
        touchTransfers(of: app)
        guard let listed = self.app(app) else { return }
        for task in listed.tasks.map(\.identifier) { touch(task) }
        for task in tasksUnderWildcards(of: app) { touch(task) }
    }
}
