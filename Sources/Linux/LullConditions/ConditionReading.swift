public import LullModel

/// One condition in words, for people: "battery: unknown (no battery in …), counted as external power".
public struct ConditionReading: Sendable, Equatable, Codable {
    public var sensor: Conditions.Sensor
    public var text: String

    public init(sensor: Conditions.Sensor, text: String) {
        self.sensor = sensor
        self.text = text
    }
}

extension Conditions {
    /// All conditions in words, and what those that are unknown count as.
    public func readings(at now: WallTime) -> [ConditionReading] {
        [
            ConditionReading(sensor: .power, text: "external power: " + powerText),
            ConditionReading(sensor: .battery, text: "battery: " + batteryText),
            ConditionReading(sensor: .network, text: "network: " + networkText),
            ConditionReading(sensor: .presence, text: "presence: " + presenceText(at: now)),
            ConditionReading(sensor: .load, text: "load: " + loadText),
            ConditionReading(sensor: .disk, text: "free disk: " + Phrase.size(diskFree)),
            ConditionReading(
                sensor: .memory,
                text: "memory pressure: " + (memoryPressure.map(Self.share) ?? "not reported by this kernel")),
        ]
    }

    private var powerText: String {
        switch externalPower {
        case .known(true): "yes"
        case .known(false): "no"
        case .unknown(let why): "unknown (\(why)), counted as battery power"
        }
    }

    private var batteryText: String {
        switch battery {
        case .known(let share): Self.share(share)
        case .unknown(let why): "unknown (\(why)), counted as \(hasNoBattery ? "external power" : "empty")"
        }
    }

    private var networkText: String {
        switch network {
        case .known(.none): "none (no default route)"
        case .known(.metered): "metered"
        case .known(.unmetered): "unmetered"
        case .unknown(let why): "unknown (\(why)), counted as none"
        }
    }

    private func presenceText(at now: WallTime) -> String {
        switch presence {
        case .known(.active): "somebody is using the host"
        case .known(.idle(let since)): "nobody for \(Phrase.about(now - since))"
        case .unknown(let why): "unknown (\(why)), judged by load"
        }
    }

    private var loadText: String {
        let pressure = cpuPressure.map { ", pressure " + Self.share($0) } ?? ""
        return Phrase.number(load) + " per core" + pressure
    }

    /// A sensed value may be out of all bounds.
    private static func share(_ share: Double) -> String { Phrase.share(share.clamped(to: 0...1)) }
}
