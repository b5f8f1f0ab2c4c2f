/// That launches are held back for a while, since when and why.
public struct Pause: Sendable, Equatable, Codable {
    /// What is held back.
    public enum Scope: Sendable, Hashable, Codable {
        case all
        case app(AppIdentifier)
        case task(TaskIdentifier)

        /// As commands name it.
        public var argument: String {
            switch self {
            case .all: "--all"
            case .app(let app): app.text
            case .task(let task): task.text
            }
        }

        /// As sentences name it.
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
    /// When it ends by itself; nil: when somebody resumes it.
    public var until: WallTime?
    /// By whom and why: "by alice: moving the database".
    public var reason: String?

    public init(_ scope: Scope, since: WallTime, until: WallTime? = nil, reason: String? = nil) {
        self.scope = scope
        self.since = since
        self.until = until
        self.reason = reason
    }

    /// It ends by itself, without an event.
    public func holds(at time: WallTime) -> Bool { until.map { time < $0 } ?? true }
}
