/// The unique name of one expected run of a task in the fleet.
public struct SlotName: Sendable, Hashable, Codable, Comparable {
    public var task: TaskIdentifier
    /// The nominal time of the run, which is the same on all hosts.
    public var nominal: WallTime
    /// The place of the host that has to run it; empty: any host.
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
    /// No host has it.
    case open
    case leased
    case done
    case failed
    /// A run for another slot covers it.
    case skipped
    /// No host could run it in time.
    case expired

    public var isEnd: Bool { self != .open && self != .leased }
}

/// A host's lease of a slot.
public struct SlotLease: Sendable, Hashable, Codable {
    public var slot: SlotName
    /// The fencing number: of two leases of one task the later has the greater number.
    public var number: Int64

    public init(_ slot: SlotName, number: Int64) {
        self.slot = slot
        self.number = number
    }
}

/// The status of a slot in the database. Times are spans relative to the answer, so that no host's clock matters.
public struct SlotStatus: Sendable, Hashable, Codable {
    public var slot: SlotName
    public var state: SlotState
    /// Why it ended; set for every state but `open`, `leased` and `done`.
    public var reason: String?
    /// The host that holds it or held it last; nil: none has.
    public var host: String?
    /// The fencing number of that lease.
    public var number: Int64?
    /// How many leases it has had.
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
