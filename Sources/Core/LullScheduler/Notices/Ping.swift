public import LullModel

/// One heartbeat, and its contents.
public struct Ping: Sendable, Equatable {
    public var heartbeat: Heartbeat
    /// The run did not succeed: `/fail` is asked for.
    public var isFailure: Bool
    /// Nil: the host's own heartbeat.
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
        // The query and the fragment stay at the end.
        let path = heartbeat.url.prefix { $0 != "?" && $0 != "#" }
        return path + (path.hasSuffix("/") ? "fail" : "/fail") + heartbeat.url.dropFirst(path.count)
    }

    /// The name in `lull status`, without the secret.
    public var name: String {
        "heartbeat \(SecretURL.host(of: heartbeat.url)) \(SecretURL.mark(of: heartbeat.url))"
    }
}
