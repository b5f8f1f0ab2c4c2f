/// A value that the host senses, or why it can't: unknown is its own answer.
public enum Sensed<Value: Sendable & Equatable & Codable>: Sendable, Equatable, Codable {
    case known(Value)
    /// With the reason in words, "no battery or adapter in /sys/class/power_supply".
    case unknown(String)

    public var value: Value? {
        if case .known(let value) = self { value } else { nil }
    }
}

/// What the host senses of itself at one moment.
///
/// Load and disk are never unknown. What unknown counts as is the scheduler's affair (`Condition`).
public struct Conditions: Sendable, Equatable, Codable {
    public enum Network: String, Sendable, Codable {
        /// No default route.
        case none
        case metered
        case unmetered
    }
    public enum Presence: Sendable, Equatable, Codable {
        case active
        /// Nobody has touched the host since.
        case idle(since: WallTime)
    }
    public enum Sensor: String, Sendable, Codable, CaseIterable, Hashable {
        case power, battery, network, presence, load, disk, memory

        /// Linux gives no event for it: it is looked at, coarsely, while somebody needs it.
        package var isSampled: Bool {
            switch self {
            case .battery, .presence, .load, .disk: true
            case .power, .network, .memory: false
            }
        }
    }

    /// How the reason begins for which the charge of a host without a battery is unknown.
    public static let noBattery = "no battery"

    public var externalPower: Sensed<Bool>
    /// Share of charge, 0...1; of several batteries together.
    public var battery: Sensed<Double>
    public var network: Sensed<Network>
    public var presence: Sensed<Presence>
    /// Load average over a minute, per core.
    public var load: Double
    /// PSI: share of the last 10 s in which some task waited for a processor, 0...1; nil where the kernel has no PSI.
    public var cpuPressure: Double?
    /// PSI: share of the last 10 s in which some task waited for memory, 0...1.
    public var memoryPressure: Double?
    /// Bytes free for the state folder.
    public var diskFree: Int64
    /// Somebody has told the machine to spare power. Plugins are told; no gate asks for it.
    public var isSavingPower: Bool

    public init(
        externalPower: Sensed<Bool> = .known(true), battery: Sensed<Double> = .unknown("no battery"),
        network: Sensed<Network> = .known(.unmetered), presence: Sensed<Presence> = .unknown("not sensed"),
        load: Double = 0, cpuPressure: Double? = nil, memoryPressure: Double? = nil,
        diskFree: Int64 = 1 << 40,
        isSavingPower: Bool = false
    ) {
        self.externalPower = externalPower
        self.battery = battery
        self.network = network
        self.presence = presence
        self.load = load
        self.cpuPressure = cpuPressure
        self.memoryPressure = memoryPressure
        self.diskFree = diskFree
        self.isSavingPower = isSavingPower
    }

    /// The charge is unknown because there is no battery, and not because it can't be read.
    public var hasNoBattery: Bool {
        if case .unknown(let why) = battery { why.hasPrefix(Self.noBattery) } else { false }
    }

    /// Takes over what one sensor senses.
    package mutating func copy(_ sensor: Sensor, from other: Conditions) {
        switch sensor {
        case .power: externalPower = other.externalPower
        case .battery: battery = other.battery
        case .network: network = other.network
        case .presence: presence = other.presence
        case .load:
            load = other.load
            cpuPressure = other.cpuPressure
        case .disk: diskFree = other.diskFree
        case .memory: memoryPressure = other.memoryPressure
        }
    }

    /// Whether a sensor senses something else.
    package func differs(in sensor: Sensor, from other: Conditions) -> Bool {
        switch sensor {
        case .power: externalPower != other.externalPower
        case .battery: battery != other.battery
        case .network: network != other.network
        case .presence: presence != other.presence
        case .load: load != other.load || cpuPressure != other.cpuPressure
        case .disk: diskFree != other.diskFree
        case .memory: memoryPressure != other.memoryPressure
        }
    }
}
