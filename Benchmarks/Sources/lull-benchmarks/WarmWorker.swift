import LullHistory
import LullModel
import LullSystem
import LullWire
import LullWorkers

/// One worker under a loop of its own, with one launch after another; with a history, each launch and each completion
/// is durable before the next step, as in the host.
final class WarmWorker {
    private let loop: EventLoop
    private let task: TaskIdentifier
    private let app: AppIdentifier
    private var pool: WorkerPool?
    private var writer: HistoryWriter?
    private var committed: LoopChannel<HistoryError?>?
    private var afterCommit: (() -> Void)?
    private var run: UInt64 = 0
    private var remaining = 0
    private var trouble: String?

    /// Returns once the plugin is loaded.
    init(_ workshop: Workshop, name: String, isRecorded: Bool) throws {
        let folder = try workshop.empty(name)
        guard let app = AppIdentifier("com.example.NoOp"), let task = TaskIdentifier("task", of: app) else {
            throw BenchmarkError("the identifiers of the no-op app are not reverse-DNS names")
        }
        self.app = app
        self.task = task
        loop = try EventLoop()
        if isRecorded {
            writer = HistoryWriter(try SQLiteHistory.open(folder: folder, mode: .readWrite))
            committed = try LoopChannel(on: loop) { [unowned self] results in
                for result in results {
                    if let result { end(result.message) }
                    afterCommit?()
                }
            }
        }
        pool = try WorkerPool(loop: loop, executable: workshop.worker, stateFolder: folder) {
            [unowned self] in heard($1)
        }
        var entry = App(identifier: app, plugin: workshop.plugin)
        entry.tasks = [TaskDefinition(identifier: task, app: app, kind: .processing)]
        pool?.start(WorkerSpec(app: entry, stateFolder: folder))
        loop.run()
        if let trouble { throw BenchmarkError("the worker did not start: \(trouble)") }
    }

    /// Nanoseconds from a launch until the loop reads its completion.
    func launch(times: Int) throws -> Double {
        remaining = times
        let spent = Stopwatch.time {
            launchNext()
            loop.run()
        }
        if let trouble { throw BenchmarkError("the worker ended: \(trouble)") }
        return spent / Double(times)
    }

    private func launchNext() {
        guard remaining > 0 else { return loop.stop() }
        remaining -= 1
        run += 1
        record(.launched) { [unowned self] in
            pool?.launch(
                RunID(run), task: task, kind: .processing, deadline: nil,
                in: WorkerID(app: app, number: 1))
        }
    }

    private func heard(_ event: WorkerEvent) {
        switch event {
        case .ready: loop.stop()
        case .completed: record(.completed) { [unowned self] in launchNext() }
        case .failed(let sentence), .exited(let sentence, _): end(sentence)
        case .violation(_, _, let sentence, _): end(sentence)
        default: break
        }
    }

    private func record(_ name: HistoryEvent.Name, then next: @escaping () -> Void) {
        guard let writer, let committed else { return next() }
        let event = HistoryEvent(
            name, at: Clock.wall, app: app, task: task, run: RunID(run),
            outcome: name == .completed ? .succeeded : nil)
        afterCommit = next
        writer.submit(HistoryBatch(events: [event])) { result in
            switch result {
            case .success: committed.send(nil)
            case .failure(let error): committed.send(error)
            }
        }
    }

    private func end(_ sentence: String) {
        trouble = trouble ?? sentence
        loop.stop()
    }
}
