public import LullModel

/// What the history says of one task: its pending request, what holds it back, and how its runs went.
public struct TaskRecord: Sendable, Equatable, Codable {
    public let task: TaskIdentifier
    public let app: AppIdentifier
    public internal(set) var pending: TaskRequest?
    /// The app's submit from a start with `pending` waiting: it becomes the pending request once that has ended.
    @Rare public internal(set) var following: TaskRequest?

    /// The gates last recorded as closed, by name, each with its beginning.
    public internal(set) var closed: [String: WallTime] = [:]
    /// Since when all gates have been open for the pending request.
    public internal(set) var openSince: WallTime?
    /// When time alone opens the closed gates; nil: it does not, or has.
    var opens: WallTime?
    /// The last time at which it was due and no host could launch it.
    @Rare public internal(set) var absent: DueWhileAbsent?
    /// For how long the gates were open before `openSince`, in milliseconds.
    public internal(set) var openBefore: Int64 = 0

    public internal(set) var lastRun: RunID?
    public internal(set) var lastLaunched: WallTime?
    /// `TaskDefinition.digest` as of the last launch; nil: not recorded.
    public internal(set) var lastEntry: String?
    /// The last launch that `repeat` counts from; extra launches do not count.
    var paced: WallTime?
    /// Since when an operator has disabled it; nil: it is enabled.
    public internal(set) var disabledAt: WallTime?
    /// Who disabled it; nil: not known.
    @Rare var disabledBy: String?
    /// The pause that an operator set; it may have ended by itself.
    @Rare public internal(set) var pause: Pause?
    public internal(set) var lastOutcome: Outcome?
    /// The gates whose closing ended that run; nil: none.
    public internal(set) var lastGates: [String]?
    public internal(set) var lastMilliseconds: Int64?
    public internal(set) var lastReason: String?
    /// When its last run ended by itself or by the host; a run that the host was cut off in did not.
    public internal(set) var lastEnded: WallTime?
    /// The launch of the last run that succeeded: how fresh its data is.
    public internal(set) var lastFresh: WallTime?
    /// Failures in a row.
    public internal(set) var failures = 0
    public internal(set) var failedAt: WallTime?
    /// Attempts in a row that failed and are followed by another, by `retry: { attempts }`; nil: none is.
    public internal(set) var tried: Int?
    /// How many of its last runs in a row met the same time limit, and that limit in milliseconds; older hosts did not
    /// count them.
    public internal(set) var overLimit: Int?
    public internal(set) var limit: Int64?
    /// The latest successes, `Expectation.mostCount` at most; older hosts did not count them.
    public internal(set) var successes: [WallTime]?
    /// Since when they are counted.
    public internal(set) var countedFrom: WallTime?
    /// The longest that a request waited once it was due, in milliseconds, and when that was.
    public internal(set) var longestWait: Int64?
    public internal(set) var waitedAt: WallTime?
    /// All times of `at` up to this one were launched or ended; later ones are to come.
    public internal(set) var timesFrom: WallTime?
    /// `timesFrom` from before the clock was set back: fixed times up to it do not come again.
    var fixedFrom: WallTime?
    /// Times of `at` that an operator cancelled before they came, the last 100.
    public internal(set) var cancelled: [WallTime]?
    /// `@reboot`: the last boot that was handled.
    public internal(set) var boot: String?
    /// The triggers of `on`, in words, as the host last recorded them, and since when it goes by them.
    public internal(set) var watches: String?
    public internal(set) var watchedSince: WallTime?
    /// The first run that could begin after that.
    var watchedFrom: RunID?
    /// When an event of `on` last came.
    public internal(set) var lastHappened: WallTime?
    var touched: WallTime

    init(task: TaskIdentifier, app: AppIdentifier, touched: WallTime) {
        self.task = task
        self.app = app
        self.touched = touched
    }

    /// The failed attempts that this request follows; nil: it is no retry.
    ///
    /// The times of `at` after the one that was tried have attempts of their own. The last attempt at a time to be skipped
    /// may have been cut off, and is then not made again.
    func tried(before request: TaskRequest?) -> Int? {
        guard let request, request.origin == .at else { return tried }
        if request.awaitsBoot { return nil }
        guard let time = request.occurrence?.time, let timesFrom else { return tried }
        return time <= timesFrom ? tried : nil
    }

    /// Whether the absence is still reported: for a day, and longer if the task has not run since.
    func tells(_ absent: DueWhileAbsent, at now: WallTime) -> Bool {
        now - absent.until < .days(1) || lastLaunched.map { $0 < absent.until } ?? true
    }

    /// For how long in total the gates have been open for the pending request.
    public func openTime(at now: WallTime) -> Duration {
        .milliseconds(openBefore + (openSince.map { max(0, (now - $0).milliseconds) } ?? 0))
    }

    /// Records which gates are closed from `time` on.
    ///
    /// A wait for room does not change the open time: a task's turn does not depend on whether the wait was recorded.
    mutating func note(closed names: [String], at time: WallTime) {
        if names.isEmpty {
            openSince = openSince ?? time
        } else if names != [GateName.concurrency.rawValue], let since = openSince {
            openBefore += max(0, (time - since).milliseconds)
            openSince = nil
        }
        closed = Dictionary(names.map { ($0, closed[$0] ?? time) }) { first, _ in first }
    }

    mutating func note(_ triggerEvent: TriggerEvent) {
        lastHappened = max(lastHappened ?? triggerEvent.last, triggerEvent.last)
    }

    /// Updates the times of `at` by an event.
    mutating func note(_ event: HistoryEvent) {
        if let boot = event.occurrence?.boot {
            // A boot has attempts of its own.
            if boot != self.boot { tried = nil }
            self.boot = boot
        }
        let time = event.occurrence?.time
        switch event.event {
        case .submitted:
            // A request with values of its own may carry a time that is made up for: it is owed until it is launched.
            if event.origin == .operator, event.params != nil, let time, time <= event.time,
                let from = timesFrom, time <= from
            {
                timesFrom = time - .milliseconds(1)
            }
            // Times before the requested one have ended or do not matter.
            guard event.origin == .at, let time else { break }
            // The time of a retry was launched before, and is not owed if the retry is cancelled.
            if tried != nil, let timesFrom, time <= timesFrom { break }
            let start = min(time - .milliseconds(1), event.time)
            // A request that is due already says nothing about the clock.
            if let due = event.earliestBegin, due > event.time {
                keepFixed(at: event.time - (due - time))
            }
            // A time that is asked for again is owed, and so are later ones. Earlier ones are not, even where the clock
            // was set back to before them.
            timesFrom = timesFrom.map { time <= $0 ? time - .milliseconds(1) : max($0, start) } ?? start
        case .launched:
            if let time { keepFixed(at: time) }
            timesFrom = time ?? timesFrom
        case .cancelled:
            guard let time else { break }
            // A time that was cancelled ahead is passed over when it comes: other times may come before it.
            let passed = min(time, event.time)
            timesFrom = max(timesFrom ?? passed, passed)
            // It stays cancelled: `spread` may shift it to after the cancel, and the clock may be set back to before it.
            cancelled = ((cancelled ?? []) + [time]).suffix(100)
        case .givenUp: timesFrom = time
        case .slot: if let time { timesFrom = max(timesFrom ?? time, time) }
        default: break
        }
    }

    /// If the clock was set back to `now`, keeps fixed times that have been from coming again.
    private mutating func keepFixed(at now: WallTime) {
        guard let before = timesFrom, before > now else { return }
        let latest = max(before, fixedFrom ?? before)
        fixedFrom = latest - now <= SchedulerState.longestStepBack ? latest : nil
    }

    /// Counts the last runs in a row that met the same time limit.
    mutating func note(_ outcome: Outcome, limit: Int64?) {
        // A run that was cut off with its host says nothing about how long it would have taken.
        guard outcome != .interrupted else { return }
        // Earlier runs that had another limit do not count.
        overLimit = limit.map { $0 == self.limit ? (overLimit ?? 0) + 1 : 1 }
        self.limit = limit
    }

    /// A request begins to wait.
    mutating func begin(_ request: TaskRequest, at time: WallTime) {
        pending = request
        opens = request.earliestBegin
        // A request that replaces another goes on waiting in its place.
        if let begin = request.earliestBegin, begin > time {
            note(closed: closed.keys + [GateName.earliestBegin.rawValue], at: time)
        } else if closed.isEmpty {
            note(closed: [], at: time)
        }
    }

    /// The pending request is over, and the one behind it begins to wait.
    mutating func endPending(at time: WallTime) {
        forgetWaiting()
        pending = nil
        guard let next = following else { return }
        following = nil
        begin(next, at: time)
    }

    /// Resets the wait of a request.
    mutating func forgetWaiting() {
        closed = [:]
        opens = nil
        openSince = nil
        openBefore = 0
    }
}

/// A run that has been launched and has not ended.
public struct RunRecord: Sendable, Equatable, Codable {
    public let run: RunID
    public let task: TaskIdentifier
    public let app: AppIdentifier
    public let launched: WallTime
    /// The request that it was launched for, which is made again when the host is cut off.
    public let request: TaskRequest?
    /// An operator's extra run: the times of `repeat` and `at` go on as they were; nil: it is not extra.
    public internal(set) var isExtra: Bool?
    /// The gates whose closing expired it; empty: its time was up; nil: it has not expired.
    public internal(set) var expiredBy: [String]?
    /// The time limit in milliseconds that expired it; nil: none did.
    public internal(set) var metLimit: Int64?
    /// An operator has told it to end; nil: none has.
    public internal(set) var isStopped: Bool?
    /// It was launched for an urgent push, which it has to report to people; nil: it was not.
    public internal(set) var isUrgent: Bool?
    /// It has reported its push.
    public internal(set) var isReported: Bool?

    /// Whether it has an urgent push to report and has not.
    var owesReport: Bool { isUrgent == true && isReported != true }
}
