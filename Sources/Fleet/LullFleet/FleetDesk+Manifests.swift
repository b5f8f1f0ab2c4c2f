public import LullModel

/// The manifest that hosts follow.
extension FleetDesk {
    public struct Text: Sendable, Equatable, Decodable {
        public let number: Int64
        public let hash: String
        public let text: String
    }

    /// The order to apply a manifest.
    public struct Order: Sendable, Equatable, Encodable {
        public var text: String
        public var hash: String
        /// The person who applies it, for people.
        public var author: String
        /// The percentage of the hosts that follow which try it first.
        public var share: Double
        /// For how long it is tried, in milliseconds; 0: not at all.
        public var watch: Int64
        /// The newest number that its author has seen; nil: there was none.
        public var after: Int64?

        public init(
            _ text: String, hash: String, by author: String, share: Double, watch: Duration, after: Int64?
        ) {
            (self.text, self.hash, self.author, self.share) = (text, hash, author, share)
            (self.watch, self.after) = (watch.milliseconds, after)
        }
    }

    public enum Applied: Sendable, Equatable {
        /// Applied under this number; so many live hosts follow.
        case done(Int64, followers: Int)
        /// Another manifest, with this number, was applied meanwhile.
        case overtaken(Int64)
        /// No live host follows, so none can try it.
        case nobody
    }

    /// The state of the newest manifest; nil: nobody has applied one.
    public func rollout() throws(FleetTrouble) -> FleetRollout? {
        struct Answer: Decodable { let rollout: FleetRollout? }
        let answer: Answer = try ask("rollout_1", Nothing())
        return answer.rollout
    }

    /// The manifest with this number, or the one in force; nil if there is none.
    public func manifest(_ number: Int64? = nil) throws(FleetTrouble) -> Text? {
        struct Answer: Decodable { let manifest: Text? }
        let answer: Answer = try ask("manifest_1", number.map { ["number": $0] } ?? [:])
        return answer.manifest
    }

    public func apply(_ order: Order) throws(FleetTrouble) -> Applied {
        struct Answer: Decodable {
            let number: Int64?
            let newest: Int64?
            let followers: Int?
        }
        let answer: Answer = try ask("apply_1", order)
        if let number = answer.number { return .done(number, followers: answer.followers ?? 0) }
        if answer.followers == 0 { return .nobody }
        return .overtaken(answer.newest ?? 0)
    }

    /// Withdraws a manifest: its number, and the one that hosts go back to, 0 for none; nil: there is nothing to withdraw.
    public func back(by author: String) throws(FleetTrouble) -> (withdrawn: Int64, inForce: Int64)? {
        struct Answer: Decodable {
            let withdrawn: Int64?
            let number: Int64?
        }
        let answer: Answer = try ask("back_1", ["author": author])
        guard let withdrawn = answer.withdrawn else { return nil }
        return (withdrawn, answer.number ?? 0)
    }
}
