/// The report of `lull fleet status`: the hosts and tasks in the fleet's database.
public struct FleetReport: Sendable, Equatable, Codable {
    public struct Host: Sendable, Equatable, Codable {
        public var host: String
        public var place: String
        public var name: String
        /// The version of Lull.
        public var version: String
        /// The hash of its manifest.
        public var manifest: String
        public var labels: [String: String]
        /// Since its last sign of life, in milliseconds.
        public var ago: Int64
        /// Its last call was a goodbye.
        public var stopped: Bool
        /// Nil: it takes slots.
        public var drain: FleetDrain?
        /// The number of slots that it holds.
        public var leases: Int
        /// How far its clock is ahead of the database's, in milliseconds; negative: behind; nil: not known.
        public var ahead: Int64?

        public init(
            host: String, place: String, name: String, version: String = "", manifest: String = "",
            labels: [String: String] = [:], ago: Int64 = 0, stopped: Bool = false, drain: FleetDrain? = nil,
            leases: Int = 0, ahead: Int64? = nil
        ) {
            (self.host, self.place, self.name, self.version) = (host, place, name, version)
            (self.manifest, self.labels, self.ago, self.drain) = (manifest, labels, ago, drain)
            (self.stopped, self.leases, self.ahead) = (stopped, leases, ahead)
        }

        public var lives: Bool { !stopped && Duration.milliseconds(ago) <= FleetTimes.life }
        /// Whether it went silent without a goodbye.
        public var isSilent: Bool { !lives && !stopped }
        public var draining: Bool { drain != nil }
        public var isClockWrong: Bool { lives && FleetReport.isWrong(ahead) }
    }

    /// A definition of a task, and the hosts that have it.
    public struct DefinitionHash: Sendable, Equatable, Codable {
        public var definitionHash: String
        /// The names of the first few live hosts.
        public var hosts: [String]
        /// The number of these hosts.
        public var count: Int

        public init(_ definitionHash: String, hosts: [String], count: Int? = nil) {
            (self.definitionHash, self.hosts, self.count) = (definitionHash, hosts, count ?? hosts.count)
        }
    }

    public struct Task: Sendable, Equatable, Codable {
        public var task: TaskIdentifier
        /// The definition of most hosts is first.
        public var definitionHashes: [DefinitionHash]
        public var open: Int
        public var leased: Int
        /// Slots that failed or expired in the last day.
        public var failed: Int
        public var expired: Int

        public init(
            _ task: TaskIdentifier, definitionHashes: [DefinitionHash] = [], open: Int = 0, leased: Int = 0,
            failed: Int = 0,
            expired: Int = 0
        ) {
            (self.task, self.definitionHashes, self.open, self.leased) = (
                task, definitionHashes, open, leased
            )
            (self.failed, self.expired) = (failed, expired)
        }
    }

    /// The database's clock, in milliseconds since 1970.
    public var now: Int64
    /// The version of the schema.
    public var version: Int
    /// By name, then place.
    public var hosts: [Host]
    /// By name.
    public var tasks: [Task]
    /// Nil: no manifest has been applied.
    public var rollout: FleetRollout?

    public init(now: Int64, version: Int, hosts: [Host] = [], tasks: [Task] = []) {
        (self.now, self.version, self.hosts, self.tasks) = (now, version, hosts, tasks)
    }

    /// Whether a clock is wrong. `ahead`: how far it is ahead of the database's.
    public static func isWrong(_ ahead: Int64?) -> Bool {
        ahead.map { Int64(clamping: $0.magnitude) >= FleetTimes.wrongClock.milliseconds } ?? false
    }

    /// Tasks whose definitions differ between live hosts.
    public var disputed: [Task] { tasks.filter { $0.definitionHashes.count > 1 } }
}

/// The search for a host that an operator names.
extension FleetReport {
    public enum Search: Error, Equatable {
        case noHost(String, nearest: String?)
        /// Several places have the name.
        case several(String, places: [String])
    }

    /// Finds a host by its name, or by its place or the beginning of it: all processes of one place.
    public func hosts(called text: String) throws(Search) -> [Host] {
        let named = hosts.filter { $0.name == text }
        // Shorter texts could match a place by accident.
        let placed = text.utf8.count >= 4 ? hosts.filter { $0.place.hasPrefix(text) } : []
        let found = named.isEmpty ? placed : named
        let places = Set(found.map(\.place)).sorted()
        if places.count > 1 { throw .several(text, places: places) }
        guard !found.isEmpty else {
            throw .noHost(text, nearest: Spelling.nearest(to: text, among: hosts.map(\.name)))
        }
        return found
    }
}
