import LullCalendar
public import LullModel

/// The answers to `why` and `status`, and the last effects of an event.
extension SchedulerState {
    /// Every gate of a task with its verdict; for an identifier that the manifest does not list, a closed
    /// `permitted`.
    public func verdict(for task: TaskIdentifier, at now: Now) -> Verdict {
        let (input, evaluation) = look(at: task, tellsOpen: true, at: now)
        return told(input, evaluation)
    }

    /// The closed gates, for callers that need no sentences.
    package func closedGates(of task: TaskIdentifier, at now: Now) -> [(gate: GateName, until: WallTime?)] {
        evaluation(of: task, at: now).verdicts.filter { !$0.isOpen }.map { ($0.gate, $0.until) }
    }

    /// The evaluation, without the open gates.
    func evaluation(of task: TaskIdentifier, at now: Now) -> Evaluation {
        look(at: task, tellsOpen: false, at: now).1
    }

    private func told(_ input: GateInput, _ evaluation: Evaluation) -> Verdict {
        let shown = input.tellsOpen ? evaluation.verdicts : evaluation.verdicts.filter { !$0.isOpen }
        return Verdict(
            task: input.task, gates: shown.map(input.told), score: evaluation.score, next: evaluation.next)
    }

    private func look(at task: TaskIdentifier, tellsOpen: Bool, at now: Now) -> (GateInput, Evaluation) {
        var input = gateInput(for: task)
        input.tellsOpen = tellsOpen
        input.now = now
        input.plan = tasks[task]?.plan
        guard place(of: task) != nil else {
            let open = openRuns(of: task)
            let gate = open.isEmpty ? input.permitted() : input.closed(.permitted(.takenOut(open)))
            return (input, Evaluation(verdicts: [gate]))
        }
        return (input, input.evaluate())
    }

    /// The names of the tasks and apps in status, and of running tasks that the manifest no longer lists.
    public var names: (tasks: [TaskIdentifier], apps: [AppIdentifier]) {
        let listed = manifest.apps.flatMap { tasks(of: $0).map(\.identifier) }
        return (listed + takenOut, manifest.apps.map(\.identifier))
    }

    /// Running tasks that the manifest no longer lists.
    private var takenOut: [TaskIdentifier] {
        Set(runs.values.map(\.task)).filter { place(of: $0) == nil }.sorted()
    }

    func openRuns(of task: TaskIdentifier) -> [RunID] {
        runs.values.filter { $0.task == task }.map(\.id).sorted()
    }

    /// The tasks that the manifest lists, and those under its wildcards that have a request or run.
    private func tasks(of app: App) -> [TaskDefinition] {
        app.tasks + tasksUnderWildcards(of: app.identifier).compactMap(definition(of:))
    }

    /// The host, and the apps and tasks of `scope`. `isBrief`: only the fields of tasks that a table shows.
    public func report(of scope: Pause.Scope = .all, isBrief: Bool = false, at now: Now) -> StatusReport {
        let apps = manifest.apps.filter { app in
            switch scope {
            case .all: true
            case .app(let only): app.identifier == only
            case .task(let task): manifest.app(of: task) == app.identifier
            }
        }
        let tasks = apps.flatMap(tasks(of:)).filter { task in
            if case .task(let only) = scope { task.identifier == only } else { true }
        }
        var report = StatusReport(
            time: now.wall, conditions: sensing.conditions, apps: apps.map { status(of: $0, at: now) },
            tasks: tasks.map { status(of: $0, isBrief: isBrief, at: now) })
        if isBrief {
            for index in report.tasks.indices { report.tasks[index].makeBrief() }
        }
        if let since = listing.since {
            report.inForce = .init(
                path: manifest.path, since: since, apps: manifest.apps.count, tasks: manifest.tasks.count)
        }
        let sinks = deliveries.sinks.map(status) + heartbeats.statuses
        if !sinks.isEmpty { report.sinks = sinks }
        // For a single task its verdict says so.
        let told: [TaskIdentifier] = if case .task = scope { [] } else { takenOut }
        let remarks =
            [diskTrouble].compactMap { $0 } + urgencyRemarks
            + told.map {
                "\($0) \(VerdictWords.goesOn(openRuns(of: $0), without: manifest.path)). `lull stop \($0)` ends it."
            }
        if !remarks.isEmpty { report.remarks = remarks }
        report.fleetAway = fleet?.away(at: now.wall)
        let pauses = pauses(at: now.wall)
        if !pauses.isEmpty { report.pauses = pauses }
        return report
    }

    private func status(ofSink name: String) -> StatusReport.SinkStatus {
        let health = ledger.notices.health.first { $0.sink == name }
        var status = StatusReport.SinkStatus(
            sink: name, delivered: health?.delivered, failures: health?.failures ?? 0,
            trouble: health?.trouble,
            waiting: ledger.notices.open.count { $0.sink == name })
        if let window = ledger.notices.windows.first(where: { $0.sink == name }), !window.held.isEmpty {
            status.held = window.heldNumber
            status.heldUntil = ledger.notices.summary(of: window)
        }
        return status
    }

    private func status(of app: App, at now: Now) -> StatusReport.AppStatus {
        let record = ledger.apps[app.identifier]
        let last = record.flatMap { lastMoment(of: app, $0) }
        let isIdle = last.map { now.wall > $0 } ?? false
        let state = apps[app.identifier]
        let stamp = listing.stamps[app.identifier]
        let startFailure = self.startFailure(of: app.identifier).flatMap {
            $0.stamp == stamp ? $0.reason : nil
        }
        let trouble = record?.troubleStamp == stamp ? record?.trouble ?? startFailure : startFailure
        let worker =
            switch state?.worker ?? .none {
            case .starting: "starting"
            case _ where state?.runs.isEmpty == false: "running"
            case .none, .leaving: "none"
            case .warm: "warm"
            case .suspended: "suspended"
            }
        var status = StatusReport.AppStatus(
            app: app.identifier, isEnabled: app.enabled && record?.disabledAt == nil, isIdle: isIdle,
            lastUsed: record?.lastUsed, discovered: record?.discovered, idlesAt: isIdle ? nil : last,
            worker: worker,
            trouble: trouble)
        if let at = record?.lastFaultAt, now.wall - at < .days(1) {
            (status.fault, status.faultAt) = (record?.lastFault, at)
        }
        let waiting = notifications(of: app.identifier, delivered: false, at: now)
        if !waiting.isEmpty {
            status.pendingNotifications = waiting.count
            status.nextNotification = waiting.compactMap { $1 }.min()
        }
        let transfers = transfers(of: app.identifier, session: nil)
        var tally = TransferTally(transfers.map(\.phase))
        tally.parts = ledger.transfers.partCount(of: app.identifier)
        if !transfers.isEmpty || tally.parts > 0 { status.transfers = tally }
        return status
    }

    private func status(
        of task: TaskDefinition, isBrief: Bool, at now: Now
    ) -> StatusReport.TaskStatus {
        let record = ledger.tasks[task.identifier]
        let all = runs.count(of: task.identifier) > 0 ? apps[task.app]?.runs ?? [] : []
        let running = all.filter { runs[$0]?.task == task.identifier }
        let (input, evaluation) = look(at: task.identifier, tellsOpen: !isBrief, at: now)
        var status = StatusReport.TaskStatus(
            task: task.identifier, app: task.app, kind: task.kind, running: running,
            progress: running.compactMap { runs[$0]?.progress }, lastRun: record?.lastRun,
            lastLaunched: record?.lastLaunched, lastOutcome: record?.lastOutcome,
            lastMilliseconds: record?.lastMilliseconds, lastReason: record?.lastReason,
            pending: record?.pending?.shown, verdict: told(input, evaluation))
        let closed = evaluation.verdicts.filter { !$0.isOpen }
        status.next = nextLaunch(of: task.identifier, closed: closed, at: now)
        status.failures = record?.failures ?? 0
        status.lastGates = record?.lastGates
        status.repeats = task.repeat
        status.params = task.params
        let links = task.on.flatMap(\.links)
        if !links.isEmpty {
            status.after = links
            status.brokenChain = brokenChain(of: task.identifier)
        }
        status.dueWhileAbsent = record?.absent.flatMap { record?.tells($0, at: now.wall) == true ? $0 : nil }
        let outdated = running.filter { runs[$0].flatMap { worker($0.worker) }?.retires == true }
        if !outdated.isEmpty { status.outdated = outdated }
        // After a success nobody asks whether the entry was edited since.
        if record?.lastOutcome?.isSuccess != true, let entry = record?.lastEntry, let app = app(task.app),
            task.digest(in: app) != entry
        {
            status.isEdited = true
        }
        status.expectedBy = expectedBy(of: task.identifier, at: now)
        status.lateness = lateness(of: task.identifier, at: now)
        status.overLimit =
            LimitMet(record, task, kind: record?.pending?.kind ?? task.kind, manifestPath: manifest.path)?
            .warning
        if let at = task.at {
            let zones = now.zones.seen(by: task.app)
            let next = timetable(of: task).flatMap { table in
                table.next(after: now.wall - table.shift).map(table.due)
            }
            status.times = .init(at: at.texts, zone: zones[task.timezone].name, next: next)
        }
        return status
    }
}

extension SchedulerState {
    /// Emits the sensors to sample and the next deadline, where they have changed.
    mutating func finish() {
        let sensors = isShuttingDown ? [] : sampled.sensors
        if sensing.sample(sensors) { turn.effects.append(.sample(sensors)) }
        observeConditions()
        let mayEnd =
            isShuttingDown && !hasFinished && runs.isEmpty && workers.live == 0 && deliveries.isIdle
            && heartbeats.isIdle && fleet?.isBusy != true && hasSaidGoodbye()
        let deadline = Deadline(
            wall: nextCheck(), monotonic: turn.mayLaunchMore || !queue.hasOffers ? nextAlarm() : now.monotonic
        )
        if deadline != armed {
            armed = deadline
            turn.effects.append(.arm(deadline))
        }
        if mayEnd {
            hasFinished = true
            turn.effects.append(.finished)
        }
    }

    private var sampled: SensorSet {
        var sampled = watchers.sampled
        sampled.formUnion(runs.sensed)
        return sampled
    }

    private mutating func nextAlarm() -> MonotonicTime? {
        while let alarm = alarms.min {
            let isCurrent =
                switch alarm.subject {
                case .run(let run): runs[run]?.alarm == alarm.time
                case .worker(let id): worker(id)?.timer == alarm.time
                case .fleet: fleet?.alarm == alarm.time
                }
            if isCurrent { return alarm.time }
            alarms.removeMin()
        }
        return nil
    }
}
