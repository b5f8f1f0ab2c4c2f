import LullModel

/// Limits the continued tasks that a plugin asks for: a token bucket of ten launches, which regains one each 10 s.
///
/// It is enough for a person's requests. Without it, continued tasks that ask for themselves or each other, under any
/// identifiers, could take all of the host's time.
struct ContinuedPace: Sendable, Equatable, Codable {
    static let atOnce = 10
    static let gap: Duration = .seconds(10)

    /// When the bucket is full again.
    private var whole: WallTime

    init(launchAt time: WallTime) { whole = time + Self.gap }

    mutating func note(launchAt time: WallTime) {
        // More than an empty bucket takes to fill: the clock was set back.
        let left = whole - time
        whole = (left > .zero && left <= Self.gap * Self.atOnce ? whole : time) + Self.gap
    }

    /// When the next may be launched; nil: now.
    func opening(at now: WallTime) -> WallTime? {
        let opening = whole - Self.gap * (Self.atOnce - 1)
        return opening > now && whole - now <= Self.gap * Self.atOnce ? opening : nil
    }
}
