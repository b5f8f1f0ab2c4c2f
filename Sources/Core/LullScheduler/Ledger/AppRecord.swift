public import LullForecast
public import LullModel

/// What the history says of one app; bounded, however long the history is.
public struct AppRecord: Sendable, Equatable, Codable {
    public let app: AppIdentifier
    public internal(set) var lastUsed: WallTime?
    /// The first discovery: the app's beginning for the week rule, until it is used.
    public internal(set) var discovered: WallTime?
    /// What the plugin registered at its last discovery.
    public internal(set) var registered: [TaskIdentifier] = []
    /// The stamp of the plugin and manifest entry that were last discovered.
    public internal(set) var stamp: String?
    /// Why the plugin could not be loaded; nil once it could.
    public internal(set) var trouble: String?
    /// The stamp with which it could not be loaded: it is not tried again under the same.
    public internal(set) var troubleStamp: String?
    public internal(set) var troubleSince: WallTime?
    /// The last violation that its worker was ended for, or how it ended while nothing ran, since its plugin last changed.
    public internal(set) var lastFault: String?
    public internal(set) var lastFaultAt: WallTime?
    /// The starts of its worker that failed in a row; nil: the last one succeeded.
    @Rare public internal(set) var startFailure: StartFailure?
    /// Since when the week rule holds its tasks back; nil: it does not.
    public internal(set) var idledAt: WallTime?
    /// When it was last announced that the week rule will hold it back.
    public internal(set) var warnedAt: WallTime?
    /// When a use last ended its idleness.
    public internal(set) var revivedAt: WallTime?
    /// Since when an operator has disabled it; nil: it is enabled.
    public internal(set) var disabledAt: WallTime?
    /// Who disabled it; nil: not known.
    @Rare var disabledBy: String?
    /// The pause that an operator set; it may have ended by itself.
    @Rare public internal(set) var pause: Pause?
    /// When an operator last enabled it again.
    public internal(set) var enabledAt: WallTime?
    public internal(set) var lastRefresh: WallTime?
    public internal(set) var forecast = UsageForecast()
    /// The multiplier of the price where a share of fresh uses is asked for (`Price`).
    public internal(set) var multiplier = 1.0
    /// Tasks whose pending request a plugin submitted: what the quota counts.
    public internal(set) var pluginRequests: [TaskIdentifier] = []
    /// When silent pushes of it were launched, in the log's order: what their quota counts.
    public internal(set) var silentPushes: [WallTime]?
    /// Runs for urgent pushes in a row that ended without a report.
    public internal(set) var unreported: Int?
    /// Since when its urgent pushes are held as silent ones; nil: they are not.
    public internal(set) var urgencyLostAt: WallTime?
    /// Its continued tasks, the last requested at the end. The oldest that neither wait nor run are forgotten, for
    /// under a wildcard each may have an identifier of its own.
    var continued: [TaskIdentifier]?
    /// The pace of the continued tasks that its plugin asked for.
    var continuedPace: ContinuedPace?
    /// The pace of the processing that its plugin asked for.
    var askedPace: AskedPace?
    /// What its runs have cost, as far as its limits count it; nil: it has none.
    @Rare var costs: CostSums?
    /// When the last event concerned it.
    var touched: WallTime

    init(app: AppIdentifier, touched: WallTime) {
        self.app = app
        self.touched = touched
    }

    /// The start of the week rule's span.
    public var lastSign: WallTime? { lastUsed ?? discovered }

    /// The week rule: the last instant at which its app is not idle, of which exactly `idle_after` is one; nil: it does not
    /// concern the app. `absence`: what the app's idle clock leaves out since its last sign.
    func idlesAfter(_ app: App, absence: (WallTime) -> Duration) -> WallTime? {
        guard let idleAfter = app.idleAfter, let sign = lastSign else { return nil }
        return sign + idleAfter + absence(sign)
    }

    /// Signs of life that lie in the future now were stamped by a wrong clock: they move back as it did.
    mutating func clockSetBack(by milliseconds: Int64, to time: WallTime) {
        let step = Duration.milliseconds(max(0, min(milliseconds, Int64(UInt32.max) * 1000)))
        func put(_ sign: WallTime?) -> WallTime? { sign.map { $0 > time ? min(time, $0 - step) : $0 } }
        lastUsed = put(lastUsed)
        discovered = put(discovered)
        forecast.clockSetBack(by: step, to: time)
    }

    /// Whether the plugin registered a handler for `task`, or for a wildcard that it fits.
    func hasRegistered(_ task: TaskIdentifier) -> Bool {
        isAmongRegistered(task) || task.wildcards.contains(where: isAmongRegistered)
    }

    /// `registered` is kept sorted.
    private func isAmongRegistered(_ task: TaskIdentifier) -> Bool {
        var low = 0
        var high = registered.count
        while low < high {
            let middle = (low + high) / 2
            if registered[middle] < task { low = middle + 1 } else { high = middle }
        }
        return low < registered.count && registered[low] == task
    }
}
