import CLullPlugin

/// How much a line of the log matters, from the least to the most.
public enum LullLogLevel: lull_level, Sendable, CaseIterable, Comparable {
    case trace
    case debug
    case info
    case notice
    case warning
    case error
    case critical

    public static func < (left: LullLogLevel, right: LullLogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
