public import LullModel

/// What can happen: everything the scheduler ever learns comes in as one of these.
public enum Event: Sendable, Equatable {
    /// The manifest was read, at start or again. `stamps` change when an app's plugin or its manifest entry
    /// did.
    case manifestLoaded(Manifest, stamps: [AppIdentifier: String])
    /// What stands in the manifest's files was judged: a sentence, and whether it is in force.
    case manifestJudged(String, isInForce: Bool)
    case conditionsChanged(Conditions)
    /// The armed deadline came, or the wall clock was set.
    case wake
    /// The host was off or asleep before it could see so itself: said at its start, before the manifest.
    case absent(Absence)
    /// What `on` of some task names has come; answered once that is durable.
    case happened(Trigger, TriggerEvent, reply: Token? = nil)
    /// How the host waits for the triggers that it has to watch.
    case watching([Trigger: TriggerWatch])
    /// Somebody used the app; `at` may lie in the past. Nil `reply`: nobody waits to hear of it.
    case used(AppIdentifier, at: WallTime, reply: Token? = nil)
    /// What the manifest's sources tell of: a few as they happen, or a past that is caught up with.
    case usesFound([Use])
    /// A plugin (`app` is whose) or an operator wants a launch.
    case submitted(Submission, reply: Token)
    /// A message from outside for an app.
    case pushed(AppIdentifier, Push, reply: Token)
    /// An operator lets an app have urgent pushes again.
    case urgencyRestored(AppIdentifier, reply: Token)
    /// A run tells people of the push that it was launched for.
    case reported(RunID, String)
    /// The plugin stopped waiting for this submit before it was answered: it must have no effect.
    case withdrawn(reply: Token)
    /// A plugin wants to tell people something, now or later.
    case notificationAdded(AppIdentifier, AppNotification, reply: Token)
    /// Nil: all that wait, or all that were delivered.
    case notificationsRemoved(AppIdentifier, [String]?, delivered: Bool, reply: Token?)
    case badgeSet(AppIdentifier, Int64, reply: Token)
    /// A plugin wants something to be transferred.
    case transferAsked(AppIdentifier, TransferOrder, reply: Token)
    /// What a plugin does with one of its transfers.
    case transferActed(AppIdentifier, TransferID, TransferAct, reply: Token?)
    /// A plugin answers what a server asks.
    case transferAnswered(AppIdentifier, TransferID, TransferAnswer, reply: Token?)
    /// The process that transfers says what became of an attempt; or how far it was, of `TransferNews.found`.
    case transferNews(TransferID, attempt: UInt64, TransferNews)
    /// What an operator does with a transfer.
    case transferOrdered(TransferID, TransferOrdering, reply: Token)
    /// Nil `task`: all requests of the app. `next`: also what the host asks for by `repeat` or `at`, for an operator.
    case cancelled(AppIdentifier, TaskIdentifier?, next: Bool = false, reply: Token?)
    /// `lull launch`: now, past every gate that is policy. It leaves what `repeat` or `at` asked for as it is, unless it is
    /// to be launched `instead`; any other request it takes.
    case launchRequested(TaskIdentifier, instead: Bool = false, reply: Token)
    /// `lull stop`, and `lull expire`: every run of the task.
    case expireRequested(TaskIdentifier, reply: Token)
    /// Nil `task`: the app.
    case enabled(AppIdentifier, Bool, task: TaskIdentifier? = nil, reply: Token)
    /// Launches are held back until then, or until they are resumed; `reason`: by whom and why.
    case paused(Pause.Scope, until: WallTime?, reason: String?, reply: Token)
    case resumed(Pause.Scope, reply: Token)

    /// What was decided has been done, which may be long after: the log came first. Its time counts from here.
    case carriedOut(Deed)
    /// What the app's stamp is now, looked at before the worker is started, or before something is launched in it
    /// (`comparePlugin`); nil: nobody could tell in time.
    case pluginCompared(WorkerID, stamp: String?)
    /// The plugin is loaded, `start` has returned, and these are its handlers.
    ///
    /// `runsAlone`: one run is to be launched in it, and the next in another.
    case workerReady(
        WorkerID, registered: [TaskIdentifier], plugin: Provenance.Plugin? = nil, runsAlone: Bool = false)
    /// The plugin can't be loaded or refused to start; the worker is gone.
    case workerFailed(WorkerID, sentence: String)
    /// Nothing was started: something that the start needs, such as an account or the plugin's file, is not there now.
    case workerHeldBack(WorkerID, sentence: String)
    /// The process is gone; `sentence` says how ("ended by signal 11 (SIGSEGV)").
    /// `isLost`: something outside killed it, and not for what it did.
    case workerExited(WorkerID, sentence: String, isLost: Bool = false)
    /// Its supervisor has ended it, for the leases of its runs were not renewed in time; `workerExited` follows.
    case workerOverdue(WorkerID)
    /// The plugin has registered a handler for a continued task after its `start` has returned.
    case registered(WorkerID, TaskIdentifier)
    /// The plugin's launch function has returned.
    case launchReturned(RunID)
    /// What a run says of how far it is.
    case progressed(RunID, Progress)
    /// How the program ended that a run stands for: told before the run is completed.
    case exited(RunID, code: UInt8)
    /// `summary`: the last line the handler logged; what it did.
    case completed(RunID, success: Bool, summary: String?)
    /// A run has printed something on its standard output or error; once is enough.
    case printed(RunID)
    /// The last lines that runs have printed so far: told of each before anything that can end it, as they are quoted with
    /// a failure.
    case said([RunID: [String]])
    /// So many bytes that apps' runs have printed went into the history.
    case outputKept([AppIdentifier: Int])
    /// A notice has been taken by its sink, or why it has not.
    case delivered(UInt64, trouble: String?)
    /// A sign of life was taken, or why it was not.
    case pinged(String, trouble: String?)
    /// What the worker or plugin did that can't be: recorded, never trapped. `isFatal`: the worker must go.
    case violation(
        WorkerID, RunID?, task: TaskIdentifier? = nil, sentence: String, isFatal: Bool)
    /// What is free where the state lies; `isFull`: a record found no room, whatever is said to be free.
    case diskLooked(DiskRoom, isFull: Bool)
    /// What apps keep on the disk; `isAll`: no app keeps anything beside what is known now.
    case foldersLooked([AppIdentifier: FolderUse], isAll: Bool)

    /// What the fleet's database says, or that it says nothing.
    case fleet(FleetEvent)

    /// SIGTERM: launch nothing more, expire what runs.
    case shutdown
}

/// That somebody used an app, as a source has it.
public struct Use: Sendable, Equatable {
    public let app: AppIdentifier
    public let time: WallTime

    public init(app: AppIdentifier, time: WallTime) {
        self.app = app
        self.time = time
    }
}

/// What takes time from the moment at which the shell has done it, and not from the moment at which it was decided.
public enum Deed: Sendable, Equatable {
    case startWorker(WorkerID)
    case launch(RunID)
    case expire(RunID)
}

/// Names who waits for an answer; made by the shell, opaque to the scheduler.
public struct Token: Sendable, Hashable {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
}

/// A submit before it is a request: nobody has accepted it yet.
public struct Submission: Sendable, Equatable {
    /// Whose plugin submits; nil for an operator.
    public var app: AppIdentifier?
    public var task: TaskIdentifier
    /// Nil: the manifest's kind.
    public var kind: Kind?
    public var earliestBegin: WallTime?
    public var requires: Requirements
    public var label: RequestLabel?
    /// Of a continued request: to be launched at once or not at all.
    public var isImmediate: Bool
    /// Of an operator's: it takes the place of what `repeat` or `at` asked for.
    public var isInstead: Bool

    public init(
        app: AppIdentifier?, task: TaskIdentifier, kind: Kind? = nil, earliestBegin: WallTime? = nil,
        requires: Requirements = .none, label: RequestLabel? = nil, isImmediate: Bool = false,
        isInstead: Bool = false
    ) {
        self.app = app
        self.task = task
        self.kind = kind
        self.earliestBegin = earliestBegin
        self.requires = requires
        self.label = label
        self.isImmediate = isImmediate
        self.isInstead = isInstead
    }
}

/// What a run says of how far it is; nil: as before.
public enum Progress: Sendable, Equatable {
    /// `total` 0: how much there is to do is not known.
    case counted(completed: Int64, total: Int64)
    case titled(String, subtitle: String)
}
