/// One of the manifests that a fleet's hosts follow, by name. A database that was lost begins with the same numbers again,
/// and other texts.
public struct FleetManifestName: Sendable, Hashable, Codable {
    /// 0: none.
    public var number: Int64
    public var hash: String

    public init(_ number: Int64, hash: String) { (self.number, self.hash) = (number, hash) }

    public static let none = FleetManifestName(0, hash: "")
}

/// How the manifest fares that `lull fleet apply` brought last.
public struct FleetRollout: Sendable, Equatable, Codable {
    public enum State: String, Sendable, Codable, CaseIterable {
        /// It is tried, and taken back if too many runs fail.
        case watched
        /// All hosts are to have it.
        case whole
        /// No host is to have it: `reason` says why.
        case withdrawn
    }
    /// A host that can't take it, or the one that is in force.
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
    /// Of a hundred hosts so many try it.
    public var share: Double
    /// Since it was applied, in milliseconds.
    public var ago: Int64
    /// Until all are to have it, in milliseconds; negative: as soon as one host has tried it.
    public var left: Int64?
    /// The number that all hosts are to have but those that try another; 0: none.
    public var current: Int64
    /// Hosts that live and follow; of them those that are to have this one; of them those that have it.
    public var followers: Int
    public var wanted: Int
    public var has: Int
    /// Hosts that do not have yet what they are to have, and the names of the first few.
    public var behind = 0
    public var late: [String]?
    /// Those that try it while others don't, the first few.
    public var canaries: [String]?
    /// Of hosts that have it, since they have it.
    public var runs: Int
    public var failed: Int
    public var refusals: [Refusal]

    public init(_ name: FleetManifestName, by author: String, _ state: State, share: Double = 100) {
        (number, hash, self.author, self.state, self.share) = (name.number, name.hash, author, state, share)
        (ago, current, followers, wanted, has, runs, failed) = (0, 0, 0, 0, 0, 0, 0)
        refusals = []
    }
}
