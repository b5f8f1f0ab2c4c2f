public import LullModel

/// Starts of an app's worker that ended before the plugin was ready, one after another.
///
/// Nobody knows whose fault such a death is: a host that is short of memory kills what is just starting. So
/// the app is tried again, after the same backoff as a task that failed; a plugin that *says* that it can't
/// be loaded is trouble instead, and nothing but a change mends that.
public struct StartFailure: Sendable, Equatable, Codable {
    public internal(set) var failures: Int
    public internal(set) var at: WallTime
    public internal(set) var reason: String
    /// Of the plugin and manifest entry that were tried: under another they are tried at once.
    public internal(set) var stamp: String?
    /// Nothing was started, for something that the start needs is away: looked for more often. Never in the ledger.
    var isAbsence: Bool?

    /// The same for every app, for it is not a task's run that failed.
    static let retry = TaskDefinition.Retry()
    static let retryOfAbsence = TaskDefinition.Retry(first: .seconds(5), max: .minutes(5))

    var until: WallTime {
        at + Backoff(retry: isAbsence == true ? Self.retryOfAbsence : Self.retry).delay(after: failures)
    }

    /// Whether nothing is tried yet; a death in the future is a clock that was set back.
    func holds(at now: WallTime, stamp: String?) -> Bool {
        (stamp == nil || stamp == self.stamp) && at <= now && now < until
    }
}
