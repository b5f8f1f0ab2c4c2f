import LullModel

/// A set of sensors, for bookkeeping by task.
struct SensorSet: OptionSet, Hashable {
    let rawValue: UInt16
    static let power = SensorSet(.power)
    static let battery = SensorSet(.battery)
    static let network = SensorSet(.network)
    static let presence = SensorSet(.presence)
    static let load = SensorSet(.load)
    static let disk = SensorSet(.disk)

    static let named = Conditions.Sensor.allCases.map { (SensorSet($0), $0) }
    static let all = SensorSet(named.map(\.0))
    /// The sensors that Linux sends no event for.
    static let sampled = SensorSet(named.filter(\.1.isSampled).map(\.0))

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ sensor: Conditions.Sensor) {
        rawValue = 1 << (Conditions.Sensor.allCases.firstIndex(of: sensor) ?? 0)
    }

    var sensors: Set<Conditions.Sensor> {
        Set(Self.named.filter { contains($0.0) }.map(\.1))
    }

    /// The sensors whose value differs.
    static func changed(from old: Conditions?, to new: Conditions) -> SensorSet {
        guard let old else { return .all }
        return SensorSet(named.filter { new.differs(in: $0.1, from: old) }.map(\.0))
    }
}
