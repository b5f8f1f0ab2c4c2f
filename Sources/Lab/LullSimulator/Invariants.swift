import LullModel
import LullScheduler

/// What must hold at each step, whatever the world does. All else is a fault of the host.
///
/// It reads durable records and then effects, and shares no code with the scheduler: a second opinion. It outlives crashes of
/// the host, as do the callers that were promised something.
struct Invariants: Sendable {
    struct Run: Sendable {
        var task: TaskIdentifier
        var app: AppIdentifier
        var request: TaskRequest?
        /// A launch by an operator, beside the task's own rhythm.
        var isExtra = false
        /// The gates whose closing expired it; nil: it has not expired.
        var expiredBy: [String]?
        /// Of a push.
        var isUrgent = false
        var isReported = false
    }

    /// The story of a task, by its records.
    struct Story: Sendable {
        /// Since when a request has been waiting, whichever it is; nil: none waits.
        var waitsSince: WallTime?
        /// In true time.
        var ended: WallTime?
        /// Of the last run that was launched, once it has ended, and of the one before the last.
        var milliseconds: Int64 = 0
        var pause: Int64 = 0
        var last: RunID?
        /// In a row, and the wall time of the last; nil: unknown.
        var failures = 0
        var failed: WallTime?
        /// Failed attempts in a row that another attempt follows.
        var tried = 0
    }

    var manifest: Manifest
    var idleness: IdlenessWatch
    var times: TimesWatch
    let zones: Zones
    private var faults: [String] = []

    /// The callers that wait for an answer, and their requests.
    var unanswered: Set<Token> = []
    var withdrawn: Set<Token> = []
    var submissions: [Token: Submission] = [:]
    var accepted: [Token: RequestID] = [:]
    /// The pushes whose senders wait for an answer.
    var pushes: [Token: Push] = [:]
    /// The apps whose launch an operator waits for.
    var launching: [Token: AppIdentifier] = [:]
    /// The launches that are to take the place of the next.
    var insteads: Set<Token> = []

    /// Pending requests; the others have ended.
    var pending: [RequestID: TaskRequest] = [:]
    /// Of those, the ones that an app submitted while it was started for another pending one: they wait behind that.
    var behind: Set<RequestID> = []
    var heads: [TaskRequest] { pending.values.filter { !behind.contains($0.id) } }
    var ended: Set<RequestID> = []
    /// Since when requests that were launched lately had waited.
    var waited: [RequestID: WallTime] = [:]
    var running: [RunID: Run] = [:]
    var over: Set<RunID> = []
    /// Since when the host knows lines that a run has printed.
    var quotable: [RunID: MonotonicTime] = [:]
    /// Recorded as launched, and not yet launched.
    var announced: Set<RunID> = []
    /// Requests that a caller knows to be accepted: the log has to give them back.
    var acknowledged: Set<RequestID> = []

    var telling = TellingWatch()
    var events = EventsWatch()
    var notifications = NotificationWatch()
    var transfers = TransferWatch()
    var stories: [TaskIdentifier: Story] = [:]
    var registered: [AppIdentifier: Set<TaskIdentifier>] = [:]
    /// The stamps of the plugins that were discovered last.
    var stamps: [AppIdentifier: String] = [:]
    var disabled: Set<AppIdentifier> = []
    var disabledTasks: Set<TaskIdentifier> = []
    /// When a pause ends; without an end it lasts for ever.
    var pauses: [Pause.Scope: WallTime] = [:]
    /// When `repeat` and `at` were due, before the records of the frame that is looked at.
    var rhythms: [TaskIdentifier: WallTime] = [:]
    /// The manifest of the frame before that one.
    var rhythmsBy: Manifest?
    var latestManifest: Manifest?
    /// The latest launches of continued tasks that an app's plugin asked for, in true time.
    var paces: [AppIdentifier: [WallTime]] = [:]
    /// Apps of which a continued task was ever asked for.
    var continued: Set<AppIdentifier> = []
    /// Apps to which an urgent push was ever sent.
    var urgent: Set<AppIdentifier> = []
    /// Deaths before the plugin was ready, in a row, and the wall time of the last; nil: unknown.
    var startFailures: [AppIdentifier: (count: Int, at: WallTime?)] = [:]
    var refreshes: [AppIdentifier: WallTime] = [:]
    /// When silent pushes were launched, by the host's clock.
    var silentPushes: [AppIdentifier: [WallTime]] = [:]
    /// Runs for urgent pushes in a row that reported nothing.
    var unreported: [AppIdentifier: Int] = [:]
    /// True times of refresh launches by the scheduler's own choice.
    var spent: [WallTime] = []
    /// Launched in the frame that is looked at.
    var fresh: [RunID] = []
    /// Ended in the frame that is looked at, and not by success.
    /// `next`: when the next attempt begins.
    var unfinished: [(run: Run, outcome: Outcome, next: WallTime?)] = []
    /// Of the frame that is looked at.
    var clock: VirtualClock?

    init(manifest: Manifest, zones: Zones, history: [HistoryEvent], host: String = "") {
        self.manifest = manifest
        self.zones = zones
        idleness = IdlenessWatch(manifest: manifest)
        times = TimesWatch(host: host)
        for event in history { record(event) }
        announced = []
        faults = []
        idleness.begin()
    }

    mutating func fault(_ sentence: String) { faults.append(sentence) }

    mutating func takeFaults(at clock: VirtualClock, seed: UInt64) -> [String] {
        if faults.isEmpty { return [] }
        defer { faults = [] }
        return faults.map { "seed \(seed), \(clock.wall.milliseconds) ms: \($0)" }
    }

    mutating func willAnswer(_ token: Token) { unanswered.insert(token) }
    mutating func willSubmit(_ token: Token, _ submission: Submission) { submissions[token] = submission }
    mutating func willLaunch(_ token: Token, _ app: AppIdentifier?, instead: Bool = false) {
        launching[token] = app
        if instead { insteads.insert(token) }
    }
    mutating func willQuote(_ run: RunID, at time: MonotonicTime) { quotable[run] = quotable[run] ?? time }
    mutating func withdraw(_ token: Token) {
        unanswered.remove(token)
        withdrawn.insert(token)
    }
    /// Forgets a caller, without a check of its answer.
    mutating func answered(_ token: Token) {
        unanswered.remove(token)
        submissions[token] = nil
        pushes[token] = nil
        launching[token] = nil
        insteads.remove(token)
    }
    func isUnanswered(_ token: Token) -> Bool { unanswered.contains(token) }

    /// What the log says goes on; the callers that waited for an answer are gone.
    mutating func hostDied() {
        unanswered = []
        submissions = [:]
        pushes = [:]
        launching = [:]
        insteads = []
        announced = []
        quotable = [:]
        accepted = [:]
        telling.underWay = []
        notifications.hostDied()
        transfers.hostDied()
    }

    /// Differences of readings of the wall clock before and after mean nothing.
    mutating func clockWasSet(_ clock: VirtualClock) {
        refreshes = [:]
        spent = []
        paces = [:]
        for task in stories.keys {
            if stories[task]?.waitsSince != nil { stories[task]?.waitsSince = .distantPast }
            stories[task]?.ended = nil
            stories[task]?.failed = nil
        }
        for app in startFailures.keys { startFailures[app]?.at = nil }
        idleness.clock = clock
        idleness.clockWasSet()
    }

    mutating func manifestChanged(to new: Manifest, _ clock: VirtualClock) {
        idleness.clock = clock
        let (before, after) = (manifest.virtualStamps, new.virtualStamps)
        // A plugin that could not be started may start now.
        for app in startFailures.keys where before[app] != after[app] { startFailures[app] = nil }
        manifest = new
        idleness.manifestChanged(to: new)
    }
}
