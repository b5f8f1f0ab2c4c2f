/// The report of `lull forecast APP`: what is known of an app's uses, when the next use is likely, and which
/// launches are planned for it. Only the scheduler writes it.
public struct ForecastReport: Sendable, Equatable, Codable {
    /// A span of time, and the probability of at least one use in it.
    public struct Span: Sendable, Equatable, Codable {
        public var from: WallTime
        public var to: WallTime
        public var probability: Double

        public init(from: WallTime, to: WallTime, probability: Double) {
            self.from = from
            self.to = to
            self.probability = probability
        }
    }

    /// A planned launch, and the reason for its time.
    public struct Launch: Sendable, Equatable, Codable {
        public var time: WallTime
        /// The data that the launch fetches is fresh until then.
        public var freshUntil: WallTime
        /// The probability of a use while the data is fresh; nil: the plan does not rest on the forecast.
        public var chance: Double?
        /// The least gain that makes a launch worthwhile, in the unit of its task's objective.
        public var price: Double?
        /// The reason for the time, as a clause.
        public var reason: String

        public init(time: WallTime, freshUntil: WallTime, chance: Double?, price: Double?, reason: String) {
            self.time = time
            self.freshUntil = freshUntil
            self.chance = chance
            self.price = price
            self.reason = reason
        }
    }

    /// A refresh task of the app: its planned launches, or the gates that hold it back.
    public struct Refresh: Sendable, Equatable, Codable {
        public var task: TaskIdentifier
        public var isRunning: Bool
        /// Every gate is open: the host launches the task at its next check.
        public var mayRun: Bool
        /// In ascending order; empty: nothing is planned, and `closed` or `reason` says why.
        public var launches: [Launch]
        /// When the launches were planned; nil: they are not yet.
        public var planned: WallTime?
        /// When the plan will be made, if nothing but time passes: `launches` is then a preview.
        public var decided: WallTime?
        /// Gates other than the moment that are closed.
        public var closed: [GateVerdict]
        /// The score's reason for this moment, as a clause.
        public var reason: String

        public init(
            task: TaskIdentifier, isRunning: Bool, mayRun: Bool, launches: [Launch], planned: WallTime?,
            decided: WallTime?, closed: [GateVerdict], reason: String
        ) {
            self.task = task
            self.isRunning = isRunning
            self.mayRun = mayRun
            self.launches = launches
            self.planned = planned
            self.decided = decided
            self.closed = closed
            self.reason = reason
        }
    }

    public var app: AppIdentifier
    public var time: WallTime
    /// The zone of the days and hours in the report.
    public var zone: Zone
    /// The number of known sessions, 512 at most: uses less than half an hour apart are one.
    public var evidence: Double
    /// With this much evidence or more the forecast is relied on; with less, refreshes are spread evenly.
    public var confidence: Double
    public var lastUse: WallTime?
    /// Expected uses in each hour of the coming week, Monday's first hour first.
    public var hours: [Double]
    /// Spans from now on, each with the probability of a use in it.
    public var within: [Span]
    /// The end of the span that was searched for likely uses.
    public var until: WallTime
    /// The spans in which a use is most likely, in ascending order; empty: no hour stands out.
    public var likely: [Span]
    public var refreshes: [Refresh]

    public var isReliedOn: Bool { evidence >= confidence }

    public init(
        app: AppIdentifier, time: WallTime, zone: Zone, evidence: Double, confidence: Double,
        lastUse: WallTime?, hours: [Double], within: [Span], until: WallTime, likely: [Span],
        refreshes: [Refresh]
    ) {
        self.app = app
        self.time = time
        self.zone = zone
        self.evidence = evidence
        self.confidence = confidence
        self.lastUse = lastUse
        self.hours = hours
        self.within = within
        self.until = until
        self.likely = likely
        self.refreshes = refreshes
    }
}

/// One line of `lull forecast`: the forecast of one app in brief.
public struct ForecastSummary: Sendable, Equatable, Codable {
    public var app: AppIdentifier
    public var zone: Zone
    public var evidence: Double
    public var confidence: Double
    public var lastUse: WallTime?
    /// The first span in which a use is likely; nil: no hour stands out.
    public var next: ForecastReport.Span?
    /// The task of the next planned refresh.
    public var task: TaskIdentifier?
    public var launch: WallTime?
    /// What holds the refreshes back, or why none is planned; nil: one is.
    public var heldBy: String?

    public var isReliedOn: Bool { evidence >= confidence }

    public init(
        app: AppIdentifier, zone: Zone, evidence: Double, confidence: Double, lastUse: WallTime?,
        next: ForecastReport.Span?, task: TaskIdentifier?, launch: WallTime?, heldBy: String?
    ) {
        self.app = app
        self.zone = zone
        self.evidence = evidence
        self.confidence = confidence
        self.lastUse = lastUse
        self.next = next
        self.task = task
        self.launch = launch
        self.heldBy = heldBy
    }
}
