private import CLullShims
internal import Glibc
import LullModel
import LullSystem
import LullWire

/// One worker process, as the host knows it, from its spawn until it is reaped.
///
/// Its session decides what frames mean; this class moves them, and acts on them. It never blocks: what can't be sent
/// at once is queued, up to a limit.
final class Worker {
    let spec: WorkerSpec
    let process: WorkerProcess
    /// Nil: it has no control group.
    let group: AppGroup?
    unowned let pool: WorkerPool
    let loop: EventLoop
    var session: WorkerSession
    /// Since it was spawned, or since the first of its open runs was launched.
    var lastLine = LastLine()
    /// Empty again once it is ready.
    var startOutput = StartOutput()
    /// Since when nothing but its activities keeps it awake; nil: a run or its start does, or it is stopped.
    var restsSince: MonotonicTime?
    /// The handlers of its activities have been told to end them.
    var hasExpiredActivities = false
    /// Frames that the socket had no room for.
    var outgoing: [[UInt8]] = []
    var outgoingBytes = 0
    /// Sessions of transfers whose news could not be sent to it yet: each is sent once, however much has changed.
    var untoldSessions: Set<String> = []
    /// Spare memory for the next frame.
    var scratch: [UInt8] = []
    var traffic = Traffic()
    /// Runs whose output the worker holds until it is asked for.
    var heldRuns: Set<UInt64> = []
    var socket: Int32
    /// Its other end is closed: nothing comes or goes any more.
    var isSocketOver = false
    var output: Int32
    var error: Int32
    var isStopped = false
    /// The processes that are stopped while it is suspended.
    var freeze: Freeze?
    /// The processes that are stopped for a look at its folder.
    var hold: Freeze?
    /// When a look last found a process of it that had gone on while it was stopped.
    var lastEscape: MonotonicTime?
    var wantsSuspension = false
    var suspendRetry: Duration = .seconds(1)
    /// Runs that are not held to the app's share of the processor.
    var freeRuns: Set<UInt64> = []
    /// Processes of a run may go on after the run's end.
    var leavesRunning = false
    /// Its runs are over, and it waits for what they have left running.
    var hasLeft = false
    var limits: LimitWatch
    /// What is measured of each open run.
    var meters: [UInt64: RunMeter] = [:]
    /// The most memory of one of its ended children, as it said at the end of its last run; nil: no run of it has ended.
    var childPeak: Int64?
    /// Page faults of its ended children at the end of its last run.
    var childFaults: Int64 = 0
    /// The time until the next look at what it uses, and how many processes the last one found.
    var lookGap: Duration = .zero
    var lastProcesses = 0
    /// What is to be done later, and when.
    var deadlines: [Deadline: MonotonicTime] = [:]

    enum Deadline: CaseIterable {
        /// The socket ended: the process should have ended by then, too.
        case socketEnded
        /// It was asked to end.
        case terminated
        /// It was killed: its supervisor should have ended by then, too.
        case killed
        /// Its socket and pipes are read again.
        case listen
        /// Runs may print on.
        case printOn
        case suspend
        /// The time of its activities is nearly up.
        case expireActivities
        /// The time of its activities is up.
        case endActivities
        /// It was to end while activities, or processes that its runs had left, were under way.
        case evict
        /// The next look at what it uses is due.
        case measure
    }

    init(spec: WorkerSpec, process: WorkerProcess, group: AppGroup?, pool: WorkerPool) {
        self.spec = spec
        self.process = process
        self.group = group
        self.pool = pool
        loop = pool.loop
        session = WorkerSession(app: spec.app, permits: spec.permitted)
        limits = LimitWatch(spec.confinement.limits)
        socket = process.socket
        output = process.output
        error = process.error
    }

    var id: WorkerID { spec.worker }
    var app: AppIdentifier { spec.app }

    /// Begins to listen, and introduces the host and the app.
    func begin() throws(LoopError) {
        try loop.watch(process.pidfd, .readable) { [unowned self] _ in ended() }
        try listen()
        let welcome = HostFrame.Welcome(
            app: app.text, plugin: spec.plugin, identity: spec.identity, sha256: spec.sha256,
            stateFolder: spec.stateFolder, nice: Int8(clamping: spec.nice), isLowPower: pool.isLowPower,
            settingsBytes: 0, permits: 0)
        let frames = session.opening(
            welcome, confinement: spec.confinement.frames(), settings: spec.settings)
        for frame in frames { send(frame) }
        limitProcessor()
        watchLimits()
    }

    func launch(
        _ run: RunID, task: TaskIdentifier, kind: Kind, deadline: MonotonicTime?, label: RequestLabel?,
        origin: String?, push: PushNote?
    ) {
        stopResting()
        if session.runs.isEmpty, session.isReady { lastLine = LastLine() }
        beginMeter(of: run)
        let permit = session.permit(for: task)
        if permit?.isFreeOfCPULimit == true { freeRuns.insert(run.number) }
        if permit?.leavesRunning == true { leavesRunning = true }
        if session.runsAlone, let permit { suit(permit) }
        let frame = session.launch(
            run, task: task, kind: kind, deadline: deadline, label: label, origin: origin, push: push)
        if let frame {
            limitProcessor()
            wake()
            send(frame)
        }
        watchLimits()
    }

    func expire(_ run: RunID, reason: String) {
        guard let frame = session.expire(run, reason: reason) else { return }
        wake()
        send(frame)
    }

    /// Asks the worker to end; if it does not, it is killed.
    func evict() {
        guard !session.isEnding, !waitsForActivities(), !waitsForLeft() else { return }
        wake()
        send(.terminate)
        session.end(reason: "evicted by the host")
        setDeadline(.terminated, after: WorkerPool.timeout)
    }

    /// Kills it and all that it has started. The first reason counts.
    func kill(reason: String) {
        session.end(reason: "killed by the host: \(reason)")
        group?.kill()
        process.end()
        setDeadline(.killed, after: WorkerPool.supervisorTimeout)
    }

    /// Reports a fatal violation that came without a frame.
    func violate(_ sentence: String) {
        perform(session.violate(nil, sentence, isFatal: true))
    }

    func setDeadline(_ deadline: Deadline, after delay: Duration) {
        deadlines[deadline] = Clock.monotonic + delay
        pool.armTimer()
    }

    /// Does what is due at `now`.
    func ring(_ now: MonotonicTime) {
        for deadline in Deadline.allCases where deadlines[deadline].map({ $0 <= now }) == true {
            deadlines[deadline] = nil
            switch deadline {
            case .socketEnded: violate("It closed its socket to the host.")
            case .terminated: kill(reason: "it did not end when told to")
            case .killed: process.endSupervisor()
            case .listen: try? listen()
            case .suspend: trySuspend()
            case .printOn: printOn()
            case .expireActivities: expireActivities()
            case .endActivities: endActivities()
            case .evict: evict()
            case .measure: measure(now)
            }
        }
    }
}
