import Synchronization

/// How long to wait before a process is started again: longer each time, and short again once it has lived.
///
/// What keeps it from starting, such as a port that another program has taken, may last for days.
struct RestartBackoff {
    static let first: Duration = .seconds(5)
    static let longest: Duration = .seconds(3600)

    private let longest: Duration
    private var wait = first

    init(longest: Duration = longest) { self.longest = longest }

    /// It has got on: what comes next is waited for as at first.
    mutating func reset() { wait = Self.first }

    /// `lived`: for how long it was served until it ended; nil: it was not.
    mutating func afterEnd(lived: Duration?) -> Duration {
        if let lived, lived >= wait { wait = Self.first }
        defer { wait = min(wait * 2, longest) }
        return wait
    }
}

/// Whether one process of the page is served, has ended, or is about to be either; told by two threads.
final class PageLife: Sendable {
    private enum Stage {
        case starting
        case served(ContinuousClock.Instant)
        case ended
    }

    private let stage = Mutex(Stage.starting)

    /// False: it has ended already, and who started it says so.
    func isServed(at now: ContinuousClock.Instant) -> Bool {
        stage.withLock { stage in
            guard case .starting = stage else { return false }
            stage = .served(now)
            return true
        }
    }

    /// For how long it was served; nil: it was not, and who started it is told by that.
    func end(at now: ContinuousClock.Instant) -> Duration? {
        stage.withLock { stage in
            defer { stage = .ended }
            if case .served(let since) = stage { return now - since }
            return nil
        }
    }
}
