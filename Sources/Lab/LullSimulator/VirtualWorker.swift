import LullModel

/// A simulated worker process.
///
/// Its phase and its runs are what the host can know of it; what it has done, and the host does not know yet, is beside them.
struct VirtualWorker: Sendable, Equatable {
    enum Phase: Sendable, Equatable { case starting, warm, suspended, leaving }

    /// A handler at work.
    struct Run: Sendable, Equatable {
        var task: TaskIdentifier
        /// When the host launched it, and warned it.
        var began: MonotonicTime
        var expired: MonotonicTime?
        /// The time that it may take, with its grace, by the manifest of its launch; nil: no limit.
        var most: Duration?
        /// The host knows that its launch function has returned.
        var hasReturned = false
        /// It neither completes nor heeds its expiration.
        var hangs = false
        /// The worker has read its launch.
        var hasBegun = false
        /// The worker has said that it completed.
        var isDone = false
        var isAtWork: Bool { hasBegun && !isDone }
    }

    /// The manifest's entry of its app when it was started.
    var entry: App?
    /// Tells it from those of earlier hosts.
    var number: Int
    var began: MonotonicTime
    var phase = Phase.starting
    /// Its plugin was ready or a run completed too late, or it sent an impossible frame: its end is on its way.
    var mustGo = false
    var runs: [RunID: Run] = [:]

    /// Its plugin has each run in a worker of its own.
    var runsAlone = false
    /// So many runs were launched in it.
    var launches = 0

    /// Its plugin's start has returned.
    var hasSaidHello = false
    /// The tasks that its plugin may register, as far as it has read them, and how many there are; nil: it is not welcomed yet.
    var permits: [TaskIdentifier] = []
    var permitsDue: Int?
    /// Its start waits for its permits.
    var waitsForPermits = false
    /// The plugin's submits that wait for their answers.
    var waits: Set<UInt64> = []
    private var lastSequence: UInt64 = 0
    /// The matters that came due while it was suspended.
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
