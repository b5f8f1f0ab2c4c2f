import Collections
public import LullModel

/// The answers to `why` and `status`, and the last effects of an event.
extension SchedulerState {
    /// Every gate of a task with its verdict; for an identifier that the manifest does not list, a closed
    /// `permitted`.
    public func verdict(for task: TaskIdentifier, at now: Now) -> Verdict {
        verdict(for: task, at: now, explains: true)
    }

    /// Where nobody reads it, without its sentences, and of the closed gates alone.
    package func verdict(for task: TaskIdentifier, at now: Now, explains: Bool) -> Verdict {
        var input = gateInput(for: task, explains: explains)
        input.now = now
        input.plan = tasks[task]?.plan
        guard place(of: task) != nil else { return Verdict(task: task, gates: [input.permitted()]) }
        let evaluation = input.evaluate()
        return Verdict(task: task, gates: evaluation.verdicts, score: evaluation.score, next: evaluation.next)
    }

    public func report(at now: Now) -> StatusReport {
        var report = StatusReport(
            time: now.wall, conditions: conditions, apps: manifest.apps.map { status(of: $0, at: now) },
            tasks: manifest.apps.flatMap { app in
                let under = tasksUnderWildcards(of: app.identifier).compactMap(definition(of:))
                return (app.tasks + under).map { status(of: $0, at: now) }
            })
        let sinks = sinkTargets.keys.sorted().map(status) + pings.values.sorted { $0.sink < $1.sink }
        if !sinks.isEmpty { report.sinks = sinks }
        if let sentence = diskTrouble { report.remarks = [sentence] }
        let pauses = pauses(at: now.wall)
        if !pauses.isEmpty { report.pauses = pauses }
        return report
    }

    private func status(ofSink name: String) -> StatusReport.SinkStatus {
        let health = ledger.notices.health.first { $0.sink == name }
        return .init(
            sink: name, delivered: health?.delivered, failures: health?.failures ?? 0,
            trouble: health?.trouble,
            waiting: ledger.notices.open.count { $0.sink == name })
    }

    private func status(of app: App, at now: Now) -> StatusReport.AppStatus {
        let record = ledger.apps[app.identifier]
        let last = record.flatMap { lastMoment(of: app, $0) }
        let isIdle = last.map { now.wall > $0 } ?? false
        let state = apps[app.identifier]
        let stamp = stamps[app.identifier]
        let setback = record?.setback.flatMap { $0.stamp == stamp ? $0.reason : nil }
        let trouble = record?.troubleStamp == stamp ? record?.trouble ?? setback : setback
        let worker =
            switch state?.worker ?? .none {
            case .starting: "starting"
            case _ where state?.runs.isEmpty == false: "running"
            case .none, .leaving: "none"
            case .warm: "warm"
            case .suspended: "suspended"
            }
        return .init(
            app: app.identifier, isEnabled: app.enabled && record?.disabledAt == nil, isIdle: isIdle,
            lastUsed: record?.lastUsed, discovered: record?.discovered, idlesAt: isIdle ? nil : last,
            worker: worker,
            trouble: trouble)
    }

    private func status(of task: TaskDefinition, at now: Now) -> StatusReport.TaskStatus {
        let record = ledger.tasks[task.identifier]
        let all = runs.count(of: task.identifier) > 0 ? apps[task.app]?.runs ?? [] : []
        let running = all.filter { runs[$0]?.task == task.identifier }
        var status = StatusReport.TaskStatus(
            task: task.identifier, app: task.app, kind: task.kind, running: running,
            progress: running.compactMap { runs[$0]?.progress }, lastRun: record?.lastRun,
            lastLaunched: record?.lastLaunched, lastOutcome: record?.lastOutcome,
            lastMilliseconds: record?.lastMilliseconds, lastReason: record?.lastReason,
            pending: record?.pending,
            verdict: verdict(for: task.identifier, at: now))
        status.failures = record?.failures ?? 0
        let outdated = running.filter { runs[$0].flatMap { worker($0.worker) }?.retires == true }
        if !outdated.isEmpty { status.outdated = outdated }
        status.expectedBy = expectedBy(of: task.identifier, at: now)
        status.lateness = lateness(of: task.identifier, at: now)
        status.overLimit =
            LimitMet(record, task, kind: record?.pending?.kind ?? task.kind, manifestPath: manifest.path)?
            .warning
        if let at = task.at {
            let zones = now.zones.seen(by: task.app)
            let table = Timetable(
                task, zones: zones, host: options.host, cancelled: record?.cancelled ?? [])
            let next = table.flatMap { table in table.next(after: now.wall - table.shift).map(table.due) }
            status.times = .init(at: at.texts, zone: zones[task.timezone].name, next: next)
        }
        return status
    }
}

extension SchedulerState {
    /// Says what is to be sampled and when to wake, where that has changed.
    mutating func finish() {
        let sensors = isShuttingDown ? [] : sampled.sensors
        if sensors != sampling {
            sampling = sensors
            turn.effects.append(.sample(sensors))
        }
        observeConditions()
        let deadline = Deadline(
            wall: nextCheck(), monotonic: turn.mayLaunchMore || offers.isEmpty ? nextAlarm() : now.monotonic)
        if deadline != armed {
            armed = deadline
            turn.effects.append(.arm(deadline))
        }
        if isShuttingDown, !hasFinished, runs.isEmpty, liveWorkers == 0, delivering.isEmpty,
            pinging.isEmpty
        {
            hasFinished = true
            turn.effects.append(.finished)
        }
    }

    private var sampled: SensorSet {
        var sampled = watchers.sampled
        sampled.formUnion(runs.sensed)
        return sampled
    }

    private mutating func nextCheck() -> WallTime? {
        if isShuttingDown || PlantedBug.oversleeps.isPlanted { return nil }
        while let check = checks.min {
            let isCurrent =
                switch check.subject {
                case .task(let task): tasks[task]?.checkAt == check.time
                case .app(let app): apps[app]?.checkAt == check.time
                case .notices: noticesAt == check.time
                case .lateness(let task): latenessAt[task] == check.time
                case .heartbeat: heartbeatAt == check.time
                }
            if isCurrent { return check.time }
            checks.removeMin()
        }
        return nil
    }

    private mutating func nextAlarm() -> MonotonicTime? {
        while let alarm = alarms.min {
            let isCurrent =
                switch alarm.subject {
                case .run(let run): runs[run]?.alarm == alarm.time
                case .worker(let id): worker(id)?.timer == alarm.time
                }
            if isCurrent { return alarm.time }
            alarms.removeMin()
        }
        return nil
    }
}
