private import CLullShims
private import Glibc
public import LullModel
public import LullSystem
import LullWire

/// The workers of a host, one process and one app each: started, suspended and reaped on the loop's thread.
///
/// Nothing here blocks. Events go to one function, never from inside the call that caused them, except those known at
/// once (a violation, a refused suspension). A pool that is released kills its workers.
public final class WorkerPool {
    /// How long a worker may take to end after it was told to, or after its socket has ended.
    static let timeout: Duration = .seconds(2)
    /// How long a supervisor may take to end what the app has started.
    static let supervisorTimeout: Duration = .seconds(10)
    /// The most bytes of frames that wait for a worker.
    static let queueBytes = 4 << 20
    /// Bytes read from a pipe at once.
    static let outputPiece = 64 << 10
    /// The time of an app's activities, and how long before its end they are warned; tests set less.
    var activityTime = Limits.activityTime
    var activityWarning = Limits.activityWarning
    /// The time between two looks at what an app uses: while it runs something, and else.
    var measureOften: Duration = .seconds(2)
    var measureRarely: Duration = .seconds(30)
    /// The longest time between two looks at whether stopped processes are still stopped.
    var measureStopped: Duration { measureOften * 4 }
    var cpuSpan = AppLimits.cpuSpan
    /// How long it is remembered that a process of a worker went on while it was stopped.
    var escapeMemory: Duration = .days(1)

    let loop: EventLoop
    /// For what comes in; each piece is copied out before anything is called.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Limits.frameBytes, alignment: 8)
    let orphans: OrphanReaper
    /// When to look for orphans that were missed.
    private var nextSweep: MonotonicTime?
    /// Nil: no control groups are delegated to this host.
    var groups: AppGroups?
    /// Apps whose plugins want a worker for each run, as the last ready one said.
    var runsAlone: Set<AppIdentifier> = []
    /// Its host ends: nothing is left running.
    private(set) var isClosing = false
    /// The end of its workers' mark in the environment.
    private let mark: String
    private let executable: String
    private let onEvent: (WorkerID, WorkerEvent) -> Void
    private var workers: [WorkerID: Worker] = [:]
    /// Workers that could not even be spawned, to be reported from the loop.
    private var stillborn: [(WorkerID, WorkerEvent)] = []
    /// The submits of all its workers.
    var submitCount: UInt64 = 0
    private var timer: LoopTimer?
    /// Whether the machine is to save power, as workers are told.
    public var isLowPower = false {
        didSet {
            guard isLowPower != oldValue else { return }
            for worker in workers.values where !worker.session.isEnding {
                worker.send(.powerMode(isLow: isLowPower))
            }
        }
    }

    /// `executable` is the path of `lull-worker`. This process becomes the parent of its workers' orphans.
    public init(
        loop: EventLoop, executable: String, stateFolder: String,
        onEvent: @escaping (WorkerID, WorkerEvent) -> Void
    ) throws(LoopError) {
        self.loop = loop
        self.executable = executable
        self.onEvent = onEvent
        orphans = OrphanReaper(loop: loop)
        mark = EarlierHosts.mark(of: stateFolder)
        groups = AppGroups.delegated()
        _ = lull_become_subreaper()
        timer = try LoopTimer(on: loop) { [unowned self] in ring() }
    }

    deinit {
        for worker in workers.values {
            worker.process.end()
            worker.closeAll()
            // Its end is not reported; after SIGKILL it is near.
            _ = lull_wait_readable(worker.process.pidfd, 1000)
            worker.process.bury()
        }
        buffer.deallocate()
    }

    /// Nil: there is no such worker, or no more.
    public func pid(of worker: WorkerID) -> Int32? { workers[worker]?.process.worker }

    /// All workers of an app, the oldest first.
    func workers(of app: AppIdentifier) -> [Worker] {
        workers.values.filter { $0.app == app }.sorted { $0.id < $1.id }
    }

    /// The supervisors of an app's workers, whose descendants are all that these have started.
    public func supervisors(of app: AppIdentifier) -> [Int32] { workers(of: app).map(\.process.supervisor) }

    /// Stops all of an app while its folder is looked at, so that it can move no file past the look.
    public func holdStill(_ app: AppIdentifier) { for worker in workers(of: app) { worker.holdStill() } }

    /// Lets them go on. A process that had gone on nevertheless is named, and its worker killed the second time.
    public func letGo(_ app: AppIdentifier) { for worker in workers(of: app) { worker.letGo() } }

    /// The worker of a supervisor.
    func worker(keptBy supervisor: Int32) -> Worker? {
        workers.values.first { $0.process.supervisor == supervisor }
    }

    /// What each app's workers, and all that they have started, use now; with the pid of the newest worker.
    public var loads: [WorkerLoad] {
        var loads: [AppIdentifier: WorkerLoad] = [:]
        for worker in workers.values.sorted(by: { $0.id < $1.id }) {
            let used = Consumption(ofSupervisor: worker.process.supervisor)
            let older = loads[worker.app]
            loads[worker.app] = WorkerLoad(
                app: worker.app, pid: worker.process.worker ?? worker.process.supervisor,
                processes: used.processes + (older?.processes ?? 0),
                memory: used.memory + (older?.memory ?? 0),
                cpuMilliseconds: used.time.milliseconds + (older?.cpuMilliseconds ?? 0))
        }
        return loads.values.sorted { $0.app < $1.app }
    }

    public var isEmpty: Bool { workers.isEmpty && stillborn.isEmpty }

    /// Starts a worker, beside whatever others its app has; its `ready`, `failed` or `exited` follows.
    public func start(_ spec: WorkerSpec) {
        guard workers[spec.worker] == nil else { return }
        var spec = spec
        if !runsAlone.contains(spec.app) { spec.confinement.runs = 1 }
        if let fault = spec.fault { return miscarry(spec.worker, .failed(sentence: fault)) }
        do throws(SpawnError) {
            let group = groups?.group(of: spec.worker, spec.confinement)
            let door = group?.openDoor() ?? -1
            defer { if door >= 0 { close(door) } }
            let process = try WorkerProcess.spawn(executable, mark: mark, group: door)
            let worker = Worker(spec: spec, process: process, group: group, pool: self)
            workers[spec.worker] = worker
            begin(worker)
        } catch {
            if error.code == EAGAIN { lookForShortage() }
            miscarry(spec.worker, .heldBack(sentence: error.message))
        }
    }

    /// Kills what the workers of an earlier host of this state have left. The caller holds the state's lock.
    public func endEarlier() {
        groups?.endEarlier()
        EarlierHosts.end(mark: mark)
    }

    /// The kernel makes no more processes: looks now, not in turn, for an app that has too many.
    func lookForShortage() {
        let now = Clock.monotonic
        for worker in Array(workers.values) { worker.measure(now) }
    }

    public func resume(_ worker: WorkerID) { workers[worker]?.wake() }

    /// Stops the worker and all that it has started as soon as nothing waits for it.
    public func suspend(_ worker: WorkerID) { workers[worker]?.suspend() }

    /// A launch of an app whose worker is not ready yet waits for it.
    public func launch(
        _ run: RunID, task: TaskIdentifier, kind: Kind, deadline: MonotonicTime?, label: RequestLabel? = nil,
        origin: String? = nil, push: PushNote? = nil, in worker: WorkerID
    ) {
        workers[worker]?.launch(
            run, task: task, kind: kind, deadline: deadline, label: label, origin: origin, push: push)
    }

    /// Has the worker's supervisor end it at that time since the boot, which counts sleep, also if this process hangs; nil: at none.
    public func keep(_ worker: WorkerID, until end: Duration?) { workers[worker]?.process.keep(until: end) }

    public func expire(_ run: RunID, in worker: WorkerID, reason: String) {
        workers[worker]?.expire(run, reason: reason)
    }

    /// Ends a worker in which nothing runs, once its activities have ended or their time is up.
    public func evict(_ worker: WorkerID) {
        workers[worker]?.evict()
    }

    /// What runs have left running ends from now on with their workers.
    public func leaveNothing() {
        isClosing = true
        for worker in workers.values where worker.hasLeft { worker.evict() }
    }

    /// Kills the worker and all that it has started; `reason` becomes part of the `exited` that follows.
    public func kill(_ worker: WorkerID, reason: String) {
        workers[worker]?.kill(reason: reason)
    }

    public func killAll(reason: String) {
        for worker in workers.values { worker.kill(reason: reason) }
    }

    /// Answers a submit, once, now or later; nil accepts it.
    public func answer(_ submit: SubmitID, sequence: UInt64, of worker: WorkerID, _ refusal: Refusal?) {
        workers[worker]?.answer(submit, sequence, refusal)
    }

    /// Returns a function that answers a cancel; it does nothing if the worker is gone by then.
    public func answer(toCancel sequence: UInt64, of worker: WorkerID) -> () -> Void {
        { [weak worker = workers[worker]] in worker?.answerCancel(sequence) }
    }

    public func answer(toPending sequence: UInt64, of worker: WorkerID, _ requests: [TaskRequest]) {
        workers[worker]?.answerPending(sequence, requests)
    }

    public func answer(
        toNotifications sequence: UInt64, of worker: WorkerID, _ notifications: [WireNotification]
    ) {
        workers[worker]?.answerNotifications(sequence, notifications)
    }

    /// Answers an order for a transfer, once, now or later: with the transfer's number, or why there is none.
    public func answer(
        toTransfer submit: SubmitID, sequence: UInt64, of worker: WorkerID,
        _ verdict: Result<TransferID, Refusal>
    ) {
        workers[worker]?.answerTransfer(submit, sequence, verdict)
    }

    /// Answers with the transfers in the order of their numbers: as many as fit, and the plugin asks for the rest.
    /// `next`: an ordinal above all that the session has had.
    public func answer(
        toTransfers sequence: UInt64, of worker: WorkerID, next: UInt64, _ states: [TransferState]
    ) {
        workers[worker]?.answerTransfers(sequence, next: next, states)
    }

    /// Notifies a worker that transfers of this session may have changed; a repeat before it is read is left out.
    public func tellTransfers(session: String, of worker: WorkerID) {
        workers[worker]?.tellTransfers(session: session)
    }

    func emit(_ event: WorkerEvent, of worker: WorkerID) { onEvent(worker, event) }

    func ended(_ worker: Worker, _ event: WorkerEvent) {
        workers[worker.id] = nil
        emit(event, of: worker.id)
    }

    func armTimer() {
        let next = workers.values.lazy.compactMap { $0.deadlines.values.min() }.min()
        let due = [next, nextSweep].compactMap(\.self).min()
        timer?.arm(stillborn.isEmpty ? due : Clock.monotonic)
    }

    private func begin(_ worker: Worker) {
        do throws(LoopError) {
            try worker.begin()
        } catch {
            workers[worker.id] = nil
            worker.process.end()
            worker.closeAll()
            orphans.adopt(worker.process)
            miscarry(worker.id, .heldBack(sentence: error.message))
        }
    }

    /// Kills what supervisors have left. A worker whose own supervisor has just ended is no orphan: its exit status is
    /// still to be read, so the supervisors' reports on their workers are read first.
    func sweep() {
        for worker in workers.values { _ = worker.process.worker }
        nextSweep = orphans.sweep() ? Clock.monotonic + .milliseconds(100) : nil
        armTimer()
    }

    private func miscarry(_ worker: WorkerID, _ event: WorkerEvent) {
        stillborn.append((worker, event))
        armTimer()
    }

    private func ring() {
        let failures = stillborn
        stillborn = []
        for (worker, event) in failures { emit(event, of: worker) }
        let now = Clock.monotonic
        if let nextSweep, now >= nextSweep { sweep() }
        for worker in Array(workers.values) { worker.ring(now) }
        armTimer()
    }
}
