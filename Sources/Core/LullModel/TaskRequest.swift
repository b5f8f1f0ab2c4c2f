/// A request to launch a task once, not before its earliest begin date.
public struct TaskRequest: Sendable, Equatable, Codable {
    public enum Origin: String, Sendable, Codable, CaseIterable {
        /// A plugin's submit; counts against the app's quota.
        case plugin
        /// Made by the host for `repeat`.
        case `repeat`
        /// Made by the host for a time of `at`.
        case at
        /// Made by the host for an event of `on`.
        case event
        /// `lull submit`.
        case `operator`
        /// A message from outside.
        case push
        /// Made by the host for transfers that have ended.
        case transfers
    }

    public var id: RequestID
    public var task: TaskIdentifier
    public var app: AppIdentifier
    /// The requested kind; at most the manifest's kind.
    public var kind: Kind
    public var origin: Origin
    public var submitted: WallTime
    /// Nil: at once.
    public var earliestBegin: WallTime?
    /// The constraints of the request in addition to the manifest's.
    public var requires: Requirements
    /// The plugin's label for the request; nil: none.
    @Rare public var label: RequestLabel?
    /// By when it is expected to be launched; nil: no estimate.
    public var expectedBy: WallTime?
    /// Of a task with `at`: its next time, at which it is launched whatever the origin of the request.
    public var occurrence: Occurrence?
    /// The events of `on` that were merged into it, whatever its origin: with these it waits for no time; nil: none.
    @Rare public var triggerEvent: TriggerEvent?
    /// The push of the request; nil: it is not for a push.
    @Rare public var push: PushNote?
    /// The values that an operator gave for parameters of the task; nil: none, so that the run has the defaults.
    @Rare public var params: [String: String]?
    /// The operator who made it; nil: none did, or not known.
    @Rare public var by: String?

    /// Whether a launch at this time would take these values: it is not made for something else before the request's own time.
    /// Such a launch stands for nothing that was asked for without them.
    public func givesParams(at now: WallTime) -> Bool {
        params != nil && earliestBegin.map { $0 <= now } ?? true
    }

    /// The request as people and programs see it: without the payload of a push, which only the app may see.
    public var shown: TaskRequest {
        var shown = self
        shown.push = push?.withoutPayload
        return shown
    }

    /// Whether it waits for the next boot and for no time of the calendar.
    public var awaitsBoot: Bool {
        origin == .at && earliestBegin == nil && occurrence?.time == nil && occurrence?.boot != nil
    }

    public init(
        id: RequestID, task: TaskIdentifier, app: AppIdentifier, kind: Kind, origin: Origin,
        submitted: WallTime,
        earliestBegin: WallTime? = nil, requires: Requirements = .none, label: RequestLabel? = nil,
        occurrence: Occurrence? = nil, triggerEvent: TriggerEvent? = nil, push: PushNote? = nil,
        params: [String: String]? = nil, by: String? = nil
    ) {
        self.id = id
        self.task = task
        self.app = app
        self.kind = kind
        self.origin = origin
        self.submitted = submitted
        self.earliestBegin = earliestBegin
        self.requires = requires
        self.label = label
        self.occurrence = occurrence
        self.triggerEvent = triggerEvent
        self.push = push
        self.params = params
        self.by = by
    }
}

/// A plugin's label for a request, for people or for its own handler; no decision depends on it.
public struct RequestLabel: Sendable, Hashable, Codable {
    /// Of a continued task, shown while it waits and runs.
    public var title: String?
    public var subtitle: String?
    /// A health research request, and the protection of the data that it needs.
    public var protection: String?

    /// Nil when all parts are absent.
    public init?(title: String? = nil, subtitle: String? = nil, protection: String? = nil) {
        if title == nil && subtitle == nil && protection == nil { return nil }
        self.title = title
        self.subtitle = subtitle
        self.protection = protection
    }
}

/// Why a submit was refused, with Apple's number for it.
public struct Refusal: Error, Sendable, Equatable, Codable {
    /// Apple's `BGTaskScheduler.Error.Code`.
    public enum Code: Int32, Sendable, Codable {
        case unavailable = 1
        case tooManyPending = 2
        case notPermitted = 3
        /// A continued request that had to be launched at once or not at all.
        case immediateRunIneligible = 4
    }
    public var code: Code
    /// A sentence with the cause and the remedy.
    public var sentence: String
    /// How long until the same submit is accepted, if no other comes; nil: waiting alone does not help.
    public var wait: Duration?

    public init(_ code: Code, _ sentence: String, wait: Duration? = nil) {
        self.code = code
        self.sentence = sentence
        self.wait = wait
    }
}

/// How a run ended.
public enum Outcome: String, Sendable, Codable, CaseIterable {
    /// `setTaskCompleted(success: true)`.
    case succeeded
    /// `setTaskCompleted(success: false)`.
    case failed
    /// Expired, then completed within the grace.
    case expired
    /// Killed after the grace.
    case killed
    /// A signal killed the worker, or it ended on its own.
    case crashed
    /// The plugin can't be loaded or refused to start.
    case unloadable
    /// The host itself was cut off during the run.
    case interrupted
    /// An operator stopped it: it is not retried, and it is no failure.
    case stopped

    public var isSuccess: Bool { self == .succeeded }

    /// Whether the task is to blame: the one rule for which runs are shown in red, reported, counted and retried.
    ///
    /// `gates`: the gates whose closing ended the run. A run that expires because a condition ended is not to blame, nor is
    /// one that ends because the host shuts down.
    public func isFailure(endedBy gates: [String]?) -> Bool {
        let gates = gates ?? []
        return switch self {
        case .succeeded, .stopped: false
        case .expired: gates.isEmpty
        case .failed, .killed, .crashed: !gates.contains(GateName.shuttingDown.rawValue)
        case .unloadable, .interrupted: true
        }
    }
}
