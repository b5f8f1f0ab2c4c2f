import Dispatch

/// What a plugin registered for one identifier.
// Sendable by Apple's contract: whoever registers a handler lets it be called on the queue named, and a
// handler that belongs to an actor is called on that actor.
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
