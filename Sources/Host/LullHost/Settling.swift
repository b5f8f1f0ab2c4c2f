import LullModel

/// How long to wait until what changes in steps has come to rest; each step begins the wait anew.
///
/// A folder in which others write all the time never rests: then it is looked at all the same, now and then.
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
