public import LullHistory
public import LullModel

/// The runs of a history, the newest first: a row for each, whatever events it left.
public struct RunList: Sendable, Equatable {
    public struct Row: Sendable, Equatable {
        /// Nil: it could not even be begun.
        public var run: RunID?
        public var app: AppIdentifier
        public var task: TaskIdentifier?
        /// Who asked for it; nil: nothing stands of that.
        public var origin: TaskRequest.Origin?
        /// Nil: nobody counts them.
        public var attempt: Attempt?
        /// The time of `at` that it was for.
        public var time: WallTime?
        public var launched: WallTime?
        public var ended: WallTime?
        public var milliseconds: Int64?
        public var outcome: Outcome?
        /// Of the program that it stood for.
        public var exitCode: UInt8?
        /// The task is to blame for its end.
        public var isFailure = false
        /// Without what it printed.
        public var reason: String?
        /// What it printed last; empty where that is not for who asks.
        public var printed: [String] = []
        /// It printed something, which is not for who asks.
        public var hidesPrinted = false
    }

    public var rows: [Row]
    /// Older ones are before this; nil: there are none.
    public var earlier: WallTime?

    public init(rows: [Row], earlier: WallTime?) {
        self.rows = rows
        self.earlier = earlier
    }

    /// Looks through so many of the newest events at most: where few are meant, there may be fewer rows than asked for,
    /// or none, and more of them earlier.
    static let examined = 20_000

    /// Runs without an end were cut off with their host, which the next one will record.
    mutating func cutOff() {
        for index in rows.indices where rows[index].ended == nil && rows[index].outcome == nil {
            rows[index].outcome = .interrupted
            rows[index].reason = "its host ended meanwhile, and none has run since"
        }
    }

    public static func read(_ query: RunQuery, in history: any History) throws(HistoryError) -> RunList {
        var reader = RunReader(query, history)
        return try reader.list()
    }
}
