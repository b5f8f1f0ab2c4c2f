/// One expected run of a task in the fleet, by name: there is no other of this name.
public struct SlotName: Sendable, Hashable, Codable, Comparable {
    public var task: TaskIdentifier
    /// The time that the run is for, which is the same on all hosts.
    public var nominal: WallTime
    /// The place of the host that it is for; empty: any host's.
    public var target: String

    public init(_ task: TaskIdentifier, at nominal: WallTime, target: String = "") {
        self.task = task
        self.nominal = nominal
        self.target = target
    }

    public static func < (a: Self, b: Self) -> Bool {
        (a.nominal, a.task, a.target) < (b.nominal, b.task, b.target)
    }
}

public enum SlotState: String, Sendable, Codable, CaseIterable {
    /// Nobody has it.
    case open
    case leased
    case done
    case failed
    /// A run for another slot stands for it.
    case skipped
    /// Nobody could run it in time.
    case expired

    public var isEnd: Bool { self != .open && self != .leased }
}

/// The right of a host to a slot.
public struct SlotLease: Sendable, Hashable, Codable {
    public var slot: SlotName
    /// The fencing number: of two leases of one task the later has the greater.
    public var number: Int64

    public init(_ slot: SlotName, number: Int64) {
        self.slot = slot
        self.number = number
    }
}

/// How a slot stands, as the database says. Times are spans from the answer, so that no host's clock matters.
public struct SlotStatus: Sendable, Hashable, Codable {
    public var slot: SlotName
    public var state: SlotState
    /// Why it ended as it did; of all that are neither open nor leased nor done.
    public var reason: String?
    /// Who holds it or held it last; nil: nobody has.
    public var host: String?
    /// Of that lease.
    public var number: Int64?
    /// Leases that it has had.
    public var attempt = 0
    /// Since it was leased, or since it ended, in milliseconds.
    public var ago: Int64 = 0
    /// Until the lease ends, in milliseconds; negative: it has.
    public var left: Int64?
    /// Until the next slot of a task with `repeat` is due, in milliseconds.
    public var next: Int64?

    public init(_ slot: SlotName, _ state: SlotState) {
        self.slot = slot
        self.state = state
    }
}
