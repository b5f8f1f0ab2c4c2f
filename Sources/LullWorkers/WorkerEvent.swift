public import LullModel
public import LullWire

/// What a worker says and what becomes of it. Each worker that was started ends in one `failed` or one
/// `exited`.
public enum WorkerEvent {
    /// The plugin is loaded, `start` has returned, and these are its handlers.
    case ready(AppIdentifier, registered: [TaskIdentifier], plugin: PluginIdentity)
    /// The plugin can't be loaded or refused to start; the process is gone.
    case failed(AppIdentifier, sentence: String)
    /// The process is gone, and all it printed has been handed on; "ended by signal 11 (SIGSEGV)".
    case exited(AppIdentifier, sentence: String)

    /// The plugin submits; `reply` with nil accepts. It may be called later, and counts once.
    case submit(SubmitID, AppIdentifier, PluginRequest, reply: (Refusal?) -> Void)
    /// The plugin no longer waits for this submit: it must have no effect. It may have been answered a moment
    /// ago.
    case withdrawn(SubmitID, AppIdentifier)
    /// Nil: all requests of the app. `done` lets the plugin go on.
    case cancel(AppIdentifier, TaskIdentifier?, done: () -> Void)
    case pendingQuery(AppIdentifier, reply: ([TaskRequest]) -> Void)

    /// The plugin's launch function has returned, and the run goes on.
    case launchReturned(AppIdentifier, RunID)
    case completed(AppIdentifier, RunID, success: Bool)
    /// Nil: of no run in particular.
    case log(AppIdentifier, RunID?, LogLevel, message: String)
    /// `total` 0: indeterminate.
    case progress(AppIdentifier, RunID, completed: Int64, total: Int64, message: String)
    /// What people are to see of a continued run.
    case titled(AppIdentifier, RunID, title: String, subtitle: String)
    /// Bytes as they were printed; not whole lines.
    case output(AppIdentifier, StandardStream, [UInt8])
    /// What can't be. After a fatal one the pool kills the worker by itself.
    case violation(
        AppIdentifier, RunID?, task: TaskIdentifier? = nil, sentence: String, isFatal: Bool)
    /// The plugin has registered a handler for a continued task after it was ready.
    case registered(AppIdentifier, TaskIdentifier)
    case suspended(AppIdentifier)
    /// Not suspended yet; it is tried again until it is resumed or launched.
    case suspendRefused(AppIdentifier, reason: String)
}

/// Names a submit of a plugin, unique in its pool.
public struct SubmitID: Sendable, Hashable {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
}

public enum StandardStream: Sendable, Equatable { case output, error }

/// What a plugin says of itself; for messages, and to know whether it has changed.
public struct PluginIdentity: Sendable, Equatable {
    public var sdk: String
    public var abiMajor: Int
    public var abiMinor: Int
    /// In hexadecimal; empty: the file has none.
    public var buildID: String
}

/// A wish of a plugin as it stands, before anybody has judged it.
public struct PluginRequest: Sendable, Equatable {
    public var task: TaskIdentifier
    public var kind: Kind
    public var earliestBegin: WallTime?
    public var requires: Requirements
    public var label: RequestLabel?
    /// Of a continued request: to be launched at once or not at all.
    public var isImmediate: Bool

    /// Nil when the identifier is no reverse-DNS name.
    init?(_ request: WireRequest) {
        guard let task = TaskIdentifier(request.identifier) else { return nil }
        isImmediate = request.isImmediate
        label = RequestLabel(
            title: request.label.title, subtitle: request.label.subtitle,
            protection: request.label.protection)
        self.task = task
        kind = Kind(request.kind)
        if request.earliestBegin != 0 {
            // Rounded up: never before the instant that was asked for.
            let (quotient, remainder) = request.earliestBegin.quotientAndRemainder(dividingBy: 1_000_000)
            earliestBegin = WallTime(milliseconds: remainder > 0 ? quotient + 1 : quotient)
        }
        // The contract: requirements belong to processing requests only.
        let bits = kind == .processing ? request.requirements : 0
        requires = Requirements(
            network: bits & WireRequest.network != 0 ? .any : nil,
            externalPower: bits & WireRequest.externalPower != 0)
    }
}

extension Kind {
    init(_ kind: WireKind) {
        switch kind {
        case .refresh: self = .refresh
        case .processing: self = .processing
        case .continued: self = .continued
        }
    }
}

extension WireKind {
    init(_ kind: Kind) {
        switch kind {
        case .refresh: self = .refresh
        case .processing: self = .processing
        case .continued: self = .continued
        }
    }
}

extension WireLabel {
    init(_ label: RequestLabel?) {
        self.init(title: label?.title, subtitle: label?.subtitle, protection: label?.protection)
    }
}

extension WireRequest {
    init(_ request: TaskRequest) {
        let begin = request.earliestBegin?.milliseconds.multipliedReportingOverflow(by: 1_000_000)
        self.init(
            kind: WireKind(request.kind), identifier: request.task.text,
            earliestBegin: begin.map { $0.overflow ? .max : $0.partialValue } ?? 0,
            requirements: (request.requires.network != nil ? Self.network : 0)
                | (request.requires.externalPower ? Self.externalPower : 0),
            label: WireLabel(request.label))
    }
}
