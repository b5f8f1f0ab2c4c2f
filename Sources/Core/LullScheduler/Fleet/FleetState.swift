import LullModel

/// What a host knows of its fleet and forgets when it ends: how the database answers, what it holds and what it waits for.
struct FleetState: Sendable {
    enum Reach: Sendable, Equatable {
        case never(since: WallTime)
        case reached
        case away(since: WallTime, String)
    }

    /// A lease of this host's.
    struct Held: Sendable {
        let lease: SlotLease
        /// What its run stands for, as the database was told.
        let occurrence: Occurrence?
        /// How long it lasts unless it is renewed, as it was claimed: an edit of the manifest is for the next one.
        let length: Duration
        /// How often the slot has been leased, with this time.
        let attempt: Int
        /// When the last beat was sent that renewed it, or the claim, by the clock that counts sleep.
        var renewed: Duration
        /// Nil: it has not begun.
        var run: RunID?
        /// When its run is killed; nil: a fixed time after `trust`.
        var killAt: Duration?
        /// The database has said that it is no more.
        var isLost = false
        /// This host hung for so long that the run's supervisor has ended it, of which it is about to hear.
        var isOverdue = false

        /// Until then nobody else has the slot, by the clock that counts sleep: counted from the last beat.
        var trust: Duration { renewed + length - FleetTimes.margin }
        /// One of the usual length goes by what the beat says.
        var renewal: FleetBeat.Renewal {
            FleetBeat.Renewal(lease, length: length == FleetTimes.lease ? nil : length.milliseconds)
        }
    }

    /// Why it takes no slots, by this host's clock.
    struct Drain: Sendable, Equatable {
        var by: String?
        var reason: String?
        /// Nil: not known yet.
        var since: WallTime?
        /// Nil: somebody has to end it.
        var until: WallTime?
    }

    /// What a worker's supervisor was told.
    struct Kept: Sendable {
        /// When it ends what runs in the worker, by the clock that counts sleep.
        let end: Duration
        /// How long the machine had slept when that was said.
        let asleep: Duration
    }

    /// What became of the wish to run a task.
    enum Wish: Sendable, Equatable {
        /// It is asked for with the call of this number.
        case asked(UInt64)
        case granted(SlotLease)
        case later(Delay, until: WallTime)

        /// A pass waits for it.
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

    /// What waits for an answer.
    enum Call: Sendable {
        case hello
        case beat(sent: Duration, [SlotLease], [SlotName])
        case claim(TaskIdentifier, RequestID, sent: Duration, lease: Duration, Occurrence?, most: Int)
        case finish(SlotLease)
        case giveBack
        case leave
    }

    var definition: FleetDefinition
    /// One pass of many waits for what a service would hear later.
    let isOfPass: Bool
    var reach: Reach
    var isConnected = false
    /// The database knows this process.
    var isKnown = false
    var drain: Drain?
    var hosts = 1
    /// What the best host that lives can offer, by task.
    var best: [TaskIdentifier: Double] = [:]
    /// This host's clock less the database's.
    var skew: Duration?
    /// The tasks that need leases.
    var tasks: [TaskIdentifier] = []
    var wishes: [TaskIdentifier: Wish] = [:]
    var held: [SlotLease: Held] = [:]
    /// Of the workers in which runs have leases.
    var kept: [WorkerID: Kept] = [:]
    /// Leases of an earlier process of this state, of which the database does not know yet that it is over: their ends are told
    /// again after the next beat.
    var untold: Set<SlotLease> = []
    /// The latest that this process was granted: what became of those it knows.
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
    /// What was last said of a task for `why` of the whole fleet: the closed gates, and until when they likely are.
    var reported: [TaskIdentifier: (gates: [String], until: WallTime?)] = [:]
    /// It has said goodbye, and waits until then for the answer; from there on it says nothing more.
    var leavesBy: MonotonicTime?
    var alarm: MonotonicTime?

    init(_ definition: FleetDefinition, isOfPass: Bool, at now: WallTime) {
        self.definition = definition
        self.isOfPass = isOfPass
        reach = .never(since: now)
    }

    var isReached: Bool { isKnown && reach == .reached }

    /// Whether anything is under way that a host waits for before it ends.
    var isBusy: Bool {
        if isOfPass, !tasks.isEmpty, isConnecting || wishes.values.contains(where: \.isBrief) { return true }
        return calls.values.contains {
            switch $0 {
            case .claim, .finish, .giveBack: true
            case .hello: isOfPass
            // That has a limit of its own.
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

    /// Between 0 and 1, for this host and what is named; so that hosts do not all come at once.
    func share(_ name: String, of identity: FleetIdentity) -> Double {
        var bits: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in (identity.host + name).utf8 { bits = (bits ^ UInt64(byte)) &* 0x100_0000_01b3 }
        bits = (bits ^ (bits >> 33)) &* 0xff51_afd7_ed55_8ccd
        return Double((bits ^ (bits >> 33)) >> 11) / Double(1 << 53)
    }
}
