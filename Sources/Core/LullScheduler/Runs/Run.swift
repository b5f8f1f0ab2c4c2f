import LullModel

/// A run from its launch to its outcome, as a state machine.
///
/// launched → expiring → over. Each `Signal` to it leads to a `Step`. It is total: every action of a plugin has an
/// answer, and none can end a run twice. Its limits count from when the handler was launched or warned, which waits for
/// the log: a slow disk costs no handler its time.
struct Run: Sendable {
    enum Phase: Sendable, Equatable {
        case running
        /// Killed at the end of its grace; nil: the warning is on its way.
        case expiring(killAt: MonotonicTime?)
    }

    enum Signal: Sendable, Equatable {
        /// The worker has the launch.
        case begun
        /// The worker has the warning.
        case warned
        case returned
        case completed(success: Bool, summary: String?)
        case expire(reason: String, gates: [String])
        /// An operator stops it.
        case stop(reason: String)
        /// It uses more than it may; its end quotes the sentence.
        case overuse(String)
        case progressed(Progress, at: WallTime)
        /// One of its alarms is due.
        case alarm
        /// The worker is gone or has to go, for a reason that is not this run's.
        case cutOff(Outcome, sentence: String)
    }

    enum Step: Sendable, Equatable {
        case none
        case warn(reason: String, gates: [String])
        case end(Outcome, reason: String?)
        /// The worker has to be killed, and this run is why.
        case kill(reason: String)
    }

    let id: RunID
    let task: TaskIdentifier
    /// As the manifest had it at the launch; nil: none.
    let group: String?
    /// The worker in which it was launched.
    let worker: WorkerID
    let kind: Kind
    /// Nil: attempts are not counted.
    let attempt: Attempt?
    let requires: Requirements
    /// When it was decided; once it has begun, when the worker got it.
    private(set) var launched: MonotonicTime
    private var hasBegun: Bool
    let timeLimit: Duration?
    let warning: Duration
    let grace: Duration
    /// By when the plugin's launch function has to return; nil: it has.
    var returnBy: MonotonicTime?
    var phase = Phase.running
    /// Whether it was its time limit that expired it.
    private(set) var hasMetLimit = false
    /// An operator stopped it: unless it succeeds, its outcome is `stopped`.
    private(set) var isStopped = false
    /// Why it was told to end.
    private var warnedFor: String?
    /// The sentence on the overuse that expired it; nil: none.
    private(set) var overuse: String?
    /// The exit code of its program; nil: not known.
    var exitCode: UInt8?
    /// Nil: nobody has measured it.
    @Rare var cost: RunCost?
    /// Whether it has printed on its standard output or error.
    var hasPrinted = false
    /// The last lines that it printed itself, as far as is known.
    var lastLines: [String] = []
    /// The progress of a continued run, which is expired when it stalls.
    var progress: RunProgress?
    /// When it last made progress, and when that is checked next.
    private var movedAt: MonotonicTime
    private var stallCheck: MonotonicTime?

    init(
        id: RunID, task: TaskIdentifier, group: String? = nil, worker: WorkerID, kind: Kind,
        attempt: Attempt? = nil, requires: Requirements, launched: MonotonicTime, timeLimit: Duration?,
        warning: Duration, grace: Duration,
        returnBy: MonotonicTime? = nil, phase: Phase = .running, progress: RunProgress? = nil,
        hasBegun: Bool = true
    ) {
        self.id = id
        self.task = task
        self.group = group
        self.worker = worker
        self.kind = kind
        self.attempt = attempt
        self.requires = requires
        self.launched = launched
        self.timeLimit = timeLimit
        self.warning = warning
        self.grace = grace
        self.returnBy = returnBy
        self.phase = phase
        self.progress = progress
        self.hasBegun = hasBegun
        movedAt = launched
        stallCheck = progress.map { _ in launched + Limits.stallTime }
    }

    var app: AppIdentifier { worker.app }
    var deadline: MonotonicTime? { timeLimit.map { launched + $0 } }
    /// A limit that the warning would eat up is shared by halves.
    private var warnAt: MonotonicTime? { timeLimit.map { launched + max($0 - warning, $0 / 2) } }

    /// How long before its limit it is told to end.
    private func lead(of limit: Duration) -> String {
        warning == .zero ? "at" : Phrase.span(min(warning, limit - limit / 2)) + " before"
    }

    /// When its next alarm is due.
    var alarm: MonotonicTime? {
        guard hasBegun else { return nil }
        let phased: MonotonicTime? =
            switch phase {
            case .running: [warnAt, stallCheck].compactMap { $0 }.min()
            case .expiring(let killAt): killAt
            }
        return [returnBy, phased].compactMap { $0 }.min()
    }

    mutating func take(_ signal: Signal, at now: MonotonicTime) -> Step {
        switch (phase, signal) {
        case (_, .begun):
            begin(at: now)
            return .none
        case (.expiring(nil), .warned):
            phase = .expiring(killAt: now + grace)
            return .none
        case (.running, .warned), (.expiring(.some), .warned):
            return .none
        case (_, .returned):
            returnBy = nil
            return .none
        // A run that completed before the warning reached it did not know of the warning.
        case (.running, .completed(let success, let summary)),
            (.expiring(nil), .completed(let success, let summary)):
            return .end(success ? .succeeded : .failed, reason: summary)
        // As Apple's system does, it believes the app also after the warning: the run may have been nearly done.
        case (.expiring(.some), .completed(let success, let summary)):
            if !success, let overuse {
                return .end(
                    .expired, reason: "it was ended: \(overuse)" + (summary.map { ": " + $0 } ?? ""))
            }
            guard !success, hasMetLimit, let timeLimit else {
                guard !success, let warnedFor else {
                    return .end(success ? .succeeded : .expired, reason: summary)
                }
                return .end(
                    .expired,
                    reason: "it was told to end (\(warnedFor))" + (summary.map { ": " + $0 } ?? ""))
            }
            return .end(
                .expired,
                reason:
                    "it was told to end \(lead(of: timeLimit)) its time limit of \(Phrase.span(timeLimit))"
                    + (summary.map { ": " + $0 } ?? ""))
        case (.running, .expire(let reason, let gates)):
            phase = .expiring(killAt: nil)
            warnedFor = reason
            return .warn(reason: reason, gates: gates)
        case (.running, .overuse(let sentence)):
            overuse = sentence
            return take(.expire(reason: sentence, gates: []), at: now)
        case (.running, .stop(let reason)):
            isStopped = true
            return take(.expire(reason: reason, gates: []), at: now)
        case (.expiring, .expire), (.expiring, .stop), (.expiring, .overuse):
            return .none
        case (_, .cutOff(let outcome, let sentence)):
            return .end(outcome, reason: sentence)
        case (_, .progressed(let news, let wall)):
            note(news, at: now, wall)
            return .none
        case (.running, .alarm):
            if isOverdue(at: now) { return overdue }
            if let check = stallCheck, check <= now {
                guard movedAt + Limits.stallTime <= now else {
                    stallCheck = movedAt + Limits.stallTime
                    return take(.alarm, at: now)
                }
                return take(
                    .expire(reason: "it made no progress for \(Phrase.span(Limits.stallTime))", gates: []),
                    at: now)
            }
            guard let warnAt, warnAt <= now else { return .none }
            let limit = timeLimit ?? .zero
            hasMetLimit = true
            return take(
                .expire(
                    reason:
                        "its time limit of \(Phrase.span(limit)) is \(warning == .zero ? "over" : "near")",
                    gates: []), at: now)
        case (.expiring(let killAt), .alarm):
            if isOverdue(at: now) { return overdue }
            guard let killAt, killAt <= now else { return .none }
            // The warning comes before the limit, and the grace may be over before the limit, too.
            let limit = timeLimit.map {
                ", \(launched + $0 <= now ? "at" : "shortly before") its time limit of \(Phrase.span($0))"
            }
            let cause = overuse ?? (isStopped ? warnedFor : nil)
            return .kill(
                reason: "it did not complete within \(Phrase.span(grace)) of its expiration"
                    + (hasMetLimit ? limit ?? "" : "") + (cause.map { ": " + $0 } ?? ""))
        }
    }

    private mutating func begin(at now: MonotonicTime) {
        guard !hasBegun else { return }
        hasBegun = true
        if let by = returnBy { returnBy = by + (now - launched) }
        if let check = stallCheck { stallCheck = check + (now - launched) }
        movedAt = now
        launched = now
    }

    /// Only another number is progress: saying the same again keeps nothing alive.
    private mutating func note(_ news: Progress, at now: MonotonicTime, _ wall: WallTime) {
        switch news {
        case .titled(let title, let subtitle):
            progress?.title = title
            progress?.subtitle = subtitle
        case .counted(let completed, let total):
            guard let known = progress, known.completed != completed || known.total != total else { return }
            progress?.completed = completed
            progress?.total = total
            progress?.since = wall
            movedAt = now
        }
    }

    private func isOverdue(at now: MonotonicTime) -> Bool { returnBy.map { $0 <= now } ?? false }
    private var overdue: Step {
        .kill(reason: "it did not return from launch within \(Phrase.span(Limits.launchReturnWait))")
    }
}
