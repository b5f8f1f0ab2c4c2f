import Dispatch

/// The handler that a plugin registered for one identifier.
// Sendable: the queue and the place are. `body` runs in `call` alone, on the actor that it belongs to, or else on the queue
// that its author named for it, which is Apple's contract; its author answers for what it captures, for Apple's type is not
// `@Sendable`, and asking for that would refuse code that compiles for iOS.
struct LaunchHandler: @unchecked Sendable {
    let queue: DispatchQueue?
    /// Where it was registered; nil if the call did not record its place.
    let place: String?
    let body: @isolated(any) (sending BGTask) -> Void

    /// The warning for its author if the closure runs on its actor instead of the queue; nil: it runs on the queue.
    func warning(about identifier: String) -> String? {
        guard let actor = body.isolation else { return nil }
        let isMain = actor is MainActor
        // Dispatch makes a new object for the main queue each time, so the labels are compared.
        if isMain, queue?.label == DispatchQueue.main.label { return nil }
        let remedy = isMain ? "Register it with `using: .main`, or write" : "Write"
        return
            "The handler of \(identifier) at \(place ?? "an unknown place") belongs to \(isMain ? "the main actor" : "\(actor)"), "
            + "because it is written in its code. It runs there, not on the queue of `using:`; on iOS, Swift's check would end "
            + "the app. \(remedy) `{ @Sendable task in`."
    }

    /// The queue that was registered, or else a serial queue for this run.
    func queue(of run: Run) -> DispatchQueue {
        queue ?? DispatchQueue(label: "lull (\(run.launch.identifier))", qos: .background)
    }

    /// Calls the handler on its actor, for a stand-in of the scheduler that launches it by itself.
    func call(_ task: BGTask) {
        // Safe: the stand-in hands over a task of its own making.
        nonisolated(unsafe) let task = task
        _ = Task { await body(task) }
    }

    /// Calls the handler on its actor, or else on its queue, or else on a serial queue of the run's own.
    func call(_ run: Run) {
        CurrentRun.$run.withValue(run) {
            _ = Task(executorPreference: QueueExecutor(queue(of: run))) {
                run.begin(place)
                // Only the handler holds the task: once it drops the task, nobody can complete it any more.
                await body(run.makeTask())
                run.handlerReturned()
            }
        }
    }
}

/// A place in the source, as the history shows it; nil for line 0, which means unknown.
func place(_ file: StaticString, _ line: UInt) -> String? { line == 0 ? nil : "\(file):\(line)" }
