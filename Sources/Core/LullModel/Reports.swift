/// What `lull status` shows: the host, its apps and their tasks at one moment; written by the scheduler alone.
public struct StatusReport: Sendable, Equatable, Codable {
    public struct AppStatus: Sendable, Equatable, Codable {
        public var app: AppIdentifier
        public var isEnabled: Bool
        public var isIdle: Bool
        public var lastUsed: WallTime?
        public var discovered: WallTime?
        /// When the week rule bites unless the app is used; nil: never, or it has.
        public var idlesAt: WallTime?
        /// `none`, `starting`, `warm`, `running` or `suspended`.
        public var worker: String
        /// What keeps the plugin from loading; nil: nothing known.
        public var trouble: String?
        /// How a worker of it came to a bad end lately, and when; nil: none did since its plugin was changed.
        public var fault: String?
        public var faultAt: WallTime?
        /// What it tells people later; nil: nothing waits.
        public var pendingNotifications: Int?
        /// When the first of those is due.
        public var nextNotification: WallTime?
        /// How its transfers stand; nil: there are none.
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
        /// As the manifest has them.
        public var at: [String]
        /// The zone's name in which they are kept.
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
        /// Of those under way that are continued: how far they are.
        public var progress: [RunProgress]
        public var lastRun: RunID?
        public var lastLaunched: WallTime?
        public var lastOutcome: Outcome?
        public var lastMilliseconds: Int64?
        /// The gates whose closing ended the last run; nil: none.
        public var lastGates: [String]?
        /// What the last run said at its end: its failure, or its last log line.
        public var lastReason: String?
        /// Failures in a row, as its next launch is held back for them; nil: from a host that does not say.
        public var failures: Int?
        public var pending: TaskRequest?
        public var verdict: Verdict
        /// When it comes by itself; nil: nothing of it waits.
        public var next: NextLaunch?
        /// By when its request is expected to be launched; nil: nobody asks.
        public var expectedBy: WallTime?
        /// Why it is late; nil: it is not.
        public var lateness: String?
        /// What decides how it runs was changed in the manifest since its last launch; nil: it was not, or nobody knows.
        public var isEdited: Bool?
        /// That its last runs were ended by their time limit, and what to do about it; nil: the last was not.
        public var overLimit: String?
        /// Nil for a task without `at`.
        public var times: Times?
        /// Its `repeat`; nil: it has none.
        public var repeats: Duration?
        /// The tasks that `on` has it run after; nil: none.
        public var after: [ChainLink]?
        /// The run of a task before because of which nobody has asked for it; nil: none.
        public var brokenChain: ChainBreak?
        /// The last time at which it was due and no host could launch it, where that is of interest still; nil: none.
        public var dueWhileAbsent: DueWhileAbsent?
        /// Runs under way in a worker from before its app's entry or plugin was changed; nil: none.
        public var outdated: [RunID]?

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

    /// How somebody who is told does.
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

    /// The manifest that a running host goes by.
    public struct InForce: Sendable, Equatable, Codable {
        public var path: String
        public var since: WallTime
        public var apps: Int
        public var tasks: Int
        /// Why what stands in its files since is not in force, a sentence with its remedy; nil: it is.
        public var trouble: String?

        public init(path: String, since: WallTime, apps: Int, tasks: Int) {
            self.path = path
            self.since = since
            self.apps = apps
            self.tasks = tasks
        }
    }

    /// That no host runs: since when, as far as is known.
    public struct Absent: Sendable, Equatable, Codable {
        public var since: WallTime
        public var cause: AbsenceCause

        public init(since: WallTime, cause: AbsenceCause) { (self.since, self.cause) = (since, cause) }
    }

    public var time: WallTime
    /// Nil where a host runs, or none ever has.
    public var absent: Absent?
    /// Nil where no host runs, and from one that does not say.
    public var inForce: InForce?
    public var conditions: Conditions?
    /// What concerns the host as a whole, each a sentence with its remedy; nil: nothing.
    public var remarks: [String]?
    /// Why the host can record nothing at this time, a sentence with its remedy; nil: it can.
    public var historyTrouble: String?
    /// What is paused at this time; nil: nothing.
    public var pauses: [Pause]?
    /// Nil from a host that told nobody.
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
    /// Those of `remarks` that concern an app as a whole.
    public func remarks(on app: AppIdentifier) -> [String] {
        (remarks ?? []).filter { $0.hasPrefix("\(app): ") }
    }
}

extension StatusReport.TaskStatus {
    /// Without what a table of tasks does not show: that is most of it.
    public mutating func makeBrief() {
        (pending, times, expectedBy, lastMilliseconds) = (nil, nil, nil, nil)
        (verdict.score, verdict.next) = (nil, nil)
        verdict.gates.removeAll(where: \.isOpen)
        for index in verdict.gates.indices { verdict.gates[index].remedy = nil }
    }

    /// Its last run failed and was to blame for that, or those before the run that is under way or was cut short.
    public var isFailing: Bool { (failures ?? 0) > 0 || lastOutcome?.isFailure(endedBy: lastGates) ?? false }
}
