import LullModel

/// What a task can require of the host, and how each requirement is judged: the one table of conditions.
///
/// An unknown value never counts as "all is well": it counts as battery power, as an empty battery and as no network,
/// and if presence is unknown, the load decides. A host that has no battery is powered. Each says so in its sentence.
enum Condition: Sendable, Hashable {
    case network(Requirements.Network)
    case externalPower
    case battery(above: Double)
    case idle
    case load(below: Double)
    case disk(free: Int64)

    /// A host is idle when nobody has touched it for this long.
    static let idleAfter: Duration = .minutes(5)
    /// Load per core from which a host is busy, where presence is unknown.
    static let busyLoad = 0.7
    /// The CPU pressure from which a host is busy: the share of the time in which some task waits for a processor.
    static let busyPressure = 0.25

    /// The name of its strand in the history of conditions.
    var name: String {
        switch self {
        case .network(.any): "network"
        case .network(.unmetered): "unmetered"
        case .externalPower: "external_power"
        case .battery(let share): "battery_above=\(Phrase.number(share))"
        case .idle: "idle"
        case .load(let limit): "load_below=\(Phrase.number(limit))"
        case .disk(let bytes): "disk_free=\(bytes)"
        }
    }

    var gate: GateName {
        switch self {
        case .network: .network
        case .externalPower: .externalPower
        case .battery: .battery
        case .idle: .idle
        case .load: .load
        case .disk: .disk
        }
    }

    /// The sensors that it is read from; if presence is unknown, the load decides on idleness.
    var sensors: SensorSet {
        switch self {
        case .network: .network
        case .externalPower: .power
        case .battery: .battery
        case .idle: [.presence, .load]
        case .load: .load
        case .disk: .disk
        }
    }

    /// The sensors that it is read from under these conditions.
    func sensors(in conditions: Conditions?) -> SensorSet {
        switch self {
        case .idle: conditions?.presence.value == nil ? sensors : .presence
        case .network, .externalPower, .battery, .load, .disk: sensors
        }
    }

    /// The sensor that is sampled during a run, so that the end of the condition ends the run; nil: it does not end it,
    /// or Linux announces it.
    var sampledForRuns: SensorSet? {
        switch self {
        case .battery: .battery
        case .idle: .presence
        case .network, .externalPower, .load, .disk: nil
        }
    }

    /// Why it ends a run that is under way; nil: it does not. Load and free disk count for a launch alone, for the run
    /// itself changes them. Only a person ends idleness: the load may be the run's own doing.
    func end(in conditions: Conditions, at now: WallTime) -> String? {
        let constraint = judged(conditions, at: now)
        guard !constraint.isSatisfied else { return nil }
        return switch self {
        case .network, .battery: constraint.fact.sentence
        case .externalPower: constraint.isUnknown ? constraint.fact.sentence : "external power is gone"
        case .idle: constraint.fact == .inUse ? "somebody is using the host" : nil
        case .load, .disk: nil
        }
    }

    /// Whether a change of it would be noticed: Linux announces it, or it is being sampled.
    func isWatched(_ conditions: Conditions, sampling: Set<Conditions.Sensor>) -> Bool {
        switch self {
        case .network, .externalPower: return true
        case .battery: return conditions.hasNoBattery || sampling.contains(.battery)
        case .load: return sampling.contains(.load)
        case .disk: return sampling.contains(.disk)
        case .idle:
            switch conditions.presence {
            // Linux announces that a user comes back, but not that the user went.
            case .known(.idle): return true
            case .known(.active): return sampling.contains(.presence)
            case .unknown: return sampling.contains(.load)
            }
        }
    }

    /// The change to the manifest that removes or lowers this requirement.
    func change(in conditions: Conditions?) -> String {
        switch self {
        case .network(.unmetered) where conditions?.network == .known(.metered): "set `network: any`"
        case .network: "take out `network`"
        case .externalPower: "take out `external_power`"
        case .battery: "lower `battery_above`"
        case .idle: "take out `idle`"
        case .load: "raise `load_below`"
        case .disk: "lower `disk_free`"
        }
    }

    /// Sets the conditions so that it holds, or does not, for a simulated future.
    func impose(_ holds: Bool, on conditions: inout Conditions, at time: WallTime) {
        switch self {
        case .network: conditions.network = .known(holds ? .unmetered : .none)
        case .externalPower: conditions.externalPower = .known(holds)
        case .battery: conditions.battery = .known(holds ? 1 : 0)
        case .idle: conditions.presence = .known(holds ? .idle(since: time - Self.idleAfter) : .active)
        case .load(let limit): conditions.load = holds ? 0 : limit
        case .disk(let bytes): conditions.diskFree = holds ? bytes : bytes - 1
        }
    }

    /// Whether it holds.
    func judged(_ conditions: Conditions, at now: WallTime) -> Constraint {
        switch self {
        case .network(let required): Self.network(required, conditions)
        case .externalPower:
            switch conditions.externalPower {
            case .known(true): Constraint(true, .externalPower)
            case .known(false): Constraint(false, .batteryPower)
            case .unknown(let why): Constraint(unknown: .unknownPower(why))
            }
        case .battery(let share):
            switch conditions.battery {
            case .known(let charge): Constraint(charge > share, .charge(charge, above: share))
            case .unknown(let why) where conditions.hasNoBattery: Constraint(true, .noBattery(why))
            case .unknown(let why): Constraint(unknown: .unknownBattery(why))
            }
        case .idle: Self.idleness(conditions, at: now)
        case .load(let limit): Constraint(conditions.load < limit, .load(conditions.load, below: limit))
        case .disk(let bytes):
            Constraint(conditions.diskFree >= bytes, .diskFree(conditions.diskFree, required: bytes))
        }
    }

    private static func network(_ required: Requirements.Network, _ conditions: Conditions) -> Constraint {
        switch conditions.network {
        case .known(.none): Constraint(false, .noNetwork(required))
        case .known(.metered): Constraint(required == .any, .metered(required))
        case .known(.unmetered): Constraint(true, .unmetered)
        case .unknown(let why): Constraint(unknown: .unknownNetwork(why))
        }
    }

    private static func idleness(_ conditions: Conditions, at now: WallTime) -> Constraint {
        switch conditions.presence {
        case .known(.active): return Constraint(false, .inUse)
        case .known(.idle(let since)):
            let idle = now - since
            return idle < idleAfter
                ? Constraint(false, .touched(idle), until: since + idleAfter)
                : Constraint(true, .untouched(idle))
        case .unknown(let why):
            return Constraint(
                conditions.load < busyLoad && (conditions.cpuPressure ?? 0) < busyPressure,
                .byLoad(why, conditions.load, pressure: conditions.cpuPressure))
        }
    }
}

/// Whether a required condition holds.
struct Constraint: Sendable, Equatable {
    let isSatisfied: Bool
    let fact: ConditionFact
    /// When it is satisfied by time alone.
    var until: WallTime?
    /// The value can't be sensed.
    var isUnknown = false

    init(_ isSatisfied: Bool, _ fact: ConditionFact, until: WallTime? = nil) {
        self.isSatisfied = isSatisfied
        self.fact = fact
        self.until = until
    }

    init(unknown fact: ConditionFact) {
        self.init(false, fact)
        isUnknown = true
    }
}

extension Requirements {
    /// The conditions to wait for if an idle host is preferred and not required, as by processing; nil: none.
    func quiet(of kind: Kind) -> ConditionSet? {
        kind == .processing && idle == nil ? conditions.adding(.idle) : nil
    }

    /// The required conditions, in the order of the gates; empty: none.
    var conditions: ConditionSet {
        var all: [Condition] = []
        if let network { all.append(.network(network)) }
        if externalPower { all.append(.externalPower) }
        if let batteryAbove { all.append(.battery(above: batteryAbove)) }
        if idle == true { all.append(.idle) }
        if let loadBelow { all.append(.load(below: loadBelow)) }
        if let diskFree { all.append(.disk(free: diskFree)) }
        return ConditionSet(conditions: all)
    }
}
