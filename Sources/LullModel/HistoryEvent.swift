/// One line of the history: what happened, when, to which app, task, request and run.
///
/// The names and the fields are a format (`docs/history.md`): they are only added to.
public struct HistoryEvent: Sendable, Equatable, Codable {
    public enum Name: String, Sendable, Codable, CaseIterable {
        case used, discovered, submitted, refused, replaced, merged, cancelled, deferred, launched, expired,
            completed
        case failed, interrupted, givenUp = "given_up", idled, revived, enabled, disabled, violation
    }

    public var time: WallTime
    public var event: Name
    public var app: AppIdentifier
    public var task: TaskIdentifier?
    public var request: RequestID?
    public var run: RunID?
    public var outcome: Outcome?
    /// A sentence for people; for `deferred` the closed gates.
    public var reason: String?
    /// `submitted`: the request itself, so that a fold of the log knows it.
    public var kind: Kind?
    public var origin: TaskRequest.Origin?
    public var earliestBegin: WallTime?
    public var requires: Requirements?
    /// `deferred`: the closed gates by name, sorted; empty when all are open and the task waits for its moment.
    public var gates: [String]?
    /// `discovered`: what the plugin registered, and the stamp of plugin and manifest entry that were discovered.
    public var registered: [TaskIdentifier]?
    public var stamp: String?
    /// `completed`, `failed`, `expired` with an end: how long the run took, in milliseconds on the monotonic clock.
    public var milliseconds: Int64?

    public init(
        _ event: Name, at time: WallTime, app: AppIdentifier, task: TaskIdentifier? = nil,
        request: RequestID? = nil,
        run: RunID? = nil, outcome: Outcome? = nil, reason: String? = nil
    ) {
        self.time = time
        self.event = event
        self.app = app
        self.task = task
        self.request = request
        self.run = run
        self.outcome = outcome
        self.reason = reason
    }

    private enum CodingKeys: String, CodingKey {
        case time, event, app, task, request, run, outcome, reason, kind, origin, requires, gates, registered,
            stamp
        case earliestBegin = "earliest_begin"
        case milliseconds = "ms"
    }
}
