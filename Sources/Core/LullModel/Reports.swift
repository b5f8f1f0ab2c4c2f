/// The report of `lull status`: the host, its apps and their tasks at one moment. Only the scheduler writes it.
public struct StatusReport: Sendable, Equatable, Codable {
    public struct AppStatus: Sendable, Equatable, Codable {
        public var app: AppIdentifier
        public var isEnabled: Bool
        public var isIdle: Bool
        public var lastUsed: WallTime?
        public var discovered: WallTime?
        /// When the app becomes idle by the week rule unless it is used; nil: never, or it is idle already.
        public var idlesAt: WallTime?
        /// `none`, `starting`, `warm`, `running` or `suspended`.
        public var worker: String
        /// The reason why the plugin can't be loaded; nil: none is known.
        public var trouble: String?
        /// How a worker of the app ended badly last, and when; nil: none did since its plugin was changed.
        public var fault: String?
        public var faultAt: WallTime?
        /// The number of its notifications that wait; nil: none.
        public var pendingNotifications: Int?
        /// When the first of those is due.
        public var nextNotification: WallTime?
        /// Its transfers by state; nil: there are none.
        public var transfers: TransferTally?

        public init(
            app: AppIdentifier, isEnabled: Bool, isIdle: Bool, lastUsed: WallTime?, discovered: WallTime?,
            idlesAt: WallTime?, worker: String, trouble: String?
        ) {
            self.app = app
            self.isEnabled = isEnabled
            self.isIdle = isIdle
            self.lastUsed = lastUsed
            self.discovered = discovered
            self.idlesAt = idlesAt
            self.worker = worker
            self.trouble = trouble
        }
    }

    /// When a task with `at` is launched next.
    public struct Times: Sendable, Equatable, Codable {
        /// The texts in the manifest.
        public var at: [String]
        /// The name of the zone of these times.
        public var zone: String
        /// The next, with the shift of `spread`; nil: none, or after the next boot.
        public var next: WallTime?

        public init(at: [String], zone: String, next: WallTime?) {
            self.at = at
            self.zone = zone
            self.next = next
        }
    }

    public struct TaskStatus: Sendable, Equatable, Codable {
        public var task: TaskIdentifier
        public var app: AppIdentifier
        public var kind: Kind
        /// Runs under way.
        public var running: [RunID]
        /// The progress of the continued runs under way.
        public var progress: [RunProgress]
        public var lastRun: RunID?
        public var lastLaunched: WallTime?
        public var lastOutcome: Outcome?
        public var lastMilliseconds: Int64?
        /// The gates whose closing ended the last run; nil: none.
        public var lastGates: [String]?
        /// The reason with which the last run ended: its failure, or its last log line.
        public var lastReason: String?
        /// Failures in a row, which hold back its next launch; nil: an older host does not report them.
        public var failures: Int?
        public var pending: TaskRequest?
        public var verdict: Verdict
        /// When it is launched next by itself; nil: nothing of it waits.
        public var next: NextLaunch?
        /// By when its request is expected to be launched; nil: it has no request.
        public var expectedBy: WallTime?
        /// Why it is late; nil: it is not.
        public var lateness: String?
        /// Whether the manifest's entry was changed since its last launch in a way that affects how it runs; nil: no, or unknown.
        public var isEdited: Bool?
        /// A sentence that its last runs were ended by their time limit, with a remedy; nil: the last was not.
        public var overLimit: String?
        /// Nil for a task without `at`.
        public var times: Times?
        /// Its `repeat`; nil: it has none.
        public var repeats: Duration?
        /// The tasks after which `on` launches it; nil: none.
        public var after: [ChainLink]?
        /// The run of a preceding task whose outcome kept this task from being requested; nil: none.
        public var brokenChain: ChainBreak?
        /// The last time at which it was due and no host could launch it, while that still matters; nil: none.
        public var dueWhileAbsent: DueWhileAbsent?
        /// Runs under way in a worker that was started before the app's entry or plugin changed; nil: none.
        public var outdated: [RunID]?
        /// The parameters that a launch may give other values; nil: none.
        public var params: [TaskParam]?

        public init(
            task: TaskIdentifier, app: AppIdentifier, kind: Kind, running: [RunID],
            progress: [RunProgress] = [], lastRun: RunID?,
            lastLaunched: WallTime?, lastOutcome: Outcome?, lastMilliseconds: Int64?, lastReason: String?,
            pending: TaskRequest?, verdict: Verdict
        ) {
            self.task = task
            self.app = app
            self.kind = kind
            self.running = running
            self.progress = progress
            self.lastRun = lastRun
            self.lastLaunched = lastLaunched
            self.lastOutcome = lastOutcome
            self.lastMilliseconds = lastMilliseconds
            self.lastReason = lastReason
            self.pending = pending
            self.verdict = verdict
        }
    }

    /// The status of a sink of notices.
    public struct SinkStatus: Sendable, Equatable, Codable {
        /// `NoticeSink.name`.
        public var sink: String
        public var delivered: WallTime?
        /// Tries in a row that failed, and why the last did.
        public var failures: Int
        public var trouble: String?
        /// Notices that wait for it.
        public var waiting: Int
        /// Notices that are held back for a summary, because there were too many; nil: none.
        public var held: Int?
        /// When that summary is due.
        public var heldUntil: WallTime?

        public init(sink: String, delivered: WallTime?, failures: Int, trouble: String?, waiting: Int) {
            self.sink = sink
            self.delivered = delivered
            self.failures = failures
            self.trouble = trouble
            self.waiting = waiting
        }
    }

    /// The manifest that is in force in a running host.
    public struct InForce: Sendable, Equatable, Codable {
        public var path: String
        public var since: WallTime
        public var apps: Int
        public var tasks: Int
        /// Why the current content of its files is not in force, a sentence with a remedy; nil: it is.
        public var trouble: String?

        public init(path: String, since: WallTime, apps: Int, tasks: Int) {
            self.path = path
            self.since = since
            self.apps = apps
            self.tasks = tasks
        }
    }

    /// The absence of a host, and since when none runs, as far as is known.
    public struct Absent: Sendable, Equatable, Codable {
        public var since: WallTime
        public var cause: AbsenceCause

        public init(since: WallTime, cause: AbsenceCause) { (self.since, self.cause) = (since, cause) }
    }

    /// That no host runs on this state: a sentence with the remedy.
    public struct Hostless: Sendable, Equatable, Codable {
        public var sentence: String
        /// A host runs the same manifest with another state.
        public var runsElsewhere: Bool

        public init(_ sentence: String, runsElsewhere: Bool) {
            (self.sentence, self.runsElsewhere) = (sentence, runsElsewhere)
        }
    }

    public var time: WallTime
    /// Nil: a host runs.
    public var hostless: Hostless?
    /// Nil: a host runs, or none has ever run.
    public var absent: Absent?
    /// Nil: no host runs, or an older host does not report it.
    public var inForce: InForce?
    public var conditions: Conditions?
    /// Remarks about the host as a whole, each a sentence with a remedy; nil: none.
    public var remarks: [String]?
    /// Why the host can't record to the history, a sentence with a remedy; nil: it can.
    public var historyTrouble: String?
    /// For how long the fleet's database has not answered; zero: it answers; nil: the host is in no fleet.
    public var fleetAway: Duration?
    /// The pauses in force; nil: none.
    public var pauses: [Pause]?
    /// Nil: the host has no sinks to report.
    public var sinks: [SinkStatus]?
    public var apps: [AppStatus]
    public var tasks: [TaskStatus]

    public init(time: WallTime, conditions: Conditions?, apps: [AppStatus], tasks: [TaskStatus]) {
        self.time = time
        self.conditions = conditions
        self.apps = apps
        self.tasks = tasks
    }
}

extension StatusReport {
    /// What stands above a status, in this order.
    public var allRemarks: [String] { [hostless?.sentence].compactMap(\.self) + (remarks ?? []) }

    /// The remarks about an app as a whole.
    public func remarks(on app: AppIdentifier) -> [String] {
        (remarks ?? []).filter { $0.hasPrefix("\(app): ") }
    }
}

extension StatusReport.TaskStatus {
    /// Drops everything that a table of tasks does not show, which is most of it.
    public mutating func makeBrief() {
        (pending, times, expectedBy, lastMilliseconds) = (nil, nil, nil, nil)
        params = nil
        (verdict.score, verdict.next) = (nil, nil)
        verdict.gates.removeAll(where: \.isOpen)
        for index in verdict.gates.indices { verdict.gates[index].remedy = nil }
    }

    /// Whether its last run failed through its own fault, or the runs before the one that is under way or was cut short did.
    public var isFailing: Bool { (failures ?? 0) > 0 || lastOutcome?.isFailure(endedBy: lastGates) ?? false }
}
