import LullModel

/// Workers: starting, warm, suspended, leaving; and those that retire, since their app has changed.
extension SchedulerState {
    func worker(_ id: WorkerID) -> WorkerRecord? { apps[id.app]?.workers.first { $0.id == id } }

    mutating func change(_ id: WorkerID, _ body: (inout WorkerRecord) -> Void) {
        guard let place = apps[id.app]?.workers.firstIndex(where: { $0.id == id }) else { return }
        if var workers = apps[id.app]?.workers {
            apps[id.app]?.workers = []
            body(&workers[place])
            apps[id.app]?.workers = workers
        }
    }

    /// The only place that writes a worker's state.
    mutating func setWorker(_ id: WorkerID, _ new: WorkerState) {
        guard let old = worker(id)?.state, old != new else { return }
        workers.change(from: old, to: new)
        change(id) {
            $0.state = new
            $0.timer = nil
        }
        if new == .none || new == .leaving {
            dropLateHandlers(
                of: id, "its handler was registered after the plugin's start, and that worker has ended")
        }
        if new == .none {
            apps[id.app]?.workers.removeAll { $0.id == id }
        }
    }

    /// Gives up the requests for handlers that were registered after the start: the handlers are gone with the process.
    private mutating func dropLateHandlers(of id: WorkerID, _ reason: String) {
        guard let late = worker(id)?.lateHandlers, !late.isEmpty else { return }
        change(id) { $0.lateHandlers = [] }
        let record = ledger.apps[id.app]
        for request in pending(of: id.app) where request.kind == .continued {
            guard record?.hasRegistered(request.task) == false else { continue }
            endPending(of: request.task, .givenUp, reason)
        }
    }

    mutating func register(_ id: WorkerID, _ task: TaskIdentifier) {
        guard definition(of: task)?.app == id.app, let known = worker(id), known.takesLaunches else { return }
        switch known.state {
        case .warm, .suspended:
            change(id) { $0.lateHandlers.insert(task) }
            touchTasks(of: id.app)
        case .none, .starting, .leaving: break
        }
    }

    mutating func setTimer(of id: WorkerID, _ time: MonotonicTime) {
        guard let known = worker(id), known.timer != time else { return }
        change(id) { $0.timer = time }
        alarms.insert(Alarm(time: time, subject: .worker(id)))
    }

    /// Starts a worker with the plugin and manifest entry that are in force now.
    mutating func startWorker(_ name: AppIdentifier) {
        guard apps[name]?.mayStartWorker == true else { return }
        let id = workers.start(name)
        apps[name]?.workers.append(
            WorkerRecord(
                id: id, stamp: listing.stamps[name], foundRequestsBefore: RequestID(ledger.nextRequest)))
        turn.effects.append(.startWorker(id))
    }

    mutating func evict(_ id: WorkerID) {
        guard let known = worker(id) else { return }
        switch known.state {
        case .none, .leaving: return
        case .starting, .warm, .suspended: break
        }
        if known.takesLaunches { workers.endDiscovery(of: id.app) }
        turn.effects.append(.evictWorker(id))
        setWorker(id, .leaving)
    }

    /// Evicts the workers of an app in which nothing runs.
    mutating func evictIdleWorkers(of name: AppIdentifier) {
        for known in apps[name]?.workers ?? [] where known.runs.isEmpty { evict(known.id) }
    }

    /// Retires workers that were started with another manifest entry or plugin than the app's: they finish their runs,
    /// nothing more is launched in them, and the next launch starts another worker beside them.
    mutating func retireWorkers(of name: AppIdentifier) {
        guard !Mutation.keepsWorkers.isOn else { return }
        for known in apps[name]?.workers ?? [] where !known.retires && known.stamp != listing.stamps[name] {
            retire(known)
        }
    }

    private mutating func retire(_ known: WorkerRecord) {
        if known.runs.isEmpty { return evict(known.id) }
        switch known.state {
        case .none, .leaving: return
        case .starting, .warm, .suspended: break
        }
        dropLateHandlers(
            of: known.id,
            "its handler was registered after the plugin's start, in a worker from before \(known.id.app) was changed"
        )
        change(known.id) {
            $0.retires = true
            $0.timer = nil
        }
    }

    /// Kills the worker: all its runs end, and each says why.
    mutating func kill(_ id: WorkerID, because reason: String, culprit: RunID? = nil) {
        guard let known = worker(id) else { return }
        switch known.state {
        case .none, .leaving: return
        case .starting, .warm, .suspended: break
        }
        if known.takesLaunches { workers.endDiscovery(of: id.app) }
        let who = culprit.flatMap { runs[$0]?.task }
        // First: a worker that is killed is not asked to end as well when its last run has ended.
        setWorker(id, .leaving)
        if let culprit { end(culprit, .killed, reason: reason, wasKilled: true) }
        endRuns(
            of: id, .killed,
            who.map {
                "its worker was killed, because run \(culprit?.description ?? "") of \($0) had to be: \(reason)"
            }
                ?? "its worker was killed: \(reason)",
            wasKilled: true)
        turn.effects.append(.killWorker(id, reason: reason))
    }

    /// Handles the due alarms of runs and of workers.
    mutating func ring() {
        while let alarm = alarms.min, alarm.time <= now.monotonic {
            alarms.removeMin()
            switch alarm.subject {
            case .run(let run):
                guard runs[run]?.alarm == alarm.time else { continue }
                signal(run, .alarm)
            case .worker(let id):
                guard worker(id)?.timer == alarm.time else { continue }
                change(id) { $0.timer = nil }
                workerTimer(id)
            // Due work for the fleet is done once in each event.
            case .fleet: break
            }
        }
    }

    private mutating func workerTimer(_ id: WorkerID) {
        guard let known = worker(id) else { return }
        let name = id.app
        switch known.state {
        case .none, .leaving: break
        case .starting:
            let sentence = "its plugin was not ready within \(Phrase.span(Limits.startWait))"
            kill(id, because: sentence)
            noteStartFailure(of: name, sentence)
        case .warm:
            guard known.runs.isEmpty else { return }
            let keepWarm = app(name)?.keepWarm ?? .zero
            if keepWarm <= .zero || isMemoryShort { return evict(id) }
            turn.effects.append(.suspendWorker(id))
            setWorker(id, .suspended)
            setTimer(of: id, now.monotonic + keepWarm)
        case .suspended: evict(id)
        }
    }

    /// The memory pressure from which suspended workers are evicted: the share of time in which some task waits for
    /// memory.
    private static let shortMemory = 0.1
    private var suspendedWorkers: [WorkerID] {
        apps.values.flatMap(\.workers).filter { $0.state == .suspended }.map(\.id).sorted()
    }
    private var isMemoryShort: Bool { (sensing.conditions?.memoryPressure ?? 0) >= Self.shortMemory }

    mutating func sense(_ new: Conditions) {
        let old = sensing.conditions
        let changes = sensing.take(new, at: now.wall)
        if let old { noticeArrivals(from: old, to: new) }
        for task in watchers.tasks(watching: changes) { touch(task) }
        touchTransfers(watching: changes)
        for run in runs.keys.sorted() { expireIfConditionsEnded(run) }
        if isMemoryShort {
            for known in suspendedWorkers { evict(known) }
        }
    }

    /// Fires the triggers for power and network that were known to be absent and are there now; what was unknown may
    /// have been there all along.
    private mutating func noticeArrivals(from old: Conditions, to new: Conditions) {
        guard !triggers.isEmpty else { return }
        if old.externalPower == .known(false), new.externalPower == .known(true) { happened(.externalPower) }
        if old.network == .known(.none), case .known(let link) = new.network, link != .none {
            happened(.network)
        }
    }

    private mutating func expireIfConditionsEnded(_ id: RunID) {
        guard let run = runs[id], let conditions = sensing.conditions else { return }
        let ended = run.requires.conditions.conditions.compactMap { condition in
            condition.end(in: conditions, at: now.wall).map { (gate: condition.gate, reason: $0) }
        }
        guard !ended.isEmpty else { return }
        signal(id, .expire(reason: Phrase.list(ended.map(\.reason)), gates: ended.map(\.gate.rawValue)))
    }
}
