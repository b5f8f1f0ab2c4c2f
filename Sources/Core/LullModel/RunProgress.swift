/// The progress of a continued run, for people.
public struct RunProgress: Sendable, Equatable, Codable {
    public var run: RunID
    public var title: String?
    public var subtitle: String?
    public var completed: Int64
    /// 0: the total is not known.
    public var total: Int64
    /// The time of its last progress.
    public var since: WallTime

    public init(
        run: RunID, title: String? = nil, subtitle: String? = nil, completed: Int64 = 0, total: Int64 = 0,
        since: WallTime
    ) {
        self.run = run
        self.title = title
        self.subtitle = subtitle
        self.completed = completed
        self.total = total
        self.since = since
    }

    /// 0...1; nil: the total is not known.
    public var fraction: Double? {
        total > 0 ? min(1, max(0, Double(completed) / Double(total))) : nil
    }
}
