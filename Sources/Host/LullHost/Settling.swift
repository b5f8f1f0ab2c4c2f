import LullModel

/// How long to wait until files that change in steps come to rest; each step begins the wait anew.
///
/// A folder that is written to all the time never rests: it is looked at all the same, after `timeout`.
struct Settling {
    static let pause: Duration = .milliseconds(250)
    static let timeout: Duration = .seconds(5)

    private var first: MonotonicTime?

    /// When to look, as far as is known with this step.
    mutating func step(at now: MonotonicTime) -> MonotonicTime {
        let first = first ?? now
        self.first = first
        return min(now + Self.pause, first + Self.timeout)
    }

    mutating func rested() { first = nil }
}
