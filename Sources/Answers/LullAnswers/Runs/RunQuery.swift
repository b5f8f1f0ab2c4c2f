public import LullModel

/// Which runs are asked for; an absent part does not narrow.
public struct RunQuery: Sendable, Equatable {
    /// How a run ended, as far as a list tells them apart.
    public enum Ending: String, Sendable, CaseIterable { case failed, succeeded, running }

    /// Rows of one answer.
    public static let mostRows = 200
    /// Characters that are looked for.
    public static let mostText = 200

    public var app: AppIdentifier?
    public var task: TaskIdentifier?
    public var ending: Ending?
    /// Looked for in the task's name, the number, the outcome and the reason, in whatever case.
    public var text: String
    /// Inclusive.
    public var since: WallTime?
    /// Exclusive.
    public var until: WallTime?
    public var limit: Int
    /// Whether who asks may read what runs printed; else it is neither shown nor looked through.
    public var showsPrinted: Bool
    /// No host runs: what has no end does not go on.
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
