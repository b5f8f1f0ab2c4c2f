public import LullHistory
public import LullModel

/// The runs of a history, the newest first, a row for each.
public struct RunList: Sendable, Equatable {
    public struct Row: Sendable, Equatable {
        /// Nil: the app could not be loaded, so there was no run.
        public var run: RunID?
        public var app: AppIdentifier
        public var task: TaskIdentifier?
        /// The origin of its request; nil: not recorded.
        public var origin: TaskRequest.Origin?
        /// The operator who asked for it; nil: none did, or not recorded.
        public var by: String?
        /// Nil: attempts are not counted.
        public var attempt: Attempt?
        /// The time of `at` that it was for.
        public var time: WallTime?
        public var launched: WallTime?
        public var ended: WallTime?
        public var milliseconds: Int64?
        public var outcome: Outcome?
        /// The exit code of the run's program.
        public var exitCode: UInt8?
        /// Whether the task is to blame for its end.
        public var isFailure = false
        /// The reason without the quoted output.
        public var reason: String?
        /// The last lines of its output; empty if the reader may not see output.
        public var printed: [String] = []
        /// Whether its reason quotes output that the reader may not see.
        public var hidesPrinted = false
    }

    public var rows: [Row]
    /// The time before which there are older rows; nil: there are none.
    public var earlier: WallTime?

    public init(rows: [Row], earlier: WallTime?) {
        self.rows = rows
        self.earlier = earlier
    }

    /// The most events that one query examines, from the newest on: if few match, there may be fewer rows than the limit, or
    /// none, and more of them earlier.
    static let examined = 20_000

    /// Marks runs without an end as interrupted: their host has ended, and the next one will record it.
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
