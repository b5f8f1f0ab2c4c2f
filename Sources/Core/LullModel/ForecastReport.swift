/// What `lull forecast APP` shows: what is known of an app's uses, when it is likely to be used next, and which
/// launches are planned for that; written by the scheduler alone.
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

    /// A launch that is planned, and why then.
    public struct Launch: Sendable, Equatable, Codable {
        public var time: WallTime
        /// What it brings is fresh until then.
        public var freshUntil: WallTime
        /// The probability of a use while it is fresh; nil: the plan does not rest on the forecast.
        public var chance: Double?
        /// What a launch has to bring to be worth making, in what its task's objective counts.
        public var price: Double?
        /// Why then, as a clause.
        public var reason: String

        public init(time: WallTime, freshUntil: WallTime, chance: Double?, price: Double?, reason: String) {
            self.time = time
            self.freshUntil = freshUntil
            self.chance = chance
            self.price = price
            self.reason = reason
        }
    }

    /// A refresh task of the app: what is planned, or which gates hold it back.
    public struct Refresh: Sendable, Equatable, Codable {
        public var task: TaskIdentifier
        public var isRunning: Bool
        /// Every gate is open: it is launched as soon as the host looks.
        public var mayRun: Bool
        /// In ascending order; empty: nothing is planned, and `closed` or `reason` says why.
        public var launches: [Launch]
        /// When that was planned; nil: it is not yet.
        public var planned: WallTime?
        /// When it will be, if nothing but time passes: what `launches` hold is then a foresight.
        public var decided: WallTime?
        /// Gates other than the moment that are closed.
        public var closed: [GateVerdict]
        /// What the score says of this moment, as a clause.
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
    /// In which days and hours are told.
    public var zone: Zone
    /// How many sessions are known, 512 at most: uses less than half an hour apart are one.
    public var evidence: Double
    /// From this much evidence on the forecast is relied on; below it refreshes are spread evenly.
    public var confidence: Double
    public var lastUse: WallTime?
    /// Expected uses in each hour of the coming week, Monday's first hour first.
    public var hours: [Double]
    /// Spans from now on, each with the probability of a use in it.
    public var within: [Span]
    /// How far the likely uses were looked for.
    public var until: WallTime
    /// The spans in which a use is likeliest, in ascending order; empty: no hour stands out.
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

/// One line of `lull forecast`: the same of every app, in brief.
public struct ForecastSummary: Sendable, Equatable, Codable {
    public var app: AppIdentifier
    public var zone: Zone
    public var evidence: Double
    public var confidence: Double
    public var lastUse: WallTime?
    /// The first span in which a use is likely; nil: no hour stands out.
    public var next: ForecastReport.Span?
    /// Of the next planned refresh.
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
