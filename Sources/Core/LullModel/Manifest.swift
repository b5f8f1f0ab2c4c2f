/// The content of `jobs.yaml`, typed and valid: the permitted tasks, their constraints and the sources of uses.
public struct Manifest: Sendable, Equatable, Codable {
    /// The file it was read from; for messages.
    public var path: String
    /// Changes when the text changes (a hash in hexadecimal).
    public var hash: String
    public var hostConcurrency: Int
    /// How many runs of each group's tasks may be under way at once; 1 for a group that is not listed.
    public var groups: [String: Int] = [:]
    /// What the runs of all apps together may cost; empty: no limit.
    public var costLimits: [CostLimit] = []
    public var retention = Retention()
    /// Where the host sends its heartbeat; nil: nowhere.
    public var heartbeat: Heartbeat?
    /// The hosts that share its tasks; nil: this one is alone.
    public var fleet: FleetDefinition?
    /// In the order of the file, and of the included files.
    public var apps: [App]
    /// All files that were read, the manifest's own file first: a change of any of them changes the manifest.
    public var files: [String] = []
    /// The patterns of `include`: a file that comes or goes there may change the manifest too.
    public var includePatterns: [String] = []

    public init(path: String = "jobs.yaml", hash: String = "", hostConcurrency: Int = 4, apps: [App] = []) {
        self.path = path
        self.hash = hash
        self.hostConcurrency = hostConcurrency
        self.apps = apps
    }

    public var tasks: [TaskDefinition] { apps.flatMap(\.tasks) }

    /// The app of a task, by the task's own name or else by the most specific wildcard that matches it.
    public func app(of task: TaskIdentifier) -> AppIdentifier? {
        for name in [task] + task.wildcards {
            for app in apps where app.tasks.contains(where: { $0.identifier == name }) {
                return app.identifier
            }
        }
        return nil
    }
    /// The time zones that tasks name, without the host's own.
    public var zoneNames: Set<String> { Set(tasks.compactMap(\.timezone)) }
}

/// An app of the manifest: its plugin, and the tasks that are permitted to it.
public struct App: Sendable, Equatable, Codable {
    public enum Usage: Sendable, Equatable, Codable {
        /// No `usage` key: there are no uses unless `lull used` reports them.
        case none
        /// `usage: manual`: only `lull used` reports uses.
        case manual
        case sources([UsageSource])
    }
    public enum IdleClock: String, Sendable, Equatable, Codable, CaseIterable { case wall, host }

    public var identifier: AppIdentifier
    /// The absolute path of the shared library.
    public var plugin: String
    /// The SHA-256 that the library must have, in hexadecimal; nil: any library at that path.
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
    /// The user that its worker runs as; nil: the host's user or, where that is root, an account of its own.
    public var user: String?
    public var limits = AppLimits()
    /// What its runs may cost in a span; empty: no limit.
    public var costLimits: [CostLimit] = []
    /// Runs of this app at once.
    public var concurrency = 4
    /// The sinks that are notified when it becomes idle, or when its plugin can't be loaded.
    public var notify: [NoticeSink] = []
    /// Whether its plugin may post notifications.
    public var notifications = false
    /// In the file's order.
    public var tasks: [TaskDefinition] = []
    /// The rules for its pushes; nil: it accepts none.
    @Rare public var push: PushRules?
    /// The rules for its transfers; nil: it may make none.
    @Rare public var transfers: TransferRules?
    /// The line of the app in its file, from 1.
    public var line = 0
    /// The file, where it is not the manifest's own but an included one.
    public var file: String?

    public init(identifier: AppIdentifier, plugin: String) {
        self.identifier = identifier
        self.plugin = plugin
    }

    /// The value of `user` that means the host's own user.
    public static let hostsUser = "host"

    /// The user of this machine that `user` names; nil: none.
    public var namedUser: String? { user == Self.hostsUser ? nil : user }

    /// Whether a host that is root runs it as an account of its own, because the manifest says nothing else.
    public var hasOwnAccount: Bool { user == nil && !limits.keepsPrivileges }
}

/// A permitted identifier with its kind and constraints.
///
/// The manual calls it a *task*; the name `Task` belongs to Swift.
public struct TaskDefinition: Sendable, Equatable, Codable {
    /// What happens to a run when a condition that its task requires ends.
    public enum WhileRunning: String, Sendable, Codable, CaseIterable {
        /// It is expired and requested again, as with Apple, for handlers that expect this.
        case end
        case goOn = "go_on"
    }

    public struct Retry: Sendable, Equatable, Codable {
        public var first: Duration = .seconds(30)
        public var max: Duration = .hours(5)
        /// The most runs for one time of `at`, one event of `on` or one turn of `repeat`, including the first; nil: one for each
        /// time and event, and no limit for `repeat`.
        public var attempts: Int?
        /// The exit codes that are worth another attempt, in ascending order; nil: every failed run is retried.
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
    /// The times at which it is launched; nil: none. Never together with `repeat`.
    public var at: ExactTimes?
    /// The events that launch it; each requests a launch by itself; empty: none.
    public var on: [Trigger] = []
    /// What happens with a time of `at` at which it could not be launched.
    public var missed = MissedTimes.one
    /// The times of `at` are shifted by less than this. Each host has its own shift, which stays the same.
    public var spread: Duration = .zero
    /// How late after a time of `at` it may still be launched before that time counts as missed.
    public var tolerance: Duration = .minutes(5)
    public var requires: Requirements = .none
    /// What happens to a run when one of those conditions ends.
    public var whileRunning = WhileRunning.end
    /// Empty: always.
    public var windows: [Window] = []
    /// When nothing is launched: maintenance times.
    public var quiet: [Window] = []
    /// The days on which it may be launched; nil: all.
    @Rare public var days: OpenDays?
    /// A name of the zone database; nil: the host's.
    public var timezone: String?
    /// Nil: no limit, as for `continued`, which expires without progress.
    public var timeLimit: Duration?
    /// The warning before the limit.
    public var warning: Duration = .seconds(5)
    /// The time from the expiration until the process group is killed.
    public var grace: Duration = .seconds(5)
    /// Runs of this task at once.
    public var concurrency = 1
    /// The group that it shares with tasks of any app. `Manifest.groups` limits how many of them run at once; nil: none.
    @Rare public var group: String?
    /// Refresh launches a day, on average over weeks, that this task adds to the refresh budget that all apps share.
    public var budget: Double = 8
    /// The share of uses that should find data younger than `fresh`, instead of a number of launches; nil: `budget` applies.
    public var freshShare: Double?
    /// How long the data of a refresh counts as fresh.
    public var fresh: Duration = .minutes(60)
    /// The goal for which the launches of a refresh are planned.
    public var objective = Objective.both
    /// The least time between two refresh launches of the app.
    public var minGap: Duration = .minutes(15)
    public var retry = Retry()
    /// The starvation bound; nil: 2 × `repeat` for processing, at least 2 days for a refresh (see `starvationBound`).
    public var latest: Duration?
    /// Among the tasks that may be launched, a higher priority is first.
    public var priority = 0
    public var nice = 0
    public var ionice = IOUrgency.normal
    /// Nil: those of its app.
    @Rare public var limits: RunLimits?
    /// What happens to processes that a run has started and not ended.
    public var leaves = WhatIsLeft.ended
    public var settings: JSONValue = .object([:])
    /// The parameters that a launch by hand may give other values, in the order of the manifest; nil: none.
    @Rare public var params: [TaskParam]?
    /// The sinks that are notified of its runs.
    public var notify: [NoticeSink] = []
    /// The expected successes; a notice is sent if they fall short. Nil: only what the task's schedule implies.
    public var expect: Expectation?
    /// Where each successful run sends a heartbeat; nil: nowhere.
    @Rare public var heartbeat: Heartbeat?
    /// Which hosts of the fleet run it.
    public var fleet = FleetRules.none
    public var description: String?
    public var enabled = true
    /// The line of the task in its file, from 1.
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

    /// The limit of a run. A refresh is short, also where the manifest's kind allows longer runs.
    public func timeLimit(of kind: Kind) -> Duration? {
        guard kind == .refresh, self.kind != .refresh else { return timeLimit }
        return min(timeLimit ?? .seconds(30), .seconds(30))
    }

    /// How long the gates may be open in total before the task is launched whatever its score.
    ///
    /// A refresh's `repeat` is only its least gap, so twice that would turn every forecast into a fixed interval:
    /// for a refresh the bound is never under two days. A refresh that is planned for hits alone should be launched only where
    /// uses are likely: its bound is a week.
    public var starvationBound: Duration {
        if let latest { return latest }
        let least: Duration = kind == .refresh && objective == .hits ? .days(7) : .days(2)
        guard let gap = self.repeat else { return least }
        return kind == .processing ? gap * 2 : max(gap * 2, least)
    }
}
