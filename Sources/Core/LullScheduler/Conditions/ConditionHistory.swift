import LullModel

/// When the host's conditions held: their state at each hour of the week, and how it changed there.
///
/// The fold of the history's `conditions` events, and so part of the ledger. Each condition that some task requires has
/// a strand of its own, and so has each set of conditions that a task requires together: conditions are not independent
/// (a laptop on its desk has both power and network), and the strand of a set takes that into account. Bounded: at most
/// `limit` strands of some 3 KiB each.
public struct ConditionHistory: Sendable, Equatable, Codable {
    /// The most strands; what else a manifest requires is not learned.
    static let limit = 24
    /// In ascending order of their names, so that equal histories are equal bytes.
    private(set) var strands: [ConditionStrand] = []

    public init() {}

    subscript(name: String) -> ConditionStrand? {
        strands.first { $0.name == name }
    }

    /// Applies one event: for which share of the span before its time each condition held, and which did not hold at
    /// its end.
    mutating func apply(_ event: HistoryEvent, zone: Zone) {
        guard let shares = event.shares else { return }
        let end = event.time
        // A span is cut to the longest that a host can have watched.
        let length = max(0, min(event.milliseconds ?? 0, Self.longest))
        let closed = Set(event.gates ?? [])
        for (name, share) in shares.sorted(by: { $0.key < $1.key }) {
            guard let place = place(of: name, at: end) else { continue }
            strands[place].note(
                share: share, isOpen: !closed.contains(name), from: end - .milliseconds(length), to: end,
                zone: zone)
        }
    }

    private static let longest: Int64 = 60 * 86_400_000

    private mutating func place(of name: String, at time: WallTime) -> Int? {
        let place = strands.firstIndex { $0.name >= name } ?? strands.endIndex
        if place < strands.endIndex, strands[place].name == name { return place }
        if strands.count >= Self.limit {
            // The strand that was updated longest ago makes room, once that is long enough ago.
            guard let oldest = strands.indices.min(by: { strands[$0].last < strands[$1].last }),
                strands[oldest].last < time - .days(28)
            else { return nil }
            strands.remove(at: oldest)
            return self.place(of: name, at: time)
        }
        strands.insert(ConditionStrand(name: name, at: time), at: place)
        return place
    }
}
