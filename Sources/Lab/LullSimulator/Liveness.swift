import LullModel
import LullScheduler

/// Checks that a task runs when it may: none whose gates are all open is left waiting, and none is forgotten.
///
/// It asks for the same verdicts as `why` does, after each event, and holds the scheduler to them.
struct Liveness: Sendable {
    /// A worker may have to leave and another to start.
    static let timeout: Duration = .minutes(2)

    private struct Wait: Sendable {
        var request: RequestID
        var since: MonotonicTime
    }
    private var ready: [TaskIdentifier: Wait] = [:]
    /// The begin dates that were requested since the last run of the task: the app may request them again.
    private var asked: [TaskIdentifier: (run: RunID?, begins: Set<WallTime?>)] = [:]

    /// Of each app that is being started, the first request that was made since.
    private var started: [AppIdentifier: RequestID] = [:]

    private typealias Closed = [(gate: GateName, until: WallTime?)]

    /// By the last run of the task: how often in a row its request gave way to a later one of its app's.
    private var postponed: [TaskIdentifier: (run: RunID?, times: Int)] = [:]
    private static let mostPostponed = 4

    mutating func forget() { ready = [:] }

    /// After an event was handled; the sentences are faults.
    ///
    /// While a worker starts, what waits for its place or its plugin is judged again once it is ready.
    mutating func check(_ state: SchedulerState, now: Now, armed: Deadline) -> [String] {
        var faults: [String] = []
        var still: [TaskIdentifier: Wait] = [:]
        let late = "may run and was left waiting for"
        let pending = state.pending(of: nil)
        let next = RequestID(state.ledger.nextRequest)
        for app in Set(pending.map(\.app)) {
            started[app] = state.isStarting(app) ? started[app] ?? next : nil
        }
        for request in pending where state.isFirst(request) {
            let closed = state.closedGates(of: request.task, at: now)
            if let sentence = postponed(request, closed, state) { faults.append(sentence) }
            if closed.isEmpty {
                let known = ready[request.task].flatMap { $0.request == request.id ? $0 : nil }
                let wait = known ?? Wait(request: request.id, since: now.monotonic)
                still[request.task] = wait
                if now.monotonic - wait.since > Self.timeout {
                    faults.append("\(request.task) \(late) \((now.monotonic - wait.since).milliseconds) ms")
                    still[request.task]?.since = now.monotonic
                }
            } else if !state.startsWorkers,
                let next = missed(request.task, closed, state, now, armed: armed.wall ?? .distantFuture)
            {
                let gates = closed.map(\.gate.rawValue).joined(separator: ", ")
                faults.append(
                    "\(request.task) may run at \(next.milliseconds) ms (\(gates)), and the host wakes "
                        + (armed.wall.map { "at \($0.milliseconds) ms" } ?? "never"))
            }
        }
        for (task, wait) in ready.sorted(by: { $0.key < $1.key }) where still[task]?.request != wait.request {
            if now.monotonic - wait.since > Self.timeout {
                faults.append(
                    "\(task) \(late) \((now.monotonic - wait.since).milliseconds) ms before it went on")
            }
        }
        ready = still
        for request in pending {
            let run = state.ledger.tasks[request.task]?.lastRun
            if asked[request.task]?.run != run { asked[request.task] = nil }
            asked[request.task, default: (run, [])].begins.insert(request.earliestBegin)
        }
        return faults
    }

    /// Checks that an app's submits do not put off a request that may run and waits for the app alone.
    private mutating func postponed(
        _ request: TaskRequest, _ closed: Closed, _ state: SchedulerState
    ) -> String? {
        guard let wait = ready[request.task], wait.request != request.id, request.origin == .plugin,
            asked[request.task]?.begins.contains(request.earliestBegin) != true,
            closed.map(\.gate) == [.earliestBegin]
        else { return nil }
        let (task, run) = (request.task, state.ledger.tasks[request.task]?.lastRun)
        // It was launched.
        if state.ledger.runs.values.contains(where: { $0.request?.id == wait.request }) { return nil }
        if let first = started[request.app] {
            // An app may replace a request that it made in the same start.
            guard wait.request < first else { return nil }
            return "\(task) was due, and its app put it off while it was started for it"
        }
        let times = postponed[task].flatMap { $0.run == run ? $0.times : nil } ?? 0
        postponed[task] = (run, times + 1)
        return times + 1 < Self.mostPostponed ? nil : "\(task) was put off \(times + 1) times in a row"
    }

    /// When a task may run if nothing but time passes; nil unless the host sleeps beyond that.
    ///
    /// A gate that is not asked while another is closed, as `moment`, may be closed when the others open. So the verdict of that
    /// time is asked for, and the host is held to that alone.
    private func missed(
        _ task: TaskIdentifier, _ closed: Closed, _ state: SchedulerState, _ now: Now, armed: WallTime
    ) -> WallTime? {
        var (closed, then) = (closed, now)
        for _ in 0..<8 {
            guard let next = opening(of: closed), next > then.wall, armed > next + .milliseconds(1) else {
                return nil
            }
            then.monotonic = then.monotonic + (next - then.wall)
            then.wall = next
            closed = state.closedGates(of: task, at: then)
            if closed.isEmpty { return next }
        }
        return nil
    }

    /// When the last closed gate opens by itself; nil: one of them does not open by time alone.
    private func opening(of closed: Closed) -> WallTime? {
        var last: WallTime?
        for gate in closed {
            guard let until = gate.until else { return nil }
            last = max(last ?? until, until)
        }
        return last
    }
}
