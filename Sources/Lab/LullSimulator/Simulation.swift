public import LullModel
public import LullScheduler

/// A simulated host: it makes the same decisions as the real one, under a virtual clock.
///
/// It jumps from one due moment to the next, keeps the records as the host's log would, carries out the effects on simulated
/// workers once they may be, and checks that nothing is done that must not be (`Invariants`, `Liveness`). All that it does
/// follows from its world alone.
public struct Simulation: Sendable {
    public let world: World
    public private(set) var state: SchedulerState
    public internal(set) var trace = Trace()
    public internal(set) var clock: VirtualClock

    var invariants: Invariants
    var liveness = Liveness()
    var random: SeededGenerator
    /// A separate generator for faults between host and workers: without them a seed's week is what it would be.
    var wire: SeededGenerator
    var workers: [WorkerID: VirtualWorker] = [:]
    /// The sockets to them.
    var links: [WorkerID: VirtualLink] = [:]
    /// Plugins' submits that the scheduler has not answered yet.
    var asked: [Token: VirtualLink.Asked] = [:]
    var submitCount: UInt64 = 0
    /// Something was submitted since the last check that all submits have an answer.
    var owesAnswers = false
    var workersStarted = 0
    var agenda = Agenda()
    var armed = Deadline()
    var sampled: Set<Conditions.Sensor> = []
    /// The conditions of the host, and those that the scheduler knows.
    var conditions: Conditions
    var told: Conditions
    /// The results of looks at the disk.
    var room: DiskRoom?
    var folders: [AppIdentifier: FolderUse] = [:]
    /// Apps that have written to a disk that was short then: they may be ended for that, even while they start.
    var fillers: Set<AppIdentifier> = []
    var isFinished = false
    /// The database of its fleet, of which it is the only host: never away, and it answers at once. A fleet of several has a
    /// simulation of its own.
    var fleet = FleetDatabase()
    var virtualTransfers = VirtualTransfers()
    /// The last lines that each run has printed.
    var lastLines: [RunID: LastLines] = [:]
    /// Whether effects are being carried out: those that follow come after those that wait already.
    var isCarryingOut = false
    /// The number of the current host: matters of an earlier one are stale.
    var hosts = 0

    var log: VirtualLog
    var disk: VirtualDisk
    var order = CommitOrder<VirtualBatch, Frame>()
    var effectOrder = EffectOrder()
    var eventsSinceCheckpoint = 0
    /// The host is cut off after so many effects of an event, or while it writes; nil: it is not.
    var crash: Crash?
    /// The host is started again once it has ended, after this time.
    var startsAgain: Duration?
    var isShuttingDown = false
    var manifest: Manifest
    /// When and how the host before was last seen.
    var seen: LastSeen?
    /// Whether the absences before this host are durable; and when it was last noted that the host lives.
    var isSighted = false
    var sightedAt: MonotonicTime?
    /// The facts about the event that is being handled.
    var about = Frame.About()

    private var timeline: [World.Entry]
    private var nextEntry = 0
    private var nextToken: UInt64 = 1
    /// Wakes without any time passing.
    private var idleWakes = 0

    public init(_ world: World) {
        self.world = world
        var ledger = world.checkpoint
        for event in world.history { ledger.apply(event, zones: world.zones) }
        log = VirtualLog(ledger, zones: world.zones)
        disk = VirtualDisk(milliseconds: world.diskMilliseconds)
        state = SchedulerState(ledger: ledger, options: Self.options(of: world, boots: 0, hosts: 0))
        clock = VirtualClock(start: world.start)
        random = SeededGenerator(seed: world.seed)
        wire = SeededGenerator(seed: world.seed ^ 0x5EA7_5EA7)
        virtualTransfers.random = SeededGenerator(seed: world.seed ^ 0x7A45_7A45)
        conditions = world.conditions
        told = world.conditions
        manifest = world.manifest
        // Stable, for what happens at the same time happens in the order given.
        timeline = world.timeline.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
        invariants = Invariants(
            manifest: world.manifest, zones: world.zones, history: world.history, host: world.options.host)
        invariants.idleness.disturbed(at: clock)
        boot()
    }

    public var now: Now {
        Now(wall: clock.wall, monotonic: clock.monotonic, zones: world.zones, asleep: clock.asleep)
    }

    /// The fold of what is durable: what a restart would begin with.
    public var durable: Ledger { log.ledger }

    /// Goes on until `end` in true time, or until the host has finished.
    public mutating func run(until end: WallTime) {
        while !isFinished, let next = nextMoment(), next <= end { step(to: next) }
        if !isFinished { clock.advance(to: end) }
    }

    /// Goes on for so many days from the world's start.
    public mutating func run(days: Int) { run(until: world.start + .days(days)) }

    /// Handles one event at once, as if it had come from outside: its records go to the log, and its effects wait for
    /// them.
    @discardableResult
    public mutating func handle(_ event: Event) -> [Effect] {
        tell { "> \(event.line)" }
        var frame = Frame(
            now: now, clock: clock, conditions: told, manifest: manifest, folders: folders, about: about)
        about = Frame.About()
        frame.about.isShuttingDown = isShuttingDown
        if case .shutdown = event { isShuttingDown = true }
        let effects = state.handle(event, at: now)
        trace.handled += 1
        for effect in effects {
            tell { "  \(effect.line)" }
            switch effect {
            case .arm(let deadline): armed = deadline
            case .sample(let sensors): sample(sensors)
            default: frame.effects.append(effect)
            }
        }
        checkLiveness()
        switch event {
        // Before the manifest is read the host knows no app.
        case .manifestLoaded, .completed, .used, .notificationAdded, .transferAsked, .transferNews:
            if order.isQuiet, let sentence = TransferWatch.idle(state, at: now) { invariants.fault(sentence) }
            if let sentence = NotificationWatch.overdue(state.ledger.notifications, at: now) {
                invariants.fault(sentence)
            }
        default: break
        }
        let records = frame.effects.count { $0.record != nil }
        eventsSinceCheckpoint += records
        let urgent: [Effect]
        (urgent, frame.effects) = effectOrder.divide(frame.effects)
        order.add(records > 0 ? VirtualBatch(frames: [frame]) : nil, then: frame)
        for effect in urgent { carryOut(effect, of: frame) }
        invariants.checkAges(of: workers, at: clock)
        goOn()
        takeFaults()
        return effects
    }

    /// Liveness is not checked while the log is being written: nothing is begun then.
    private mutating func checkLiveness() {
        guard world.looksForWaiting, order.isQuiet else { return liveness.forget() }
        for sentence in liveness.check(state, now: now, armed: armed) {
            invariants.fault(sentence)
        }
    }

    mutating func takeFaults() {
        let faults = invariants.takeFaults(at: clock, seed: world.seed)
        for sentence in faults { tell { "! \(sentence)" } }
        trace.faults += faults
    }

    func tell(_ line: () -> String) { world.tell?(clock, line()) }

    mutating func makeToken() -> Token {
        defer { nextToken += 1 }
        let token = Token(nextToken)
        invariants.willAnswer(token)
        return token
    }

    /// A host begins with what the log gives back.
    mutating func begin(with ledger: Ledger) {
        liveness.forget()
        isShuttingDown = false
        state = SchedulerState(
            ledger: ledger, options: Self.options(of: world, boots: clock.boots, hosts: hosts))
    }

    /// Each boot has a name of its own, the first that of the world; of a fleet each process is a host of its own.
    private static func options(of world: World, boots: Int, hosts: Int) -> SchedulerOptions {
        var options = world.options
        options.fleet = FleetIdentity(host: "\(hosts)", place: "place", name: "this host")
        if boots > 0 { options.boot += "+\(boots)" }
        return options
    }

    mutating func take(imported events: [HistoryEvent]) { state.take(imported: events, zones: world.zones) }

    private func nextMoment() -> WallTime? {
        var next: WallTime?
        func take(_ time: WallTime) { next = min(next ?? time, time) }
        if nextEntry < timeline.count { take(max(timeline[nextEntry].time, clock.trueTime)) }
        if let time = agenda.nextTime { take(clock.trueTime(ofMonotonic: time)) }
        if let time = armed.wall { take(clock.trueTime(ofWall: time)) }
        if let time = armed.monotonic { take(clock.trueTime(ofMonotonic: time)) }
        return next
    }

    private mutating func step(to time: WallTime) {
        if time > clock.trueTime { idleWakes = 0 }
        clock.advance(to: time)
        if nextEntry < timeline.count, timeline[nextEntry].time <= clock.trueTime {
            let entry = timeline[nextEntry]
            nextEntry += 1
            happen(entry)
        } else if let due = agenda.removeFirst(upTo: clock.monotonic) {
            carryOn(due)
        } else {
            idleWakes += 1
            if idleWakes > 100 {
                invariants.fault("wakes over and over at one moment, armed for \(armed)")
                armed = Deadline(wall: clock.wall + .hours(1))
                return
            }
            // A timer fires once.
            if let wall = armed.wall, wall <= clock.wall { armed.wall = nil }
            if let monotonic = armed.monotonic, monotonic <= clock.monotonic { armed.monotonic = nil }
            trace.wakes += 1
            handle(.wake)
        }
    }
}
