/// A pause of launches, with its beginning and reason.
public struct Pause: Sendable, Equatable, Codable {
    /// The tasks that are paused.
    public enum Scope: Sendable, Hashable, Codable {
        case all
        case app(AppIdentifier)
        case task(TaskIdentifier)

        /// The argument of commands.
        public var argument: String {
            switch self {
            case .all: "--all"
            case .app(let app): app.text
            case .task(let task): task.text
            }
        }

        /// The name in sentences.
        public var phrase: String {
            switch self {
            case .all: "every task"
            case .app(let app): app.text
            case .task(let task): task.text
            }
        }
    }

    public var scope: Scope
    public var since: WallTime
    /// When it ends by itself; nil: only when a person resumes.
    public var until: WallTime?
    /// Why, in the words of who paused.
    public var reason: String?
    /// Who paused; nil: not known.
    @Rare public var by: String?

    public init(
        _ scope: Scope, since: WallTime, until: WallTime? = nil, reason: String? = nil, by: String? = nil
    ) {
        self.scope = scope
        self.since = since
        self.until = until
        self.reason = reason
        self.by = by
    }

    /// "by anna: moving the database"; nil: neither is known.
    public var words: String? {
        guard let by else { return reason }
        return "by \(by)" + (reason.map { ": " + $0 } ?? "")
    }

    /// Whether it is in force; it ends without an event.
    public func holds(at time: WallTime) -> Bool { until.map { time < $0 } ?? true }
}
