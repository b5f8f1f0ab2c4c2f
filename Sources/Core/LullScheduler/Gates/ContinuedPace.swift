import LullModel

/// How fast what a plugin asks for is launched where it is to be launched at once: ten, of which one comes back each 10 s.
///
/// A person's wishes fit. Continued tasks that ask for themselves or for each other, under whatever identifiers, would
/// otherwise do nothing else.
struct ContinuedPace: Sendable, Equatable, Codable {
    static let atOnce = 10
    static let gap: Duration = .seconds(10)

    /// When all have come back.
    private var whole: WallTime

    init(launchAt time: WallTime) { whole = time + Self.gap }

    mutating func note(launchAt time: WallTime) {
        // More than all can't be on their way: the clock was set back.
        let left = whole - time
        whole = (left > .zero && left <= Self.gap * Self.atOnce ? whole : time) + Self.gap
    }

    /// When the next may be launched; nil: now.
    func opening(at now: WallTime) -> WallTime? {
        let opening = whole - Self.gap * (Self.atOnce - 1)
        return opening > now && whole - now <= Self.gap * Self.atOnce ? opening : nil
    }
}
