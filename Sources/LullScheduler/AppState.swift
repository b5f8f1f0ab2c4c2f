import Collections
import LullModel

/// What the host keeps of an app, beside the ledger: its worker, its runs and what it could launch.
struct AppState: Sendable {
    var worker: WorkerState = .none
    /// For the worker's state: when it must be ready, is suspended, or is evicted.
    var timer: MonotonicTime?
    /// In order of launch.
    var runs: [RunID] = []
    var ready = Heap<Ready>()
    /// What it has put into the host's heap.
    var offered: Ready?
    /// `lull launch`es that wait for the worker.
    var forced: [(task: TaskIdentifier, instead: Bool, token: Token)] = []
    var awaitingMoment: Set<TaskIdentifier> = []
    /// When the week rule is looked at.
    var checkAt: WallTime?
    var notices = Notices()
    var allowance = SubmitAllowance()
    /// Continued tasks whose handlers the worker has registered after its start.
    var lateHandlers: Set<TaskIdentifier> = []
    /// What its worker has loaded; nil: it has not said.
    var plugin: Provenance.Plugin?
}

/// The states of a worker, as the scheduler wants and hears them.
enum WorkerState: Sendable, Equatable {
    case none
    /// The process is started, and the plugin is not ready yet.
    case starting
    case warm
    case suspended
    /// Evicted or killed, and its exit not heard of yet.
    case leaving
}

/// How many refusals and violations of an app are recorded: a flood of them must not flood the history.
struct Notices: Sendable {
    static let limit = 100
    static let span: Duration = .hours(1)
    private var since: WallTime?
    private var count = 0

    /// The sentence to record, or nil when there have been too many.
    mutating func admit(_ sentence: String, at now: WallTime) -> String? {
        if let since, now - since < Self.span, now >= since {
            count += 1
        } else {
            since = now
            count = 1
        }
        if count > Self.limit { return nil }
        return count == Self.limit ? sentence + " (no more of these are recorded for an hour)" : sentence
    }
}

/// Which submits were accepted lately, so that one can be withdrawn.
struct RecentSubmits: Sendable {
    struct Submit: Sendable {
        let request: TaskRequest
        /// What it replaced, to be asked for again.
        let replaced: TaskRequest?
    }
    private static let limit = 1024
    private var submits: [Token: Submit] = [:]
    private var order = Deque<Token>()

    mutating func note(_ submit: Submit, _ token: Token) {
        if submits.updateValue(submit, forKey: token) == nil { order.append(token) }
        if order.count > Self.limit, let oldest = order.popFirst() { submits[oldest] = nil }
    }

    mutating func take(_ token: Token) -> Submit? { submits.removeValue(forKey: token) }
}

/// Which runs ended lately, and whose they were: so that what is said of them afterwards can be named.
struct EndedRuns: Sendable {
    struct Ended: Sendable {
        let app: AppIdentifier
        let task: TaskIdentifier
        /// Its worker was killed: what it still says is no lie but late.
        let wasKilled: Bool
    }
    private static let limit = 1024
    private var runs: [RunID: Ended] = [:]
    private var order = Deque<RunID>()

    mutating func note(_ run: RunID, _ ended: Ended) {
        if runs.updateValue(ended, forKey: run) == nil { order.append(run) }
        if order.count > Self.limit, let oldest = order.popFirst() { runs[oldest] = nil }
    }

    subscript(run: RunID) -> Ended? { runs[run] }
}
