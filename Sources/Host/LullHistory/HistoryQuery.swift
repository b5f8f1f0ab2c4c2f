public import LullModel

/// Which events of the history to show, and in which order; an absent part does not narrow.
public struct HistoryQuery: Sendable, Equatable {
    public enum Order: Sendable { case oldestFirst, newestFirst }

    public var app: AppIdentifier?
    public var task: TaskIdentifier?
    public var request: RequestID?
    public var run: RunID?
    /// Empty: all.
    public var names: Set<HistoryEvent.Name>
    /// Inclusive.
    public var since: WallTime?
    /// Exclusive.
    public var until: WallTime?
    /// By time; events of one time in the order in which they were written.
    public var order: Order
    public var limit: Int?
    /// Events of these names are read without the fields that few events have: without `EventDetails`.
    public var brief: Set<HistoryEvent.Name> = []

    public init(
        app: AppIdentifier? = nil, task: TaskIdentifier? = nil, request: RequestID? = nil, run: RunID? = nil,
        names: Set<HistoryEvent.Name> = [], since: WallTime? = nil, until: WallTime? = nil,
        order: Order = .oldestFirst, limit: Int? = nil
    ) {
        self.app = app
        self.task = task
        self.request = request
        self.run = run
        self.names = names
        self.since = since
        self.until = until
        self.order = order
        self.limit = limit
    }

    /// The event, without the fields that `brief` leaves out.
    func shown(_ event: HistoryEvent) -> HistoryEvent {
        guard brief.contains(event.event) else { return event }
        var shown = HistoryEvent(
            event.event, at: event.time, app: event.app, task: event.task, request: event.request,
            run: event.run, outcome: event.outcome, reason: event.reason)
        shown.milliseconds = event.milliseconds
        return shown
    }

    /// Whether the event is one of those asked for; order and limit play no part.
    public func matches(_ event: HistoryEvent) -> Bool {
        (app == nil || event.app == app)
            && (task == nil || event.task == task)
            && (request == nil || event.request == request)
            && (run == nil || event.run == run)
            && (names.isEmpty || names.contains(event.event))
            && since.map { event.time >= $0 } ?? true
            && until.map { event.time < $0 } ?? true
    }
}

/// The fields by which two events are the same one, so that a file imported twice counts once.
///
/// The reason, the outcome and the other fields play no part: nothing happens twice to one run, one request, or one
/// app in the same millisecond under the same name. Two uses in one millisecond are one use. But many transfers may be
/// requested at once, and many notifications added, and one failure is told to several sinks: `details` tells those apart.
public struct EventIdentity: Sendable, Hashable {
    public let time: WallTime
    public let event: HistoryEvent.Name
    public let app: AppIdentifier
    public let task: TaskIdentifier?
    public let request: RequestID?
    public let run: RunID?
    /// The ID and state of a transfer or a notice, or the JSON text of a notification's act; nil for any other event.
    let details: String?

    public init(_ event: HistoryEvent) {
        time = event.time
        self.event = event.event
        app = event.app
        task = event.task
        request = event.request
        run = event.run
        details =
            event.transfer?.identity ?? event.notification?.json.text
            ?? event.notice.map { "\($0.id) \($0.state.rawValue) \($0.attempt ?? 0)" }
    }
}
