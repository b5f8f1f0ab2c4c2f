import LullModel

/// A worker process that is not there.
struct VirtualWorker: Sendable, Equatable {
    enum Phase: Sendable, Equatable { case starting, warm, suspended, leaving }

    /// Tells it from the app's earlier ones.
    var number: Int
    var phase = Phase.starting
    var runs: [RunID: TaskIdentifier] = [:]
    /// Runs that neither complete nor heed their expiration.
    var hanging: Set<RunID> = []
}
