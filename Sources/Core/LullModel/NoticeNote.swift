/// What an event `notice` or `notified` says of the notice it is about.
public struct NoticeNote: Sendable, Equatable, Codable {
    public enum State: String, Sendable, Codable, CaseIterable {
        /// `notice`: it is to be delivered.
        case due
        /// `notice`: there have been too many; it is counted, and one summary stands for all that are.
        case held
        /// `notified`: the sink has taken it.
        case delivered
        /// `notified`: the sink has not; it is tried again.
        case failed
        /// `notified`: it is not tried again; the reason says why.
        case givenUp = "given_up"
        /// `notified`: the sink has not, and others are told instead.
        case handedOn = "handed_on"
    }

    /// Unique in a history, and never used again.
    public var id: UInt64
    public var kind: NoticeKind
    /// `NoticeSink.name`.
    public var sink: String
    public var state: State
    /// `notified`: which try it was, from 1.
    public var attempt: Int?
    /// Of a summary: how many that were held it stands for.
    public var covers: Int?
    /// `notice`: what it says in an app's own words; nil: nothing but its reason.
    public var said: NoticeText?

    public init(
        id: UInt64, kind: NoticeKind, sink: String, state: State, attempt: Int? = nil, covers: Int? = nil,
        said: NoticeText? = nil
    ) {
        self.id = id
        self.kind = kind
        self.sink = sink
        self.state = state
        self.attempt = attempt
        self.covers = covers
        self.said = said
    }
}

/// A notice that has been decided and not delivered yet.
public struct Notice: Sendable, Equatable, Codable {
    public var id: UInt64
    public var kind: NoticeKind
    public var sink: String
    public var app: AppIdentifier
    /// Nil: it is about the app.
    public var task: TaskIdentifier?
    public var run: RunID?
    /// When what it tells of happened.
    public var time: WallTime
    /// A sentence: what happened.
    public var reason: String
    /// Of a summary: how many it stands for.
    public var covers: Int?
    /// What an app says, in its own words; nil: nothing.
    public var said: NoticeText?
    /// How often it has been tried.
    public var attempts = 0
    /// Not before.
    public var next: WallTime

    public init(
        id: UInt64, kind: NoticeKind, sink: String, app: AppIdentifier, task: TaskIdentifier?, run: RunID?,
        time: WallTime, reason: String, covers: Int? = nil, said: NoticeText? = nil
    ) {
        self.id = id
        self.kind = kind
        self.sink = sink
        self.app = app
        self.task = task
        self.run = run
        self.time = time
        self.reason = reason
        self.covers = covers
        self.said = said
        next = time
    }

    /// What it is about: a task, or an app.
    public var subject: String { task?.text ?? app.text }
}
