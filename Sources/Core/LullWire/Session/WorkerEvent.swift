public import LullModel

/// An event of a worker: a message that the host has checked, or a change of its process.
///
/// The last event of each started worker is one `failed`, one `exited` or one `heldBack`.
public enum WorkerEvent: Sendable, Equatable {
    /// The plugin can't be loaded or refused to start; the process is gone.
    case failed(sentence: String)
    /// The machine can't start a process for it now, and may be able to soon.
    case heldBack(sentence: String)
    /// The process is gone, and all its output has been reported; "ended by signal 11 (SIGSEGV)".
    /// `isLost`: another party killed it, such as the kernel when memory is short, and not because of its own limits.
    case exited(sentence: String, isLost: Bool = false)
    /// Its supervisor has ended it, because the time that the host had set was up; `exited` follows.
    case overdue
    /// The plugin is loaded, `start` has returned, and these are its handlers.
    case ready(registered: [TaskIdentifier], plugin: PluginIdentity)
    /// The plugin submits a request; the answer goes to the worker under this sequence number.
    case submit(SubmitID, sequence: UInt64, PluginRequest)
    /// The plugin no longer waits for this submit: it must have no effect. It may just have been answered.
    case withdrawn(SubmitID)
    /// Nil: all requests of the app.
    case cancel(sequence: UInt64, TaskIdentifier?)
    case pendingQuery(sequence: UInt64)
    /// The plugin's launch function has returned, and the run goes on.
    case launchReturned(RunID)
    /// `childPeak`: by the worker's word, the most memory in bytes that one of its ended children has had; 0: none has ended.
    case completed(RunID, success: Bool, childPeak: UInt64 = 0)
    /// What the run cost; comes before its completion, and before the end of its worker.
    case cost(RunID, RunCost)
    /// The exit code of the run's program, as in a shell.
    case exitCode(RunID, UInt8)
    /// Processes that the run has started go on after it; comes before its completion.
    case leftRunning(RunID, sentence: String)
    /// Nil: of no run in particular.
    case log(RunID?, LogLevel, message: String)
    /// Output of this run's child processes alone.
    case printed(RunID, PrintedStream, [UInt8])
    /// The worker has left out this many bytes of the run's output at this point.
    case skippedOutput(RunID, bytes: UInt64)
    /// `total` 0: indeterminate.
    case progress(RunID, completed: Int64, total: Int64, message: String)
    /// The titles of a continued run, for people.
    case titled(RunID, title: String, subtitle: String)
    /// The run's report on the push that it was launched for.
    case reported(RunID, text: String)
    /// The worker or its plugin broke the protocol. After a fatal violation no more frames are handled, and the worker is killed.
    case violation(RunID?, task: TaskIdentifier? = nil, sentence: String, isFatal: Bool)
    /// The plugin has registered a handler for a continued task after it was ready.
    case registered(TaskIdentifier)
    /// The plugin posts a notification; the answer goes to the worker under this sequence number.
    case notify(SubmitID, sequence: UInt64, AppNotification)
    case notificationsQuery(sequence: UInt64, delivered: Bool)
    /// Nil: all of them.
    case removeNotifications(sequence: UInt64, [String]?, delivered: Bool)
    case setBadge(SubmitID, sequence: UInt64, Int64)
    /// The plugin orders a transfer. The order has been checked to be valid, but jobs.yaml may not permit it.
    case transfer(SubmitID, sequence: UInt64, TransferOrder)
    /// Nil: of all sessions.
    case transfersQuery(sequence: UInt64, session: String?)
    case transferAct(SubmitID, sequence: UInt64, TransferID, TransferAct)
    case transferAnswer(SubmitID, sequence: UInt64, TransferID, TransferAnswer)

    /// Output of no run in particular, not necessarily whole lines.
    case output(PrintedStream, [UInt8])
    case suspended
    /// The worker could not be suspended; it is tried again until the worker is resumed or gets a launch.
    case suspendRefused(reason: String)

    /// The run that it is about; nil: no run in particular.
    public var run: RunID? {
        switch self {
        case .launchReturned(let run), .completed(let run, _, _), .printed(let run, _, _),
            .skippedOutput(let run, _), .progress(let run, _, _, _), .titled(let run, _, _),
            .reported(let run, _), .leftRunning(let run, _),
            .exitCode(let run, _), .cost(let run, _):
            run
        case .log(let run, _, _), .violation(let run, _, _, _): run
        case .failed, .exited, .heldBack, .overdue, .ready, .submit, .withdrawn, .cancel, .pendingQuery,
            .registered,
            .output, .suspended, .suspendRefused, .notify, .notificationsQuery, .removeNotifications,
            .setBadge,
            .transfer, .transfersQuery, .transferAct, .transferAnswer:
            nil
        }
    }
}
