import LullModel

/// What a host knows of its fleet while it runs: how the database answers, which leases it holds and what it waits for.
struct FleetState: Sendable {
    enum Reach: Sendable, Equatable {
        case never(since: WallTime)
        case reached
        case away(since: WallTime, String)
    }

    /// A lease of this host.
    struct Held: Sendable {
        let lease: SlotLease
        /// The occurrence that its run stands for, as sent to the database.
        let occurrence: Occurrence?
        /// How long it lasts without renewal, as it was claimed: an edit of the manifest applies to the next one.
        let length: Duration
        /// How often the slot has been leased, this lease included.
        let attempt: Int
        /// When the claim, or the last beat that renewed it, was sent, by the clock that counts sleep.
        var renewed: Duration
        /// Nil: its run has not begun.
        var run: RunID?
        /// When its run is killed; nil: a fixed time after `trust`.
        var killAt: Duration?
        /// The database has reported that the lease is over.
        var isLost = false
        /// This host hung for so long that the run's supervisor has ended the run; its report is about to come.
        var isOverdue = false

        /// Until then no other host has the slot, by the clock that counts sleep: counted from the last beat.
        var trust: Duration { renewed + length - FleetTimes.margin }
        /// A lease of the usual length is renewed by the length in the beat.
        var renewal: FleetBeat.Renewal {
            FleetBeat.Renewal(lease, length: length == FleetTimes.lease ? nil : length.milliseconds)
        }
    }

    /// Why this host takes no slots, by its own clock.
    struct Drain: Sendable, Equatable {
        var by: String?
        var reason: String?
        /// Nil: not known yet.
        var since: WallTime?
        /// Nil: until an operator ends it.
        var until: WallTime?
    }

    /// The end that a worker's supervisor was given.
    struct Kept: Sendable {
        /// When it ends the runs in the worker, by the clock that counts sleep.
        let end: Duration
        /// How long the machine had slept when the end was sent.
        let asleep: Duration
    }

    /// The state of a task's request for its slot.
    enum Wish: Sendable, Equatable {
        /// Requested with the call of this number.
        case asked(UInt64)
        case granted(SlotLease)
        case later(Delay, until: WallTime)

        /// Whether a pass waits for it.
        var isBrief: Bool {
            switch self {
            case .later(.better, _), .later(.turn, _): true
            case .asked, .granted, .later: false
            }
        }
    }

    enum Delay: Sendable, Equatable {
        case better(Double, own: Double)
        case turn
        case elsewhere(String, since: WallTime)
        case notDue
        case full([String], most: Int)
        case differs([String])
        case trouble(String)
    }

    /// A call that waits for its answer.
    enum Call: Sendable {
        case hello
        case beat(sent: Duration, [SlotLease], [SlotName])
        case claim(TaskIdentifier, RequestID, sent: Duration, lease: Duration, Occurrence?, most: Int)
        case finish(SlotLease)
        case giveBack
        case leave
    }

    var definition: FleetDefinition
    /// It is one pass of many, and waits for answers that a service would get later.
    let isOfPass: Bool
    var reach: Reach
    var isConnected = false
    /// The database knows this process.
    var isKnown = false
    var drain: Drain?
    var hosts = 1
    /// The best score among the live hosts, by task.
    var best: [TaskIdentifier: Double] = [:]
    /// This host's clock minus the database's.
    var skew: Duration?
    /// The tasks that need leases.
    var tasks: [TaskIdentifier] = []
    var wishes: [TaskIdentifier: Wish] = [:]
    var held: [SlotLease: Held] = [:]
    /// The workers in which runs have leases.
    var kept: [WorkerID: Kept] = [:]
    /// Leases of an earlier process of this state, which the database does not know yet to be over: their ends are
    /// reported again after the next beat.
    var untold: Set<SlotLease> = []
    /// The latest leases that this process was granted: it knows their results itself.
    var own: [SlotLease] = []
    var calls: [UInt64: Call] = [:]
    var lastCall: UInt64 = 0
    var beats: UInt64 = 0
    var beatDue: MonotonicTime?
    var cursor: Int64?
    /// Slots that the database has, as far as this host knows.
    var offered: Set<SlotName> = []
    /// Tasks whose slots are to be asked for in this event.
    var wanting: [TaskIdentifier: Ready] = [:]
    /// Tasks that would be claimed if there were room for their runs.
    var wantsRoom: Set<TaskIdentifier> = []
    /// The last report of a task, for `why` across the fleet: the closed gates, and until when they are likely closed.
    var reported: [TaskIdentifier: (gates: [String], until: WallTime?)] = [:]
    /// When the wait for the answer to its goodbye ends; nil: not sent. After a goodbye it sends nothing more.
    var leavesBy: MonotonicTime?
    var alarm: MonotonicTime?

    init(_ definition: FleetDefinition, isOfPass: Bool, at now: WallTime) {
        self.definition = definition
        self.isOfPass = isOfPass
        reach = .never(since: now)
    }

    /// For how long the database has not answered; zero: it answers.
    func away(at now: WallTime) -> Duration {
        switch reach {
        case .reached: .zero
        case .never(let since), .away(let since, _): max(.zero, now - since)
        }
    }

    var isReached: Bool { isKnown && reach == .reached }

    /// Whether anything is under way that a host waits for before it ends.
    var isBusy: Bool {
        if isOfPass, !tasks.isEmpty, isConnecting || wishes.values.contains(where: \.isBrief) { return true }
        return calls.values.contains {
            switch $0 {
            case .claim, .finish, .giveBack: true
            case .hello: isOfPass
            // These have limits of their own.
            case .beat, .leave: false
            }
        }
    }
    private var isConnecting: Bool { if case .never = reach { true } else { false } }

    /// Tasks whose claims are under way or were granted and not used: each will need room.
    var outstanding: [TaskIdentifier] {
        wishes.compactMap { task, wish in
            switch wish {
            case .asked, .granted: task
            case .later: nil
            }
        }
    }

    /// A number between 0 and 1 for this host and `name`, so that hosts do not all come at once.
    func share(_ name: String, of identity: FleetIdentity) -> Double {
        var bits: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in (identity.host + name).utf8 { bits = (bits ^ UInt64(byte)) &* 0x100_0000_01b3 }
        bits = (bits ^ (bits >> 33)) &* 0xff51_afd7_ed55_8ccd
        return Double((bits ^ (bits >> 33)) >> 11) / Double(1 << 53)
    }
}
