public import LullModel

/// The state that a restart must not lose: the fold of the history.
///
/// A checkpoint of the ledger plus the events since is the same ledger; the running host applies each event that it
/// records through the same function (`apply`), so there is no second way in which durable state changes. It knows no
/// manifest: the record of an app or a task that the manifest no longer lists is kept until nothing has happened to
/// it for 400 days.
public struct Ledger: Sendable, Equatable {
    /// The version of the checkpoint's format.
    public static let version = 4
    /// For how long an app or task outside the manifest is remembered.
    static let memory: Duration = .days(400)

    public internal(set) var apps: [AppIdentifier: AppRecord] = [:]
    public internal(set) var tasks: [TaskIdentifier: TaskRecord] = [:]
    /// Runs that have been launched and have not ended.
    public internal(set) var runs: [RunID: RunRecord] = [:]
    public internal(set) var spending = Spending()
    /// What the runs of all apps have cost, as far as a limit counts it.
    var costs = CostSums()
    public internal(set) var absences = Absences()
    /// When no host could launch anything, whether the machine was on or not.
    public internal(set) var away = Absences()
    public internal(set) var conditions = ConditionHistory()
    public internal(set) var notices = NoticeBook()
    public internal(set) var notifications = NotificationBook()
    public internal(set) var transfers = TransferBook()
    public internal(set) var slots = SlotBook()
    /// The pause of all tasks together; it may have ended by itself.
    public internal(set) var pause: Pause?
    public internal(set) var nextRequest: UInt64 = 1
    public internal(set) var nextRun: UInt64 = 1
    /// The latest time of any event.
    public internal(set) var latest: WallTime?

    public init() {}

    /// Drops the records of apps and tasks that the manifest does not list and that had no event for 400 days.
    ///
    /// Not an event: a host that folds the log again drops the same records at its next load of the manifest.
    mutating func forget(
        before now: WallTime, keepingApps: (AppIdentifier) -> Bool, keepingTasks: (TaskIdentifier) -> Bool
    ) {
        let horizon = now - Self.memory
        for (task, record) in tasks
        where record.touched < horizon && record.pending == nil && !keepingTasks(task) {
            tasks[task] = nil
            notices.recover(task.text)
        }
        for (app, record) in apps where record.touched < horizon && !keepingApps(app) {
            apps[app] = nil
        }
    }

    /// Drops the costs that no limit of the manifest counts any more. Not an event, as in `forget`.
    mutating func forgetCosts(_ manifest: Manifest) {
        if manifest.costLimits.isEmpty { costs = CostSums() }
        for app in manifest.apps where app.costLimits.isEmpty { apps[app.identifier]?.costs = nil }
    }
}

extension Ledger: Codable {
    private enum CodingKeys: String, CodingKey {
        case version, apps, tasks, runs, spending, absences, away, conditions, notices, pause, nextRequest,
            nextRun,
            latest, notifications, transfers, slots, costs
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let version = try container.decode(Int.self, forKey: .version)
        guard version == Self.version else {
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: container,
                debugDescription:
                    "the checkpoint has version \(version), and this host reads version \(Self.version)")
        }
        let apps = try container.decode([AppRecord].self, forKey: .apps)
        self.apps = Dictionary(apps.map { ($0.app, $0) }) { _, last in last }
        let tasks = try container.decode([TaskRecord].self, forKey: .tasks)
        self.tasks = Dictionary(tasks.map { ($0.task, $0) }) { _, last in last }
        let runs = try container.decode([RunRecord].self, forKey: .runs)
        self.runs = Dictionary(runs.map { ($0.run, $0) }) { _, last in last }
        spending = try container.decode(Spending.self, forKey: .spending)
        absences = try container.decode(Absences.self, forKey: .absences)
        away = try container.decode(Absences.self, forKey: .away)
        conditions = try container.decode(ConditionHistory.self, forKey: .conditions)
        notices = try container.decode(NoticeBook.self, forKey: .notices)
        // A host without these features writes none of them.
        notifications =
            try container.decodeIfPresent(NotificationBook.self, forKey: .notifications) ?? NotificationBook()
        transfers = try container.decodeIfPresent(TransferBook.self, forKey: .transfers) ?? TransferBook()
        slots = try container.decodeIfPresent(SlotBook.self, forKey: .slots) ?? SlotBook()
        costs = try container.decodeIfPresent(CostSums.self, forKey: .costs) ?? CostSums()
        pause = try container.decodeIfPresent(Pause.self, forKey: .pause)
        nextRequest = try container.decode(UInt64.self, forKey: .nextRequest)
        nextRun = try container.decode(UInt64.self, forKey: .nextRun)
        latest = try container.decodeIfPresent(WallTime.self, forKey: .latest)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.version, forKey: .version)
        // Sorted, so that equal ledgers are equal bytes.
        try container.encode(apps.values.sorted { $0.app < $1.app }, forKey: .apps)
        try container.encode(tasks.values.sorted { $0.task < $1.task }, forKey: .tasks)
        try container.encode(runs.values.sorted { $0.run < $1.run }, forKey: .runs)
        try container.encode(spending, forKey: .spending)
        try container.encode(absences, forKey: .absences)
        try container.encode(away, forKey: .away)
        try container.encode(conditions, forKey: .conditions)
        try container.encode(notices, forKey: .notices)
        try container.encodeIfPresent(pause, forKey: .pause)
        try container.encode(nextRequest, forKey: .nextRequest)
        try container.encode(nextRun, forKey: .nextRun)
        try container.encodeIfPresent(latest, forKey: .latest)
        if !notifications.isEmpty { try container.encode(notifications, forKey: .notifications) }
        if !costs.isEmpty { try container.encode(costs, forKey: .costs) }
        if !slots.isEmpty { try container.encode(slots, forKey: .slots) }
        if !transfers.isEmpty { try container.encode(transfers, forKey: .transfers) }
    }
}
