public import LullModel
public import LullScheduler

/// All that surrounds a simulated scheduler: its manifest, its past, its plugins, and what happens when.
///
/// Two simulations of equal worlds have equal traces.
public struct World: Sendable {
    /// What happens to the host from outside.
    public enum Stimulus: Sendable, Equatable {
        case used(AppIdentifier)
        /// Many events of the past at once, as from a log that is read for the first time.
        case imported([HistoryEvent])
        case conditions(Conditions)
        case submitted(Submission)
        /// By an operator; nil: all requests of the app. `next`: those of `repeat` and `at` too.
        case cancelled(AppIdentifier, TaskIdentifier?, next: Bool = false)
        case launchRequested(TaskIdentifier, instead: Bool = false)
        case expireRequested(TaskIdentifier)
        /// A message from outside.
        case pushed(AppIdentifier, Push)
        /// By an operator.
        case urgencyRestored(AppIdentifier)
        /// Nil: the app.
        case enabled(AppIdentifier, Bool, task: TaskIdentifier? = nil)
        /// Nil: until it is resumed.
        case paused(Pause.Scope, Duration?)
        case resumed(Pause.Scope)
        case manifest(Manifest)
        /// The wall clock is set ahead or, if negative, back.
        case clockStep(Duration)
        /// The machine sleeps.
        case suspended(Duration)
        /// The worker's process dies.
        case workerDied(AppIdentifier)
        /// The worker sends an impossible frame; a fatal one ends it.
        case violated(AppIdentifier, isFatal: Bool)
        /// The host is cut off and comes back.
        case hostDied(down: Duration)
        /// The machine is off and is booted: after the host was told to end, or, if `silently`, without notice.
        case poweredOff(Duration, silently: Bool)
        /// The next time the scheduler asks for more effects than that, the host is cut off after so many.
        case hostDiesAmidEffects(after: Int, down: Duration)
        /// The host is cut off at its next write, which may have become durable all the same.
        case hostDiesAmidWrite(isDurable: Bool, down: Duration)
        /// A look finds so much room on the disk.
        case disk(DiskRoom)
        /// A look finds what an app keeps there.
        case folder(AppIdentifier, FolderUse)
        /// Nothing can be written for so long.
        case diskFull(Duration)
        /// No write ends before that.
        case diskHangs(Duration)
        /// So many of the next writes fail.
        case diskFails(Int)
        /// The host is told to end, and is started again after a while.
        case restarted(down: Duration)
        /// A trigger that `on` of some tasks names.
        case happened(Trigger)
        case shutdown
        /// A plugin notifies people.
        case notifies(AppIdentifier, AppNotification)
        /// Nil: all that are pending, or that were delivered.
        case unnotifies(AppIdentifier, [String]?, delivered: Bool)
        /// A plugin orders a transfer.
        case asksTransfer(AppIdentifier, TransferOrder)
        /// A plugin, or an operator, acts on one of the transfers: the one with that number, modulo their count.
        case actsOnTransfer(TransferAct, Int)
        case ordersTransfer(TransferOrdering, Int)
        /// The process that transfers dies.
        case transferProcessDied(AppIdentifier)
    }

    public struct Entry: Sendable, Equatable {
        /// In true time, whatever the host's clock shows.
        public var time: WallTime
        public var stimulus: Stimulus
        public init(_ time: WallTime, _ stimulus: Stimulus) {
            self.time = time
            self.stimulus = stimulus
        }
    }

    public var manifest: Manifest
    public var zones: Zones
    public var start: WallTime
    public var seed: UInt64
    public var options = SchedulerOptions()
    /// The records from before the start.
    public var history: [HistoryEvent] = []
    /// A checkpoint that `history` is folded into.
    public var checkpoint = Ledger()
    public var conditions = Conditions()
    public var plugins: [AppIdentifier: PluginModel] = [:]
    public var handlers: [TaskIdentifier: HandlerModel] = [:]
    /// In any order; entries with the same time happen in the order given.
    public var timeline: [Entry] = []
    /// How long a write to the history takes; nil: no time.
    public var diskMilliseconds: ClosedRange<Int64>?
    /// A checkpoint is written after so many events.
    public var checkpointInterval = 5_000
    /// The chance that a plugin stops waiting while its answer is on its way.
    public var answersCross = 0.0
    /// The faults between the host and its workers.
    public var wire = WireTrouble()
    /// At each crash the disk forgets the last event that it said was durable.
    public var diskLies = false
    /// Whether each task's verdict is asked for after each event, to find what was left waiting; with many tasks that is most
    /// of the work.
    public var looksForWaiting = true
    /// Of which events the trace keeps more than their digest; nil: of all. A crontab's month is a million.
    public var keeps: Set<HistoryEvent.Name>?
    /// Called with a line for each thing that happens, to look for a fault.
    public var tell: (@Sendable (VirtualClock, String) -> Void)?

    public init(manifest: Manifest, zones: Zones = .utc, start: WallTime, seed: UInt64 = 0) {
        self.manifest = manifest
        self.zones = zones
        self.start = start
        self.seed = seed
    }
}
