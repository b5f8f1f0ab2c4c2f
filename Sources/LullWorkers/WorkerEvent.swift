public import LullModel
public import LullSession
public import LullWire

/// What a worker says and what becomes of it. Each worker that was started ends in one `failed` or one
/// `exited`.
public enum WorkerEvent {
    /// The plugin is loaded, `start` has returned, and these are its handlers.
    case ready(WorkerID, registered: [TaskIdentifier], plugin: PluginIdentity)
    /// The plugin can't be loaded or refused to start; the process is gone.
    case failed(WorkerID, sentence: String)
    /// The process is gone, and all it printed has been handed on; "ended by signal 11 (SIGSEGV)".
    case exited(WorkerID, sentence: String)

    /// The plugin submits; `reply` with nil accepts. It may be called later, and counts once.
    case submit(SubmitID, WorkerID, PluginRequest, reply: (Refusal?) -> Void)
    /// The plugin no longer waits for this submit: it must have no effect. It may have been answered a moment
    /// ago.
    case withdrawn(SubmitID, WorkerID)
    /// Nil: all requests of the app. `done` lets the plugin go on.
    case cancel(WorkerID, TaskIdentifier?, done: () -> Void)
    case pendingQuery(WorkerID, reply: ([TaskRequest]) -> Void)

    /// The plugin's launch function has returned, and the run goes on.
    case launchReturned(WorkerID, RunID)
    case completed(WorkerID, RunID, success: Bool)
    /// Nil: of no run in particular.
    case log(WorkerID, RunID?, LogLevel, message: String)
    /// `total` 0: indeterminate.
    case progress(WorkerID, RunID, completed: Int64, total: Int64, message: String)
    /// What people are to see of a continued run.
    case titled(WorkerID, RunID, title: String, subtitle: String)
    /// Bytes that this run's children printed, and no other run's.
    case printed(WorkerID, RunID, StandardStream, [UInt8])
    /// Bytes as they were printed; not whole lines.
    case output(WorkerID, StandardStream, [UInt8])
    /// What can't be. After a fatal one the pool kills the worker by itself.
    case violation(
        WorkerID, RunID?, task: TaskIdentifier? = nil, sentence: String, isFatal: Bool)
    /// The plugin has registered a handler for a continued task after it was ready.
    case registered(WorkerID, TaskIdentifier)
    case suspended(WorkerID)
    /// Not suspended yet; it is tried again until it is resumed or launched.
    case suspendRefused(WorkerID, reason: String)
}

public enum StandardStream: Sendable, Equatable {
    case output, error

    init(_ stream: PrintedStream) {
        switch stream {
        case .output: self = .output
        case .error: self = .error
        }
    }
}
