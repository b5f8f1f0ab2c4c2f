/// `fleet` of the manifest: the hosts that share one database.
public struct FleetDefinition: Sendable, Equatable, Codable {
    /// The address in libpq's format, a URI or `key=value`; without a password.
    public var database: String
    /// The fleet's name. Several fleets may share a database: each has a schema of its own.
    public var name: String
    /// The labels of this host, for `hosts` of a task.
    public var labels: [String: String]
    /// The file into which this host writes the fleet's manifest from the database, as one of its own manifest's files;
    /// nil: it does not follow the fleet's manifest.
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

/// How many hosts run a task at each of its times: `scope`.
public enum FleetScope: String, Sendable, Equatable, Codable, CaseIterable {
    /// Each host of the fleet runs it at its time.
    case eachHost = "each_host"
    /// One host of the fleet runs it.
    case anyHost = "any_host"
}

/// Which host is preferred for a task that any host may run.
public enum FleetPreference: String, Sendable, Equatable, Codable, CaseIterable {
    /// The host where its app is likely to be used soonest.
    case freshest
    /// The least busy host.
    case idlest
    /// The host where power and network cost the least.
    case cheapest
}

/// The manifest's rules for a task in the fleet.
public struct FleetRules: Sendable, Equatable, Codable {
    public var scope = FleetScope.eachHost
    /// A host runs it if it has all of these labels.
    public var labels: [String: String] = [:]
    /// The label that has to differ between hosts that run it at the same time; nil: none.
    public var spread: String?
    /// The most runs at once on all hosts together; nil: as many as there are hosts.
    public var concurrency: Int?
    /// Nil: the first host that claims it.
    public var prefer: FleetPreference?
    /// How long a lease of its runs lasts unless it is renewed; nil: it follows from the time limit.
    public var lease: Duration?

    public init() {}

    public static let none = FleetRules()
    /// Whether a run of it needs a lease.
    public var needsLease: Bool { scope == .anyHost || concurrency != nil || spread != nil }
}
