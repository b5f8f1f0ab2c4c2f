import LullModel

/// A worker process that is not there.
struct VirtualWorker: Sendable, Equatable {
    enum Phase: Sendable, Equatable { case starting, warm, suspended, leaving }

    /// A handler at work, as the worker itself knows it.
    struct Run: Sendable, Equatable {
        var task: TaskIdentifier
        var began: MonotonicTime
        var expired: MonotonicTime?
        var hasReturned = false
        /// It neither completes nor heeds its expiration.
        var hangs = false
    }

    /// Tells it from the app's earlier ones.
    var number: Int
    var began: MonotonicTime
    var phase = Phase.starting
    /// Its plugin was ready, or a run completed, when it was too late: the end is on its way.
    var isLate = false
    var runs: [RunID: Run] = [:]
}
