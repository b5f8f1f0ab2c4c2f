import Glibc
public import Logging
import LullConditions
import LullControl
import LullHistory
import LullManifest
public import LullModel
import LullNotices
import LullScheduler
import LullSystem
import LullTransfers
import LullUsage
import LullWorkers

/// The loop around the scheduler: hands it events, carries out its effects, and decides nothing.
///
/// Everything runs on the thread that calls `run`. The history's writer has a thread of its own; what it and the
/// kernel say comes back through the loop. The state's lock is held as long as the host exists.
public final class Host {
    let configuration: HostConfiguration
    let logger: Logger
    let loop: EventLoop
    let lock: StateLock
    let history: SQLiteHistory
    let writer: HistoryWriter
    let commits: CommitQueue
    var effectOrder = EffectOrder()
    let blocking: BlockingExecutor
    let reads: HistoryReads
    var imports: [(question: Ask.ImportEvents, respond: Respond<Ask.ImportEvents>)] = []
    /// Uses recorded while earlier ones are being read; nil: none are being read.
    var usesMeanwhile: [AppIdentifier: [WallTime]]?
    /// When the whole history is examined, and what was found last.
    var examination = ExaminationTimes(last: nil, start: .distantFuture)
    var isExamining = false
    var lastFinding: HistoryExamination?
    /// The process that holds the history's lock, so that it takes no records.
    var storeHolder: (holder: LockHolder, app: AppIdentifier?)?
    var scheduler: SchedulerState
    var manifest: Manifest
    var zones: Zones
    var zonesLoaded: WallTime
    var sensors: ConditionSensors?
    var pool: WorkerPool?
    var post: Post?
    /// Nil: nothing has been transferred.
    var transfers: TransferProcesses?
    /// Nil: the manifest has no fleet.
    var fleet: FleetLink?
    var fleetTrouble: String?
    var isInFleet = false
    var control: ControlServer?
    var signals: Signals?
    var usage: UsageFollower?
    var eventWatch: EventWatch?
    var ownWork = OwnWork()
    var outputs = RunOutputs()
    /// Clients that wait for a run's next output.
    var followers = Followers()
    var disk = DiskWatch()
    var diskTimer: LoopTimer?
    var views = LiveViews()
    var logAllowance = LogAllowance()
    var replies = Replies()
    var starts = PendingStarts()
    /// The callers that wait for a run's end.
    var awaited: [RunID: [(HistoryEvent) -> Void]] = [:]
    /// The manifest is in force and what the goal asks for is under way: a pass may be over from here on.
    var hasBegun = false
    var isShuttingDown = false
    var isFinished = false
    /// All is done but closing the history, which is not waited for once the host `isHurried`.
    var isClosing = false
    var isClosed = false
    var isHurried = false
    /// The status before the shutdown began, in which nothing waits because of it.
    var lastReport: StatusReport?
    var isCommitFailing = false
    /// Why the host can't go on with this state.
    var stateTrouble: HistoryError?
    var stateWatch: StateWatch?
    var manifestWatch: FilesWatch?
    var zoneWatch: FilesWatch?
    var manifestFiles: ManifestFiles
    var reloads = Reloads()
    /// Questions that came before the manifest was in force.
    var held: [() -> Void] = []
    var askers = AskerNames()
    /// Why the manifest's files are not in force; nil: they are.
    var manifestTrouble: String?
    /// The diagnostics of the last reading, as logged.
    var lastDiagnostics: [String] = []
    /// How the settings in force break their plugins' schemas.
    var settingTroubles: [String] = []
    /// Why pushes do not reach apps, by app and source.
    var pushHindrances: [AppIdentifier: [Push.Source: String]] = [:]
    /// Why sinks of notices have not taken the latest, by sink.
    var sinkTroubles: [String: String] = [:]
    /// Consecutive failed commits.
    var failedCommits = 0
    var armed = Deadline()
    var retryAt: MonotonicTime?
    var retention = RetentionTimes()
    let bootName: String
    /// When this host was last known to live.
    var sight: SightFile
    var retentionRule: RetentionRule?
    /// The rule as the history last stored it.
    var retentionMemo: String?
    /// When memory was last given back; nil: not since the manifest is in force.
    var memoryGivenBack: MonotonicTime?
    /// What the history has deleted for its size.
    var thinning: HistoryThinning?
    var lastNumbers = RecordNumbers(event: 0, output: 0)
    var eventsSinceCheckpoint = 0
    var pass = PassRecord()
    /// Called with events once they are durable, with those of one cause together; for progress and logs.
    public var onEvents: (([HistoryEvent]) -> Void)?
    /// Called with the output of runs, as it comes.
    public var onPrinted: ((OutputChunk.Stream, [UInt8]) -> Void)?
    /// Returns why the page is not served; nil: it is, or is not wanted.
    public var pageTrouble: (() -> String?)?
    /// Called with each manifest once it is in force.
    public var onManifest: ((Manifest) -> Void)?

    /// Takes the state's lock, opens its history and reads the manifest; starts nothing yet.
    public init(_ configuration: HostConfiguration, manifest: Manifest, logger: Logger) throws(HostError) {
        // The history's writer is a thread.
        Signals.block(Self.signalsHeard)
        self.configuration = configuration
        self.manifest = manifest
        manifestFiles = ManifestFiles(path: configuration.manifestPath, manifest)
        self.logger = logger
        try configuration.state.create()
        guard access(configuration.worker, X_OK) == 0 else { throw .worker(path: configuration.worker) }
        if let refusal = PluginSight.refusal(ofWorker: configuration.worker) {
            throw .workerNotSafe(refusal.sentence)
        }
        if OwnThread.probe() != 0 { throw .processes(ProcessShortage.sentence) }
        let ledger: Ledger
        do {
            let start = Clock.wall
            lock = try StateLock.take(folder: configuration.state.path, at: start)
            zones = ZoneLoader.load(manifest.zoneNames, around: start)
            zonesLoaded = start
            (history, ledger) = try Self.openHistory(configuration.state.path, zones, at: start, logger)
            writer = HistoryWriter(history)
        } catch {
            throw .history(error)
        }
        do {
            loop = try EventLoop()
            commits = try CommitQueue(writer: writer, loop: loop)
            blocking = try BlockingExecutor(on: loop)
            reads = HistoryReads(history, blocking)
        } catch {
            throw .loop(error)
        }
        var options = SchedulerOptions(
            passInterval: Self.passInterval(configuration, at: Clock.wall),
            isPass: configuration.goal == .pass,
            discovers: !configuration.goal.isLaunch, launches: configuration.goal != .discovery,
            launchesByItself: !configuration.goal.isLaunch)
        options.identify(roots: configuration.roots)
        bootName = options.boot
        sight = SightFile(in: configuration.state, roots: configuration.roots)
        options.traces = true
        options.comparesPlugins = true
        options.sendsNotices = configuration.goal != .discovery
        scheduler = SchedulerState(ledger: ledger, options: options)
        commits.trouble = { [unowned self] in historyTrouble($0) }
        do throws(HistoryError) {
            try beginRetention(history)
            try beginExaminations(history)
        } catch {
            throw .history(error)
        }
        do throws(LoopError) {
            try watchStore()
        } catch {
            throw .loop(error)
        }
    }

    static let signalsHeard = [SIGTERM, SIGINT, SIGHUP]

    /// The time between passes: as configured, else as learned; the caller holds the lock.
    private static func passInterval(_ configuration: HostConfiguration, at now: WallTime) -> Duration? {
        guard configuration.goal == .pass else { return nil }
        var passes = PassTimes(in: configuration.state)
        passes.add(now)
        passes.save(in: configuration.state)
        return configuration.passInterval ?? passes.interval
    }

    var now: Now {
        Now(wall: Clock.wall, monotonic: Clock.monotonic, zones: zones, asleep: Clock.asleep)
    }

    /// The one way in: an event for the scheduler, its records to the history, its effects once they are durable.
    ///
    /// Effects that end or warn a current run wait for nothing: `EffectOrder`.
    func handle(_ event: Event, by: String? = nil) {
        // Any event may end a run.
        let lastLines = outputs.takeLastLines()
        if !lastLines.isEmpty { handle(.lastLines(lastLines)) }
        let written = outputs.takeWritten()
        if !written.isEmpty { handle(.outputKept(written)) }
        let now = self.now
        let effects = scheduler.handle(event, at: now, by: by)
        var batch: HistoryBatch?
        var later: [Effect] = []
        var events: [HistoryEvent] = []
        for effect in effects {
            switch effect {
            case .record(let event): events.append(event)
            case .arm(let deadline): arm(deadline)
            case .sample(let sensors): self.sensors?.sample(sensors)
            default: later.append(effect)
            }
        }
        if !events.isEmpty {
            eventsSinceCheckpoint += events.count
            batch = HistoryBatch(events: events, outputs: outputs(with: events))
        }
        guard batch != nil || !later.isEmpty else {
            if commits.isQuiet { sight.note(now) }
            return restIfQuiet()
        }
        let (urgent, waiting) = effectOrder.divide(later)
        commits.add(batch, atOnce: { for effect in urgent { perform(effect) } }) { [unowned self] in
            // Effects first: the lines about them in the log can wait.
            for effect in waiting {
                perform(effect)
                effectOrder.carriedOut(effect)
            }
            if !events.isEmpty {
                onEvents?(events)
                fleet?.mirror.recorded()
            }
            for event in events { recorded(event) }
            // Once the clock was set back, the log's times do not tell it.
            sight.note(now, isUrgent: events.contains { $0.event == .absent })
            if !events.isEmpty { noteChange() }
            restIfQuiet()
        }
    }
}
