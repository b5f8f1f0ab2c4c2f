public import LullModel
public import LullScheduler

/// A scheduler in a world of its own: the same decisions as the host's, under a virtual clock.
///
/// It jumps from one moment that matters to the next, carries out the effects on simulated workers, keeps the records
/// as the host's log would, and watches that the scheduler never asks for what must not be (`Invariants`).
/// What it does follows from its world alone.
public struct Simulation: Sendable {
    public let world: World
    public private(set) var state: SchedulerState
    public private(set) var trace = Trace()
    public internal(set) var clock: VirtualClock
    /// The fold of what is durable: what a restart would begin with.
    public internal(set) var durable: Ledger

    var invariants: Invariants
    private var liveness = Liveness()
    var random: SeededGenerator
    var workers: [AppIdentifier: VirtualWorker] = [:]
    var workersStarted = 0
    var agenda = Agenda()
    var armed = Deadline()
    var sampled: Set<Conditions.Sensor> = []
    /// What is true of the host, and what the scheduler was last told.
    var conditions: Conditions
    var told: Conditions
    var isFinished = false

    private var timeline: [World.Entry]
    private var nextEntry = 0
    private var manifest: Manifest
    /// What the host before left behind of it.
    private var seen: LastSeen?
    private var crash: (after: Int, down: Duration)?
    private var nextToken: UInt64 = 1
    /// Wakes without any time passing.
    private var idleWakes = 0

    public init(_ world: World) {
        self.world = world
        var ledger = world.checkpoint
        for event in world.history { ledger.apply(event, zones: world.zones) }
        durable = ledger
        state = SchedulerState(ledger: ledger, options: world.options)
        clock = VirtualClock(start: world.start)
        random = SeededGenerator(seed: world.seed)
        conditions = world.conditions
        told = world.conditions
        manifest = world.manifest
        // Stable, for what happens at the same time happens in the order given.
        timeline = world.timeline.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
        invariants = Invariants(manifest: world.manifest, zones: world.zones, history: world.history)
        invariants.idleness.disturbed(at: clock)
        boot()
    }

    public var now: Now {
        Now(wall: clock.wall, monotonic: clock.monotonic, zones: world.zones, asleep: clock.asleep)
    }

    /// Goes on until `end` in true time, or until the host has finished.
    public mutating func run(until end: WallTime) {
        while !isFinished, let next = nextMoment(), next <= end { step(to: next) }
        if !isFinished { clock.advance(to: end) }
    }

    /// Goes on for so many days from the world's start.
    public mutating func run(days: Int) { run(until: world.start + .days(days)) }

    /// Takes in one event at once, as if it had come from outside.
    @discardableResult
    public mutating func handle(_ event: Event) -> [Effect] {
        var effects = state.handle(event, at: now)
        trace.handled += 1
        let asked = effects.count
        let cut = crash.flatMap { $0.after < asked ? $0 : nil }
        if let cut { effects = Array(effects.prefix(cut.after)) }
        let known = told
        invariants.idleness.clock = clock
        for effect in effects { carryOut(effect) }
        if let cut {
            crash = nil
            invariants.dropUnanswered()
            restart(down: cut.down)
        } else {
            invariants.check(
                state, durable: durable, now: now, clock: clock, conditions: known, handled: trace.handled)
            let starting = Set(workers.filter { $0.value.phase == .starting }.keys)
            for sentence in liveness.check(state, now: now, armed: armed, starting: starting) {
                invariants.fault(sentence)
            }
        }
        trace.faults += invariants.takeFaults(at: clock, seed: world.seed)
        return effects
    }

    mutating func note(launch: Trace.Launched) { trace.launches.append(launch) }

    mutating func note(record event: HistoryEvent) {
        trace.events.append(event)
        durable.apply(event, zones: world.zones)
    }

    mutating func note(reply: Reply) { trace.replies.append(reply) }

    mutating func submit(_ submission: Submission) {
        let token = makeToken()
        handle(.submitted(submission, reply: token))
        // Whoever submits stops waiting after a while.
        if invariants.isUnanswered(token) {
            agenda.add(.withdrawn(token), at: clock.monotonic + Limits.submitWait)
        }
    }

    private mutating func makeToken() -> Token {
        defer { nextToken += 1 }
        let token = Token(nextToken)
        invariants.willAnswer(token)
        return token
    }

    private func nextMoment() -> WallTime? {
        var moments: [WallTime] = []
        if nextEntry < timeline.count { moments.append(max(timeline[nextEntry].time, clock.trueTime)) }
        if let time = agenda.nextTime { moments.append(clock.trueTime(ofMonotonic: time)) }
        if let time = armed.wall { moments.append(clock.trueTime(ofWall: time)) }
        if let time = armed.monotonic { moments.append(clock.trueTime(ofMonotonic: time)) }
        return moments.min()
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

    private mutating func happen(_ entry: World.Entry) {
        switch entry.happening {
        case .used(let app):
            // What happened while nobody listened comes in with its own time, as an import does.
            handle(.used(app, at: WallTime(milliseconds: entry.time.milliseconds + clock.ahead)))
        case .conditions(let new):
            conditions = new
            tellConditions()
        case .submitted(let submission): submit(submission)
        case .cancelled(let app, let task): handle(.cancelled(app, task, reply: makeToken()))
        case .launchRequested(let task): handle(.launchRequested(task, reply: makeToken()))
        case .expireRequested(let task): handle(.expireRequested(task, reply: makeToken()))
        case .enabled(let app, let isEnabled): handle(.enabled(app, isEnabled, reply: makeToken()))
        case .manifest(let new):
            manifest = new
            invariants.manifest = new
            invariants.idleness.manifestChanged(to: new)
            handle(.manifestLoaded(new, stamps: Self.stamps(of: new)))
        case .clockStep(let span):
            clock.step(by: span)
            invariants.clockWasSet()
            handle(.wake)
        case .suspended(let span):
            clock.suspend(for: span)
            invariants.idleness.disturbed(at: clock)
        case .workerDied(let app):
            guard let worker = workers[app], worker.phase != .leaving else { return }
            leave(app, "ended by signal 11 (SIGSEGV)", after: .zero)
        case .hostDied(let down): restart(down: down)
        case .poweredOff(let span, let silently):
            if !silently { seen = sight }
            // The shell starts a while after the boot.
            let sign = max(seen?.time ?? .distantPast, durable.latest ?? .distantPast)
            invariants.idleness.lost(max(.zero, clock.wall - sign))
            restart(down: .seconds(20), off: max(.zero, span - .seconds(20)))
        case .hostDiesAmidEffects(let after, let down): crash = (after, down)
        case .shutdown: handle(.shutdown)
        }
    }

    private var sight: LastSeen { LastSeen(boot: "\(clock.boots)", time: clock.wall, asleep: clock.asleep) }

    private mutating func restart(down: Duration, off: Duration? = nil) {
        workers = [:]
        agenda = Agenda()
        armed = Deadline()
        sampled = []
        if let off { clock.powerOff(for: off) }
        clock.advance(to: clock.trueTime + down)
        invariants.hostDied()
        invariants.idleness.disturbed(at: clock)
        liveness.forget()
        state = SchedulerState(ledger: durable, options: world.options)
        boot()
    }

    private mutating func boot() {
        told = conditions
        let missed = LastSeen.absences(since: seen, in: durable, boot: "\(clock.boots)", at: now)
        for absence in missed { handle(.absent(absence)) }
        seen = sight
        handle(.manifestLoaded(manifest, stamps: Self.stamps(of: manifest)))
        handle(.conditionsChanged(conditions))
    }

    /// A stamp changes when the app's entry does; here it is the entry's words.
    private static func stamps(of manifest: Manifest) -> [AppIdentifier: String] {
        Dictionary(
            manifest.apps.map { app in
                (
                    app.identifier,
                    app.plugin + app.settings.text + app.tasks.map(\.identifier.text).joined(separator: " ")
                )
            }
        ) { first, _ in first }
    }
}
