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
        /// What the last run said at its end: its failure, or its last log line.
        public var lastReason: String?
        public var pending: TaskRequest?
        public var verdict: Verdict

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

    public var time: WallTime
    public var conditions: Conditions?
    public var apps: [AppStatus]
    public var tasks: [TaskStatus]

    public init(time: WallTime, conditions: Conditions?, apps: [AppStatus], tasks: [TaskStatus]) {
        self.time = time
        self.conditions = conditions
        self.apps = apps
        self.tasks = tasks
    }
}
