/// What `jobs.yaml` says, typed and valid: the permitted tasks, their constraints and where uses are learned from.
public struct Manifest: Sendable, Equatable, Codable {
    /// The file it was read from; for messages.
    public var path: String
    /// Changes when the text changes (a hash in hexadecimal).
    public var hash: String
    public var hostConcurrency: Int
    /// Runs at once of all tasks of a group; one that is not listed has one.
    public var groups: [String: Int] = [:]
    public var retention = Retention()
    /// Where the host says that it lives; nil: nowhere.
    public var heartbeat: Heartbeat?
    /// The hosts that share its tasks; nil: this one is alone.
    public var fleet: FleetDefinition?
    /// In the file's order; of several files in theirs.
    public var apps: [App]
    /// All that was read, this manifest's own file first: a change of any of them is a change of it.
    public var files: [String] = []
    /// What `include` looks for: a file that comes or goes there may be a change of it too.
    public var includePatterns: [String] = []

    public init(path: String = "jobs.yaml", hash: String = "", hostConcurrency: Int = 4, apps: [App] = []) {
        self.path = path
        self.hash = hash
        self.hostConcurrency = hostConcurrency
        self.apps = apps
    }

    public var tasks: [TaskDefinition] { apps.flatMap(\.tasks) }

    /// Whose a task is, by its own name or else by the nearest wildcard that it fits.
    public func app(of task: TaskIdentifier) -> AppIdentifier? {
        for name in [task] + task.wildcards {
            for app in apps where app.tasks.contains(where: { $0.identifier == name }) {
                return app.identifier
            }
        }
        return nil
    }
    /// The time zones that windows speak of, without the host's own.
    public var zoneNames: Set<String> { Set(tasks.compactMap(\.timezone)) }
}

/// An app of the manifest: its plugin, and the tasks that are permitted to it.
public struct App: Sendable, Equatable, Codable {
    public enum Usage: Sendable, Equatable, Codable {
        /// No key: uses come from nowhere unless somebody runs `lull used`.
        case none
        /// `usage: manual`: fed by `lull used` alone.
        case manual
        case sources([UsageSource])
    }
    public enum IdleClock: String, Sendable, Equatable, Codable, CaseIterable { case wall, host }

    public var identifier: AppIdentifier
    /// The absolute path of the shared library.
    public var plugin: String
    /// What `sha256sum` says of the library that is meant; nil: any that stands there.
    public var sha256: String?
    public var description: String?
    public var enabled = true
    public var settings: JSONValue = .object([:])
    public var usage: Usage = .none
    /// A use on any host of the fleet is a use here.
    public var sharesUses = false
    /// Nil: never.
    public var idleAfter: Duration? = .days(7)
    public var idleClock: IdleClock = .wall
    public var keepWarm: Duration = .minutes(10)
    /// As whom its worker runs; nil: as the host does, or, where that is root, as an account of its own.
    public var user: String?
    public var limits = AppLimits()
    /// Runs of this app at once.
    public var concurrency = 4
    /// Who is told that it becomes idle, and that its plugin can't be loaded.
    public var notify: [NoticeSink] = []
    /// Whether its plugin may tell people something itself.
    public var notifications = false
    /// In the file's order.
    public var tasks: [TaskDefinition] = []
    /// What is true of its pushes; nil: it takes none.
    @Rare public var push: PushRules?
    /// What is true of its transfers; nil: it may make none.
    @Rare public var transfers: TransferRules?
    /// The line of its file on which the app stands, from 1.
    public var line = 0
    /// The file, where it is not the manifest's own but an included one.
    public var file: String?

    public init(identifier: AppIdentifier, plugin: String) {
        self.identifier = identifier
        self.plugin = plugin
    }

    /// As `user` it means whom the host runs as, whoever that is.
    public static let hostsUser = "host"

    /// The user of this machine's that is named; nil: none.
    public var namedUser: String? { user == Self.hostsUser ? nil : user }

    /// Whether a host that is root runs it as an account of its own: nothing else is written.
    public var hasOwnAccount: Bool { user == nil && !limits.keepsPrivileges }
}

/// A permitted identifier with its kind and constraints.
///
/// The word of the manual is *task*; Swift's own `Task` has taken the name.
public struct TaskDefinition: Sendable, Equatable, Codable {
    /// What becomes of a run when a condition that its task requires ends.
    public enum WhileRunning: String, Sendable, Codable, CaseIterable {
        /// It is expired, and asked for again: as Apple has it, for handlers that know of that.
        case end
        case goOn = "go_on"
    }

    public struct Retry: Sendable, Equatable, Codable {
        public var first: Duration = .seconds(30)
        public var max: Duration = .hours(5)
        /// Runs for one time of `at`, one event of `on` or one turn of `repeat`, the first among them; nil: one for each time and
        /// event, and no end for `repeat`.
        public var attempts: Int?
        /// Those that another attempt may mend, in ascending order; nil: a failed run is tried again however it ended.
        public var exitCodes: [UInt8]?

        public init(first: Duration = .seconds(30), max: Duration = .hours(5), attempts: Int? = nil) {
            self.first = first
            self.max = max
            self.attempts = attempts
        }
    }

    public var identifier: TaskIdentifier
    public var app: AppIdentifier
    public var kind: Kind
    /// Nil: launched on request only.
    public var `repeat`: Duration?
    /// Launched by the clock; nil: not. Never beside `repeat`.
    public var at: ExactTimes?
    /// Launched by events, each of which asks for a launch of its own accord; empty: by none.
    public var on: [Trigger] = []
    /// What becomes of a time of `at` at which it could not be launched.
    public var missed = MissedTimes.one
    /// The times of `at` are shifted by less than this, on each host by another shift that stays.
    public var spread: Duration = .zero
    /// How late after a time of `at` it may still be launched before that time counts as missed.
    public var tolerance: Duration = .minutes(5)
    public var requires: Requirements = .none
    /// What becomes of a run while which one of those ends.
    public var whileRunning = WhileRunning.end
    /// Empty: always.
    public var windows: [Window] = []
    /// When nothing is launched: the times of maintenance.
    public var quiet: [Window] = []
    /// A name of the zone database; nil: the host's.
    public var timezone: String?
    /// Nil: none, as for `continued`, which expires without progress.
    public var timeLimit: Duration?
    /// The warning before the limit.
    public var warning: Duration = .seconds(5)
    /// After expiration, until the process group is killed.
    public var grace: Duration = .seconds(5)
    /// Runs of this task at once.
    public var concurrency = 1
    /// What it shares with tasks of any app, of which so many run at once on a host as `Manifest.groups` says; nil: nothing.
    @Rare public var group: String?
    /// Refresh launches a day, on average over weeks, that this task adds to the refresh budget that all apps share.
    public var budget: Double = 8
    /// The share of uses that are to find data younger than `fresh`, instead of a number of launches; nil: `budget` holds.
    public var freshShare: Double?
    /// For how long what a refresh brought counts as fresh.
    public var fresh: Duration = .minutes(60)
    /// What the launches of a refresh are planned for.
    public var objective = Objective.both
    /// Between two refresh launches of the app.
    public var minGap: Duration = .minutes(15)
    public var retry = Retry()
    /// The starvation bound; nil: 2 × `repeat` for processing, at least 2 days for a refresh (see `starvationBound`).
    public var latest: Duration?
    /// Higher first among those that may be launched.
    public var priority = 0
    public var nice = 0
    /// What becomes of processes that a run has started and not ended.
    public var leaves = WhatIsLeft.ended
    public var settings: JSONValue = .object([:])
    /// Who is told of its runs.
    public var notify: [NoticeSink] = []
    /// What is told when it does not come true; nil: nothing but what its rhythm lets expect.
    public var expect: Expectation?
    /// Where each run that succeeds is a sign of life; nil: nowhere.
    @Rare public var heartbeat: Heartbeat?
    /// Which hosts of the fleet run it.
    public var fleet = FleetRules.none
    public var description: String?
    public var enabled = true
    /// The line of its file on which the task stands, from 1.
    public var line = 0
    /// The file, where it is not the manifest's own but an included one.
    public var file: String?

    public init(identifier: TaskIdentifier, app: AppIdentifier, kind: Kind) {
        self.identifier = identifier
        self.app = app
        self.kind = kind
        switch kind {
        case .refresh: timeLimit = .seconds(30)
        case .processing: timeLimit = .minutes(10)
        case .continued: timeLimit = nil
        case .push:
            timeLimit = .seconds(30)
            latest = PushRules().within
        case .transfers: timeLimit = .seconds(30)
        }
    }

    /// The limit of a run: a refresh is short, also where the manifest's kind is a longer one.
    public func timeLimit(of kind: Kind) -> Duration? {
        guard kind == .refresh, self.kind != .refresh else { return timeLimit }
        return min(timeLimit ?? .seconds(30), .seconds(30))
    }

    /// For how long in all the gates may be open before the task is launched whatever its score.
    ///
    /// A refresh's `repeat` is only its least gap, so twice that would turn every forecast into a fixed interval:
    /// for a refresh the bound is never under two days. One that is planned for hits alone is to be launched where uses are
    /// likely and nowhere else: its bound is the week.
    public var starvationBound: Duration {
        if let latest { return latest }
        let least: Duration = kind == .refresh && objective == .hits ? .days(7) : .days(2)
        guard let gap = self.repeat else { return least }
        return kind == .processing ? gap * 2 : max(gap * 2, least)
    }
}
