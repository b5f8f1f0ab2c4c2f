/// How the host is run, as far as decisions depend on it.
public struct SchedulerOptions: Sendable, Equatable {
    /// For `run --once`: when the next pass is due, so that "now" can be told from "better later".
    /// Nil: a service, which can wake at any moment.
    public var passInterval: Duration?
    /// One of many passes, whose start is no boot: apps discovered by an earlier pass are not discovered anew.
    public var isPass: Bool
    /// Whether workers of undiscovered apps are started for discovery; a report needs none.
    public var discovers: Bool
    /// Whether anything is launched at all; false for a command that answers without a host.
    public var launches: Bool
    /// Whether the host launches tasks by itself, or only on an operator's command, as `lull launch` without a host.
    public var launchesByItself: Bool
    /// The unique name of this host; the shifts of `spread` follow from it.
    public var host = ""
    /// The identifier of this boot of the host; empty if unknown.
    public var boot = ""
    /// The identity of this process in a fleet.
    public var fleet = FleetIdentity()
    /// Whether records of a wait include its sentences; a backtest needs none.
    public var explains = true
    /// Whether anything is sent to people or sinks; a check of the manifest sends nothing.
    public var sendsNotices = true
    /// Whether the provenance of a launch is recorded with it; records that nobody looks up later need none.
    public var traces = false
    /// Whether the plugin's files are compared before each launch into an existing worker; false where there are no
    /// files.
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
