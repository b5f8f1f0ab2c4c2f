import CLullPlugin

/// How much a line of the log matters, from the least to the most.
public enum LullLogLevel: lull_level, Sendable, CaseIterable, Comparable {
    /// Each step.
    case trace
    /// Details that help to find a fault.
    case debug
    /// A normal step that was done.
    case info
    /// Something unusual that is no problem.
    case notice
    /// Something that may need attention.
    case warning
    /// Something went wrong.
    case error
    /// The app can't work at all.
    case critical

    public static func < (left: LullLogLevel, right: LullLogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
