import HeapModule
import LullModel

/// What the host keeps of an app, beside the ledger: its workers, its runs and what it could launch.
struct AppState: Sendable {
    /// In order of start. Launches go to the last one, while it takes them; the others finish what they have begun.
    var workers: [WorkerRecord] = []
    /// The open runs of all its workers, in order of launch.
    var runs: [RunID] = []
    var ready = Heap<Ready>()
    /// Its entry in the host's heap.
    var offered: Ready?
    /// `lull launch`es that wait for the worker.
    var forced: [ForcedLaunch] = []
    var awaitingMoment: Set<TaskIdentifier> = []
    /// The failure of its last start that lacked something it needs, and how often in a row; nil: it was started since.
    var absence: StartFailure?
    var records = RecordAllowance()
    var allowance = SubmitAllowance()
    /// The allowance of pushes to it.
    var pushes = SubmitAllowance(atOnce: Limits.pushesAtOnce, gap: Limits.pushGap)

    /// The allowance of its calls about transfers.
    var transfers = SubmitAllowance(atOnce: 4 * Limits.transfers, gap: .milliseconds(100))
    /// The allowance of what it adds to the history, by whatever means.
    var history = HistoryAllowance()

    /// The worker that launches go to.
    var current: WorkerRecord? { workers.last.flatMap { $0.takesLaunches ? $0 : nil } }
    /// The state of the worker that launches go to.
    var worker: WorkerState { current?.state ?? .none }
    /// Continued tasks whose handlers it has registered after its start.
    var lateHandlers: Set<TaskIdentifier> { current?.lateHandlers ?? [] }

    /// A worker may start beside others that run something, but not beside one that leaves: the leaving worker first
    /// closes its files and releases its locks. Workers whose runs have a process each are exempt. So an app has at
    /// most one worker more than open runs, plus those that leave.
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
    /// The request that it replaced, to be asked for again.
    let replaced: TaskRequest?
}

/// A run that has ended, with its app and task.
struct EndedRun: Sendable {
    let app: AppIdentifier
    let task: TaskIdentifier
    /// Its worker was killed: later messages from it are late, not violations.
    let wasKilled: Bool
}
