/// A kind of mapping in the manifest, with the keys that it may hold.
public enum Place: Int, Sendable, Hashable, CaseIterable {
    case top, included, defaults, includedDefaults, app, task, requires, retry, grace, budget, concurrency,
        usage, journal, retention, limits, taskLimits, notify, heartbeat, taskHeartbeat, expect, event, after,
        device,
        push, mqtt, transfers, fleet, hosts, taskConcurrency, param, costLimit

    /// The keys that a task takes from its app, and an app from `defaults`.
    private static let inheritedByTasks = InheritedKey.ofTasks.map(\.key)
    /// The keys that an app takes from `defaults`.
    private static let inheritedByApps = InheritedKey.ofApps.map(\.key)

    /// In the order of the manual.
    public var keys: [Key] {
        switch self {
        case .top: [.version, .include, .defaults, .apps, .heartbeat, .groups, .costLimit, .fleet]
        case .included: [.version, .defaults, .apps]
        case .includedDefaults: Self.inheritedByApps + Self.inheritedByTasks
        case .defaults: Self.inheritedByApps + Self.inheritedByTasks + [.retention]
        case .app:
            [
                .plugin, .description, .enabled, .settings, .usage, .sha256, .push, .transfers, .tasks,
                .notifications, .costLimit,
            ] + Self.inheritedByApps + Self.inheritedByTasks
        case .task:
            [
                .kind, .repeat, .at, .on, .settings, .description, .enabled, .concurrency, .expect,
                .heartbeat, .params, .limits,
            ]
                + Self.inheritedByTasks
        case .requires: RequirementKey.all.map(\.key)
        case .retry: [.attempts, .first, .max, .exitCodes]
        case .grace: [.warning, .kill]
        case .budget: [.fresh, .within]
        case .concurrency: [.host, .app]
        case .usage: [.log, .match, .time, .login, .journal, .access]
        case .journal: [.unit, .match]
        case .retention: [.events, .output, .outputSize, .size]
        case .limits: [.memory, .cpu, .processes, .descriptors, .disk, .read, .write, .network, .privileges]
        case .taskLimits: [.memory, .cpu, .processes]
        case .notify: [.mail, .command, .webhook, .journal, .desktop, .on]
        case .heartbeat: [.url, .every]
        case .taskHeartbeat: [.url, .fail]
        case .expect: [.atLeast]
        case .event: [.path, .settle, .after, .device, .login]
        case .after: [.task, .outcome]
        case .device: [.subsystem, .name]
        case .push: [.quota, .within, .maxSize, .secretFile, .mqtt]
        case .mqtt: [.broker, .topics, .username, .passwordFile, .caFile, .urgent]
        case .transfers:
            [
                .atOnce, .rate, .hosts, .maxSize, .requires, .windows, .quiet, .except, .only, .from, .until,
                .timezone, .priority,
            ]
        case .fleet: [.database, .name, .labels, .follow]
        case .hosts: [.labels, .spread]
        case .taskConcurrency: [.fleet, .host]
        case .param: [.default, .match, .oneOf, .description]
        case .costLimit: [.processor, .written, .read]
        }
    }

    /// The words after "unknown key in".
    public var phrase: String {
        switch self {
        case .top: "the manifest"
        case .included: "an included file"
        case .includedDefaults: "the `defaults` of an included file"
        case .defaults: "`defaults`"
        case .app: "an app"
        case .task: "a task"
        case .requires: "`requires`"
        case .retry: "`retry`"
        case .grace: "`grace`"
        case .budget: "`budget`"
        case .concurrency: "the `concurrency` of `defaults`"
        case .usage: "a source of `usage`"
        case .journal: "`journal`"
        case .retention: "`retention`"
        case .limits: "`limits`"
        case .taskLimits: "the `limits` of a task"
        case .notify: "an entry of `notify`"
        case .heartbeat: "the `heartbeat` at the top"
        case .taskHeartbeat: "the `heartbeat` of a task"
        case .expect: "`expect`"
        case .event: "an entry of a task's `on`"
        case .after: "`after`"
        case .device: "`device`"
        case .push: "`push`"
        case .mqtt: "`mqtt`"
        case .transfers: "`transfers`"
        case .fleet: "`fleet`"
        case .hosts: "the `hosts` of a task"
        case .taskConcurrency: "the `concurrency` of a task"
        case .param: "a parameter"
        case .costLimit: "`cost_limit`"
        }
    }

    /// The places that may hold the key.
    static func places(for key: Key) -> [Place] {
        // The main file's places stand for those of included files.
        allCases.filter { $0 != .included && $0 != .includedDefaults && $0.keys.contains(key) }
    }

    var table: KeyTable { Self.tables[rawValue] }
    private static let tables = allCases.map { KeyTable(keys: $0.keys) }
}

/// The keys of one place by their bytes: no string is made for a key that is known.
struct KeyTable: Sendable {
    private let names: [[UInt8]]
    let keys: [Key]

    init(keys: [Key]) {
        self.keys = keys
        names = keys.map { Array($0.rawValue.utf8) }
    }

    /// The key's position among `keys`.
    func index(of bytes: ArraySlice<UInt8>) -> Int? {
        names.firstIndex { $0.count == bytes.count && $0.elementsEqual(bytes) }
    }
}
