public import LullModel

/// A query for runs; an absent part does not narrow.
public struct RunQuery: Sendable, Equatable {
    /// The endings that a list can be filtered by.
    public enum Ending: String, Sendable, CaseIterable { case failed, succeeded, running }

    /// The most rows of one answer.
    public static let mostRows = 200
    /// The most characters of the search text.
    public static let mostText = 200

    public var app: AppIdentifier?
    public var task: TaskIdentifier?
    public var ending: Ending?
    /// Searched for in the task's name, the number, the outcome, the reason and all output that is kept and may be shown,
    /// without regard to case.
    public var text: String
    /// Inclusive.
    public var since: WallTime?
    /// Exclusive.
    public var until: WallTime?
    public var limit: Int
    /// Whether the reader may see the output of runs; else it is neither shown nor searched.
    public var showsPrinted: Bool
    /// Whether no host runs: then runs without an end do not go on.
    public var isHostGone = false

    public init(
        app: AppIdentifier? = nil, task: TaskIdentifier? = nil, ending: Ending? = nil, text: String = "",
        since: WallTime? = nil, until: WallTime? = nil, limit: Int = 100, showsPrinted: Bool = false
    ) {
        self.app = app
        self.task = task
        self.ending = ending
        self.text = text
        self.since = since
        self.until = until
        self.limit = limit
        self.showsPrinted = showsPrinted
    }
}
