import Dispatch

/// The closure to call when a run expires.
// Sendable: `call` is all that anybody does with it, and `body` runs there on the actor that it belongs to. One that belongs
// to none is called on another thread than it was set on, which is what Apple's contract says of it; its author answers for
// what it captures, for Apple's type is not `@Sendable`, and asking for that would refuse code that compiles for iOS.
struct ExpirationHandler: @unchecked Sendable {
    let body: @isolated(any) () -> Void

    /// Calls the handler on its actor, or else on a queue that no launch handler can block.
    func call() {
        Task(executorPreference: QueueExecutor(.global())) { await body() }
    }
}
