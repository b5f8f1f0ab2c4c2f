/// The notice in an event `notice` or `notified`.
public struct NoticeNote: Sendable, Equatable {
    public enum State: String, Sendable, Codable, CaseIterable {
        /// `notice`: it is to be delivered.
        case due
        /// `notice`: there have been too many; it is counted, and one summary covers all held notices.
        case held
        /// `notified`: the sink has accepted it.
        case delivered
        /// `notified`: the delivery failed; it is tried again.
        case failed
        /// `notified`: it is not tried again; the reason says why.
        case givenUp = "given_up"
        /// `notified`: the delivery failed, and other sinks are notified instead.
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
    /// Of a summary: how many held notices it covers.
    public var covers: Int?
    /// `notice`: the app's own text; nil: it has only a reason.
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
    /// The time of the event that it reports.
    public var time: WallTime
    /// The event in a sentence.
    public var reason: String
    /// Of a summary: how many notices it covers.
    public var covers: Int?
    /// The app's own text; nil: none.
    public var said: NoticeText?
    /// How often it has been tried.
    public var attempts = 0
    /// The earliest time of the next try.
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

    /// The identifier of the task, or else of the app, that it is about.
    public var subject: String { task?.text ?? app.text }
}
