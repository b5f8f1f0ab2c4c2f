/// The name of a manifest that a fleet's hosts follow. The hash is needed because the numbers begin again, with other texts,
/// after a database was lost.
public struct FleetManifestName: Sendable, Hashable, Codable {
    /// 0: none.
    public var number: Int64
    public var hash: String

    public init(_ number: Int64, hash: String) { (self.number, self.hash) = (number, hash) }

    public static let none = FleetManifestName(0, hash: "")
}

/// The rollout of the manifest that `lull fleet apply` applied last.
public struct FleetRollout: Sendable, Equatable, Codable {
    public enum State: String, Sendable, Codable, CaseIterable {
        /// Some hosts try it; it is taken back if too many runs fail.
        case watched
        /// All hosts should have it.
        case whole
        /// No host should have it: `reason` says why.
        case withdrawn
    }
    /// A host that can't use this manifest, or the one in force.
    public struct Refusal: Sendable, Equatable, Codable {
        public var name: String
        public var number: Int64
        public var sentence: String

        public init(name: String, number: Int64, sentence: String) {
            (self.name, self.number, self.sentence) = (name, number, sentence)
        }
    }

    public var number: Int64
    public var hash: String
    public var author: String
    public var state: State
    public var reason: String?
    /// The percentage of hosts that try it.
    public var share: Double
    /// Since it was applied, in milliseconds.
    public var ago: Int64
    /// Until all hosts should have it, in milliseconds; negative: as soon as one host has tried it.
    public var left: Int64?
    /// The number of the manifest for all hosts that do not try another; 0: none.
    public var current: Int64
    /// The number of live hosts that follow; of them those that should have this manifest; of them those that have it.
    public var followers: Int
    public var wanted: Int
    public var has: Int
    /// The number of hosts that do not have their manifest yet, and the names of the first few.
    public var behind = 0
    public var late: [String]?
    /// The names of the first few hosts that try it before the others.
    public var canaries: [String]?
    /// Runs on hosts that have it, since they have it.
    public var runs: Int
    public var failed: Int
    public var refusals: [Refusal]

    public init(_ name: FleetManifestName, by author: String, _ state: State, share: Double = 100) {
        (number, hash, self.author, self.state, self.share) = (name.number, name.hash, author, state, share)
        (ago, current, followers, wanted, has, runs, failed) = (0, 0, 0, 0, 0, 0, 0)
        refusals = []
    }
}
