import LullModel

/// The sensed state of a condition, beside the requirement.
enum ConditionFact: Sendable, Equatable {
    case notRequired
    case notSensed
    case noNetwork(Requirements.Network)
    case metered(Requirements.Network)
    case unmetered
    case unknownNetwork(String)
    case externalPower
    case batteryPower
    case unknownPower(String)
    case charge(Double, above: Double)
    case noBattery(String)
    case unknownBattery(String)
    case inUse
    case untouched(Duration)
    case touched(Duration)
    /// It is not known whether somebody is present.
    case byLoad(String, Double, pressure: Double?)
    case load(Double, below: Double)
    case diskFree(Int64, required: Int64)

    /// The sensed state, beside the requirement, as a clause.
    var sentence: String {
        switch self {
        case .notRequired: return "not required"
        case .notSensed: return "the host's conditions are not sensed yet"
        case .noNetwork: return "there is no network, and the task requires one"
        case .metered(.unmetered): return "the network is metered, and the task requires an unmetered one"
        case .metered(.any): return "the network is metered, which this task allows"
        case .unmetered: return "the network is unmetered"
        case .unknownNetwork(let why): return "network: unknown (\(why)), counted as none"
        case .externalPower: return "the host is on external power"
        case .batteryPower: return "the host runs on battery, and the task requires external power"
        case .unknownPower(let why): return "external power: unknown (\(why)), counted as battery power"
        case .charge(let charge, let above):
            return
                "the battery is at \(Phrase.share(charge)), and the task requires more than \(Phrase.share(above))"
        case .noBattery(let why): return "battery: unknown (\(why)), counted as external power"
        case .unknownBattery(let why): return "battery: unknown (\(why)), counted as empty"
        case .inUse:
            return "somebody is using the host: a terminal or session was used in the last few minutes"
        case .untouched(let span): return "nobody has touched the host for \(Phrase.span(span))"
        case .touched(let span):
            return "the host was touched \(Phrase.span(span)) ago, and is idle after "
                + Phrase.span(Condition.idleAfter)
        case .byLoad(let why, let load, let pressure):
            let pressed = pressure.map { ", pressure \(Phrase.share($0))" } ?? ""
            return "presence: unknown (\(why)), judged by load (\(Phrase.number(load)) per core\(pressed))"
        case .load(let load, let limit):
            return
                "the load is \(Phrase.number(load)) per core, and the task requires less than \(Phrase.number(limit))"
        case .diskFree(let free, let required):
            return "\(Phrase.size(free)) of disk are free, and the task requires \(Phrase.size(required))"
        }
    }

    /// What a person can do about it; nil: nothing.
    var deed: String? {
        switch self {
        case .notRequired, .notSensed: nil
        case .noNetwork(.unmetered), .metered(.unmetered): "connect the host to an unmetered network"
        case .noNetwork(.any), .metered(.any), .unmetered: "connect the host to a network"
        case .externalPower, .batteryPower: "connect the host to external power"
        case .charge, .noBattery: "charge the battery"
        case .unknownNetwork, .unknownPower, .unknownBattery: "make sure that Lull can read what it names"
        case .inUse, .untouched, .touched, .byLoad: "leave the host alone"
        case .load: "stop what keeps the host busy"
        case .diskFree: "free space on the disk of the state folder"
        }
    }
}
