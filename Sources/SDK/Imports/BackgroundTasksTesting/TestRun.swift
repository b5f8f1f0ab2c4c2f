import CLullPlugin
import Synchronization

/// A run that a test has launched.
public final class TestRun: Sendable {
    /// How a run ends.
    public enum Outcome: Sendable, Equatable {
        /// Completed with `success: true`.
        case succeeded
        /// Completed with `success: false`, or by the SDK in its author's place.
        case failed
        /// Not completed in time after it had expired: a host would have killed the app.
        case killed
    }

    private struct State {
        var outcome: Outcome?
        var expired: Duration?
        var completions = 0
        var waiting: [CheckedContinuation<Outcome, Never>] = []
    }

    /// The identifier of its task.
    public let identifier: String
    /// The kind of the run.
    public let kind: TestHost.Kind
    let number: lull_task
    private let began: Duration
    private let host: TestHost
    private let state = Mutex(State())

    init(identifier: String, kind: TestHost.Kind, number: lull_task, began: Duration, host: TestHost) {
        self.identifier = identifier
        self.kind = kind
        self.number = number
        self.began = began
        self.host = host
    }

    /// How the run ended, once it has. A run that is neither completed nor expired keeps the test waiting.
    public var outcome: Outcome {
        get async {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state in
                    if state.outcome == nil { state.waiting.append(continuation) }
                    return state.outcome
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }

    /// Whether it has not ended.
    public var isRunning: Bool { state.withLock { $0.outcome == nil } }
    /// Whether it has expired.
    public var isExpired: Bool { state.withLock { $0.expired != nil } }
    /// How often it was completed; more than once is a mistake.
    public var completions: Int { state.withLock(\.completions) }

    /// Expires the run now, as the debugger's `_simulateExpirationForTaskWithIdentifier:`; only the first call counts.
    public func expire() {
        let time = host.time
        let isFirst = state.withLock { state in
            guard state.outcome == nil, state.expired == nil else { return false }
            state.expired = time
            return true
        }
        guard isFirst, let watch = host.state.withLock({ $0.watched.removeValue(forKey: number) }) else {
            return
        }
        watch.handler(watch.context, number)
    }

    func complete(success: Bool) {
        state.withLock { $0.completions += 1 }
        end(success ? .succeeded : .failed)
    }

    private func end(_ outcome: Outcome) {
        let waiting: [CheckedContinuation<Outcome, Never>] = state.withLock { state in
            guard state.outcome == nil else { return [] }
            state.outcome = outcome
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    /// When it is to expire, or, once it has, to be killed; nil for one that has ended or has no limit.
    var nextStep: Duration? {
        let (isOver, expired) = state.withLock { ($0.outcome != nil, $0.expired) }
        if isOver { return nil }
        if let expired { return expired + TestHost.grace }
        return kind.limit.map { began + $0 - TestHost.grace }
    }

    /// The run's grace is over in the host's time. In real time its handler has this long to complete, or it counts as killed.
    func end(within timeout: Duration) async {
        let watchdog = Task {
            try await Task.sleep(for: timeout)
            end(.killed)
        }
        _ = await outcome
        watchdog.cancel()
    }
}
