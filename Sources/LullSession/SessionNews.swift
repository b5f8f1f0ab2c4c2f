public import LullModel
public import LullWire

/// What a worker has said, as far as its host believes it.
public enum SessionNews: Sendable, Equatable {
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
    /// Nil: of no run in particular.
    case log(RunID?, LogLevel, message: String)
    /// Bytes that this run's children printed, and no other run's.
    case printed(RunID, PrintedStream, [UInt8])
    /// `total` 0: indeterminate.
    case progress(RunID, completed: Int64, total: Int64, message: String)
    /// What people are to see of a continued run.
    case titled(RunID, title: String, subtitle: String)
    /// What can't be. After a fatal one nothing more is heard.
    case violation(RunID?, task: TaskIdentifier? = nil, sentence: String, isFatal: Bool)
    /// The plugin has registered a handler for a continued task after it was ready.
    case registered(TaskIdentifier)
}

/// What a host is to do because of a frame, one after the other.
public enum SessionDeed: Sendable, Equatable {
    case say(SessionNews)
    /// Tells the worker; one that is stopped is let on for it.
    case send(HostFrame)
    /// Sends what waited for the plugin (`WorkerSession.takeWaiting`).
    case sendWaiting
    /// What comes on the socket after this means nothing.
    case closeSocket
    case kill(reason: String)
    /// What the worker has printed until now comes before what follows.
    case readOutput
    /// Nothing but its activities keeps the app awake from now on.
    case rest
    case watchActivities
    /// The last activity has ended.
    case forgetActivities
}

/// What a worker's end counts as.
public enum SessionEnd: Sendable, Equatable {
    /// The plugin can't be loaded or refused to start.
    case failed(sentence: String)
    case exited(sentence: String)
}
