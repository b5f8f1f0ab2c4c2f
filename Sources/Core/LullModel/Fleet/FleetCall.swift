/// What a host asks the fleet's database: each case is one function of it, called with this as JSON.
///
/// The functions are the contract between hosts of different versions: a field may be added, and never changes what it means.
public enum FleetCall: Sendable, Equatable {
    case hello(FleetHello)
    case beat(FleetBeat)
    case claim(FleetClaim)
    case finish(FleetFinish)
    case leave(FleetLeave)
}

public enum FleetAnswer: Sendable, Equatable {
    case hello(FleetHello.Answer)
    case beat(FleetBeat.Answer)
    case claim(FleetClaim.Answer)
    case finish(FleetFinish.Answer)
    case leave(FleetLeave.Answer)
}

/// A host tells who it is: when it connects, and when its manifest has changed.
public struct FleetHello: Sendable, Equatable, Codable {
    public struct Job: Sendable, Equatable, Codable {
        public var task: TaskIdentifier
        /// A hash of what the task means; where it stands in a file and whom it tells are left out.
        public var definitionHash: String
        public var scope: FleetScope

        public init(task: TaskIdentifier, definitionHash: String, scope: FleetScope) {
            self.task = task
            self.definitionHash = definitionHash
            self.scope = scope
        }
    }
    public struct Answer: Sendable, Equatable, Codable {
        /// The database's clock, in milliseconds since 1970.
        public var now: Int64
        /// Of the schema.
        public var version: Int
        /// Nil: the host may take slots.
        public var drain: FleetDrain?

        public init(now: Int64, version: Int, drain: FleetDrain? = nil) {
            (self.now, self.version, self.drain) = (now, version, drain)
        }
    }

    /// A random number of this process; host names are no identity.
    public var host: String
    /// The state folder's own number, which stays: whose history it is.
    public var place: String
    /// For people.
    public var name: String
    /// Which folder of which boot its state is, as no two that live have it: an earlier process with the same is over. Empty:
    /// not known.
    public var home: String
    public var boot: String
    /// Of Lull.
    public var version: String
    public var manifest: String
    public var labels: [String: String]
    /// The tasks that need leases.
    public var jobs: [Job]
    /// What it has of the fleet's manifests; nil: it follows none.
    public var follows: FleetManifestName?

    public init(
        host: String, place: String, name: String, home: String = "", boot: String, version: String,
        manifest: String, labels: [String: String], jobs: [Job]
    ) {
        (self.host, self.place, self.name, self.home, self.boot) = (host, place, name, home, boot)
        (self.version, self.manifest, self.labels, self.jobs) = (version, manifest, labels, jobs)
    }
}

/// A host says that it lives: one statement for all that it holds and offers.
public struct FleetBeat: Sendable, Equatable, Codable {
    public struct Offer: Sendable, Hashable, Codable {
        public var slot: SlotName
        public var definitionHash: String
        /// How long after its nominal time it still may be leased, in milliseconds; nil: for 30 days.
        public var tolerance: Int64?

        public init(slot: SlotName, definitionHash: String, tolerance: Int64?) {
            (self.slot, self.definitionHash, self.tolerance) = (slot, definitionHash, tolerance)
        }
    }
    /// A lease that the host wants to go on holding.
    public struct Renewal: Sendable, Hashable, Codable {
        public var slot: SlotName
        public var number: Int64
        /// How long it lasts from now on, in milliseconds; nil: as long as the beat's `lease` says.
        public var length: Int64?

        public init(_ lease: SlotLease, length: Int64? = nil) {
            (slot, number, self.length) = (lease.slot, lease.number, length)
        }

        public var lease: SlotLease { SlotLease(slot, number: number) }
    }
    /// What holds a task back here, for `why --fleet`.
    public struct Report: Sendable, Equatable, Codable {
        public var task: TaskIdentifier
        public var gates: [String]
        /// What `why` says of the first of them.
        public var reason: String?
        /// Until it has likely run here, in milliseconds; nil: not known.
        public var half: Int64?
        public var most: Int64?

        public init(task: TaskIdentifier, gates: [String], reason: String?, half: Int64?, most: Int64?) {
            (self.task, self.gates, self.reason) = (task, gates, reason)
            (self.half, self.most) = (half, most)
        }
    }
    public struct Answer: Sendable, Equatable, Codable {
        public var now: Int64
        /// False: the database does not know this host (any more), which has to say hello.
        public var known: Bool
        public var drain: FleetDrain?
        /// Of the leases that it named, those that it still has, renewed.
        public var held: [SlotLease]
        /// What any host that lives can offer, by task.
        public var best: [String: Double]
        /// Those that live.
        public var hosts: Int
        /// Slots for any host that have changed since `since`, 500 at most, in the order of their change; some may be told twice.
        public var news: [SlotStatus]
        /// What to ask for next time.
        public var cursor: Int64
        /// What a host that follows is to have; nil: what it has.
        public var manifest: FleetManifestName?
        /// Another host that lives has the same place, and had it first: the state folder is a copy.
        public var twin: String?

        public init(now: Int64, known: Bool) {
            (self.now, self.known) = (now, known)
            (held, best, hosts, news, cursor) = ([], [:], 0, [], 0)
        }
    }

    public var host: String
    /// What it holds and wants to go on holding.
    public var leases: [Renewal]
    /// How long a lease lasts that names no length of its own, in milliseconds.
    public var lease: Int64
    public var offers: [Offer]
    /// How good its moment is, by task: 0...1.
    public var scores: [String: Double]
    public var reports: [Report]
    /// The last answer's `cursor`; nil: from now on.
    public var since: Int64?
    /// This host's clock, in milliseconds since 1970. People are shown how wrong it is; nothing goes by it.
    public var clock: Int64?
    /// As in `FleetHello`.
    public var follows: FleetManifestName?

    public init(
        host: String, leases: [Renewal] = [], lease: Int64, offers: [Offer] = [],
        scores: [String: Double] = [:], reports: [Report] = [], since: Int64? = nil, clock: Int64? = nil
    ) {
        (self.host, self.leases, self.lease) = (host, leases, lease)
        (self.offers, self.scores, self.reports) = (offers, scores, reports)
        (self.since, self.clock) = (since, clock)
    }
}

/// A host that ends says goodbye: nobody has to look for it. Its next hello or beat takes that back.
public struct FleetLeave: Sendable, Equatable, Codable {
    public struct Answer: Sendable, Equatable, Codable {
        public var now: Int64

        public init(now: Int64) { self.now = now }
    }

    public var host: String

    public init(host: String) { self.host = host }
}

/// A host could start a slot's run now, and asks for the right to it.
public struct FleetClaim: Sendable, Equatable, Codable {
    public enum Verdict: String, Sendable, Codable, CaseIterable {
        case claimed
        /// Another host has it: `slotStatus`.
        case leased
        /// It is over: `slotStatus`.
        case ended
        /// By the database's clock it is not due for another `wait`.
        case notDue = "not_due"
        /// As many run as may at once, on `holders`.
        case full
        /// Hosts that live go by another definition of the task, and the slot is theirs: `holders`.
        case differs
        case draining
        /// The database does not know the host: it has to say hello.
        case unknown
    }
    public struct Answer: Sendable, Equatable, Codable {
        public var now: Int64
        public var verdict: Verdict
        /// `claimed`: what it has; of a task with `repeat` under the nominal time of the fleet.
        public var lease: SlotLease?
        public var attempt: Int?
        public var slotStatus: SlotStatus?
        /// In milliseconds.
        public var wait: Int64?
        public var holders: [String]?

        public init(now: Int64, _ verdict: Verdict) { (self.now, self.verdict) = (now, verdict) }
    }

    public var host: String
    public var slot: SlotName
    public var definitionHash: String
    /// The last time that the run stands for, at least `slot.nominal`; nil: for no other than its own.
    public var through: WallTime?
    /// As in an offer.
    public var tolerance: Int64?
    /// Of a task with `repeat`, in milliseconds; nil: its times are the calendar's.
    public var every: Int64?
    /// Runs of all hosts at once.
    public var limit: Int
    /// A label of which no two hosts that run it may have the same value.
    public var spread: String?
    /// How long the lease lasts, in milliseconds.
    public var lease: Int64

    public init(
        host: String, slot: SlotName, definitionHash: String, through: WallTime?, tolerance: Int64? = nil,
        every: Int64? = nil, limit: Int = 1, spread: String? = nil, lease: Int64
    ) {
        (self.host, self.slot, self.definitionHash, self.through) = (host, slot, definitionHash, through)
        (self.tolerance, self.every, self.limit) = (tolerance, every, limit)
        (self.spread, self.lease) = (spread, lease)
    }
}

/// A run is over, or did not begin: what becomes of its slot.
public struct FleetFinish: Sendable, Equatable, Codable {
    public struct Answer: Sendable, Equatable, Codable {
        public var now: Int64
        /// False: the lease had passed to somebody else, or the slot had ended: `slotStatus` says which.
        public var accepted: Bool
        public var slotStatus: SlotStatus?
        /// Not accepted: the lease is of another process of this place, of which it is not known that it is over. Its name.
        public var twin: String?

        public init(now: Int64, accepted: Bool) { (self.now, self.accepted) = (now, accepted) }
    }

    /// A lease is of the process that claimed it, and of the next one of its state once that process is over.
    public var host: String
    public var lease: SlotLease
    /// `open`: another host is to run it. It ends `failed` after three leases all the same.
    public var state: SlotState
    /// Demanded of all but `done`.
    public var reason: String?
    /// False: nothing has run, or its conditions ended, and the lease counts as none.
    public var began: Bool
    /// Of a task with `repeat` that failed: until it is to be tried again, in milliseconds; nil: as it was.
    public var next: Int64?

    public init(
        host: String, _ lease: SlotLease, _ state: SlotState, reason: String? = nil, began: Bool = true,
        next: Int64? = nil
    ) {
        (self.host, self.lease, self.state, self.reason) = (host, lease, state, reason)
        (self.began, self.next) = (began, next)
    }
}
