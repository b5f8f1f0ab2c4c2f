import Synchronization

/// How long to wait before a process is started again: longer each time, and short again once it has run for a while.
///
/// A cause such as a port that another program has taken may last for days.
struct RestartBackoff {
    static let first: Duration = .seconds(5)
    static let longest: Duration = .seconds(3600)

    private let longest: Duration
    private var wait = first

    init(longest: Duration = longest) { self.longest = longest }

    /// It has made progress: the next wait is as short as the first.
    mutating func reset() { wait = Self.first }

    /// `lived`: how long it was served until it ended; nil: it was not.
    mutating func afterEnd(lived: Duration?) -> Duration {
        if let lived, lived >= wait { wait = Self.first }
        defer { wait = min(wait * 2, longest) }
        return wait
    }
}

/// Whether one process of the page is starting, served or ended; two threads report on it.
final class PageLife: Sendable {
    private enum Stage {
        case starting
        case served(ContinuousClock.Instant)
        case ended
    }

    private let stage = Mutex(Stage.starting)

    /// False: it has ended already, and the caller reports that.
    func isServed(at now: ContinuousClock.Instant) -> Bool {
        stage.withLock { stage in
            guard case .starting = stage else { return false }
            stage = .served(now)
            return true
        }
    }

    /// How long it was served; nil: it was not, and the thread that started it reports that.
    func end(at now: ContinuousClock.Instant) -> Duration? {
        stage.withLock { stage in
            defer { stage = .ended }
            if case .served(let since) = stage { return now - since }
            return nil
        }
    }
}
