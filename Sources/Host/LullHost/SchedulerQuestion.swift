import LullControl
import LullModel
import LullScheduler

/// A question that the scheduler and the manifest answer, the same with and without a running host.
protocol SchedulerQuestion: Question {
    /// Whether the answer depends on conditions, which are then sensed anew.
    static var isJudged: Bool { get }
    func answer(
        _ scheduler: SchedulerState, _ manifest: Manifest, at now: Now
    ) throws(ControlRefusal) -> Answer
}

extension SchedulerQuestion {
    static var isJudged: Bool { true }

    func result(
        _ scheduler: SchedulerState, _ manifest: Manifest, at now: Now
    ) -> Result<Answer, ControlRefusal> {
        Result { () throws(ControlRefusal) in try answer(scheduler, manifest, at: now) }
    }
}

extension Ask.Names: SchedulerQuestion {
    static let isJudged = false
    func answer(_ scheduler: SchedulerState, _ manifest: Manifest, at now: Now) -> TakenNames {
        TakenNames(tasks: scheduler.names.tasks, apps: scheduler.names.apps)
    }
}

extension Ask.Why: SchedulerQuestion {
    func answer(_ scheduler: SchedulerState, _ manifest: Manifest, at now: Now) -> Explanation {
        Explanation(
            verdict: scheduler.verdict(for: task, at: now),
            outlook: scheduler.outlook(for: task, by: by, at: now))
    }
}

extension Ask.Pending: SchedulerQuestion {
    static let isJudged = false
    func answer(
        _ scheduler: SchedulerState, _ manifest: Manifest, at now: Now
    ) throws(ControlRefusal) -> [TaskRequest] {
        if let app { try manifest.require(app) }
        return scheduler.pending(of: app)
    }
}

extension Ask.PushDoor: SchedulerQuestion {
    static let isJudged = false
    func answer(
        _ scheduler: SchedulerState, _ manifest: Manifest, at now: Now
    ) throws(ControlRefusal) -> PushRules {
        guard let rules = manifest.apps.first(where: { $0.identifier == app })?.push else {
            throw ControlRefusal("\(app) takes no pushes.")
        }
        return rules
    }
}

extension Ask.Notifications: SchedulerQuestion {
    static let isJudged = false
    func answer(
        _ scheduler: SchedulerState, _ manifest: Manifest, at now: Now
    ) throws(ControlRefusal) -> [NotificationReport] {
        if let app { try manifest.require(app) }
        return scheduler.notifications(of: app, at: now)
    }
}

extension Ask.Transfers: SchedulerQuestion {
    func answer(
        _ scheduler: SchedulerState, _ manifest: Manifest, at now: Now
    ) throws(ControlRefusal) -> [TransferReport] {
        if let app { try manifest.require(app) }
        let reports = scheduler.transferReports(of: app, at: now).filter {
            transfer == nil || $0.state.id == transfer
        }
        if let transfer, reports.isEmpty { throw ControlRefusal(Sentences.unknownTransfer(transfer)) }
        return reports.map(\.withoutSecrets)
    }
}

extension Ask.Forecast: SchedulerQuestion {
    func answer(
        _ scheduler: SchedulerState, _ manifest: Manifest, at now: Now
    ) throws(ControlRefusal) -> ForecastReport {
        guard let report = scheduler.forecast(of: app, at: now) else {
            throw ControlRefusal(Sentences.unknownApp(app, manifest))
        }
        return report
    }
}

extension Ask.Forecasts: SchedulerQuestion {
    func answer(_ scheduler: SchedulerState, _ manifest: Manifest, at now: Now) -> [ForecastSummary] {
        scheduler.forecasts(at: now)
    }
}

extension Manifest {
    func require(_ app: AppIdentifier) throws(ControlRefusal) {
        guard apps.contains(where: { $0.identifier == app }) else {
            throw ControlRefusal(Sentences.unknownApp(app, self))
        }
    }
}
