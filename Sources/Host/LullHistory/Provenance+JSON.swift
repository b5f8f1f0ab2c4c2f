import LullModel

extension Provenance {
    /// The form in JSON Lines and in the table.
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "manifest": .string(manifest), "place": .string(place), "lull": .string(lull),
        ]
        members["entry"] = entry.map { .string($0) }
        if let plugin {
            members["build_id"] = plugin.buildID.map { .string($0) }
            members["sdk"] = .string(plugin.sdk)
            members["abi"] = .string(plugin.abi)
        }
        members["conditions"] = conditions?.json
        return .object(members)
    }

    /// Nil if a required member is missing or of another type; unknown keys are ignored.
    init?(json: JSONValue) {
        guard case .object(let members) = json, let manifest = members["manifest"]?.string,
            let place = members["place"]?.string, let lull = members["lull"]?.string
        else { return nil }
        self.init(manifest: manifest, place: place, lull: lull, entry: members["entry"]?.string)
        if let sdk = members["sdk"]?.string, let abi = members["abi"]?.string {
            plugin = Plugin(buildID: members["build_id"]?.string, sdk: sdk, abi: abi)
        }
        if let value = members["conditions"] {
            guard let conditions = Conditions(json: value) else { return nil }
            self.conditions = conditions
        }
    }
}

extension Conditions {
    /// An unknown value is an object with the reason.
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "external_power": externalPower.json { .bool($0) }, "battery": battery.json { .number($0) },
            "network": network.json { .string($0.rawValue) },
            "presence": presence.json { presence in
                switch presence {
                case .active: .string("active")
                case .idle(let since): .object(["idle_since": .string(since.rfc3339)])
                }
            },
            "load": .number(load), "disk_free": .integer(diskFree), "saves_power": .bool(isSavingPower),
        ]
        members["cpu_pressure"] = cpuPressure.map { .number($0) }
        members["memory_pressure"] = memoryPressure.map { .number($0) }
        return .object(members)
    }

    init?(json: JSONValue) {
        guard case .object(let members) = json, let load = members["load"]?.number,
            case .integer(let diskFree)? = members["disk_free"],
            let externalPower = Sensed(json: members["external_power"], \.bool),
            let battery = Sensed(json: members["battery"], \.number),
            let network = Sensed(json: members["network"], { $0.string.flatMap(Network.init(rawValue:)) }),
            let presence = Sensed(json: members["presence"], Self.presence)
        else { return nil }
        self.init(
            externalPower: externalPower, battery: battery, network: network, presence: presence, load: load,
            cpuPressure: members["cpu_pressure"]?.number, memoryPressure: members["memory_pressure"]?.number,
            diskFree: diskFree, isSavingPower: members["saves_power"]?.bool ?? false)
    }

    private static func presence(_ value: JSONValue) -> Presence? {
        if value.string == "active" { return .active }
        guard case .object(let members) = value else { return nil }
        return members["idle_since"]?.string.flatMap(WallTime.init(rfc3339:)).map { .idle(since: $0) }
    }
}

extension Sensed {
    fileprivate func json(_ known: (Value) -> JSONValue) -> JSONValue {
        switch self {
        case .known(let value): known(value)
        case .unknown(let why): .object(["unknown": .string(why)])
        }
    }

    fileprivate init?(json: JSONValue?, _ known: (JSONValue) -> Value?) {
        guard let json else { return nil }
        if case .object(let members) = json, let why = members["unknown"]?.string {
            self = .unknown(why)
        } else if let value = known(json) {
            self = .known(value)
        } else {
            return nil
        }
    }
}

extension JSONValue {
    var string: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
}
