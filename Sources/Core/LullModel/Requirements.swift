/// The constraints of a task: the conditions of the host that must hold before it may be launched.
///
/// An absent constraint is not required. A constraint that does not hold defers the launch; it never skips it.
public struct Requirements: Sendable, Hashable, Codable {
    public enum Network: String, Sendable, Codable, CaseIterable { case any, unmetered }

    public var network: Network?
    public var externalPower: Bool
    /// Share of the battery's charge, 0...1.
    public var batteryAbove: Double?
    /// True: only when the host is idle. Nil: processing prefers an idle host and waits for one until its starvation
    /// bound. False: idleness plays no part.
    public var idle: Bool?
    /// Load average per core.
    public var loadBelow: Double?
    /// Bytes free in the state folder's file system.
    public var diskFree: Int64?

    public init(
        network: Network? = nil, externalPower: Bool = false, batteryAbove: Double? = nil, idle: Bool? = nil,
        loadBelow: Double? = nil, diskFree: Int64? = nil
    ) {
        self.network = network
        self.externalPower = externalPower
        self.batteryAbove = batteryAbove
        self.idle = idle
        self.loadBelow = loadBelow
        self.diskFree = diskFree
    }

    public static let none = Requirements()

    /// A request's requirements and the manifest's add up: the stricter of each pair holds.
    public func adding(_ other: Requirements) -> Requirements {
        Requirements(
            network: network == .unmetered || other.network == .unmetered
                ? .unmetered : network ?? other.network,
            externalPower: externalPower || other.externalPower,
            batteryAbove: stricter(batteryAbove, other.batteryAbove, max),
            idle: idle == true || other.idle == true ? true : idle ?? other.idle,
            loadBelow: stricter(loadBelow, other.loadBelow, min),
            diskFree: stricter(diskFree, other.diskFree, max))
    }

    private func stricter<T>(_ a: T?, _ b: T?, _ pick: (T, T) -> T) -> T? {
        guard let a, let b else { return a ?? b }
        return pick(a, b)
    }
}

/// The form in a line of the history.
extension Requirements {
    /// Has the manifest's keys; constraints that are not required are absent.
    package var json: JSONValue {
        var members: [String: JSONValue] = [:]
        members["network"] = network.map { .string($0.rawValue) }
        members["external_power"] = externalPower ? .bool(true) : nil
        members["battery_above"] = batteryAbove.map { .number($0) }
        members["idle"] = idle.map { .bool($0) }
        members["load_below"] = loadBelow.map { .number($0) }
        members["disk_free"] = diskFree.map { .integer($0) }
        return .object(members)
    }

    /// Nil when a value is not of its key's type; unknown keys are ignored.
    package init?(json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        self.init()
        for (key, value) in members {
            switch (key, value) {
            case ("network", .string(let text)):
                guard let network = Network(rawValue: text) else { return nil }
                self.network = network
            case ("external_power", .bool(let isRequired)): externalPower = isRequired
            case ("battery_above", .number(let share)): batteryAbove = share
            case ("battery_above", .integer(let share)): batteryAbove = Double(share)
            case ("idle", .bool(let isRequired)): idle = isRequired
            case ("load_below", .number(let load)): loadBelow = load
            case ("load_below", .integer(let load)): loadBelow = Double(load)
            case ("disk_free", .integer(let bytes)): diskFree = bytes
            case ("network", _), ("external_power", _), ("battery_above", _), ("idle", _), ("load_below", _),
                ("disk_free", _):
                return nil
            default: break
            }
        }
    }
}

/// A span of the week in which a task may be launched: days, and a time of day that may pass midnight.
public struct Window: Sendable, Hashable, Codable {
    /// Monday is 0; the day on which the window opens. Empty means every day.
    public var days: Set<Int>
    /// Minutes since local midnight, 0..<1440.
    public var opens: Int
    /// Minutes since local midnight, 0...1440; not after `opens`: it closes on the next day.
    public var closes: Int
    /// As written in the manifest.
    public var text: String

    public init(days: Set<Int> = [], opens: Int, closes: Int, text: String) {
        self.days = days
        self.opens = opens
        self.closes = closes
        self.text = text
    }
}
