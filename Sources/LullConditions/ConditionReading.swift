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
            ConditionReading(sensor: .disk, text: "free disk: " + Self.size(diskFree)),
            ConditionReading(
                sensor: .memory,
                text: "memory pressure: " + (memoryPressure.map(Self.percent) ?? "not told by this kernel")),
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
        case .known(let share): Self.percent(share)
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
        case .known(.active): "somebody is at the host"
        case .known(.idle(let since)): "nobody for \(Self.span(now - since))"
        case .unknown(let why): "unknown (\(why)), judged by load"
        }
    }

    private var loadText: String {
        let pressure = cpuPressure.map { ", pressure " + Self.percent($0) } ?? ""
        return Self.decimal(load, digits: 2) + " per core" + pressure
    }

    private static func percent(_ share: Double) -> String {
        decimal(min(max(share, 0), 1) * 100, digits: 0) + "%"
    }

    private static func size(_ bytes: Int64) -> String {
        var amount = Double(bytes)
        for unit in ["bytes", "KiB", "MiB", "GiB", "TiB"] {
            if amount < 1024 { return decimal(amount, digits: unit == "bytes" ? 0 : 1) + " " + unit }
            amount /= 1024
        }
        return decimal(amount, digits: 1) + " PiB"
    }

    private static func span(_ duration: Duration) -> String {
        let minutes = max(duration.components.seconds, 0) / 60
        if minutes < 60 { return "\(minutes) min" }
        if minutes < 48 * 60 { return "\(minutes / 60) h \(minutes % 60) min" }
        return "\(minutes / 1440) d"
    }

    /// With so many digits after the point: this room has no Foundation.
    private static func decimal(_ number: Double, digits: Int) -> String {
        guard !number.isNaN else { return "?" }
        let scale = digits == 0 ? 1 : digits == 1 ? 10 : 100
        let scaled = Int64((min(max(number, 0), 1e12) * Double(scale)).rounded())
        guard digits > 0 else { return "\(scaled)" }
        let fraction = "\(scaled % Int64(scale))"
        return "\(scaled / Int64(scale))." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
