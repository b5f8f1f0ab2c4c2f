import HeapModule
import LullModel

/// How an event is handled: the tasks that it touched are reviewed, ready tasks are launched, and the next
/// moment is armed.
extension SchedulerState {
    /// A wall clock that goes back by no more is being corrected, and nothing is reviewed.
    static let leastStep: Duration = .seconds(1)

    mutating func begin(at now: Now) {
        let last = turn.now
        turn.number += 1
        turn.effects = []
        turn.launches = 0
        turn.left = [:]
        turn.now = now
        guard turn.number > 1 else { return noteUsesToCome() }
        let slept = now.asleep - last.asleep
        if slept >= Absence.least {
            record(Absence(.asleep, until: now.wall, for: slept).event)
            happened(.resume)
        }
        let overslept = overslept(since: last)
        if overslept >= Absence.least { record(Absence(.stalled, until: now.wall, for: overslept).event) }
        let gain = (now.wall - last.wall) - (now.monotonic - last.monotonic)
        recordStep(gain - max(slept, .zero))
        if gain < .zero - Self.leastStep || now.zones != last.zones { touched.isEverything = true }
    }

    /// If apps were used in the future, the clock was set back while no host ran: by that at least.
    private mutating func noteUsesToCome() {
        let latest = ledger.apps.values.compactMap(\.lastUsed).max()
        if let latest, latest > now.wall { recordStep(now.wall - latest) }
    }

    /// Records a step of the wall clock.
    private mutating func recordStep(_ step: Duration) {
        let length = step < .zero ? .zero - step : step
        guard length >= Absence.least else { return }
        record(Absence(step < .zero ? .back : .ahead, until: now.wall, for: length).event)
        for app in transfers.owners {
            setTransferLimit(of: app)
            touchTransfers(of: app)
        }
    }

    mutating func settle() {
        if touched.isEverything { reviewAll() }
        ring()
        tendFleet()
        // Before anything is asked for: the one connection keeps the order.
        settleSlots()
        if options.launches {
            repeat {
                takeDueChecks()
                while !touched.isEmpty {
                    for task in touched.takeTasks() { review(task) }
                    for app in touched.takeTransfers() { judgeTransfers(of: app) }
                }
                startDiscoveries()
                if options.launchesByItself { dispatch() }
            } while !touched.isEmpty
        } else if options.discovers {
            startDiscoveries()
        }
        noteWaitsForRoom()
        settleSlots()
        claimWanted()
        finish()
    }

    private mutating func reviewAll() {
        touched.isEverything = false
        for app in manifest.apps {
            reconcileIdleness(of: app.identifier)
            for task in app.tasks {
                if task.at != nil { ensureTimes(task) }
                restartRepeat(task)
            }
            touchTasks(of: app.identifier)
        }
        countBudget()
        beatHost()
        for task in awaited.sorted() { checkLateness(of: task) }
        loadNotifications()
    }

    private mutating func takeDueChecks() {
        var due: [TaskIdentifier] = []
        while let subject = agenda.takeDue(at: now.wall) {
            switch subject {
            case .task(let task): due.append(task)
            case .app(let app):
                reconcileIdleness(of: app)
                if startFailure(of: app) != nil, let app = self.app(app), needsDiscovery(app) {
                    wantDiscovery(of: app.identifier)
                }
            case .lateness(let task): checkLateness(of: task)
            case .heartbeat: beatHost()
            case .notices: deliverDue()
            case .notifications(let app): deliverNotifications(of: app)
            case .transfers(let app): touchTransfers(of: app)
            }
        }
        // The order of review must be fixed, and a heap keeps no order among tasks due at once.
        for task in due.count > 1 ? due.sorted() : due { touch(task) }
    }

    mutating func nextCheck() -> WallTime? {
        isShuttingDown || Mutation.oversleeps.isOn ? nil : agenda.next()
    }

    /// Judges one task, and updates the queues and watchers accordingly.
    private mutating func review(_ task: TaskIdentifier) {
        let plan = tasks[task]?.beginReview()
        guard let place = place(of: task), let record = ledger.tasks[task], let request = record.pending
        else {
            return forget(task)
        }
        let app = manifest.apps[place.app].identifier
        if request.origin == .at, skipMissed(task, request) { return touch(task) }
        let input = gateInput(for: task, at: place, record, plan)
        let evaluation = input.evaluate()
        // A task that claims a lease at once does not count as waiting, just as one that is launched at once.
        if !evaluation.isReady, !evaluation.wantsLease { noteDeferral(task, record, input, evaluation) }

        let ready: Ready? =
            evaluation.isReady
            ? Ready(
                task: task, app: app, request: request.id, isStarved: evaluation.isStarved,
                priority: manifest.apps[place.app].tasks[place.task].priority, score: evaluation.score ?? 0)
            : nil
        queue.note(
            task, isUrgent: ready != nil && input.isUrgent,
            waitsForBudget: request.kind == .refresh
                && evaluation.deferring.contains(GateName.budget.rawValue))
        if fleet != nil { tendLease(of: task, input, evaluation) }
        let next = evaluation.next.map { max($0, now.wall + .milliseconds(1)) }
        let before = tasks[task, default: TaskState()].take(evaluation, ready, judgement)
        agenda[.task(task)] = next
        watchers.change(task, from: before.watching, to: evaluation.watched)
        watchers.changeSampling(from: before.sampling, to: evaluation.sampled)
        // A use of its app may change this judgement.
        if request.kind == .refresh || request.kind == .push,
            evaluation.score != nil || evaluation.plan != nil
        {
            apps[app, default: AppState()].awaitingMoment.insert(task)
        } else {
            apps[app]?.awaitingMoment.remove(task)
        }
        if let ready, ready != before.ready {
            queue.noteUnplaced(task)
            enqueue(ready)
        }
        let states = apps
        queue.trim(apps: states.count) { states[$0.app]?.offered == $0 }
    }

    /// Drops the state of a task that has no request, or that the manifest no longer lists.
    mutating func forget(_ task: TaskIdentifier) {
        dropWish(of: task)
        guard let state = tasks.removeValue(forKey: task) else { return }
        watchers.change(task, from: state.watching, to: [])
        watchers.changeSampling(from: state.sampling, to: [])
        agenda[.task(task)] = nil
        queue.forget(task)
        if let app = ledger.tasks[task]?.app { apps[app]?.awaitingMoment.remove(task) }
    }

    private mutating func enqueue(_ ready: Ready) {
        let app = ready.app
        if let queue = apps[app]?.ready,
            queue.count > 4 * (self.app(app)?.tasks.count ?? 0) + 64
        {
            apps[app]?.ready = Heap(queue.unordered.filter { tasks[$0.task]?.ready == $0 })
        }
        apps[app, default: AppState()].ready.insert(ready)
        offer(app)
    }

    func gateInput(for task: TaskIdentifier) -> GateInput {
        gateInput(for: task, at: place(of: task), ledger.tasks[task], tasks[task]?.plan)
    }

    /// For callers that have looked the records up already: each lookup in a dictionary copies the whole value.
    private func gateInput(
        for task: TaskIdentifier, at place: Listing.Place?, _ record: TaskRecord?, _ plan: Plan?
    ) -> GateInput {
        let listed = place.map { listing.shared(task, at: $0) }
        // An idle app is not counted in the budget, and would add its own.
        let host = hostInput(budget: max(budget, listed?.0.budget ?? 0), listed?.0.value)
        let record = record.map(Shared.init)
        guard let (definition, app) = listed else {
            return GateInput(now: now, task: task, host: host, record: record, plan: plan)
        }
        let state = apps[app.identifier]
        var appRecord = ledger.apps[app.identifier]
        if let absence = state?.absence { appRecord?.startFailure = absence }
        // Made in one call: a part that is changed afterwards is copied, and it is large.
        return GateInput(
            now: now.seen(by: app.identifier), task: task, host: host, definition: definition, app: app,
            record: record, appRecord: appRecord.map(Shared.init), stamp: listing.stamps[app.identifier],
            idleCredit: appRecord.map {
                absence(of: app.value, from: $0.lastSign ?? now.wall, until: now.wall)
            } ?? .zero,
            lateHandlers: state?.lateHandlers ?? [],
            folderUse: disk.folders[app.identifier], filledDisk: disk.culprits[app.identifier],
            awaited: definition.on.isEmpty || record?.pending != nil ? [] : awaitedEvents(definition.value),
            fed: triggers.fed[task] ?? 0, runsOfTask: runs.count(of: task),
            group: definition.group.flatMap { holder(of: $0) }, runsOfApp: state?.runs.count ?? 0,
            sharing: fleet == nil ? nil : sharing(of: definition.value, record?.pending), plan: plan)
    }

    private func hostInput(budget: Double, _ definition: TaskDefinition?) -> GateInput.Host {
        GateInput.Host(
            manifestPath: manifest.path, concurrency: max(1, manifest.hostConcurrency), running: runs.count,
            isShuttingDown: isShuttingDown, discovers: options.discovers, passInterval: options.passInterval,
            conditions: sensing.conditions, changed: sensing.changed, spending: ledger.spending,
            budget: budget, identity: definition.map { identity(for: $0) } ?? options.host,
            pause: ledger.pause, costLimits: manifest.costLimits, costs: ledger.costs)
    }
}

extension Now {
    /// With an app's own zone in the host's place.
    fileprivate func seen(by app: AppIdentifier) -> Now {
        if zones.ofApps.isEmpty { return self }
        return Now(wall: wall, monotonic: monotonic, zones: zones.seen(by: app), asleep: asleep)
    }
}
