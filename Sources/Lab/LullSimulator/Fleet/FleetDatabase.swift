public import LullModel

/// The fleet's database as a value: it answers as the schema's functions do, without a server.
///
/// The answers are the same to the letter: a test compares the two. Two things differ. Calls come one after another here, so
/// none ever finds a lock. And a copy is a whole database: a failover that loses the last transactions is the assignment of
/// an earlier copy.
public struct FleetDatabase: Sendable, Equatable {
    /// The version of the schema whose functions it models.
    public static let version = 1
    /// Rows of one kind that one round of upkeep changes at most.
    static let mostChanged = 500
    /// The least time between two rounds of upkeep, and how much earlier than asked the news begin: a transaction may commit
    /// after one that began later.
    static let (round, overlap) = (Int64(10_000), Int64(5_000))
    /// A slot is due this much before its time, for no two clocks agree to the millisecond.
    static let early: Int64 = 1_000
    /// A call that a process sent before another took its place arrives within this time.
    static let succession: Int64 = 30_000

    var hosts: [String: Host] = [:]
    var slots: [SlotName: Slot] = [:]
    var courses: [CourseName: Course] = [:]
    var leased: [TaskIdentifier: Set<SlotName>] = [:]
    /// The last number given, by task.
    var fences: [TaskIdentifier: Int64] = [:]
    /// By place; a drain that has ended stays until the next round of upkeep.
    var drained: [String: Drain] = [:]
    /// Changes in the order of their times. A change that a later one has overtaken stays, and is skipped.
    var changes: [Change] = []
    /// No slot that is still kept has ended before this.
    var oldestEnd = Int64.max
    var summary = Summary()
    /// Logins that are one host's own, and the places that they are bound to.
    var logins: Set<String> = []
    var bound: [String: String] = [:]

    public init() {}

    public mutating func answer(_ call: FleetCall, at now: WallTime) -> FleetAnswer {
        let now = now.milliseconds
        bridge(to: now)
        switch call {
        case .hello(let hello): return .hello(answer(hello, now))
        case .beat(let beat): return .beat(answer(beat, now))
        case .claim(let claim): return .claim(answer(claim, now))
        case .finish(let finish): return .finish(answer(finish, now))
        case .leave(let leave): return .leave(answer(leave, now))
        }
    }

    /// Every slot that it holds, by name.
    public func slotStatuses(at now: WallTime) -> [SlotStatus] {
        slots.values.sorted { $0.name < $1.name }.map { slotStatus($0, now.milliseconds) }
    }
    /// Nil: there is no such slot.
    public func slotStatus(of name: SlotName, at now: WallTime) -> SlotStatus? {
        slots[name].map { slotStatus($0, now.milliseconds) }
    }
    /// The random number of the host that has the lease of a slot; nil: none has.
    public func holder(of name: SlotName) -> String? { slots[name]?.holder }
    /// All hosts that it knows, by their random numbers.
    public var knownHosts: [String] { hosts.keys.sorted() }
    public func lives(_ host: String, at now: WallTime) -> Bool {
        hosts[host].map { lives($0, now.milliseconds) } ?? false
    }
    func drain(_ place: String, _ now: Int64) -> FleetDrain? {
        guard let drain = drained[place], drain.until.map({ $0 > now }) ?? true else { return nil }
        return FleetDrain(
            by: drain.by, reason: drain.reason, ago: max(0, now - drain.since),
            left: drain.until.map { $0 - now })
    }

    func lives(_ host: Host, _ now: Int64) -> Bool {
        !host.stopped && now - host.seen <= FleetTimes.life.milliseconds
    }

    func slotStatus(_ slot: Slot, _ now: Int64) -> SlotStatus {
        var slotStatus = SlotStatus(slot.name, slot.state)
        slotStatus.reason = slot.reason
        slotStatus.host = slot.lastName
        slotStatus.number = slot.number
        slotStatus.attempt = slot.attempt
        slotStatus.ago = slot.state == .open ? 0 : now - slot.changed
        slotStatus.left = slot.leaseEnd.map { $0 - now }
        slotStatus.next = courses[CourseName(slot.name)]?.next.map { max(0, $0 - now) }
        return slotStatus
    }

    /// The only writer of slots, so that the sets of slots by state are right.
    mutating func put(_ slot: Slot) {
        let before = slots[slot.name]?.changed
        remove(slot.name)
        slots[slot.name] = slot
        let course = CourseName(slot.name)
        switch slot.state {
        case .open: courses[course, default: Course()].open.insert(slot.name.nominal)
        case .leased:
            courses[course, default: Course()].leased.insert(slot.name.nominal)
            leased[slot.name.task, default: []].insert(slot.name)
        case .done, .failed, .skipped, .expired:
            courses[course, default: Course()].ended.insert(slot.name.nominal)
            oldestEnd = min(oldestEnd, slot.changed)
        }
        guard slot.name.target.isEmpty, slot.changed > 0, slot.changed != before else { return }
        let change = Change(time: slot.changed, name: slot.name)
        var place = changes.endIndex
        while place > changes.startIndex, change < changes[place - 1] { place -= 1 }
        changes.insert(change, at: place)
    }

    mutating func remove(_ name: SlotName) {
        guard slots.removeValue(forKey: name) != nil else { return }
        courses[CourseName(name)]?.open.remove(name.nominal)
        courses[CourseName(name)]?.leased.remove(name.nominal)
        courses[CourseName(name)]?.ended.remove(name.nominal)
        leased[name.task]?.remove(name)
    }
}

extension FleetDatabase {
    struct Host: Sendable, Equatable {
        var hello: FleetHello
        var seen: Int64
        /// It left then.
        var stopped = false
        /// When it was first heard of.
        var began: Int64
        var scores: [String: Double] = [:]
        /// What it last reported on each task; nil: it has not beaten yet.
        var reports: [TaskIdentifier: FleetBeat.Report]?
        var place: String { hello.place }
        func definitionHash(of task: TaskIdentifier) -> String? {
            hello.jobs.last { $0.task == task }?.definitionHash
        }
    }

    struct Drain: Sendable, Equatable {
        var by: String?
        var reason: String?
        var since: Int64
        var until: Int64?
    }

    struct Slot: Sendable, Equatable {
        var name: SlotName
        var definitionHash: String
        /// From then on it may not be leased.
        var ends: Int64
        var state = SlotState.open
        var reason: String?
        /// The host that has its lease, and the lease's end; nil unless it is leased.
        var holder: String?
        var leaseEnd: Int64?
        /// The name of its last holder.
        var lastName: String?
        var number: Int64?
        var attempt = 0
        /// When it was leased, returned or ended; 0: it was offered, and nothing has happened since.
        var changed: Int64 = 0
        /// What kept some hosts from starting it, shortly before it expires.
        var held: String?
    }

    /// The slots of one task for one target.
    struct CourseName: Sendable, Hashable {
        var task: TaskIdentifier
        var target: String

        init(_ slot: SlotName) { (task, target) = (slot.task, slot.target) }
    }

    struct Course: Sendable, Equatable {
        /// The last time that a run has stood for, and the time of that run's slot.
        var through: Int64?
        var ran: Int64?
        /// Of a task with `repeat`: when the next slot is due.
        var next: Int64?
        var open: Set<WallTime> = []
        var leased: Set<WallTime> = []
        var ended: Set<WallTime> = []
    }

    struct Change: Sendable, Equatable, Comparable {
        var time: Int64
        var name: SlotName
        static func < (a: Self, b: Self) -> Bool { (a.time, a.name) < (b.time, b.name) }
    }

    /// The summary that is made for all hosts at once.
    struct Summary: Sendable, Equatable {
        var made: Int64 = 0
        var hosts = 0
        var best: [String: Double] = [:]
    }
}
