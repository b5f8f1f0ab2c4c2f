private import CLullShims
private import Glibc
public import LullModel
public import LullSystem
import LullWire

/// The workers of a host: a process each, of one app each, started, spoken to, suspended and reaped on the loop's
/// thread.
///
/// Nothing here waits. What happens is told through one function, never from inside a call of the pool that
/// asked for it but for what is known at once (a violation, a refused suspension). A pool that goes away
/// takes its workers along.
public final class WorkerPool {
    /// How long a worker may take to end after it was told to, or after its socket has ended.
    static let timeout: Duration = .seconds(2)
    /// How long a supervisor may take to end what the app has started.
    static let supervisorTimeout: Duration = .seconds(10)
    /// Of frames that a worker has not taken.
    static let queueBytes = 4 << 20
    /// Read from a pipe at once.
    static let outputPiece = 64 << 10
    /// What an app has for its activities, and how long before its end they are told; a test has no time to wait.
    var activityTime = Limits.activityTime
    var activityWarning = Limits.activityWarning
    /// Between two looks at what an app uses: while it runs something, and else.
    var measureOften: Duration = .seconds(2)
    var measureRarely: Duration = .seconds(30)
    /// At most between two looks at whether what was stopped is so still.
    var measureStopped: Duration { measureOften * 4 }
    var cpuSpan = AppLimits.cpuSpan
    /// For so long it is remembered that something of a worker went on while it was stopped.
    var escapeMemory: Duration = .days(1)

    let loop: EventLoop
    /// For what comes in; each piece is copied out before anything is called.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Limits.frameBytes, alignment: 8)
    let orphans: OrphanReaper
    /// When who was missed is looked for.
    private var nextSweep: MonotonicTime?
    /// Where control groups are delegated to this host.
    var groups: AppGroups?
    /// Apps whose plugins have each run in a worker of its own, as the last that was ready said.
    var runsAlone: Set<AppIdentifier> = []
    /// Its host ends: nothing is left running.
    private(set) var isClosing = false
    /// At the end of its workers' mark.
    private let mark: String
    private let executable: String
    private let onEvent: (WorkerID, WorkerEvent) -> Void
    private var workers: [WorkerID: Worker] = [:]
    /// Workers that could not even be spawned, to be told of from the loop.
    private var stillborn: [(WorkerID, String)] = []
    /// Of all its workers.
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
            // Nobody will hear of its end; after SIGKILL that is near.
            _ = lull_wait_readable(worker.process.pidfd, 1000)
            worker.process.bury()
        }
        buffer.deallocate()
    }

    /// Nil: there is no such worker, or no more.
    public func pid(of worker: WorkerID) -> Int32? { workers[worker]?.process.worker }

    /// All that an app has, the oldest first.
    func workers(of app: AppIdentifier) -> [Worker] {
        workers.values.filter { $0.app == app }.sorted { $0.id < $1.id }
    }

    /// The processes beneath which all is that an app's workers have started.
    public func supervisors(of app: AppIdentifier) -> [Int32] { workers(of: app).map(\.process.supervisor) }

    /// Stops all of an app while its folder is looked at, so that it can move no file past the look.
    public func holdStill(_ app: AppIdentifier) { for worker in workers(of: app) { worker.holdStill() } }

    /// Who has gone on nevertheless is named, and ended the second time.
    public func letGo(_ app: AppIdentifier) { for worker in workers(of: app) { worker.letGo() } }

    /// By the process beneath which it is, and all that it has started.
    func worker(keptBy supervisor: Int32) -> Worker? {
        workers.values.first { $0.process.supervisor == supervisor }
    }

    /// What each app's workers, and all that they have started, use now; under the number of the newest worker.
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
        if let fault = spec.fault { return miscarry(spec.worker, fault) }
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
            miscarry(spec.worker, error.message)
        }
    }

    /// Ends what the workers of an earlier host of this state have left. Only for who alone may have the state.
    public func endEarlier() {
        groups?.endEarlier()
        EarlierHosts.end(mark: mark)
    }

    /// The kernel makes no more processes: which app has too many is looked at now, not at its turn.
    func lookForShortage() {
        let now = Clock.monotonic
        for worker in Array(workers.values) { worker.measure(now) }
    }

    public func resume(_ worker: WorkerID) { workers[worker]?.wake() }

    /// Stops the worker and all that it has started as soon as that holds up nobody.
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

    /// The answer to a submit, nil accepts; once, and later than it was heard if need be.
    public func answer(_ submit: SubmitID, sequence: UInt64, of worker: WorkerID, _ refusal: Refusal?) {
        workers[worker]?.answer(submit, sequence, refusal)
    }

    /// What lets a plugin that has cancelled go on; of a worker that is gone by then it means nothing to the next.
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

    /// The answer to what the plugin wants transferred: the transfer's number, or why it is none. Once, and later than it was
    /// heard if need be.
    public func answer(
        toTransfer submit: SubmitID, sequence: UInt64, of worker: WorkerID,
        _ verdict: Result<TransferID, Refusal>
    ) {
        workers[worker]?.answerTransfer(submit, sequence, verdict)
    }

    /// All transfers that were asked for, in the order of their numbers: as many as fit are told, and the plugin asks on.
    /// `next`: an ordinal above all that the session has had.
    public func answer(
        toTransfers sequence: UInt64, of worker: WorkerID, next: UInt64, _ states: [TransferState]
    ) {
        workers[worker]?.answerTransfers(sequence, next: next, states)
    }

    /// Something may have become of transfers of this session; said again before it is read, it is said once.
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
            miscarry(worker.id, error.message)
        }
    }

    /// Ends what supervisors have left. A worker whose own supervisor has just ended is no orphan: how it ended is still to be read,
    /// so what the supervisors have told of their workers is heard first.
    func sweep() {
        for worker in workers.values { _ = worker.process.worker }
        nextSweep = orphans.sweep() ? Clock.monotonic + .milliseconds(100) : nil
        armTimer()
    }

    private func miscarry(_ worker: WorkerID, _ sentence: String) {
        stillborn.append((worker, sentence))
        armTimer()
    }

    private func ring() {
        let failures = stillborn
        stillborn = []
        for (worker, sentence) in failures { emit(.failed(sentence: sentence), of: worker) }
        let now = Clock.monotonic
        if let nextSweep, now >= nextSweep { sweep() }
        for worker in Array(workers.values) { worker.ring(now) }
        armTimer()
    }
}
