/// A call of a host to the fleet's database: each case is one database function, called with the value as JSON.
///
/// The functions are the contract between hosts of different versions: fields may be added, and never change their meaning.
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

/// A host introduces itself, when it connects and when its manifest has changed.
public struct FleetHello: Sendable, Equatable, Codable {
    public struct Job: Sendable, Equatable, Codable {
        public var task: TaskIdentifier
        /// The hash of the task's definition, without its place in a file and its notices.
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
        /// The version of the schema.
        public var version: Int
        /// Nil: the host may take slots.
        public var drain: FleetDrain?

        public init(now: Int64, version: Int, drain: FleetDrain? = nil) {
            (self.now, self.version, self.drain) = (now, version, drain)
        }
    }

    /// A random identifier of this process, because host names are not unique.
    public var host: String
    /// The permanent identifier of the state folder and its history.
    public var place: String
    /// The host's name, for people.
    public var name: String
    /// Identifies the state folder and the boot. No two live processes share it, so an earlier process with the same value has
    /// ended. Empty: not known.
    public var home: String
    public var boot: String
    /// The version of Lull.
    public var version: String
    public var manifest: String
    public var labels: [String: String]
    /// The tasks that need leases.
    public var jobs: [Job]
    /// The fleet's manifest that it has; nil: it follows none.
    public var follows: FleetManifestName?

    public init(
        host: String, place: String, name: String, home: String = "", boot: String, version: String,
        manifest: String, labels: [String: String], jobs: [Job]
    ) {
        (self.host, self.place, self.name, self.home, self.boot) = (host, place, name, home, boot)
        (self.version, self.manifest, self.labels, self.jobs) = (version, manifest, labels, jobs)
    }
}

/// A sign of life of a host: one call for all leases that it holds and slots that it offers.
public struct FleetBeat: Sendable, Equatable, Codable {
    public struct Offer: Sendable, Hashable, Codable {
        public var slot: SlotName
        public var definitionHash: String
        /// How long after its nominal time the slot may still be leased, in milliseconds; nil: 30 days.
        public var tolerance: Int64?

        public init(slot: SlotName, definitionHash: String, tolerance: Int64?) {
            (self.slot, self.definitionHash, self.tolerance) = (slot, definitionHash, tolerance)
        }
    }
    /// A lease that the host wants to keep.
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
    /// The gates that hold a task back on this host, for `why --fleet`.
    public struct Report: Sendable, Equatable, Codable {
        public var task: TaskIdentifier
        public var gates: [String]
        /// The reason that `why` gives for the first of them.
        public var reason: String?
        /// Until it has run here with a probability of 50 % and of 90 %, in milliseconds; nil: not known.
        public var half: Int64?
        public var most: Int64?

        public init(task: TaskIdentifier, gates: [String], reason: String?, half: Int64?, most: Int64?) {
            (self.task, self.gates, self.reason) = (task, gates, reason)
            (self.half, self.most) = (half, most)
        }
    }
    public struct Answer: Sendable, Equatable, Codable {
        public var now: Int64
        /// False: the database does not know this host (any more); it has to send `hello`.
        public var known: Bool
        public var drain: FleetDrain?
        /// The leases of the call that the host still has, renewed.
        public var held: [SlotLease]
        /// The best score of all live hosts, by task.
        public var best: [String: Double]
        /// The number of live hosts.
        public var hosts: Int
        /// Slots for any host that have changed since `since`, 500 at most, in the order of their change; some may come twice.
        public var news: [SlotStatus]
        /// The `since` of the next call.
        public var cursor: Int64
        /// The manifest that a following host should have; nil: the one it has.
        public var manifest: FleetManifestName?
        /// The name of another live host with the same place, which had it first: the state folder is a copy.
        public var twin: String?

        public init(now: Int64, known: Bool) {
            (self.now, self.known) = (now, known)
            (held, best, hosts, news, cursor) = ([], [:], 0, [], 0)
        }
    }

    public var host: String
    /// The leases that it holds and wants to keep.
    public var leases: [Renewal]
    /// The duration of leases without a length of their own, in milliseconds.
    public var lease: Int64
    public var offers: [Offer]
    /// The score of this moment on the host, by task: 0...1.
    public var scores: [String: Double]
    public var reports: [Report]
    /// The last answer's `cursor`; nil: from now on.
    public var since: Int64?
    /// This host's clock, in milliseconds since 1970. It only serves to show people how wrong the clock is.
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

/// A host that ends says goodbye, so that it does not count as lost. Its next hello or beat takes that back.
public struct FleetLeave: Sendable, Equatable, Codable {
    public struct Answer: Sendable, Equatable, Codable {
        public var now: Int64

        public init(now: Int64) { self.now = now }
    }

    public var host: String

    public init(host: String) { self.host = host }
}

/// A host could start a slot's run now, and asks for a lease.
public struct FleetClaim: Sendable, Equatable, Codable {
    public enum Verdict: String, Sendable, Codable, CaseIterable {
        case claimed
        /// Another host has the lease: see `slotStatus`.
        case leased
        /// The slot has ended: see `slotStatus`.
        case ended
        /// By the database's clock it is due only after `wait`.
        case notDue = "not_due"
        /// The most runs that are allowed at once are under way, on `holders`.
        case full
        /// The slot belongs to live hosts with another definition of the task: see `holders`.
        case differs
        case draining
        /// The database does not know the host: it has to send `hello`.
        case unknown
    }
    public struct Answer: Sendable, Equatable, Codable {
        public var now: Int64
        public var verdict: Verdict
        /// `claimed`: the lease; of a task with `repeat`, it has the fleet's nominal time.
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
    /// The last time that the run covers, at least `slot.nominal`; nil: only its own.
    public var through: WallTime?
    /// As in an offer.
    public var tolerance: Int64?
    /// The interval of a task with `repeat`, in milliseconds; nil: its times are the calendar's.
    public var every: Int64?
    /// The most runs at once on all hosts together.
    public var limit: Int
    /// A label: no two hosts that run the task at once may have the same value of it.
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

/// A run has ended or did not begin: the new state of its slot.
public struct FleetFinish: Sendable, Equatable, Codable {
    public struct Answer: Sendable, Equatable, Codable {
        public var now: Int64
        /// False: another host had the lease already, or the slot had ended: `slotStatus` says which.
        public var accepted: Bool
        public var slotStatus: SlotStatus?
        /// Not accepted: the name of another process of this place, which has the lease and may still live.
        public var twin: String?

        public init(now: Int64, accepted: Bool) { (self.now, self.accepted) = (now, accepted) }
    }

    /// A lease belongs to the process that claimed it, and after its end to the next process of the same state folder.
    public var host: String
    public var lease: SlotLease
    /// `open`: another host should run it. After three leases the slot ends as `failed` anyway.
    public var state: SlotState
    /// Required for every state but `done`.
    public var reason: String?
    /// False: nothing has run, or the run's conditions ended, so the lease does not count as an attempt.
    public var began: Bool
    /// Of a failed task with `repeat`: until the next try, in milliseconds; nil: unchanged.
    public var next: Int64?

    public init(
        host: String, _ lease: SlotLease, _ state: SlotState, reason: String? = nil, began: Bool = true,
        next: Int64? = nil
    ) {
        (self.host, self.lease, self.state, self.reason) = (host, lease, state, reason)
        (self.began, self.next) = (began, next)
    }
}
