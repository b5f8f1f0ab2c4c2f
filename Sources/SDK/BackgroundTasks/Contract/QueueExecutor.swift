import Dispatch

/// Runs a Swift task on a dispatch queue.
///
/// So a handler that belongs to no actor runs on the queue it was registered with, and one that belongs to
/// an actor runs on that. Neither occupies a thread of the concurrency pool, which has as few threads as
/// the machine has cores: handlers may block, as they may on iOS, and an expiration must still get through.
final class QueueExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
