public import LullModel

/// One sign of life, and what goes with it.
public struct Ping: Sendable, Equatable {
    public var heartbeat: Heartbeat
    /// The run did not succeed: `/fail` is asked for.
    public var isFailure: Bool
    /// Nil: it is the host's.
    public var app: AppIdentifier?
    public var task: TaskIdentifier?
    public var run: RunID?
    public var outcome: Outcome?
    /// By when the next one is to be expected, as far as that is known.
    public var expectedBy: WallTime?

    public init(
        heartbeat: Heartbeat, isFailure: Bool, app: AppIdentifier? = nil, task: TaskIdentifier? = nil,
        run: RunID? = nil, outcome: Outcome? = nil, expectedBy: WallTime? = nil
    ) {
        self.heartbeat = heartbeat
        self.isFailure = isFailure
        self.app = app
        self.task = task
        self.run = run
        self.outcome = outcome
        self.expectedBy = expectedBy
    }

    public var url: String {
        guard isFailure else { return heartbeat.url }
        // What stands behind a question mark stays there.
        let path = heartbeat.url.prefix { $0 != "?" && $0 != "#" }
        return path + (path.hasSuffix("/") ? "fail" : "/fail") + heartbeat.url.dropFirst(path.count)
    }

    /// As `lull status` names it, without its secret.
    public var name: String {
        "heartbeat \(SecretURL.host(of: heartbeat.url)) \(SecretURL.mark(of: heartbeat.url))"
    }
}
