/// `fleet` of the manifest: the hosts that share one database.
public struct FleetDefinition: Sendable, Equatable, Codable {
    /// As libpq takes it, a URI or `key=value`; without a password.
    public var database: String
    /// Several fleets may share a database: each has a schema of its own.
    public var name: String
    /// What is true of this host, for `hosts` of a task.
    public var labels: [String: String]
    /// The file into which this host writes the manifest that the fleet's database has for it, and which is one of its own
    /// then; nil: it takes none from there.
    public var follow: String?

    public init(
        database: String, name: String = "lull", labels: [String: String] = [:], follow: String? = nil
    ) {
        self.database = database
        self.name = name
        self.labels = labels
        self.follow = follow
    }
}

/// Of how many hosts each run of a task is, which `scope` says.
public enum FleetScope: String, Sendable, Equatable, Codable, CaseIterable {
    /// Each host of the fleet runs it at its time.
    case eachHost = "each_host"
    /// One host of the fleet does.
    case anyHost = "any_host"
}

/// Which host is the best for a task that any may run.
public enum FleetPreference: String, Sendable, Equatable, Codable, CaseIterable {
    /// Where its app is likely to be used soonest.
    case freshest
    /// Where the least goes on.
    case idlest
    /// Where power and network cost the least.
    case cheapest
}

/// What the manifest says of a task in the fleet.
public struct FleetRules: Sendable, Equatable, Codable {
    public var scope = FleetScope.eachHost
    /// A host runs it if it has all of these labels.
    public var labels: [String: String] = [:]
    /// No two of its runs at once on hosts that have the same value of this label; nil: no matter.
    public var spread: String?
    /// Runs of all hosts together at once; nil: as many as there are hosts.
    public var concurrency: Int?
    /// Nil: whoever comes first.
    public var prefer: FleetPreference?
    /// How long a lease of its runs lasts unless it is renewed; nil: what suits the time limit.
    public var lease: Duration?

    public init() {}

    public static let none = FleetRules()
    /// Whether a run of it needs the right to a slot.
    public var needsLease: Bool { scope == .anyHost || concurrency != nil || spread != nil }
}
