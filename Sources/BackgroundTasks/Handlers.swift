import Dispatch

/// What a plugin registered for one identifier.
// Sendable by Apple's contract: whoever registers a handler lets it be called on the queue named, and a handler
// that belongs to an actor is called on that actor.
struct LaunchHandler: @unchecked Sendable {
    let queue: DispatchQueue?
    let body: @isolated(any) (BGTask) -> Void

    /// Calls the handler on its actor, or else on its queue, or else on a serial queue of the run's own.
    func call(_ task: BGTask) {
        let queue = queue ?? DispatchQueue(label: "lull (\(task.identifier))", qos: .background)
        Task(executorPreference: QueueExecutor(queue)) {
            task.begin()
            await body(task)
            task.handlerReturned()
        }
    }
}

/// What a handler wants done when its run expires.
// Sendable by Apple's contract: an expiration handler is called on another thread than it was set on, and one that
// belongs to an actor is called on that actor.
struct ExpirationHandler: @unchecked Sendable {
    let body: @isolated(any) () -> Void

    /// Calls the handler on its actor, or else on a queue that no launch handler can block.
    func call() {
        Task(executorPreference: QueueExecutor(.global())) { await body() }
    }
}
