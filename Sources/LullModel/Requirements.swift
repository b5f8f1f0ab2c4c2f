/// The constraints of a task: what must hold of the host's conditions before it may be launched.
///
/// An absent constraint is not required. A constraint that is false defers; it never skips.
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
