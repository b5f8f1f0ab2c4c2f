import HeapModule
import LullModel

/// What the host keeps of an app, beside the ledger: its workers, its runs and what it could launch.
struct AppState: Sendable {
    /// In order of start. Launches go to the last one, while it takes them; the others finish what they have begun.
    var workers: [WorkerRecord] = []
    /// Of all its workers, in order of launch.
    var runs: [RunID] = []
    var ready = Heap<Ready>()
    /// What it has put into the host's heap.
    var offered: Ready?
    /// `lull launch`es that wait for the worker.
    var forced: [(task: TaskIdentifier, instead: Bool, token: Token)] = []
    var awaitingMoment: Set<TaskIdentifier> = []
    /// What its last start needed and did not find; how often in a row. Nil: it was started since.
    var absence: StartFailure?
    /// When the week rule is looked at.
    var checkAt: WallTime?
    var records = RecordAllowance()
    var allowance = SubmitAllowance()
    /// What comes from outside for it.
    var pushes = SubmitAllowance(atOnce: Limits.pushesAtOnce, gap: Limits.pushGap)

    /// What it asks for and does with its transfers.
    var transfers = SubmitAllowance(atOnce: 4 * Limits.transfers, gap: .milliseconds(100))
    /// What it puts into the history, whatever it does for that.
    var history = HistoryAllowance()

    /// The worker that launches go to.
    var current: WorkerRecord? { workers.last.flatMap { $0.takesLaunches ? $0 : nil } }
    /// Of the worker that launches go to.
    var worker: WorkerState { current?.state ?? .none }
    /// Continued tasks whose handlers it has registered after its start.
    var lateHandlers: Set<TaskIdentifier> { current?.lateHandlers ?? [] }

    /// A worker is started beside others that run something, and never beside one that leaves: that one has closed its
    /// files and let go of its locks first, unless its runs have a process each and so are beside each other anyway. So an
    /// app has one worker more than it has open runs at most, and those that leave.
    var mayStartWorker: Bool {
        current == nil && !workers.contains { $0.state == .leaving && !$0.runsAlone }
    }
}

/// How many refusals and violations of an app are recorded: a flood of them must not flood the history.
struct RecordAllowance: Sendable {
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

/// A submit that was accepted.
struct AcceptedSubmit: Sendable {
    let task: TaskIdentifier
    var request: RequestID
    /// What it replaced, to be asked for again.
    let replaced: TaskRequest?
}

/// A run that has ended, and whose it was.
struct EndedRun: Sendable {
    let app: AppIdentifier
    let task: TaskIdentifier
    /// Its worker was killed: what it still says is no lie but late.
    let wasKilled: Bool
}
