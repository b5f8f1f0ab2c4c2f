/// A value that the host senses, or the reason why it is unknown.
public enum Sensed<Value: Sendable & Equatable & Codable>: Sendable, Equatable, Codable {
    case known(Value)
    /// With the reason in words, "no battery or adapter in /sys/class/power_supply".
    case unknown(String)

    public var value: Value? {
        if case .known(let value) = self { value } else { nil }
    }
}

/// The state of the host at one moment, as its sensors report it.
///
/// Load and disk are never unknown. The scheduler decides how an unknown value counts (`Condition`).
public struct Conditions: Sendable, Equatable, Codable {
    public enum Network: String, Sendable, Codable {
        /// No default route.
        case none
        case metered
        case unmetered
    }
    public enum Presence: Sendable, Equatable, Codable {
        case active
        /// No user input on the host since then.
        case idle(since: WallTime)
    }
    public enum Sensor: String, Sendable, Codable, CaseIterable, Hashable {
        case power, battery, network, presence, load, disk, memory

        /// Whether Linux sends no event for it, so that it is polled at long intervals, while it is needed.
        package var isSampled: Bool {
            switch self {
            case .battery, .presence, .load, .disk: true
            case .power, .network, .memory: false
            }
        }
    }

    /// The beginning of the reason why the charge of a host without a battery is unknown.
    public static let noBattery = "no battery"

    public var externalPower: Sensed<Bool>
    /// Charge as a share, 0...1; of all batteries together.
    public var battery: Sensed<Double>
    public var network: Sensed<Network>
    public var presence: Sensed<Presence>
    /// Load average over a minute, per core.
    public var load: Double
    /// PSI: share of the last 10 s in which some task waited for a processor, 0...1; nil where the kernel has no PSI.
    public var cpuPressure: Double?
    /// PSI: share of the last 10 s in which some task waited for memory, 0...1.
    public var memoryPressure: Double?
    /// Bytes free in the state folder's file system.
    public var diskFree: Int64
    /// The machine is set to save power. Plugins are notified; no gate depends on it.
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

    /// Whether the charge is unknown because there is no battery, not because it can't be read.
    public var hasNoBattery: Bool {
        if case .unknown(let why) = battery { why.hasPrefix(Self.noBattery) } else { false }
    }

    /// Copies the values of one sensor.
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

    /// Whether the values of a sensor differ.
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
