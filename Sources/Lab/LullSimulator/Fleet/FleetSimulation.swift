import LullModel
import LullScheduler

/// Many hosts under one virtual clock, each with the real scheduler, and a model of the database's functions.
///
/// A host's log is durable at once here: `Simulation` covers logs that are slow or fail.
public struct FleetSimulation {
    enum Act {
        case world(FleetWorld.Stimulus)
        case start(Int)
        case wake(Int, Int)
        case wakeUp(Int)
        case connect(Int, generation: Int)
        case reconnected(Int, Bool)
        /// A call arrives at the database.
        case arrive(Int, generation: Int, UInt64, FleetCall)
        case tell(Int, generation: Int, Event)
        case undrain(Int)
        case databaseBack
        case snapshot
    }

    private struct Item: Comparable {
        let time: Duration
        let order: Int
        let act: Act
        static func < (a: Self, b: Self) -> Bool { (a.time, a.order) < (b.time, b.order) }
        static func == (a: Self, b: Self) -> Bool { a.order == b.order }
    }

    let world: FleetWorld
    var random: SeededGenerator
    /// A separate generator, so that a seed's other days stay as they are.
    var troubles: SeededGenerator
    var nodes: [FleetNode] = []
    var database = FleetDatabase()
    var isDatabaseUp = true
    /// Earlier states of the database, with the times at which it had them.
    var snapshots: [(time: Duration, database: FleetDatabase)] = []
    var time: Duration = .zero
    var watch: FleetWatch
    /// The next one last.
    private var agenda: [Item] = []
    private var order = 0
    /// What happened, a line each.
    public private(set) var lines: [String] = []
    private let keepsLines: Bool

    public var faults: [String] { watch.faults }
    public var launches: Int { watch.launches }
    public var slots: Int { watch.slots }
    /// How many events about tasks all hosts together have recorded, and how many of them go to the database.
    public private(set) var recorded = 0
    public private(set) var sent = 0

    public init(seed: UInt64, keepsLines: Bool = false) {
        self.init(FleetWorld(seed: seed), keepsLines: keepsLines)
    }

    public init(_ world: FleetWorld, keepsLines: Bool = false) {
        self.world = world
        let seed = world.seed
        random = SeededGenerator(seed: seed ^ 0xf1ee7)
        troubles = SeededGenerator(seed: seed ^ 0xd15c)
        watch = FleetWatch(world)
        self.keepsLines = keepsLines
        for index in 0..<world.hosts {
            nodes.append(FleetNode(index: index, offset: world.offsets[index], start: world.start))
            add(.start(index), in: .seconds(index))
        }
        for entry in world.entries { add(.world(entry.stimulus), at: entry.time) }
        add(.snapshot, at: .seconds(1))
    }

    public mutating func run() {
        while let item = agenda.popLast(), item.time <= world.end {
            time = max(time, item.time)
            perform(item.act)
            watch.look(at: database, nodes, time)
        }
        time = world.end
        watch.finish(database, nodes)
    }

    mutating func add(_ act: Act, at time: Duration) {
        order += 1
        let item = Item(time: time, order: order, act: act)
        var (low, high) = (0, agenda.count)
        while low < high {
            let middle = (low + high) / 2
            if agenda[middle] > item { low = middle + 1 } else { high = middle }
        }
        agenda.insert(item, at: low)
    }
    mutating func add(_ act: Act, in span: Duration) { add(act, at: time + span) }

    mutating func say(_ line: (Self) -> String) {
        guard keepsLines else { return }
        let line = "\(FleetWatch.text(time)) \(line(self))"
        lines.append(line)
    }

    private func span(_ range: ClosedRange<Int64>, _ random: inout SeededGenerator) -> Duration {
        .milliseconds(Int64.random(in: range, using: &random))
    }
    mutating func draw(_ range: ClosedRange<Int64>) -> Duration { span(range, &random) }

    private mutating func perform(_ act: Act) {
        if let index = act.host, nodes[index].isAsleep {
            if case .wakeUp = act { return wakeUp(index) }
            nodes[index].postponed.append(act)
            return
        }
        switch act {
        case .world(let stimulus): happen(stimulus)
        case .start(let index): start(index)
        case .wake(let index, let number):
            if nodes[index].isUp, nodes[index].wakes == number { handle(.wake, index) }
        case .wakeUp: break
        case .connect(let index, let generation):
            guard nodes[index].isUp, nodes[index].generation == generation else { return }
            connect(index)
        case .reconnected(let index, let isCut):
            nodes[index].isCut = isCut
        case .arrive(let index, let generation, let number, let call):
            arrive(index, generation, number, call)
        case .tell(let index, let generation, let event):
            guard nodes[index].isUp, nodes[index].generation == generation else { return }
            tell(event, index)
        case .undrain(let index):
            database.resume(nodes[index].name)
            say { me in "resume \(me.nodes[index].name)" }
        case .databaseBack: isDatabaseUp = true
        case .snapshot:
            snapshots.append((time, database))
            if snapshots.count > 8 { snapshots.removeFirst() }
            add(.snapshot, in: .seconds(1))
        }
    }

    // MARK: The scheduler of a host

    mutating func handle(_ event: Event, _ index: Int) {
        let effects = nodes[index].state.handle(event, at: nodes[index].now(time))
        let generation = nodes[index].generation
        for effect in effects {
            guard nodes[index].isUp, nodes[index].generation == generation else { return }
            carryOut(effect, index)
        }
    }

    private mutating func carryOut(_ effect: Effect, _ index: Int) {
        let generation = nodes[index].generation
        switch effect {
        case .record(let event):
            say { me in
                "\(me.nodes[index].name) \(event.event.rawValue) \(event.task?.text.split(separator: ".").last ?? "") \(event.slotText(me.world.start)) \(event.reason ?? "")"
            }
            watch.record(event, nodes[index], time)
            if event.task != nil {
                recorded += 1
                sent += event.isForFleet ? 1 : 0
            }
        case .startWorker(let worker):
            nodes[index].workers.insert(worker)
            let registered = world.manifests[0].apps[0].tasks.map(\.identifier)
            add(
                .tell(index, generation: generation, .workerReady(worker, registered: registered)),
                in: draw(50...500))
        case .evictWorker(let worker), .killWorker(let worker, _): end(worker, index)
        case .launch(let launch): begin(launch, index)
        case .expire(let run, _, _):
            say { me in "\(me.nodes[index].name) warns run \(run)" }
            nodes[index].runs[run]?.isWarned = true
            handle(.carriedOut(.expire(run)), index)
            let isObedient = random.chance(0.9)
            if isObedient {
                add(
                    .tell(index, generation: generation, .completed(run, success: false, summary: nil)),
                    in: draw(10...3_000))
            }
        case .arm(let deadline):
            nodes[index].wakes += 1
            guard let due = nodes[index].time(of: deadline) else { return }
            add(.wake(index, nodes[index].wakes), at: max(due, time + .milliseconds(1)))
        case .askFleet(let number, let call): send(call, number, index)
        case .finished: stop(index)
        case .deliver(let delivery):
            add(
                .tell(index, generation: generation, .delivered(delivery.notice.id, trouble: nil)),
                in: .seconds(1))
        case .ping(let ping):
            add(.tell(index, generation: generation, .pinged(ping.name, trouble: nil)), in: .seconds(1))
        case .comparePlugin, .resumeWorker, .suspendWorker, .reply, .sample, .beginTransfer, .stopTransfer,
            .removeTransferFiles, .tellTransfers, .keepWorker:
            break
        }
    }

    private mutating func begin(_ launch: Launch, _ index: Int) {
        nodes[index].runs[launch.run] = .init(
            task: launch.task, slot: launch.lease?.slot, worker: launch.worker)
        watch.launched(launch, nodes, index, time)
        handle(.carriedOut(.launch(launch.run)), index)
        let fails = random.chance(0.05)
        let length =
            launch.task == FleetWorld.local
            ? draw(500...5_000) : random.chance(0.85) ? draw(500...60_000) : draw(60_000...1_500_000)
        let generation = nodes[index].generation
        add(.tell(index, generation: generation, .launchReturned(launch.run)), in: .milliseconds(10))
        add(
            .tell(index, generation: generation, .completed(launch.run, success: !fails, summary: nil)),
            in: length)
        // The kernel kills its worker for want of memory.
        guard troubles.chance(0.02) else { return }
        let exit = Event.workerExited(launch.worker, sentence: "ended by signal 9 (SIGKILL)", isLost: true)
        add(.tell(index, generation: generation, exit), in: length / 2)
    }

    private mutating func tell(_ event: Event, _ index: Int) {
        switch event {
        case .completed(let run, _, _):
            guard nodes[index].runs[run] != nil else { return }
            nodes[index].runs[run] = nil
        case .workerReady(let worker, _, _, _): guard nodes[index].workers.contains(worker) else { return }
        case .workerExited(let worker, _, let isLost):
            guard nodes[index].workers.remove(worker) != nil || !isLost else { return }
            nodes[index].runs = nodes[index].runs.filter { $0.value.worker != worker }
        case .fleet(.answered(let number, _)), .fleet(.failed(let number, _)):
            guard nodes[index].calls.remove(number) != nil else { return }
        default: break
        }
        handle(event, index)
    }

    private mutating func end(_ worker: WorkerID, _ index: Int) {
        nodes[index].runs = nodes[index].runs.filter { $0.value.worker != worker }
        let generation = nodes[index].generation
        add(
            .tell(
                index, generation: generation, .workerExited(worker, sentence: "ended by signal 9 (SIGKILL)")),
            in: .milliseconds(5))
    }
}

extension FleetSimulation.Act {
    /// The host that has to be awake for the act.
    fileprivate var host: Int? {
        switch self {
        case .start(let host), .wake(let host, _), .wakeUp(let host), .connect(let host, _),
            .tell(let host, _, _):
            host
        // The network and the database have no sleep.
        case .world, .reconnected, .arrive, .undrain, .databaseBack, .snapshot: nil
        }
    }
}

extension HistoryEvent {
    fileprivate func slotText(_ start: WallTime) -> String {
        slot.map { "\($0.act) \(FleetWatch.text($0.name.nominal - start)) #\($0.number ?? 0)" } ?? ""
    }
}
