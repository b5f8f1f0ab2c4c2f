import LullModel

extension Requirements {
    /// With the manifest's keys; what is not required is not there.
    var json: JSONValue {
        var members: [String: JSONValue] = [:]
        members["network"] = network.map { .string($0.rawValue) }
        members["external_power"] = externalPower ? .bool(true) : nil
        members["battery_above"] = batteryAbove.map { .number($0) }
        members["idle"] = idle.map { .bool($0) }
        members["load_below"] = loadBelow.map { .number($0) }
        members["disk_free"] = diskFree.map { .integer($0) }
        return .object(members)
    }

    init?(json text: String) {
        guard let value = try? JSONLine.value(Array(text.utf8)) else { return nil }
        self.init(json: value)
    }

    /// Nil when a value is not of its key's type; unknown keys are passed over.
    init?(json: JSONValue) {
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
