private import CLullShims
internal import Glibc
import LullLoop
import LullModel
import LullWire

/// One worker process from its spawn to its burial, as the host knows it.
///
/// It believes nothing that comes from the process: what can't be is a violation, and after a fatal one
/// nothing more is read. It never waits: what can't be sent at once is queued, up to a limit.
final class Worker {
    enum Stage {
        /// Until the plugin's `hello`; launches wait.
        case starting
        case ready
        /// Killed or asked to end; `reason` says why. Only its end is awaited.
        case ending(reason: String)
    }

    let spec: WorkerSpec
    let process: WorkerProcess
    /// Where groups are delegated.
    let group: AppGroup?
    unowned let pool: WorkerPool
    let loop: EventLoop
    var stage = Stage.starting
    /// What the worker said kept it from starting.
    var failure: String?
    /// Who made the plugin's entry; empty until it is ready.
    var sdk = ""
    /// Since it was spawned, or since the first of its open runs was launched.
    var lastLine = LastLine()
    /// Empty again once it is ready.
    var startOutput = StartOutput()
    /// What the plugin has registered until it was ready, and since.
    var registered: [TaskIdentifier] = []
    var registeredLate: Set<TaskIdentifier> = []
    /// What keeps the app from being suspended, by name.
    var activities: [UInt64: String] = [:]
    /// Since when nothing but its activities keeps it awake; nil: a run or its start does, or it is stopped.
    var restsSince: MonotonicTime?
    /// The handlers of its activities have been told to end them.
    var hasExpiredActivities = false
    /// The launches that the host has made and the plugin has not completed.
    var runs: Set<UInt64> = []
    /// The last of them that were completed, for of them something may still be told.
    var completed = [UInt64](repeating: 0, count: 64)
    var completedNext = 0
    /// The plugin's submits without an answer yet.
    var submits: [UInt64: SubmitID] = [:]
    /// The last submits that were answered, for one may be withdrawn while its answer is on its way.
    var answered = [(sequence: UInt64, id: SubmitID)?](repeating: nil, count: 16)
    var answeredNext = 0
    /// Launches that came before the worker was ready.
    var waiting: [HostFrame] = []
    /// Frames that the socket had no room for.
    var outgoing: [[UInt8]] = []
    var outgoingBytes = 0
    /// Spare memory for the next frame.
    var scratch: [UInt8] = []
    var traffic = Traffic()
    var socket: Int32
    var output: Int32
    var error: Int32
    var isStopped = false
    var wantsSuspension = false
    var suspendRetry: Duration = .seconds(1)
    /// Runs that are not held to the app's share of the processor.
    var freeRuns: Set<UInt64> = []
    var limits: LimitWatch
    /// What is to be done later, and when.
    var deadlines: [Deadline: MonotonicTime] = [:]

    enum Deadline: CaseIterable {
        /// The socket ended: the process is to have ended, too.
        case socketEnded
        /// It was asked to end.
        case terminated
        /// Its traffic is listened to again.
        case listen
        case suspend
        /// The time of its activities is nearly up.
        case expireActivities
        /// It is up.
        case endActivities
        /// It was to end while activities were under way.
        case evict
        /// What it uses is to be looked at.
        case measure
    }

    init(spec: WorkerSpec, process: WorkerProcess, group: AppGroup?, pool: WorkerPool) {
        self.spec = spec
        self.process = process
        self.group = group
        self.pool = pool
        loop = pool.loop
        limits = LimitWatch(limits: spec.confinement.limits, memory: spec.confinement.memory)
        socket = process.socket
        output = process.output
        error = process.error
    }

    var app: AppIdentifier { spec.app }

    var isReady: Bool {
        if case .ready = stage { true } else { false }
    }

    var isEnding: Bool {
        if case .ending = stage { true } else { false }
    }

    /// Begins to listen, and introduces the host and the app.
    func begin() throws(LoopError) {
        try loop.watch(process.pidfd, .readable) { [unowned self] _ in ended() }
        try listen()
        let settings = Array(spec.settings.utf8)
        send(
            .welcome(
                HostFrame.Welcome(
                    app: app.text, plugin: spec.plugin, identity: spec.identity, sha256: spec.sha256,
                    stateFolder: spec.stateFolder,
                    nice: Int8(clamping: spec.nice), isLowPower: pool.isLowPower,
                    settingsBytes: UInt32(settings.count), permits: UInt32(spec.permitted.count))))
        for frame in spec.confinement.frames() { send(frame) }
        for start in stride(from: 0, to: settings.count, by: Wire.settingsPart) {
            send(.settings(part: Array(settings[start..<min(start + Wire.settingsPart, settings.count)])))
        }
        for permit in spec.permitted {
            send(
                .permit(
                    identifier: permit.task.text, kind: WireKind(permit.kind), settings: permit.settings))
        }
        watchLimits()
    }

    func launch(
        _ run: RunID, task: TaskIdentifier, kind: Kind, deadline: MonotonicTime?, label: RequestLabel?
    ) {
        let frame = HostFrame.launch(
            run: run.number, kind: WireKind(kind), identifier: task.text,
            deadline: deadline?.nanoseconds ?? 0, label: WireLabel(label))
        stopResting()
        if runs.isEmpty, isReady { lastLine = LastLine() }
        runs.insert(run.number)
        if spec.permit(for: task)?.isFreeOfCPULimit == true { freeRuns.insert(run.number) }
        switch stage {
        case .starting: waiting.append(frame)
        case .ready: wake(); send(frame)
        case .ending: break
        }
        watchLimits()
    }

    func expire(_ run: RunID, reason: String) {
        let frame = HostFrame.expire(run: run.number, reason: reason)
        switch stage {
        case .starting: waiting.append(frame)
        case .ready: wake(); send(frame)
        case .ending: break
        }
    }

    /// Asks the worker to end; if it does not, it is killed.
    func evict() {
        guard !isEnding, !waitsForActivities() else { return }
        wake()
        send(.terminate)
        stage = .ending(reason: "evicted by the host")
        setDeadline(.terminated, after: WorkerPool.patience)
    }

    /// Kills the process group. The first reason counts.
    func kill(reason: String) {
        if !isEnding { stage = .ending(reason: "killed by the host: \(reason)") }
        process.signalGroup(SIGKILL)
    }

    func violate(_ run: RunID?, task: TaskIdentifier? = nil, _ sentence: String, isFatal: Bool) {
        // First the socket: what comes on it after this means nothing.
        if isFatal { closeSocket() }
        pool.emit(.violation(app, run, task: task, sentence: sentence, isFatal: isFatal))
        if isFatal { kill(reason: sentence) }
    }

    func setDeadline(_ deadline: Deadline, after delay: Duration) {
        deadlines[deadline] = Clock.monotonic + delay
        pool.armTimer()
    }

    /// What is due at `now`.
    func ring(_ now: MonotonicTime) {
        for deadline in Deadline.allCases where deadlines[deadline].map({ $0 <= now }) == true {
            deadlines[deadline] = nil
            switch deadline {
            case .socketEnded: violate(nil, "It closed its socket to the host.", isFatal: true)
            case .terminated: kill(reason: "it did not end when it was told to")
            case .listen: try? listen()
            case .suspend: trySuspend()
            case .expireActivities: expireActivities()
            case .endActivities: endActivities()
            case .evict: evict()
            case .measure: measure(now)
            }
        }
    }
}
