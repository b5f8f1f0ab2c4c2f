import LullConditions
import LullHistory
import LullModel
import LullWorkers

// The output of `--json` is a format, so it does not follow the types of the core: times are RFC 3339 in UTC, spans
// are milliseconds in keys that end in `ms`, keys are in snake case, and a key that does not apply is absent.

/// `lull status`.
package struct StatusJSON: Encodable {
    struct InForceJSON: Encodable {
        let path: String
        let since: String
        let appCount: Int
        let taskCount: Int
        /// Why its files are not in force as they are now; absent: they are.
        let trouble: String?
    }

    let time: String
    /// Absent where no host runs.
    let inForce: InForceJSON?
    let conditions: ConditionsJSON?
    let remarks: [String]?
    let historyTrouble: String?
    let pauses: [PauseJSON]?
    let sinks: [SinkJSON]?
    let limitsKeptBy: EnforcementJSON
    let apps: [AppJSON]
    let tasks: [TaskJSON]

    package init(_ report: StatusReport) {
        limitsKeptBy = EnforcementJSON(.ofThisMachine)
        time = report.time.rfc3339
        inForce = report.inForce.map {
            InForceJSON(
                path: $0.path, since: $0.since.rfc3339, appCount: $0.apps, taskCount: $0.tasks,
                trouble: $0.trouble)
        }
        conditions = report.conditions.map { ConditionsJSON($0, at: report.time) }
        remarks = report.allRemarks.isEmpty ? nil : report.allRemarks
        historyTrouble = report.historyTrouble
        pauses = report.pauses.map { $0.map(PauseJSON.init) }
        sinks = report.sinks.map { $0.map(SinkJSON.init) }
        apps = report.apps.map(AppJSON.init)
        tasks = report.tasks.map(TaskJSON.init)
    }
}

/// The kernel features that keep apps to their limits.
struct EnforcementJSON: Encodable {
    let landlock: Int
    let seccomp: Bool
    let sentence: String

    init(_ enforcement: Enforcement) {
        landlock = enforcement.landlock
        seccomp = enforcement.filtersCalls
        sentence = enforcement.sentence
    }
}

struct SinkJSON: Encodable {
    let sink: String
    let lastDelivered: String?
    let failures: Int
    let trouble: String?
    let waitingCount: Int

    init(_ status: StatusReport.SinkStatus) {
        sink = status.sink
        lastDelivered = status.delivered?.rfc3339
        failures = status.failures
        trouble = status.trouble
        waitingCount = status.waiting
    }
}

/// The sensed conditions: each value under its name, absent when unknown, and all of them in words.
struct ConditionsJSON: Encodable {
    let externalPower: Bool?
    let battery: Double?
    let network: String?
    let idleSince: String?
    let load: Double
    let cpuPressure: Double?
    let memoryPressure: Double?
    let diskFreeBytes: Int64
    let savesPower: Bool
    let readings: [String]

    init(_ conditions: Conditions, at now: WallTime) {
        externalPower = conditions.externalPower.value
        battery = conditions.battery.value
        network = conditions.network.value?.rawValue
        if case .idle(let since)? = conditions.presence.value {
            idleSince = since.rfc3339
        } else {
            idleSince = nil
        }
        load = conditions.load
        cpuPressure = conditions.cpuPressure
        memoryPressure = conditions.memoryPressure
        diskFreeBytes = conditions.diskFree
        savesPower = conditions.isSavingPower
        readings = conditions.readings(at: now).map(\.text)
    }
}

/// A pause: its scope, its end and its reason.
package struct PauseJSON: Encodable {
    /// `all`, or the identifier of an app or task.
    let scope: String
    let since: String
    let until: String?
    let reason: String?
    let by: String?

    package init(_ pause: Pause) {
        scope = pause.scope == .all ? "all" : pause.scope.argument
        since = pause.since.rfc3339
        until = pause.until?.rfc3339
        reason = pause.reason
        by = pause.by
    }
}

package struct AppJSON: Encodable {
    let app: AppIdentifier
    let enabled: Bool
    let idle: Bool
    let lastUsed: String?
    let discovered: String?
    let idlesAt: String?
    let worker: String
    let trouble: String?

    package init(_ status: StatusReport.AppStatus) {
        app = status.app
        enabled = status.isEnabled
        idle = status.isIdle
        lastUsed = status.lastUsed?.rfc3339
        discovered = status.discovered?.rfc3339
        idlesAt = status.idlesAt?.rfc3339
        worker = status.worker
        trouble = status.trouble
    }
}

package struct TaskJSON: Encodable {
    struct LastRun: Encodable {
        let run: RunID?
        let launched: String
        let outcome: Outcome?
        let ms: Int64?
        let reason: String?
    }

    let task: TaskIdentifier
    let app: AppIdentifier
    let kind: Kind
    let runningRuns: [RunID]
    let progress: [ProgressJSON]?
    let lastRun: LastRun?
    /// Whether its last run failed by the task's own fault; a run that is under way or was cut short does not count.
    let failing: Bool
    /// Failures in a row.
    let failures: Int?
    let pending: RequestJSON?
    let next: NextJSON?
    let expectedBy: String?
    let lateness: String?
    let overLimit: String?
    /// Whether the manifest has changed it since its last launch.
    let edited: Bool?
    let verdict: VerdictJSON
    let times: [String]?
    let timezone: String?
    let nextTime: String?
    let repeatMs: Int64?
    let dueWhileAbsent: Absence?
    let brokenChain: Break?
    let outdatedRuns: [RunID]?
    let declaredParams: [ParamJSON]?

    package init(_ status: StatusReport.TaskStatus) {
        outdatedRuns = status.outdated
        declaredParams = status.params.map { $0.map(ParamJSON.init) }
        task = status.task
        app = status.app
        kind = status.kind
        runningRuns = status.running
        progress = status.progress.isEmpty ? nil : status.progress.map(ProgressJSON.init)
        lastRun = status.lastLaunched.map {
            LastRun(
                run: status.lastRun, launched: $0.rfc3339, outcome: status.lastOutcome,
                ms: status.lastMilliseconds, reason: status.lastReason)
        }
        failing = status.isFailing
        failures = status.failures
        next = status.next.map(NextJSON.init)
        pending = status.pending.map(RequestJSON.init)
        expectedBy = status.expectedBy?.rfc3339
        lateness = status.lateness
        overLimit = status.overLimit
        edited = status.isEdited
        verdict = VerdictJSON(status.verdict)
        times = status.times?.at
        timezone = status.times?.zone
        nextTime = status.times?.next?.rfc3339
        repeatMs = status.repeats?.milliseconds
        dueWhileAbsent = status.dueWhileAbsent.map {
            Absence(due: $0.due.rfc3339, from: $0.from.rfc3339, until: $0.until.rfc3339, cause: $0.cause)
        }
        brokenChain = status.brokenChain.map {
            Break(task: $0.task, outcome: $0.outcome, ended: $0.ended.rfc3339)
        }
    }

    /// A time at which it was due and no host could launch it.
    struct Absence: Encodable {
        let due: String
        let from: String
        let until: String
        let cause: AbsenceCause
    }

    /// The run of an earlier task in the chain that kept this one from being requested.
    struct Break: Encodable {
        let task: TaskIdentifier
        let outcome: Outcome
        let ended: String
    }
}

/// A parameter that a launch may give another value.
struct ParamJSON: Encodable {
    let name: String
    let `default`: String
    let match: String?
    let oneOf: [String]?
    let description: String?

    init(_ param: TaskParam) {
        name = param.name
        self.default = param.value
        match = param.match
        oneOf = param.choices.isEmpty ? nil : param.choices
        description = param.description
    }
}

/// How far a continued run is.
struct ProgressJSON: Encodable {
    let run: RunID
    let title: String?
    let subtitle: String?
    let completed: Int64
    let total: Int64?
    let fraction: Double?
    let since: String

    init(_ progress: RunProgress) {
        run = progress.run
        title = progress.title
        subtitle = progress.subtitle
        completed = progress.completed
        total = progress.total > 0 ? progress.total : nil
        fraction = progress.fraction
        since = progress.since.rfc3339
    }
}
