import LullModel
import LullSystem
import LullWire
import LullWorkers

/// One fresh worker with the plugin in it, and what it reported.
///
/// It waits for events up to a limit, on a loop of its own; the worker is killed when the trial is over.
final class Trial {
    enum Start {
        case ready(registered: [TaskIdentifier], PluginIdentity, after: Duration)
        case refused(String)
        case ended(String)
        case late
    }
    enum End: Equatable {
        case completed(Bool)
        /// The process is gone.
        case ended(String)
        case late
    }

    let app: App
    private let worker: WorkerID
    private let bench: CheckBench
    private(set) var isGone = false
    private var start: Start?
    private(set) var ending: String?
    private(set) var refusedIdentifiers: [String] = []
    private(set) var violations: [(run: UInt64, sentence: String, isFatal: Bool)] = []
    private(set) var lines: [String] = []
    private(set) var kinds: [TaskIdentifier: Kind] = [:]
    private var returned: Set<UInt64> = []
    private var completed: [UInt64: Bool] = [:]
    private var suspension: String??
    private var transferCount: UInt64 = 0
    private var began = Clock.monotonic

    init(_ bench: CheckBench, app: App, spec: WorkerSpec) {
        self.bench = bench
        self.app = app
        worker = spec.worker
        bench.onEvent = { [unowned self] in take($0) }
        bench.pool.start(spec)
    }

    var pid: Int32? { bench.pool.pid(of: worker) }

    func waitForStart(_ limit: Duration = .seconds(10)) -> Start {
        guard wait(limit, until: { start != nil }), let start else { return .late }
        return start
    }

    func launch(_ task: TaskDefinition) -> UInt64 {
        let run = bench.nextRun()
        // Nothing is launched by a wildcard's own name.
        let name =
            task.identifier.isWildcard
            ? TaskIdentifier(task.identifier.text.dropLast() + "check") ?? task.identifier : task.identifier
        bench.pool.launch(
            RunID(run), task: name, kind: task.kind,
            deadline: Clock.monotonic + (task.timeLimit ?? .minutes(10)),
            origin: task.kind == .transfers ? #"{"sessions":[]}"# : nil,
            push: task.kind == .push ? PushNote(payload: "{}") : nil, in: worker)
        return run
    }

    func expire(_ run: UInt64) {
        bench.pool.expire(RunID(run), in: worker, reason: "lull plugin check")
    }

    /// How long `launch` took to return; nil: longer than the limit, or the process is gone.
    func waitForReturn(of run: UInt64, _ limit: Duration) -> Duration? {
        let began = Clock.monotonic
        let isBack = wait(limit) { returned.contains(run) || completed[run] != nil || ending != nil }
        return isBack && ending == nil ? Clock.monotonic - began : nil
    }

    func waitForEnd(of run: UInt64, _ limit: Duration) -> End {
        _ = wait(limit) { completed[run] != nil || ending != nil }
        if let success = completed[run] { return .completed(success) }
        return ending.map { .ended($0) } ?? .late
    }

    /// Lets time pass until `isDone` or the limit; returns whether it is done.
    @discardableResult
    func wait(_ limit: Duration, until isDone: () -> Bool = { false }) -> Bool {
        bench.wait(limit, until: isDone)
    }

    /// Suspends the worker and resumes it. Nil: it was suspended, or is gone; else the reason why it could not be.
    func suspend() -> String? {
        bench.pool.suspend(worker)
        _ = wait(.seconds(3)) { suspension != nil || ending != nil }
        let reason = suspension ?? nil
        bench.pool.resume(worker)
        return reason
    }

    /// Kills the worker, and waits until it and all that it left are gone.
    func finish() {
        if !isGone {
            bench.pool.kill(worker, reason: "the check is over")
            _ = wait(.seconds(10)) { isGone }
        }
        bench.onEvent = nil
    }

    private func take(_ event: WorkerEvent) {
        switch event {
        case .ready(let registered, let plugin):
            start = .ready(registered: registered, plugin, after: Clock.monotonic - began)
        case .failed(let sentence):
            if start == nil { start = .refused(sentence) }
            ending = sentence
            isGone = true
        case .exited(let sentence, _), .heldBack(let sentence):
            if start == nil { start = .ended(sentence) }
            ending = ending ?? sentence
            isGone = true
        // It gives no worker a time.
        case .overdue: break
        case .launchReturned(let run): returned.insert(run.number)
        case .completed(let run, let success, _): completed[run.number] = success
        case .violation(let run, _, let sentence, let isFatal):
            violations.append((run?.number ?? 0, sentence, isFatal))
        case .log(_, _, let message):
            if let identifier = RefusedRegistration.identifier(in: message) {
                refusedIdentifiers.append(identifier)
            } else {
                lines.append(message)
            }
        case .submit(let id, let sequence, let request):
            kinds[request.task] = request.kind
            bench.pool.answer(id, sequence: sequence, of: worker, nil)
        case .cancel(let sequence, _): bench.pool.answer(toCancel: sequence, of: worker)()
        case .notify(let id, let sequence, _), .setBadge(let id, let sequence, _):
            bench.pool.answer(id, sequence: sequence, of: worker, nil)
        case .notificationsQuery(let sequence, _):
            bench.pool.answer(toNotifications: sequence, of: worker, [])
        case .removeNotifications(let sequence, _, _): bench.pool.answer(toCancel: sequence, of: worker)()
        case .transfer(let id, let sequence, _):
            transferCount += 1
            bench.pool.answer(
                toTransfer: id, sequence: sequence, of: worker, .success(TransferID(transferCount)))
        case .transferAct(let id, let sequence, _, _), .transferAnswer(let id, let sequence, _, _):
            bench.pool.answer(id, sequence: sequence, of: worker, nil)
        case .transfersQuery(let sequence, _):
            bench.pool.answer(toTransfers: sequence, of: worker, next: 1, [])
        case .pendingQuery(let sequence): bench.pool.answer(toPending: sequence, of: worker, [])
        case .suspended: suspension = .some(nil)
        case .suspendRefused(let reason): suspension = .some(reason)
        case .withdrawn, .printed, .skippedOutput, .progress, .titled, .registered, .output, .reported,
            .exitCode, .cost, .leftRunning:
            break
        }
    }
}
