public import LullModel

/// Consecutive starts of an app's worker that ended before the plugin was ready.
///
/// The cause of such an end is unknown: a host that is short of memory kills processes that are just starting. So the
/// app is tried again, after the same backoff as a failed task. A plugin that *says* that it can't be loaded is trouble
/// instead, and only a change mends that.
public struct StartFailure: Sendable, Equatable, Codable {
    public internal(set) var failures: Int
    public internal(set) var at: WallTime
    public internal(set) var reason: String
    /// The stamp of the plugin and manifest entry that were tried; another stamp is tried at once.
    public internal(set) var stamp: String?
    /// Nothing was started, for something that the start needs is missing: retried more often. Never in the ledger.
    var isAbsence: Bool?

    /// The same for every app, for it is not a task's run that failed.
    static let retry = TaskDefinition.Retry()
    static let retryOfAbsence = TaskDefinition.Retry(first: .seconds(5), max: .minutes(5))

    var until: WallTime {
        at + Backoff(retry: isAbsence == true ? Self.retryOfAbsence : Self.retry).delay(after: failures)
    }

    /// Whether the app is not tried yet; a failure in the future means that the clock was set back.
    func holds(at now: WallTime, stamp: String?) -> Bool {
        (stamp == nil || stamp == self.stamp) && at <= now && now < until
    }
}
