/// Whether a process that this one has started still answers.
///
/// It is asked at a long interval while it has something to do, and any answer counts. What counts against it are
/// questions without an answer, not time: a machine that slept, or a host that did not run itself, adds one at most.
public struct SignsOfLife: Sendable {
    /// How often a process is asked.
    public static let interval: Duration = .seconds(30)
    /// So many questions in a row may stay without an answer: with `interval`, for one minute.
    private static let mostUnanswered = 2

    /// Questions since the last answer.
    public private(set) var unanswered = 0

    public init() {}

    public mutating func didAnswer() { unanswered = 0 }

    /// To be called at each interval. False: the process hangs, and is not asked again.
    public mutating func mayAsk() -> Bool {
        guard unanswered < Self.mostUnanswered else { return false }
        unanswered += 1
        return true
    }

    /// The time without an answer after which a process hangs.
    public static func patience(_ interval: Duration = Self.interval) -> Duration {
        interval * mostUnanswered
    }
}
