import Dispatch

/// What a plugin registered for one identifier.
// Sendable: the queue and the place are. `body` runs in `call` alone, on the actor that it belongs to, or else on the queue
// that its author named for it, which is Apple's contract; its author answers for what it captures, for Apple's type is not
// `@Sendable`, and asking for that would refuse code that compiles for iOS.
struct LaunchHandler: @unchecked Sendable {
    let queue: DispatchQueue?
    /// Where it was registered; nil when that was by way of a protocol.
    let place: String?
    let body: @isolated(any) (sending BGTask) -> Void

    /// A queue made without attributes is a serial one.
    func queue(of run: Run) -> DispatchQueue {
        queue ?? DispatchQueue(label: "lull (\(run.launch.identifier))", qos: .background)
    }

    /// Calls the handler on its actor, or else on its queue, or else on a serial queue of the run's own.
    func call(_ run: Run) {
        CurrentRun.$run.withValue(run) {
            _ = Task(executorPreference: QueueExecutor(queue(of: run))) {
                run.begin(place)
                // Kept by nobody but the handler: a task that it lets go of can't be completed any more.
                await body(run.makeTask())
                run.handlerReturned()
            }
        }
    }
}

/// A place in the source, as the history shows it; nil when nobody knows it.
func place(_ file: StaticString, _ line: UInt) -> String? { line == 0 ? nil : "\(file):\(line)" }
