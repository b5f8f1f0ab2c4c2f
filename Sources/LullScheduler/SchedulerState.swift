public import LullModel

/// The one decision function: state and event at a time in, new state and effects out.
///
/// Pure: it reads no clock and does no I/O. The host, the simulator, `why` and `status` all ask it.
public struct SchedulerState: Sendable {
    public private(set) var ledger: Ledger

    public init(ledger: Ledger, options: SchedulerOptions = .init()) {
        self.ledger = ledger
    }

    /// Takes in one event. `now` never goes back on the monotonic clock; the wall clock may step.
    public mutating func handle(_ event: Event, at now: Now) -> [Effect] { [] }

    /// Every gate of a task with its verdict; for an identifier that the manifest does not list, a closed `permitted`.
    public func verdict(for task: TaskIdentifier, at now: Now) -> Verdict { Verdict(task: task, gates: []) }

    public func report(at now: Now) -> StatusReport { StatusReport(time: now.wall, conditions: nil, apps: [], tasks: []) }

    /// Requests that wait, in order of submission.
    public func pending(of app: AppIdentifier?) -> [TaskRequest] { [] }
}
