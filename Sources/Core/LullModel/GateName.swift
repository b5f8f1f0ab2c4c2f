/// One reason a task may not be launched now, by name: the list that `lull why` goes through, in this order.
///
/// This is the table of gates: what is to be known of each without asking it.
public enum GateName: String, Sendable, Codable, CaseIterable {
    case permitted, registered, enabled, paused
    case idleApp = "idle_app"
    case requested
    case earliestBegin = "earliest_begin"
    case network
    case externalPower = "external_power"
    case battery, idle, load, disk, folder, window, quiet
    case rateLimit = "rate_limit"
    case budget, backoff, concurrency
    /// Of a host with a fleet alone.
    case fleet
    case shuttingDown = "shutting_down"
    /// Not a gate of the design's list but the score's own word: it may run, and a better moment is expected.
    case moment

    /// What opens it once it is closed.
    package enum Opener: Sendable {
        case somebody
        /// A host that starts: it asks for what repeats, or starts the app.
        case start
        case time
        case use
        /// The end of another run.
        case end
        /// Room on the disk.
        case room
        /// What the host senses.
        case condition
        /// The fleet's other hosts, and its database.
        case fleet
        case moment
    }

    package var opener: Opener {
        switch self {
        case .permitted, .enabled, .shuttingDown: .somebody
        case .requested, .registered: .start
        case .paused, .earliestBegin, .window, .quiet, .rateLimit, .budget, .backoff: .time
        case .idleApp: .use
        case .concurrency: .end
        case .fleet: .fleet
        case .folder: .room
        case .network, .externalPower, .battery, .idle, .load, .disk: .condition
        case .moment: .moment
        }
    }

    /// Whether a task that it holds back is none of the host's concern: nothing is sensed for it, and it is recorded as
    /// waiting. What is ready and waits for its turn or its moment is another matter.
    package var bars: Bool {
        switch self {
        case .concurrency, .fleet, .shuttingDown, .moment: false
        case .network, .externalPower, .battery, .idle, .load, .disk: false
        case .permitted, .registered, .enabled, .paused, .idleApp, .requested, .earliestBegin, .folder,
            .window, .quiet, .rateLimit, .budget, .backoff:
            true
        }
    }

    /// Whether it stays closed until somebody does something about it, closed as it is.
    package func needsSomebody(since: WallTime?, until: WallTime?) -> Bool {
        switch self {
        case .permitted, .enabled, .idleApp: true
        case .paused: until == nil
        // Without a time it has only not been discovered yet.
        case .registered: since != nil
        case .requested, .earliestBegin, .network, .externalPower, .battery, .idle, .load, .disk, .folder,
            .window, .quiet, .rateLimit, .budget, .backoff, .concurrency, .shuttingDown, .moment:
            false
        // Of what the fleet says only a drain has a beginning.
        case .fleet: since != nil && until == nil
        }
    }

    /// Closed, in two or three words, for where there is no room for its sentence.
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
        case .window: "outside its window"
        case .quiet: "its quiet time"
        case .rateLimit: "launched just before"
        case .budget: "budget spent"
        case .backoff: "waiting after a failure"
        case .concurrency: "too many runs at once"
        case .fleet: "no slot of the fleet"
        case .shuttingDown: "the host was shutting down"
        case .moment: "waiting for its moment"
        }
    }

    /// The same of a gate that another Lull may have recorded: what has no words of its own is called by its name.
    public static func short(_ gate: String) -> String {
        GateName(rawValue: gate)?.short ?? String(gate.map { $0 == "_" ? " " : $0 })
    }
}
