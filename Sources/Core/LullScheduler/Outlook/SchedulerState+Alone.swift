import HeapModule
import LullModel

/// The copy of the scheduler that is played forward.
extension SchedulerState {
    /// A copy with one task and its app alone, and with the state that all tasks share, as in a host that has just
    /// sensed its conditions; nil: the manifest does not list the task.
    ///
    /// It judges, and launches nothing. The runs under way keep their places. `record`: the record to assume for the
    /// task, before it is the real one.
    func alone(_ task: TaskIdentifier, _ record: TaskRecord? = nil, at now: Now) -> SchedulerState? {
        guard let place = place(of: task) else { return nil }
        var copy = self
        copy.listing = listing.alone(place)
        let app = copy.manifest.apps[0]
        let name = app.identifier
        copy.options.discovers = true
        copy.options.launches = true
        copy.options.launchesByItself = false
        copy.options.explains = false
        copy.options.sendsNotices = false
        copy.options.traces = false
        copy.options.comparesPlugins = false
        copy.keep(task, name, kin: Set(runs.values.map(\.task)).union([task]))
        if let record { copy.ledger.tasks[task] = record }
        copy.turn = Turn()
        copy.turn.now = now
        copy.reconcileIdleness(of: name)
        // The expected launch of a new request assumes that the plugin can be loaded.
        let starts = record != nil && !copy.gateInput(for: task).registered().isOpen
        if starts || copy.needsDiscovery(app) { copy.wantDiscovery(of: name) }
        copy.touch(task)
        if record == nil { copy.tasks[task]?.plan = tasks[task]?.plan }
        return copy
    }

    /// `kin`: the tasks whose runs are under way, and this one.
    private mutating func keep(_ task: TaskIdentifier, _ name: AppIdentifier, kin: Set<TaskIdentifier>) {
        let owners = Set(runs.values.map(\.app)).union([name])
        ledger.tasks = Dictionary(
            uniqueKeysWithValues: kin.compactMap { key in ledger.tasks[key].map { (key, $0) } })
        ledger.apps = Dictionary(
            uniqueKeysWithValues: owners.compactMap { key in ledger.apps[key].map { (key, $0) } })
        apps = Dictionary(
            uniqueKeysWithValues: owners.compactMap { key in
                apps[key].map { state in
                    var kept = AppState()
                    kept.workers = state.workers
                    kept.runs = state.runs
                    return (key, kept)
                }
            })
        if apps[name] == nil { apps[name] = AppState() }
        tasks = [:]
        touched = Touched()
        queue = LaunchQueue()
        watchers = Watchers()
        // The outlook says when a requested task may run; events can't be predicted.
        triggers = Triggers()
        agenda = Agenda()
        alarms = Heap()
        workers = workers.alone(
            name, starting: apps[name]?.workers.count { $0.state == .starting } ?? 0)
        sensing.forgetLearning()
        deliveries.forgetSinks()
        // The effect of transfers on the app's tasks can't be predicted.
        ledger.transfers = TransferBook()
        transfers = RunningTransfers()
        awaited = []
        heartbeats.forgetResults()
        // The copy assumes that the fleet gives this host all that it asks for.
        fleet = nil
    }
}
