public import LullModel

/// What a worker has said, as far as its host believes it, and what has become of it.
///
/// Each worker that was started ends in one `failed` or one `exited`.
public enum WorkerEvent: Sendable, Equatable {
    /// The plugin can't be loaded or refused to start; the process is gone.
    case failed(sentence: String)
    /// The process is gone, and all it printed has been handed on; "ended by signal 11 (SIGSEGV)".
    /// `isLost`: something outside killed it, as the kernel does when memory is short, and for no limit of its own.
    case exited(sentence: String, isLost: Bool = false)
    /// Its supervisor has ended it, for its time was up that the host had given it; `exited` follows.
    case overdue
    /// The plugin is loaded, `start` has returned, and these are its handlers.
    case ready(registered: [TaskIdentifier], plugin: PluginIdentity)
    /// The plugin submits; the answer goes to this number of the worker's.
    case submit(SubmitID, sequence: UInt64, PluginRequest)
    /// The plugin no longer waits for this submit: it must have no effect. It may have been answered a moment ago.
    case withdrawn(SubmitID)
    /// Nil: all requests of the app.
    case cancel(sequence: UInt64, TaskIdentifier?)
    case pendingQuery(sequence: UInt64)
    /// The plugin's launch function has returned, and the run goes on.
    case launchReturned(RunID)
    case completed(RunID, success: Bool)
    /// How the program ended that the run stands for, as a shell has it.
    case exitCode(RunID, UInt8)
    /// What the run has started goes on when it completes; said before that.
    case leftRunning(RunID, sentence: String)
    /// Nil: of no run in particular.
    case log(RunID?, LogLevel, message: String)
    /// Bytes that this run's children printed, and no other run's.
    case printed(RunID, PrintedStream, [UInt8])
    /// Between what it has printed and what it will have lie so many bytes that the worker does not tell.
    case skippedOutput(RunID, bytes: UInt64)
    /// `total` 0: indeterminate.
    case progress(RunID, completed: Int64, total: Int64, message: String)
    /// What people are to see of a continued run.
    case titled(RunID, title: String, subtitle: String)
    /// What the run tells people of the push that it was launched for.
    case reported(RunID, text: String)
    /// What can't be. After a fatal one nothing more is heard, and the worker is killed.
    case violation(RunID?, task: TaskIdentifier? = nil, sentence: String, isFatal: Bool)
    /// The plugin has registered a handler for a continued task after it was ready.
    case registered(TaskIdentifier)
    /// The plugin wants to tell people something; the answer goes to this number of the worker's.
    case notify(SubmitID, sequence: UInt64, AppNotification)
    case notificationsQuery(sequence: UInt64, delivered: Bool)
    /// Nil: all of them.
    case removeNotifications(sequence: UInt64, [String]?, delivered: Bool)
    case setBadge(SubmitID, sequence: UInt64, Int64)
    /// The plugin wants something transferred; what it says has been looked at, and may still be more than jobs.yaml permits.
    case transfer(SubmitID, sequence: UInt64, TransferOrder)
    /// Nil: of all sessions.
    case transfersQuery(sequence: UInt64, session: String?)
    case transferAct(SubmitID, sequence: UInt64, TransferID, TransferAct)
    case transferAnswer(SubmitID, sequence: UInt64, TransferID, TransferAnswer)

    /// Bytes as they were printed; not whole lines, and of no run in particular.
    case output(PrintedStream, [UInt8])
    case suspended
    /// Not suspended yet; it is tried again until it is resumed or launched.
    case suspendRefused(reason: String)

    /// The run that it is of; nil: of none in particular.
    public var run: RunID? {
        switch self {
        case .launchReturned(let run), .completed(let run, _), .printed(let run, _, _),
            .skippedOutput(let run, _), .progress(let run, _, _, _), .titled(let run, _, _),
            .reported(let run, _), .leftRunning(let run, _),
            .exitCode(let run, _):
            run
        case .log(let run, _, _), .violation(let run, _, _, _): run
        case .failed, .exited, .overdue, .ready, .submit, .withdrawn, .cancel, .pendingQuery, .registered,
            .output, .suspended, .suspendRefused, .notify, .notificationsQuery, .removeNotifications,
            .setBadge,
            .transfer, .transfersQuery, .transferAct, .transferAnswer:
            nil
        }
    }
}
