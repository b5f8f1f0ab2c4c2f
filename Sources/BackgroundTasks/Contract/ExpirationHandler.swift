import Dispatch

/// What a handler wants done when its run expires.
// Sendable by Apple's contract: an expiration handler is called on another thread than it was set on, and
// one that belongs to an actor is called on that actor.
struct ExpirationHandler: @unchecked Sendable {
    let body: @isolated(any) () -> Void

    /// Calls the handler on its actor, or else on a queue that no launch handler can block.
    func call() {
        Task(executorPreference: QueueExecutor(.global())) { await body() }
    }
}
