/// How the host is run, as far as decisions depend on it.
public struct SchedulerOptions: Sendable, Equatable {
    /// For `run --once`: when the next pass is due, so that "now" can be told from "better later".
    /// Nil: a service, which can wake at any moment.
    public var passInterval: Duration?
    /// One pass of many, whose start is no boot: what was discovered by an earlier one is not discovered anew.
    public var isPass: Bool
    /// Whether workers of apps that nobody knows yet are started for discovery; a report alone needs none.
    public var discovers: Bool
    /// Whether anything is launched at all; false for a command that answers without a host.
    public var launches: Bool
    /// Whether the host launches what it judges, or only what an operator launches, as `lull launch` without a host.
    public var launchesByItself: Bool
    /// What this host is known by, and no other: the shifts of `spread` follow from it.
    public var host = ""
    /// What this boot of the host is known by; empty where nobody can tell.
    public var boot = ""
    /// Who this process is in a fleet.
    public var fleet = FleetIdentity()
    /// Whether what is recorded of a wait bears its sentences; nobody reads those of a backtest.
    public var explains = true
    /// Whether anybody is told anything; a check of the manifest is nobody's news.
    public var tells = true
    /// Whether a launch is recorded with where it came from; what nobody looks up later needs none.
    public var traces = false
    /// Whether the plugin's files are compared before each launch into a worker that is there; where there are no files,
    /// nothing is.
    public var comparesPlugins = false

    public init(
        passInterval: Duration? = nil, isPass: Bool = false, discovers: Bool = true, launches: Bool = true,
        launchesByItself: Bool = true
    ) {
        self.passInterval = passInterval
        self.isPass = isPass || passInterval != nil
        self.discovers = discovers
        self.launches = launches
        self.launchesByItself = launchesByItself
    }
}
