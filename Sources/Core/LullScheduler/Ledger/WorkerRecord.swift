import LullModel

/// A worker as the scheduler knows it.
struct WorkerRecord: Sendable {
    let id: WorkerID
    /// The stamp of the app's plugin file and manifest entry when it was started.
    var stamp: String?
    /// The turn in which its plugin's files were last found unchanged.
    var comparedIn: UInt64?
    var state = WorkerState.starting
    /// The app's entry or plugin has changed since: it finishes its runs and ends, and nothing more is launched in it.
    var retires = false
    /// Its plugin has each run in a process of its own: one run is launched in it, and it ends with that.
    var runsAlone = false
    /// Something was launched in it.
    var hasLaunched = false
    /// The end of its state: when it must be ready, is suspended, or is evicted.
    var timer: MonotonicTime?
    /// Its open runs, in order of launch.
    var runs: [RunID] = []
    /// The run that ended last in it.
    var lastEnded: RunID?
    /// Requests before this one waited when it was started; nil: a run has ended in it since.
    var foundRequestsBefore: RequestID?
    /// Requests that the host has made since, each in the place of one of these.
    var foundRequestsAgain: Set<RequestID> = []
    /// Continued tasks whose handlers it has registered after its start.
    var lateHandlers: Set<TaskIdentifier> = []
    /// The plugin that it has loaded; nil: not reported.
    var plugin: Provenance.Plugin?

    /// Whether something more may be launched in it.
    var takesLaunches: Bool { !retires && !(runsAlone && hasLaunched) }
}

enum WorkerState: Sendable, Equatable {
    case none
    /// The process is started, and the plugin is not ready yet.
    case starting
    case warm
    case suspended
    /// Evicted or killed, and its exit not reported yet.
    case leaving
}
