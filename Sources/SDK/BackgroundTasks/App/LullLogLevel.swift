import CLullPlugin

/// How much a line of the log matters, from the least to the most.
public enum LullLogLevel: lull_level, Sendable, CaseIterable, Comparable {
    /// Each step.
    case trace
    /// What helps to find a fault.
    case debug
    /// What was done.
    case info
    /// What is out of the ordinary, and fine.
    case notice
    /// What may need somebody's attention.
    case warning
    /// What went wrong.
    case error
    /// What keeps the app from working at all.
    case critical

    public static func < (left: LullLogLevel, right: LullLogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
