import LullModel

/// Whether what a task requires of one condition holds, and what unknown counts as.
///
/// Unknown is its own answer, and never "all is well": what can't be read counts as battery power, as an empty
/// battery and as no network, and where nobody knows who is present the load is the judge. A host that has no
/// battery is powered. Each says so in its sentence.
struct Constraint {
    var isSatisfied: Bool
    var sentence: String
    /// When it is satisfied by time alone.
    var until: WallTime?
    /// What is to be sensed can't be.
    var isUnknown = false

    /// A host is idle when nobody has touched it for this long.
    static let idleAfter: Duration = .minutes(5)
    /// Load per core from which a host is busy, where presence is unknown.
    static let busyLoad = 0.7
    /// Share of the time in which some task waits for a processor from which a host is busy.
    static let busyPressure = 0.25

    static func network(_ required: Requirements.Network, _ conditions: Conditions, explains: Bool = true)
        -> Constraint
    {
        switch (conditions.network, required) {
        case (.known(.none), _): Constraint(false, explains, "there is no network, and the task requires one")
        case (.known(.metered), .unmetered):
            Constraint(false, explains, "the network is metered, and the task requires an unmetered one")
        case (.known(.metered), .any): Constraint(true, explains, "the network is metered, and any will do")
        case (.known(.unmetered), _): Constraint(true, explains, "the network is unmetered")
        case (.unknown(let why), _):
            Constraint(false, explains, "network: unknown (\(why)), counted as none", isUnknown: true)
        }
    }

    static func externalPower(_ conditions: Conditions, explains: Bool = true) -> Constraint {
        switch conditions.externalPower {
        case .known(true): Constraint(true, explains, "the host is on external power")
        case .known(false):
            Constraint(false, explains, "the host runs on battery, and the task requires external power")
        case .unknown(let why):
            Constraint(
                false, explains, "external power: unknown (\(why)), counted as battery power", isUnknown: true
            )
        }
    }

    static func battery(above share: Double, _ conditions: Conditions, explains: Bool = true) -> Constraint {
        switch conditions.battery {
        case .known(let charge):
            Constraint(
                charge > share, explains,
                "the battery is at \(Phrase.share(charge)), and the task requires more than \(Phrase.share(share))"
            )
        case .unknown(let why) where conditions.hasNoBattery:
            Constraint(true, explains, "battery: unknown (\(why)), counted as external power")
        case .unknown(let why):
            Constraint(false, explains, "battery: unknown (\(why)), counted as empty", isUnknown: true)
        }
    }

    static func load(below limit: Double, _ conditions: Conditions, explains: Bool = true) -> Constraint {
        Constraint(
            conditions.load < limit, explains,
            "the load is \(Phrase.number(conditions.load)) per core, and the task requires less than \(Phrase.number(limit))"
        )
    }

    static func disk(free bytes: Int64, _ conditions: Conditions, explains: Bool = true) -> Constraint {
        Constraint(
            conditions.diskFree >= bytes, explains,
            "\(Phrase.size(conditions.diskFree)) of disk are free, and the task requires \(Phrase.size(bytes))"
        )
    }

    /// Whether the host is idle: for `idle: true` a constraint, for processing without the key a preference.
    static func idleness(_ conditions: Conditions, at now: WallTime, explains: Bool = true) -> Constraint {
        switch conditions.presence {
        case .known(.active): return Constraint(false, explains, "somebody is at the host")
        case .known(.idle(let since)):
            let idle = now - since
            guard idle < idleAfter else {
                return Constraint(true, explains, "nobody has touched the host for \(Phrase.span(idle))")
            }
            return Constraint(
                false, explains,
                "the host was touched \(Phrase.span(idle)) ago, and is idle after \(Phrase.span(idleAfter))",
                until: since + idleAfter)
        case .unknown(let why):
            let pressure = conditions.cpuPressure.map { ", pressure \(Phrase.share($0))" } ?? ""
            return Constraint(
                conditions.load < busyLoad && (conditions.cpuPressure ?? 0) < busyPressure,
                explains,
                "presence: unknown (\(why)), judged by load (\(Phrase.number(conditions.load)) per core\(pressure))"
            )
        }
    }

    private init(
        _ isSatisfied: Bool, _ explains: Bool, _ sentence: @autoclosure () -> String, until: WallTime? = nil,
        isUnknown: Bool = false
    ) {
        self.isSatisfied = isSatisfied
        self.sentence = explains ? sentence() : ""
        self.until = until
        self.isUnknown = isUnknown
    }
}

/// A set of sensors, for bookkeeping by task.
struct SensorSet: OptionSet, Hashable {
    let rawValue: UInt8
    static let power = SensorSet(rawValue: 1)
    static let battery = SensorSet(rawValue: 2)
    static let network = SensorSet(rawValue: 4)
    static let presence = SensorSet(rawValue: 8)
    static let load = SensorSet(rawValue: 16)
    static let disk = SensorSet(rawValue: 32)
    static let memory = SensorSet(rawValue: 64)
    static let all = SensorSet(rawValue: 127)
    /// Those that Linux gives no event for.
    static let sampled: SensorSet = [.battery, .presence, .load, .disk]

    static let named: [(SensorSet, Conditions.Sensor)] = [
        (.power, .power), (.battery, .battery), (.network, .network), (.presence, .presence), (.load, .load),
        (.disk, .disk), (.memory, .memory),
    ]

    var sensors: Set<Conditions.Sensor> {
        Set(Self.named.filter { contains($0.0) }.map(\.1))
    }

    /// Those whose value differs.
    static func changed(from old: Conditions?, to new: Conditions) -> SensorSet {
        guard let old else { return .all }
        var changed: SensorSet = []
        if old.externalPower != new.externalPower { changed.insert(.power) }
        if old.battery != new.battery { changed.insert(.battery) }
        if old.network != new.network { changed.insert(.network) }
        if old.presence != new.presence { changed.insert(.presence) }
        if old.load != new.load || old.cpuPressure != new.cpuPressure { changed.insert(.load) }
        if old.diskFree != new.diskFree { changed.insert(.disk) }
        if old.memoryPressure != new.memoryPressure { changed.insert(.memory) }
        return changed
    }
}
