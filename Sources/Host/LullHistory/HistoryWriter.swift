import Foundation
import LullModel
import Synchronization

/// Commits for a loop that must not wait: one thread owns the writing, and commits come in groups.
///
/// Everything submitted while a commit runs goes into the next single transaction. Completions are called in the
/// order of submission, on the writer's thread, after the commit. When nothing is queued the thread sleeps on a
/// semaphore: an idle host is never woken. If a commit fails, each completion of its group gets the error, and nothing
/// of the group is written.
public final class HistoryWriter: Sendable {
    public typealias Completion = @Sendable (Result<Void, HistoryError>) -> Void

    private let queue: Queue

    public init(_ history: any History) {
        let queue = Queue()
        self.queue = queue
        // The thread holds the queue and the history, never the writer, so that the thread ends when the writer is released.
        let thread = Thread { queue.run(history) }
        thread.name = "history"
        thread.start()
    }

    deinit {
        queue.close()
    }

    /// Queues a batch and returns at once; `completion` is called when it is durable, or when it can't be.
    public func submit(_ batch: HistoryBatch, then completion: @escaping Completion = { _ in }) {
        queue.put(.batch(batch, completion))
    }

    /// Queues retention behind earlier submissions.
    public func prune(
        _ bounds: PruneBounds,
        then completion: @escaping @Sendable (Result<PruneReport, HistoryError>) -> Void
    ) {
        queue.put(.prune(bounds, completion))
    }

    /// Calls `work` on the writer's thread after earlier submissions, or with an error if the writer is closed.
    public func run(_ work: @escaping @Sendable (HistoryError?) -> Void) {
        queue.put(.work(work))
    }

    /// Queues the reservation of space for a full disk; `completion` gets whether the space is there.
    public func keepReserve(then completion: @escaping @Sendable (Bool) -> Void = { _ in }) {
        queue.put(.keepReserve(completion))
    }

    /// Waits until all earlier submissions are durable or have failed.
    ///
    /// Never call it from a completion, which would wait for itself.
    public func flush() {
        let done = DispatchSemaphore(value: 0)
        queue.put(.batch(HistoryBatch(), { _ in done.signal() }))
        done.wait()
    }

    /// Closes without waiting: `ended` is called when all is committed, on the writer's thread unless it has ended already.
    public func close(then ended: @escaping @Sendable () -> Void) {
        queue.tell(ended)
        queue.close()
    }

    /// Commits all queued batches, ends the thread and waits for its end; later submissions fail with `.closed`.
    public func close() {
        queue.close()
        queue.waitForEnd()
    }
}

/// The jobs that the loop adds and the thread carries out.
private final class Queue: Sendable {
    enum Job: Sendable {
        case batch(HistoryBatch, HistoryWriter.Completion)
        case prune(PruneBounds, @Sendable (Result<PruneReport, HistoryError>) -> Void)
        case work(@Sendable (HistoryError?) -> Void)
        case keepReserve(@Sendable (Bool) -> Void)
    }

    private struct State {
        var jobs: [Job] = []
        /// The thread has found nothing to do and waits, or is about to.
        var isAsleep = false
        var isClosed = false
        var hasEnded = false
        /// Called at the thread's end.
        var told: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let end = DispatchGroup()

    init() {
        end.enter()
    }

    func waitForEnd() {
        end.wait()
    }

    func tell(_ ended: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.told.append(ended) }
            return state.hasEnded
        }
        if hasEnded { ended() }
    }

    func put(_ job: Job) {
        let (isClosed, isAsleep) = state.withLock { state in
            if !state.isClosed { state.jobs.append(job) }
            defer { state.isAsleep = false }
            return (state.isClosed, state.isAsleep)
        }
        if isClosed { job.fail(.closed) }
        if isAsleep { wake.signal() }
    }

    func close() {
        let isAsleep = state.withLock { state in
            state.isClosed = true
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if isAsleep { wake.signal() }
    }

    func run(_ history: any History) {
        while let jobs = next() { carryOut(jobs, history) }
        let told = state.withLock { state in
            state.hasEnded = true
            return state.told
        }
        for tell in told { tell() }
        end.leave()
    }

    /// Waits for jobs and returns all that are queued; nil once the queue is closed and empty.
    private func next() -> [Job]? {
        while true {
            let (jobs, isClosed) = state.withLock { state in
                let jobs = state.jobs
                state.jobs = []
                state.isAsleep = jobs.isEmpty && !state.isClosed
                return (jobs, state.isClosed)
            }
            if !jobs.isEmpty { return jobs }
            if isClosed { return nil }
            wake.wait()
        }
    }

    private func carryOut(_ jobs: [Job], _ history: any History) {
        var group: [(batch: HistoryBatch, completion: HistoryWriter.Completion)] = []
        func commit() {
            guard !group.isEmpty else { return }
            let result = Result { () throws(HistoryError) in try history.append(group.map(\.batch)) }
            for member in group { member.completion(result) }
            group = []
        }
        for job in jobs {
            switch job {
            case .batch(let batch, let completion):
                group.append((batch, completion))
            case .prune(let bounds, let completion):
                commit()
                completion(Result { () throws(HistoryError) in try history.prune(bounds) })
            case .work(let work):
                commit()
                work(nil)
            case .keepReserve(let completion):
                commit()
                // If the history can't be written, the next commit reports it.
                completion((try? history.keepReserve()) ?? false)
            }
        }
        commit()
    }
}

extension Queue.Job {
    func fail(_ error: HistoryError) {
        switch self {
        case .batch(_, let completion): completion(.failure(error))
        case .prune(_, let completion): completion(.failure(error))
        case .work(let work): work(error)
        case .keepReserve(let completion): completion(false)
        }
    }
}
