public import LullModel

/// An input of the scheduler: it learns everything from these events.
public enum Event: Sendable, Equatable {
    /// The manifest was read, at start or again. `stamps` change when an app's plugin or its manifest entry
    /// did.
    case manifestLoaded(Manifest, stamps: [AppIdentifier: String])
    /// The manifest's files were checked: a sentence, and whether the manifest is in force.
    case manifestJudged(String, isInForce: Bool)
    case conditionsChanged(Conditions)
    /// The armed deadline came, or the wall clock was set.
    case wake
    /// The host was off or asleep, as detected at its start; sent before the manifest.
    case absent(Absence)
    /// A trigger event that some task names in `on`; answered once it is durable.
    case happened(Trigger, TriggerEvent, reply: Token? = nil)
    /// How the host waits for the triggers that it has to watch.
    case watching([Trigger: TriggerWatch])
    /// The app was used; `at` may lie in the past. Nil `reply`: no caller waits for an answer.
    case used(AppIdentifier, at: WallTime, reply: Token? = nil)
    /// Uses from the manifest's sources: a few as they happen, or many past ones at once.
    case usesFound([Use])
    /// A plugin or an operator requests a launch.
    case submitted(Submission, reply: Token)
    /// A message from outside for an app.
    case pushed(AppIdentifier, Push, reply: Token)
    /// An operator lets an app have urgent pushes again.
    case urgencyRestored(AppIdentifier, reply: Token)
    /// A run launched for a push reports it to people.
    case reported(RunID, String)
    /// The plugin stopped waiting for this submit before it was answered: it must have no effect.
    case withdrawn(reply: Token)
    /// A plugin adds a notification for people, due now or later.
    case notificationAdded(AppIdentifier, AppNotification, reply: Token)
    /// Nil: all pending notifications, or all delivered ones.
    case notificationsRemoved(AppIdentifier, [String]?, delivered: Bool, reply: Token?)
    case badgeSet(AppIdentifier, Int64, reply: Token)
    /// A plugin asks for a transfer.
    case transferAsked(AppIdentifier, TransferOrder, reply: Token)
    /// A plugin acts on one of its transfers.
    case transferActed(AppIdentifier, TransferID, TransferAct, reply: Token?)
    /// A plugin answers a question of the transfer's server.
    case transferAnswered(AppIdentifier, TransferID, TransferAnswer, reply: Token?)
    /// The process that transfers reports on an attempt; with the attempt `TransferNews.found`, how far the transfer
    /// was.
    case transferNews(TransferID, attempt: UInt64, TransferNews)
    /// An operator acts on a transfer.
    case transferOrdered(TransferID, TransferOrdering, reply: Token)
    /// Nil `task`: all requests of the app. `next`: also the request made by `repeat` or `at`, for an operator.
    case cancelled(AppIdentifier, TaskIdentifier?, next: Bool = false, reply: Token?)
    /// `lull launch`: now, past every policy gate. A request made by `repeat` or `at` stays unless the launch is
    /// `instead`; the launch uses up any other request with the same parameters.
    case launchRequested(
        TaskIdentifier, instead: Bool = false, params: [String: String]? = nil, reply: Token)
    /// `lull stop`, and `lull expire`: every run of the task.
    case expireRequested(TaskIdentifier, reply: Token)
    /// Nil `task`: the app.
    case enabled(AppIdentifier, Bool, task: TaskIdentifier? = nil, reply: Token)
    /// Launches are held back until then, or until they are resumed; `reason`: who paused them, and why.
    case paused(Pause.Scope, until: WallTime?, reason: String?, reply: Token)
    case resumed(Pause.Scope, reply: Token)
    /// An operator had the manifest read again: the result in a sentence.
    case reloaded(String)

    /// The shell has carried out an effect, perhaps long after the decision: the log came first. The effect's time
    /// counts from here.
    case carriedOut(Deed)
    /// The app's current stamp, read before the worker is started, or before a launch in it (`comparePlugin`); nil: it
    /// could not be read in time.
    case pluginCompared(WorkerID, stamp: String?)
    /// The plugin is loaded, `start` has returned, and these are its handlers.
    ///
    /// `runsAlone`: the worker takes one run, and the next run needs another worker.
    case workerReady(
        WorkerID, registered: [TaskIdentifier], plugin: Provenance.Plugin? = nil, runsAlone: Bool = false)
    /// The plugin can't be loaded or refused to start; the worker is gone.
    case workerFailed(WorkerID, sentence: String)
    /// Nothing was started: something that the start needs, such as an account or the plugin's file, is not there now.
    case workerHeldBack(WorkerID, sentence: String)
    /// The process is gone; `sentence` says how ("ended by signal 11 (SIGSEGV)").
    /// `isLost`: something outside killed it, through no fault of its own.
    case workerExited(WorkerID, sentence: String, isLost: Bool = false)
    /// Its supervisor has ended it because the leases of its runs were not renewed in time; `workerExited` follows.
    case workerOverdue(WorkerID)
    /// The plugin has registered a handler for a continued task after its `start` has returned.
    case registered(WorkerID, TaskIdentifier)
    /// The plugin's launch function has returned.
    case launchReturned(RunID)
    /// The progress that a run reports.
    case progressed(RunID, Progress)
    /// The exit code of a run's program; sent before the run is completed.
    case exited(RunID, code: UInt8)
    /// What a run cost; sent before the event that ends it.
    case measured(RunID, RunCost)
    /// `summary`: the last line that the handler logged.
    case completed(RunID, success: Bool, summary: String?)
    /// A run has printed something on its standard output or error; one event for each run is enough.
    case printed(RunID)
    /// The last lines that runs have printed so far; sent before any event that can end the run, for they are quoted
    /// with a failure.
    case lastLines([RunID: [String]])
    /// The bytes of output that each app's runs added to the history.
    case outputKept([AppIdentifier: Int])
    /// A sink has accepted a notice, or `trouble` says why not.
    case delivered(UInt64, trouble: String?)
    /// A heartbeat was accepted, or `trouble` says why not.
    case pinged(String, trouble: String?)
    /// The worker or plugin did something that must not happen: recorded, never trapped. `isFatal`: the worker must go.
    case violation(
        WorkerID, RunID?, task: TaskIdentifier? = nil, sentence: String, isFatal: Bool)
    /// The free space where the state lies; `isFull`: a record found no room, whatever space is reported free.
    case diskLooked(DiskRoom, isFull: Bool)
    /// The disk use of apps; `isAll`: apps that are not listed keep nothing.
    case foldersLooked([AppIdentifier: FolderUse], isAll: Bool)

    /// A reply of the fleet's database, or the lack of one.
    case fleet(FleetEvent)

    /// SIGTERM: launch nothing more, expire the open runs.
    case shutdown
}

/// One use of an app, as a source reports it.
public struct Use: Sendable, Equatable {
    public let app: AppIdentifier
    public let time: WallTime

    public init(app: AppIdentifier, time: WallTime) {
        self.app = app
        self.time = time
    }
}

/// An effect whose time counts from when the shell carried it out, not from when it was decided.
public enum Deed: Sendable, Equatable {
    case startWorker(WorkerID)
    case launch(RunID)
    case expire(RunID)
}

/// Identifies the caller that waits for an answer; made by the shell, opaque to the scheduler.
public struct Token: Sendable, Hashable {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
}

/// A submit that has not been accepted as a request yet.
public struct Submission: Sendable, Equatable {
    /// The app whose plugin submits; nil: an operator.
    public var app: AppIdentifier?
    public var task: TaskIdentifier
    /// Nil: the manifest's kind.
    public var kind: Kind?
    public var earliestBegin: WallTime?
    public var requires: Requirements
    public var label: RequestLabel?
    /// Of a continued request: to be launched at once or not at all.
    public var isImmediate: Bool
    /// Of an operator's request: it replaces the one made by `repeat` or `at`.
    public var isInstead: Bool
    /// Of an operator's request: values for parameters of the task.
    public var params: [String: String]?

    public init(
        app: AppIdentifier?, task: TaskIdentifier, kind: Kind? = nil, earliestBegin: WallTime? = nil,
        requires: Requirements = .none, label: RequestLabel? = nil, isImmediate: Bool = false,
        isInstead: Bool = false, params: [String: String]? = nil
    ) {
        self.app = app
        self.task = task
        self.kind = kind
        self.earliestBegin = earliestBegin
        self.requires = requires
        self.label = label
        self.isImmediate = isImmediate
        self.isInstead = isInstead
        self.params = params?.isEmpty == true ? nil : params
    }
}

/// The progress that a run reports.
public enum Progress: Sendable, Equatable {
    /// `total` 0: how much there is to do is not known.
    case counted(completed: Int64, total: Int64)
    case titled(String, subtitle: String)
}
