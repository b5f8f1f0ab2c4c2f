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
    /// Its author and reason: "by alice: moving the database".
    public var reason: String?

    public init(_ scope: Scope, since: WallTime, until: WallTime? = nil, reason: String? = nil) {
        self.scope = scope
        self.since = since
        self.until = until
        self.reason = reason
    }

    /// Whether it is in force; it ends without an event.
    public func holds(at time: WallTime) -> Bool { until.map { time < $0 } ?? true }
}
