import LullModel

/// A worker process that is not there.
///
/// Its phase and its runs are what the host can know of it; what it has done and not yet been heard of stands beside.
struct VirtualWorker: Sendable, Equatable {
    enum Phase: Sendable, Equatable { case starting, warm, suspended, leaving }

    /// A handler at work.
    struct Run: Sendable, Equatable {
        var task: TaskIdentifier
        /// When the host launched it, and warned it.
        var began: MonotonicTime
        var expired: MonotonicTime?
        /// What it may take, with its grace, by the manifest of its launch; nil: no limit.
        var most: Duration?
        /// The host has heard that its launch function returned.
        var hasReturned = false
        /// It neither completes nor heeds its expiration.
        var hangs = false
        /// The worker has read its launch.
        var hasBegun = false
        /// The worker has said that it completed.
        var isDone = false
        var isAtWork: Bool { hasBegun && !isDone }
    }

    /// What the manifest said of its app when it was started.
    var entry: App?
    /// Tells it from those of earlier hosts.
    var number: Int
    var began: MonotonicTime
    var phase = Phase.starting
    /// Its plugin was ready, or a run completed, when it was too late, or it did what can't be: the end is on its way.
    var mustGo = false
    var runs: [RunID: Run] = [:]

    /// Its plugin has each run in a worker of its own.
    var runsAlone = false
    /// So many runs were launched in it.
    var launches = 0

    /// Its plugin's start has returned.
    var hasSaidHello = false
    /// What its plugin may register, as it was told, and how much of that there is; nil: not even welcomed.
    var permits: [TaskIdentifier] = []
    var permitsDue: Int?
    /// It would go on if it knew its permits.
    var waitsForPermits = false
    /// The plugin's submits that wait for their answers.
    var waits: Set<UInt64> = []
    private var lastSequence: UInt64 = 0
    /// What came due while it was stopped.
    var postponed: [Agenda.Matter] = []

    init(number: Int, began: MonotonicTime) {
        self.number = number
        self.began = began
    }

    var isIntroduced: Bool { permits.count == permitsDue }

    /// Tells a call of the plugin's from its others.
    mutating func makeSequence() -> UInt64 {
        lastSequence += 1
        return lastSequence
    }
}
