/// The name of a gate, a reason why a task may not be launched now. `lull why` goes through them in this order.
///
/// This is the table of gates: the facts about each that do not depend on the moment.
public enum GateName: String, Sendable, Codable, CaseIterable {
    case permitted, registered, enabled, paused
    case idleApp = "idle_app"
    case requested
    case earliestBegin = "earliest_begin"
    case network
    case externalPower = "external_power"
    case battery, idle, load, disk, folder, window, quiet
    case rateLimit = "rate_limit"
    case budget
    case costLimit = "cost_limit"
    case backoff, concurrency
    /// Only on a host in a fleet.
    case fleet
    case shuttingDown = "shutting_down"
    /// Not a real gate: the task may run, but the score expects a better moment.
    case moment

    /// What opens a closed gate.
    package enum Opener: Sendable {
        case somebody
        /// The start of a host: it requests repeating tasks, or starts the app.
        case start
        case time
        case use
        /// Another run ends.
        case end
        /// Room is freed on the disk.
        case room
        /// A condition that the host senses.
        case condition
        /// The fleet's other hosts, and its database.
        case fleet
        case moment
    }

    package var opener: Opener {
        switch self {
        case .permitted, .enabled, .shuttingDown: .somebody
        case .requested, .registered: .start
        case .paused, .earliestBegin, .window, .quiet, .rateLimit, .budget, .costLimit, .backoff: .time
        case .idleApp: .use
        case .concurrency: .end
        case .fleet: .fleet
        case .folder: .room
        case .network, .externalPower, .battery, .idle, .load, .disk: .condition
        case .moment: .moment
        }
    }

    /// Whether it is a gate of policy: while it is closed, the host senses no further conditions for the task, and records it as
    /// waiting. Gates for which a ready task waits, for its turn or its moment, are not.
    package var bars: Bool {
        switch self {
        case .concurrency, .fleet, .shuttingDown, .moment: false
        case .network, .externalPower, .battery, .idle, .load, .disk: false
        case .permitted, .registered, .enabled, .paused, .idleApp, .requested, .earliestBegin, .folder,
            .window, .quiet, .rateLimit, .budget, .costLimit, .backoff:
            true
        }
    }

    /// Whether it stays closed until a person acts, given since when and until when it is closed.
    package func needsSomebody(since: WallTime?, until: WallTime?) -> Bool {
        switch self {
        case .permitted, .enabled, .idleApp: true
        case .paused: until == nil
        // Without a time it has only not been discovered yet.
        case .registered: since != nil
        case .requested, .earliestBegin, .network, .externalPower, .battery, .idle, .load, .disk, .folder,
            .window, .quiet, .rateLimit, .budget, .costLimit, .backoff, .concurrency, .shuttingDown, .moment:
            false
        // Of the fleet's reasons only a drain has a beginning.
        case .fleet: since != nil && until == nil
        }
    }

    /// The closed gate in two or three words, where there is no room for its sentence.
    public var short: String {
        switch self {
        case .permitted: "not in the manifest"
        case .registered: "no handler"
        case .enabled: "disabled"
        case .paused: "paused"
        case .idleApp: "its app was idle"
        case .requested: "nobody asked for it"
        case .earliestBegin: "not due"
        case .network: "no network"
        case .externalPower: "no external power"
        case .battery: "battery too low"
        case .idle: "somebody was using the host"
        case .load: "load too high"
        case .disk: "disk too full"
        case .folder: "its folder is too large"
        case .window: "outside its hours"
        case .quiet: "its quiet time"
        case .rateLimit: "launched just before"
        case .budget: "budget spent"
        case .costLimit: "cost limit reached"
        case .backoff: "waiting after a failure"
        case .concurrency: "other runs were under way"
        case .fleet: "no slot of the fleet"
        case .shuttingDown: "the host was shutting down"
        case .moment: "waiting for its moment"
        }
    }

    /// The same for a gate that another version of Lull may have recorded: an unknown gate is shown by its name.
    public static func short(_ gate: String) -> String {
        GateName(rawValue: gate)?.short ?? String(gate.map { $0 == "_" ? " " : $0 })
    }
}
