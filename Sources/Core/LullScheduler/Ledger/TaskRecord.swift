public import LullModel

/// What the history says of one task: its pending request, what holds it back, and how its runs went.
public struct TaskRecord: Sendable, Equatable, Codable {
    public let task: TaskIdentifier
    public let app: AppIdentifier
    public internal(set) var pending: TaskRequest?
    /// What the app submitted while it was started with `pending` waiting: it waits in its place once that has ended.
    @Rare public internal(set) var following: TaskRequest?

    /// The gates last recorded as closed, by name, each with its beginning.
    public internal(set) var closed: [String: WallTime] = [:]
    /// Since when all gates have been open for the pending request.
    public internal(set) var openSince: WallTime?
    /// When time alone opens those; nil: it does not, or has.
    var opens: WallTime?
    /// The last time at which it was due and no host could launch it.
    @Rare public internal(set) var absent: DueWhileAbsent?
    /// For how long they were open before that, in milliseconds.
    public internal(set) var openBefore: Int64 = 0

    public internal(set) var lastRun: RunID?
    public internal(set) var lastLaunched: WallTime?
    /// `TaskDefinition.digest` as of that launch; nil: nobody has taken it down.
    public internal(set) var lastEntry: String?
    /// The last launch that `repeat` counts from: none that is extra.
    var paced: WallTime?
    /// Since when an operator has disabled it; nil: it is enabled.
    public internal(set) var disabledAt: WallTime?
    /// What an operator paused; it may have ended by itself.
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
    /// Of its last runs those that met the same time limit, in a row, and that limit in milliseconds; since a host that
    /// counts them.
    public internal(set) var overLimit: Int?
    public internal(set) var limit: Int64?
    /// The latest successes, `Expectation.mostCount` at most; since a host that counts them.
    public internal(set) var successes: [WallTime]?
    /// Since when they are counted.
    public internal(set) var countedFrom: WallTime?
    /// The longest that a request waited once it was due, in milliseconds, and when that was.
    public internal(set) var longestWait: Int64?
    public internal(set) var waitedAt: WallTime?
    /// Times of `at` after this one are to be launched or ended: up to here all have been.
    public internal(set) var timesFrom: WallTime?
    /// Where that was before the clock was set back: fixed times up to there do not come again.
    var fixedFrom: WallTime?
    /// Times of `at` that an operator cancelled before they came, the last 100.
    public internal(set) var cancelled: [WallTime]?
    /// `@reboot`: the last boot that was seen to.
    public internal(set) var boot: String?
    /// What `on` names, in words, as the host last took it down, and since when it goes by that.
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

    /// Whether somebody may still ask why it did not run then: for a day, and until it has run.
    func tells(_ absent: DueWhileAbsent, at now: WallTime) -> Bool {
        now - absent.until < .days(1) || lastLaunched.map { $0 < absent.until } ?? true
    }

    /// For how long in all the gates have been open for the pending request.
    public func openTime(at now: WallTime) -> Duration {
        .milliseconds(openBefore + (openSince.map { max(0, (now - $0).milliseconds) } ?? 0))
    }

    /// Takes down which gates are closed from `time` on.
    ///
    /// Waiting for room neither opens nor closes it: whose turn it is does not depend on whether somebody wrote that down.
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

    /// What an event says of the times of `at`.
    mutating func note(_ event: HistoryEvent) {
        if let boot = event.occurrence?.boot { self.boot = boot }
        let time = event.occurrence?.time
        switch event.event {
        case .submitted:
            // What came before the one that is asked for has ended or is of no concern.
            guard event.origin == .at, let time else { break }
            // What is tried again was launched at its time, and is owed to nobody should it be cancelled.
            if tried != nil, let timesFrom, time <= timesFrom { break }
            let start = min(time - .milliseconds(1), event.time)
            // Of what is asked for again the clock tells nothing.
            if let due = event.earliestBegin, due > event.time {
                keepFixed(at: event.time - (due - time))
            }
            // One that is asked for again is owed, and so are those after it. None before it is, even where the clock was
            // set back to before them.
            timesFrom = timesFrom.map { time <= $0 ? time - .milliseconds(1) : max($0, start) } ?? start
        case .launched:
            if let time { keepFixed(at: time) }
            timesFrom = time ?? timesFrom
        case .cancelled:
            guard let time else { break }
            // One that was cancelled ahead is passed over as it comes: others may lie before it, after the cancel.
            let passed = min(time, event.time)
            timesFrom = max(timesFrom ?? passed, passed)
            // It stays cancelled: `spread` may shift it to after the cancel, and the clock may be set back to before it.
            cancelled = ((cancelled ?? []) + [time]).suffix(100)
        case .givenUp: timesFrom = time
        case .slot: if let time { timesFrom = max(timesFrom ?? time, time) }
        default: break
        }
    }

    /// Where the clock was set back to `now`, fixed times that have been are none any more.
    private mutating func keepFixed(at now: WallTime) {
        guard let before = timesFrom, before > now else { return }
        let latest = max(before, fixedFrom ?? before)
        fixedFrom = latest - now <= SchedulerState.longestStepBack ? latest : nil
    }

    /// What the end of a run says of its time limit, which it met or did not.
    mutating func note(_ outcome: Outcome, limit: Int64?) {
        // A host that was cut off says nothing of how long it would have taken.
        guard outcome != .interrupted else { return }
        // Those before that had another limit say nothing of this one.
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

    /// Nothing has waited yet.
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
    /// What it was launched for, so that it can be asked for again when the host is cut off.
    public let request: TaskRequest?
    /// An operator's: whatever becomes of it, the task's own rhythm goes on as it was; nil: it is not.
    public internal(set) var isExtra: Bool?
    /// The gates whose closing expired it; empty: its time was up; nil: it has not expired.
    public internal(set) var expiredBy: [String]?
    /// Its time limit in milliseconds, which has expired it; nil: it has not.
    public internal(set) var metLimit: Int64?
    /// An operator has told it to end; nil: nobody has.
    public internal(set) var isStopped: Bool?
    /// It was launched for an urgent push, of which its app has to tell people; nil: it was not.
    public internal(set) var isUrgent: Bool?
    /// It has told people of its push.
    public internal(set) var isReported: Bool?

    /// Whether it ended, if it has, without having told people what it had to.
    var owesReport: Bool { isUrgent == true && isReported != true }
}
