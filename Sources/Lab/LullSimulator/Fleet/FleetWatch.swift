import LullCalendar
import LullModel
import LullScheduler

/// The invariants of a fleet.
///
/// No two hosts hold the same fencing number, and the numbers of a task grow. Two hosts run one slot at once only if one of them
/// sleeps or has been warned, or a failover has lost the other's lease. A slot that is done is not run again, unless a failover
/// lost that. Every slot ends once and has its reason. The tasks of a host itself wait for no other host.
struct FleetWatch {
    private(set) var faults: [String] = []
    private(set) var launches = 0
    private(set) var slots = 0
    private let world: FleetWorld
    private let needing: [TaskIdentifier: FleetRules]
    /// Of all tasks that need leases, by any host's manifest.
    private let longestLease: Duration
    private var numbers: [TaskIdentifier: (last: Int64, host: String, slot: SlotName)] = [:]
    private var done: [SlotName: Duration] = [:]
    private var ended: [SlotName: SlotState] = [:]
    private var lookedAt: Duration = .zero
    private var failover: Duration?
    private var clockChanges: [Int: Duration] = [:]
    private var overlaps: [String: Duration] = [:]

    init(_ world: FleetWorld) {
        self.world = world
        needing = Dictionary(
            uniqueKeysWithValues: world.manifests[0].tasks.filter(\.fleet.needsLease).map {
                ($0.identifier, $0.fleet)
            })
        longestLease =
            world.manifests.flatMap(\.tasks).filter(\.fleet.needsLease).map(\.leaseLength).max()
            ?? FleetTimes.lease
    }

    static func text(_ time: Duration) -> String {
        let seconds = time.milliseconds / 1000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return
            "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(time.milliseconds % 1000)"
    }

    private mutating func fault(_ sentence: String, _ time: Duration) {
        guard faults.count < 20 else { return }
        faults.append("seed \(world.seed), \(Self.text(time)): \(sentence)")
    }

    /// Work that the database lost may be done again, and two hosts may have one slot for as long as a lease was trusted.
    private func isForgiven(_ time: Duration) -> Bool {
        failover.map { time - $0 < longestLease + FleetTimes.grace + FleetTimes.beat * 2 } ?? false
    }

    // MARK: The database

    /// `before`: of the slot that a call of `finish` is about.
    mutating func answered(
        _ call: FleetCall, _ answer: FleetAnswer, _ before: SlotState?, _ after: FleetDatabase,
        _ node: FleetNode, _ time: Duration
    ) {
        switch (call, answer) {
        case (.claim(let claim), .claim(let answer)):
            guard let lease = answer.lease else { return }
            let last = numbers[claim.slot.task]
            if let last, lease.number <= last.last, (last.host, last.slot) != (claim.host, lease.slot) {
                fault(
                    "\(claim.host) gets number \(lease.number) of \(claim.slot.task) after \(last.last)", time
                )
            }
            numbers[claim.slot.task] = (lease.number, claim.host, lease.slot)
        case (.finish(let finish), .finish(let answer)):
            let now = world.start + time
            if let was = before, was.isEnd,
                after.slotStatus(of: finish.lease.slot, at: now)?.state != was
            {
                fault("\(finish.lease.slot) ends twice", time)
            }
            if answer.accepted, finish.state == .done { done[finish.lease.slot] = time }
        default: break
        }
    }

    mutating func failedOver(to earlier: Duration, at time: Duration) {
        failover = time
        done = done.filter { $0.value <= earlier }
        ended = [:]
    }

    /// Checks now and then that slots that have ended stay ended.
    mutating func look(at database: FleetDatabase, _ nodes: [FleetNode], _ time: Duration) {
        checkOverlaps(nodes, time)
        guard time - lookedAt > .minutes(10) else { return }
        lookedAt = time
        for slotStatus in database.slotStatuses(at: world.start + time) {
            if let state = ended[slotStatus.slot], state != slotStatus.state {
                fault("\(slotStatus.slot) was \(state.rawValue) and is \(slotStatus.state.rawValue)", time)
            }
            if slotStatus.state.isEnd { ended[slotStatus.slot] = slotStatus.state }
            if slotStatus.state.isEnd, slotStatus.state != .done, slotStatus.reason?.isEmpty != false {
                fault("\(slotStatus.slot) is \(slotStatus.state.rawValue) for no reason", time)
            }
        }
    }

    // MARK: Hosts

    mutating func launched(_ launch: Launch, _ nodes: [FleetNode], _ index: Int, _ time: Duration) {
        launches += 1
        let origin = nodes[index].state.ledger.runs[launch.run]?.request?.origin
        guard needing[launch.task] != nil, origin == .at || origin == .repeat else { return }
        guard let lease = launch.lease else {
            return fault("\(nodes[index].name) runs \(launch.task) without a slot", time)
        }
        if done[lease.slot] != nil { fault("\(lease.slot) is run again, and was done", time) }
    }

    /// Finds hosts that run a task at the same time without a warning to stop.
    private mutating func checkOverlaps(_ nodes: [FleetNode], _ time: Duration) {
        var running: [String: [(node: String, slot: SlotName)]] = [:]
        // Each node holds a scheduler's state, which takes long to copy.
        for index in nodes.indices where nodes[index].isUp && !nodes[index].isAsleep {
            for run in nodes[index].runs.values where !run.isWarned {
                guard let slot = run.slot, let rules = needing[run.task], rules.concurrency ?? 1 == 1 else {
                    continue
                }
                running[run.task.text, default: []].append((nodes[index].name, slot))
            }
        }
        var seen: Set<String> = []
        for (task, holders) in running where holders.count > 1 {
            let name = task + holders.map(\.node).sorted().joined()
            seen.insert(name)
            let since = overlaps[name] ?? time
            overlaps[name] = since
            // A host that wakes up is warned at its next event.
            if time - since > .milliseconds(100), !isForgiven(time) {
                fault(
                    "\(task) runs at once on \(holders.map { "\($0.node) (\($0.slot.nominal.milliseconds))" })",
                    time)
                overlaps[name] = time + .hours(1)
            }
        }
        for name in overlaps.keys where !seen.contains(name) { overlaps[name] = nil }
    }

    mutating func clockChanged(_ index: Int, _ time: Duration) { clockChanges[index] = time }

    mutating func record(_ event: HistoryEvent, _ node: FleetNode, _ time: Duration) {
        guard event.event == .launched, event.task == FleetWorld.local, let due = event.occurrence?.time,
            event.origin == nil
        else { return }
        if let change = clockChanges[node.index], time - change < .hours(2) { return }
        let trueDue = due - world.start - node.offset
        if time - trueDue > .minutes(1), node.awakeSince < trueDue - .seconds(1) {
            fault("\(node.name) ran what is its own \((time - trueDue).milliseconds / 1000) s late", time)
        }
    }

    // MARK: The end

    mutating func finish(_ database: FleetDatabase, _ nodes: [FleetNode]) {
        let end = world.start + world.end
        let slotStatuses = database.slotStatuses(at: end)
        slots = slotStatuses.count
        for slotStatus in slotStatuses where !slotStatus.state.isEnd {
            let late = end - slotStatus.slot.nominal
            // Of one that repeats the nominal time may be long ago: it was given back.
            guard late > .minutes(40), slotStatus.state == .open || (slotStatus.left ?? 0) < -60_000 else {
                continue
            }
            fault(
                "\(slotStatus.slot) is \(slotStatus.state.rawValue) \(late.milliseconds / 60_000) min after its time",
                world.end)
        }
        for node in nodes where node.isUp {
            for entry in node.state.ledger.slots.entries.values where entry.end != nil {
                fault("\(node.name) has not told what became of \(entry.lease.slot)", world.end)
            }
        }
        checkTimes(slotStatuses)
    }

    /// Each time of the calm end has its slot.
    private mutating func checkTimes(_ slotStatuses: [SlotStatus]) {
        let names = Set(slotStatuses.map(\.slot))
        for (task, rules) in needing where rules.scope == .anyHost {
            guard let definition = world.manifests[0].tasks.first(where: { $0.identifier == task }),
                let table = Timetable(definition, zones: .utc, host: "")
            else { continue }
            var next = table.next(after: world.start + world.calm + .minutes(30))
            while let time = next, time < world.start + world.end - .minutes(30) {
                if !names.contains(SlotName(task, at: time)) {
                    fault("nobody offered \(task) at \(Self.text(time - world.start))", world.end)
                }
                next = table.next(after: time)
            }
        }
    }
}
