import Collections
import LullModel

/// Workers: none, starting, warm, suspended, leaving.
extension SchedulerState {
    /// The only place that writes a worker's state.
    mutating func setWorker(_ name: AppIdentifier, _ new: WorkerState) {
        let old = apps[name]?.worker ?? .none
        guard old != new else { return }
        if old == .starting { startingWorkers -= 1 }
        if new == .starting { startingWorkers += 1 }
        if old == .none { liveWorkers += 1 }
        if new == .none { liveWorkers -= 1 }
        apps[name, default: AppState()].worker = new
        apps[name]?.timer = nil
        if new == .none || new == .leaving { dropLateHandlers(of: name) }
    }

    /// A handler that was registered after the start is gone with its process: what waits for it would wait in vain.
    private mutating func dropLateHandlers(of name: AppIdentifier) {
        guard let late = apps[name]?.lateHandlers, !late.isEmpty else { return }
        apps[name]?.lateHandlers = []
        let record = ledger.apps[name]
        for request in pending(of: name) where request.kind == .continued {
            guard record?.hasRegistered(request.task) == false else { continue }
            endPending(
                of: request.task, .givenUp,
                "its handler was registered after the plugin's start, and that worker has ended")
        }
    }

    mutating func register(_ name: AppIdentifier, _ task: TaskIdentifier) {
        guard definition(of: task)?.app == name else { return }
        switch apps[name]?.worker {
        case .warm?, .suspended?:
            apps[name]?.lateHandlers.insert(task)
            touchTasks(of: name)
        case nil, WorkerState.none?, .starting?, .leaving?: break
        }
    }

    mutating func setTimer(of name: AppIdentifier, _ time: MonotonicTime) {
        guard apps[name]?.timer != time else { return }
        apps[name]?.timer = time
        alarms.insert(Alarm(time: time, subject: .worker(name)))
    }

    mutating func startWorker(_ name: AppIdentifier) {
        guard apps[name]?.worker == WorkerState.none else { return }
        turn.effects.append(.startWorker(name))
        setWorker(name, .starting)
    }

    mutating func evict(_ name: AppIdentifier) {
        switch apps[name]?.worker {
        case nil, WorkerState.none?, .leaving?: return
        case .starting?, .warm?, .suspended?: break
        }
        discovering.remove(name)
        turn.effects.append(.evictWorker(name))
        setWorker(name, .leaving)
    }

    mutating func evictIdleWorker(of name: AppIdentifier) {
        guard apps[name]?.worker == .warm || apps[name]?.worker == .suspended else { return }
        if apps[name]?.runs.isEmpty == true { evict(name) }
    }

    /// Kills the worker: all its runs end, and each says why.
    mutating func kill(_ name: AppIdentifier, because reason: String, culprit: RunID? = nil) {
        switch apps[name]?.worker {
        case nil, WorkerState.none?, .leaving?: return
        case .starting?, .warm?, .suspended?: break
        }
        discovering.remove(name)
        let who = culprit.flatMap { runs[$0]?.task }
        // First: a worker that is killed is not asked to end as well when its last run has ended.
        setWorker(name, .leaving)
        if let culprit { end(culprit, .killed, reason: reason, wasKilled: true) }
        endRuns(
            of: name, .killed,
            who.map {
                "its worker was killed, for run \(culprit?.description ?? "") of \($0) had to be: \(reason)"
            }
                ?? "its worker was killed: \(reason)",
            wasKilled: true)
        turn.effects.append(.killWorker(name, reason: reason))
    }

    /// The alarms that have come, of runs and of workers.
    mutating func ring() {
        while let alarm = alarms.min, alarm.time <= now.monotonic {
            alarms.removeMin()
            switch alarm.subject {
            case .run(let run):
                guard runs[run]?.alarm == alarm.time else { continue }
                signal(run, .alarm)
            case .worker(let name):
                guard apps[name]?.timer == alarm.time else { continue }
                apps[name]?.timer = nil
                workerTimer(name)
            }
        }
    }

    private mutating func workerTimer(_ name: AppIdentifier) {
        switch apps[name]?.worker {
        case nil, WorkerState.none?, .leaving?: break
        case .starting?:
            let sentence = "its plugin was not ready within \(Phrase.span(Limits.startWait))"
            var event = HistoryEvent(.failed, at: now.wall, app: name, outcome: .unloadable, reason: sentence)
            event.stamp = stamps[name]
            record(event)
            refuseForced(
                of: name, Refusal(.unavailable, "The plugin of \(name) can't be loaded: \(sentence)."))
            kill(name, because: sentence)
            touchTasks(of: name)
        case .warm?:
            guard apps[name]?.runs.isEmpty == true else { return }
            let keepWarm = app(name)?.keepWarm ?? .zero
            if keepWarm <= .zero || isMemoryShort { return evict(name) }
            turn.effects.append(.suspendWorker(name))
            setWorker(name, .suspended)
            setTimer(of: name, now.monotonic + keepWarm)
        case .suspended?: evict(name)
        }
    }

    /// Share of the time in which some task waits for memory from which suspended workers go.
    private static let shortMemory = 0.1
    private var isMemoryShort: Bool { (conditions?.memoryPressure ?? 0) >= Self.shortMemory }

    mutating func sense(_ new: Conditions) {
        let old = conditions
        let changes = SensorSet.changed(from: old, to: new)
        conditions = new
        if old != nil {
            for sensor in [SensorSet.power, .network] where changes.contains(sensor) {
                changed[sensor] = now.wall
            }
        }
        for task in watchers.tasks(watching: changes) { touch(task) }
        for run in runs.keys.sorted() { expireIfConditionsEnded(run) }
        if isMemoryShort {
            for name in apps.keys.sorted() where apps[name]?.worker == .suspended { evict(name) }
        }
    }

    /// Load and free disk are conditions for a launch alone: the run itself moves them.
    private mutating func expireIfConditionsEnded(_ id: RunID) {
        guard let run = runs[id], let conditions else { return }
        let requires = run.requires
        var ended: [(GateName, String)] = []
        if let network = requires.network {
            let constraint = Constraint.network(network, conditions)
            if !constraint.isSatisfied { ended.append((.network, constraint.sentence)) }
        }
        if requires.externalPower {
            let constraint = Constraint.externalPower(conditions)
            if !constraint.isSatisfied {
                ended.append(
                    (.externalPower, constraint.isUnknown ? constraint.sentence : "external power is gone"))
            }
        }
        if let share = requires.batteryAbove {
            let constraint = Constraint.battery(above: share, conditions)
            if !constraint.isSatisfied { ended.append((.battery, constraint.sentence)) }
        }
        // Only a person ends idleness: what the load says of it is the run's own doing.
        if requires.idle == true, conditions.presence == .known(.active) {
            ended.append((.idle, "somebody is at the host"))
        }
        guard !ended.isEmpty else { return }
        signal(id, .expire(reason: Phrase.list(ended.map(\.1)), gates: ended.map(\.0.rawValue)))
    }
}
