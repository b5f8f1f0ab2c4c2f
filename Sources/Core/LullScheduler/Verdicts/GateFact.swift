import LullModel

/// The facts that a gate has found. `VerdictWords` turns them into a sentence and a remedy.
///
/// A fact is small and cheap to make, so the host decides by the same facts that `why` reads.
enum GateFact: Sendable, Equatable {
    case permitted(Permission)
    case registered(Registration)
    case enabled(Enabling)
    case paused(Pausing)
    case idleApp(Idleness)
    case requested(Asking)
    case earliestBegin(Begin)
    case condition(GateName, ConditionFact)
    case folder(Keeping)
    case window(Opening)
    case day(Today)
    case quiet(Opening)
    case rateLimit(Pace)
    case budget(Spent)
    case costLimit(Costing)
    case backoff(Failing)
    case concurrency(Room)
    case fleet(Sharing)
    case shuttingDown(Bool)
    case moment(Awaiting)

    var gate: GateName {
        switch self {
        case .permitted: .permitted
        case .registered: .registered
        case .enabled: .enabled
        case .paused: .paused
        case .idleApp: .idleApp
        case .requested: .requested
        case .earliestBegin: .earliestBegin
        case .condition(let gate, _): gate
        case .folder: .folder
        case .window, .day: .window
        case .quiet: .quiet
        case .rateLimit: .rateLimit
        case .budget: .budget
        case .costLimit: .costLimit
        case .backoff: .backoff
        case .concurrency: .concurrency
        case .fleet: .fleet
        case .shuttingDown: .shuttingDown
        case .moment: .moment
        }
    }
}

/// Whether the manifest, the plugin and the operator let the task be launched at all.
extension GateFact {
    enum Permission: Sendable, Equatable {
        case wildcard
        case notListed
        /// No longer listed, and still running.
        case takenOut([RunID])
        case kind(Kind, permitted: Kind)
        case listed(Kind, file: String?, line: Int)
    }

    enum Registration: Sendable, Equatable {
        case trouble(String, plugin: String)
        /// `hostDiscovers`: an app is started so that it registers its handlers.
        case undiscovered(hostDiscovers: Bool)
        case changed(hostDiscovers: Bool)
        case noHandler
        case takesNoPushes
        case takesNoTransfers
        case handler
        /// A worker was ended for a violation since, or ended while nothing ran.
        case handlerDespite(fault: String, at: WallTime?)
    }

    enum Enabling: Sendable, Equatable {
        /// By an operator.
        indirect case app(by: String?)
        indirect case task(by: String?)
        case appInManifest, taskInManifest, yes
    }

    enum Pausing: Sendable, Equatable {
        case no
        indirect case by(Pause)
    }

    /// The last sign of an app: a use, or its discovery.
    struct Sign: Sendable, Equatable {
        let time: WallTime
        let isUse: Bool
    }

    enum Idleness: Sendable, Equatable {
        case unknown
        case never
        case unseen
        case inUse(Sign, until: WallTime, byHostsClock: Bool)
        case idle(Sign, after: Duration)
        /// A person waits for the task itself.
        case awaited(Sign, after: Duration)
        case urgent(Sign, after: Duration)
        /// Transfers that it asked for have ended.
        case transferred(Sign, after: Duration)
    }

    enum Asking: Sendable, Equatable {
        case wildcard
        /// `byTimes`: by `at`; otherwise by `repeat`.
        case onceEnabled(byTimes: Bool)
        case nobody(isRunning: Bool, repeats: Bool, Kind)
        /// No time of `at` is left.
        case noTimeLeft
        /// `name`: of the operator who asked.
        case by(TaskRequest.Origin, WallTime, name: Rare<String> = .none)
        /// For events of `on`; unless `isAlone`, for a request of another origin as well.
        indirect case happened(TriggerEvent, isAlone: Bool)
        /// Nothing has asked for it, and one of these events would.
        indirect case events([AwaitedEvent], watched: WallTime?, last: WallTime?)
        case noPush(isRunning: Bool)
        case noTransfers(isRunning: Bool)
        indirect case pushed(PushNote, WallTime, urgencyLost: WallTime?)
    }

    /// An event that `on` waits for.
    struct AwaitedEvent: Sendable, Equatable {
        struct Before: Sendable, Equatable {
            let link: ChainLink
            var outcome: Outcome?
            var ended: WallTime?
            var isRunning = false
            /// Of several tasks that have to end: this one has, and others have not.
            var isMet = false
            /// The earlier task of the chain that kept it from running; nil: it ran, or this is not known.
            var brokenBy: ChainBreak?

            init(
                _ link: ChainLink, outcome: Outcome? = nil, ended: WallTime? = nil, isRunning: Bool = false,
                isMet: Bool = false, brokenBy: ChainBreak? = nil
            ) {
                (self.link, self.outcome, self.ended) = (link, outcome, ended)
                (self.isRunning, self.isMet, self.brokenBy) = (isRunning, isMet, brokenBy)
            }
        }
        let trigger: Trigger
        /// How the host watches it; nil: no host has reported that.
        let watch: TriggerWatch?
        /// For a chain: the tasks before it.
        var before: [Before] = []
    }
}

/// Whether the task's time has come, and whether it has had its share.
extension GateFact {
    enum Begin: Sendable, Equatable {
        case any
        case passed(WallTime)
        case at(WallTime)
        case nextBoot
        case booted
        case nextTime(WallTime, shift: Duration)
        /// Times before it are on a closed day.
        indirect case nextOpenTime(WallTime, shift: Duration, DayClosure)
        case nextAttempt(Attempt, WallTime)
        case timeCome(WallTime)
        case timeMissed(WallTime, MissedTimes)
    }

    /// Of windows, or of quiet times.
    enum Opening: Sendable, Equatable {
        case none
        case open([Window])
        case closed([Window], until: WallTime?)
        case urgent
    }

    /// Of a task that has days and no windows, or whose window has a closed day.
    enum Today: Sendable, Equatable {
        case open(Int)
        /// A time of `at` came on an open day that is over.
        case begun(WallTime)
        indirect case closed(DayClosure, until: WallTime?)
    }

    enum Pace: Sendable, Equatable {
        case timed
        case unlimited
        case rested(Duration)
        case refreshed(WallTime, gap: Duration)
        case continued(isTooFast: Bool)
        case urgent
        /// Silent pushes in a span; as many as the quota or more close the gate.
        case pushes(Int, quota: Int, span: Duration)
        case neverRan
        case ended(WallTime)
        case pausing(Duration, isAsLongAsRun: Bool)
        /// Asked for so many times in a row by files that came while it ran.
        case fed(Int, pause: Duration)
    }

    enum Spent: Sendable, Equatable {
        case noRefresh
        case timed
        case asFresh(Double)
        case some(Int, perDay: Double)
        case tooMuch(Int, perDay: Double)
        case nothingBudgeted
        /// Processing that a plugin asked for.
        case asked
        case askedTooOften(perDay: Double)
    }

    /// What the runs of an app, or of all apps, have cost in the span of a limit.
    struct Costs: Sendable, Equatable {
        let limit: CostLimit
        let cost: Int64
        let isOfHost: Bool

        var share: Double { Double(cost) / Double(max(1, limit.amount)) }
    }

    enum Costing: Sendable, Equatable {
        case unlimited
        case urgent
        case some(Costs)
        case tooMuch(Costs)
    }

    enum Failing: Sendable, Equatable {
        case startFailure(String)
        case awaited
        case timed
        indirect case timedOverLimit(LimitMet)
        case no
        case longAgo(Int)
        case again(Int, after: Duration)
        case attempt(Attempt, after: Duration)
        indirect case overLimit(LimitMet)
    }

    /// A group of tasks that share something, and the task that has it.
    struct Group: Sendable, Equatable {
        var name: String
        var most: Int
        var runs: Int
        /// The task that has run longest, and since when.
        var holder: TaskIdentifier
        var since: WallTime
    }

    enum Room: Sendable, Equatable {
        case runs(Int)
        case group(Group)
        case app(Int, most: Int)
        case host(Int, most: Int)
        case left(Int, most: Int)
    }
}

/// Whether the host is as the task requires it, and the moment a good one.
extension GateFact {
    enum Keeping: Sendable, Equatable {
        case filledDisk(String)
        case unlimited
        case unseen
        case tooMuch(FolderUse, limit: Int64)
        case within(FolderUse, limit: Int64)
    }

    enum Awaiting: Sendable, Equatable {
        case otherGates
        case notListed
        case exact
        case starved(open: Duration, bound: Duration)
        case operatorAsked
        case happened
        case somebodyWaits
        case urgent
        case hostIdle
        case anyHost
        case notSensed
        case quiet(ConditionFact)
        case noisy(ConditionFact, latest: WallTime)
        case neverSucceeded
        case likelyUse(Double, within: Duration)
        case evenly(Duration)
        case revived
        indirect case planned(Plan, fresh: Duration, latest: WallTime)
    }
}

extension GateFact {
    /// Which host of the fleet may run a task.
    enum Sharing: Sendable, Equatable {
        /// Each host runs it for itself.
        case unshared
        /// The request was made on this host.
        case askedHere
        case holds(Int64)
        /// Only the fleet has yet to be asked.
        case claims
        indirect case lacks(label: String, wanted: String, has: String?)
        case asking
        case better(Double, own: Double, until: WallTime)
        case turn(until: WallTime)
        indirect case elsewhere(String, since: WallTime, until: WallTime)
        case notDue(until: WallTime)
        indirect case full([String], most: Int, until: WallTime)
        indirect case differs([String], until: WallTime)
        indirect case refused(String, until: WallTime)
        indirect case draining(FleetState.Drain)
        case never(since: WallTime)
        indirect case away(since: WallTime, String)
    }
}
