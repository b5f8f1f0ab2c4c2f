import LullModel

/// The result of one gate for a task at a moment: all that a decision needs, without sentences.
struct GateFinding: Sendable, Equatable {
    let gate: GateName
    let fact: GateFact
    let isOpen: Bool
    /// Since when it has been closed; nil while open or when it is not known.
    let since: WallTime?
    /// When it opens by itself; nil when that depends on the world.
    let until: WallTime?
    /// For an open gate: when it closes by itself.
    let closes: WallTime?

    init(
        _ fact: GateFact, isOpen: Bool, since: WallTime? = nil, until: WallTime? = nil,
        closes: WallTime? = nil
    ) {
        gate = fact.gate
        self.fact = fact
        self.isOpen = isOpen
        self.since = since
        self.until = until
        self.closes = closes
    }

    var needsSomebody: Bool { !isOpen && gate.needsSomebody(since: since, until: until) }
}
