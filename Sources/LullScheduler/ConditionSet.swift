import LullModel

/// Conditions that a task requires together, as one thing that holds or does not: what a strand of the history of
/// conditions is about.
///
/// Whether each holds is asked of the same `Constraint`s as the gates ask.
struct ConditionSet: Sendable, Hashable {
    enum Condition: Sendable, Hashable {
        case network(Requirements.Network)
        case externalPower
        case battery(above: Double)
        case idle
        case load(below: Double)
        case disk(free: Int64)

        var name: String {
            switch self {
            case .network(.any): "network"
            case .network(.unmetered): "unmetered"
            case .externalPower: "external_power"
            case .battery(let share): "battery_above=\(Phrase.number(share))"
            case .idle: "idle"
            case .load(let limit): "load_below=\(Phrase.number(limit))"
            case .disk(let bytes): "disk_free=\(bytes)"
            }
        }

        var gate: GateName {
            switch self {
            case .network: .network
            case .externalPower: .externalPower
            case .battery: .battery
            case .idle: .idle
            case .load: .load
            case .disk: .disk
            }
        }

        func holds(_ conditions: Conditions, at now: WallTime) -> Bool {
            let constraint =
                switch self {
                case .network(let required): Constraint.network(required, conditions, explains: false)
                case .externalPower: Constraint.externalPower(conditions, explains: false)
                case .battery(let share): Constraint.battery(above: share, conditions, explains: false)
                case .idle: Constraint.idleness(conditions, at: now, explains: false)
                case .load(let limit): Constraint.load(below: limit, conditions, explains: false)
                case .disk(let bytes): Constraint.disk(free: bytes, conditions, explains: false)
                }
            return constraint.isSatisfied
        }

        /// Whether a change of it would be heard of: Linux announces it, or it is being sampled.
        func isWatched(_ conditions: Conditions, sampling: Set<Conditions.Sensor>) -> Bool {
            switch self {
            case .network, .externalPower: return true
            case .battery: return conditions.hasNoBattery || sampling.contains(.battery)
            case .load: return sampling.contains(.load)
            case .disk: return sampling.contains(.disk)
            case .idle:
                switch conditions.presence {
                // Whoever comes back is announced; that they went is not.
                case .known(.idle): return true
                case .known(.active): return sampling.contains(.presence)
                case .unknown: return sampling.contains(.load)
                }
            }
        }
    }

    /// In the order of the gates.
    let conditions: [Condition]

    var name: String { conditions.map(\.name).joined(separator: "+") }

    /// Nil: nobody would hear of its change.
    func holds(_ now: Conditions, at time: WallTime, sampling: Set<Conditions.Sensor>) -> Bool? {
        var isUnwatched = false
        for condition in conditions {
            if !condition.isWatched(now, sampling: sampling) {
                isUnwatched = true
            } else if !condition.holds(now, at: time) {
                return false
            }
        }
        return isUnwatched ? nil : true
    }

    func holds(_ now: Conditions, at time: WallTime) -> Bool {
        conditions.allSatisfy { $0.holds(now, at: time) }
    }

    func adding(_ condition: Condition) -> ConditionSet {
        conditions.contains(condition) ? self : ConditionSet(conditions: conditions + [condition])
    }
}

extension Requirements {
    /// What has to hold; empty: nothing.
    var conditions: ConditionSet {
        var all: [ConditionSet.Condition] = []
        if let network { all.append(.network(network)) }
        if externalPower { all.append(.externalPower) }
        if let batteryAbove { all.append(.battery(above: batteryAbove)) }
        if idle == true { all.append(.idle) }
        if let loadBelow { all.append(.load(below: loadBelow)) }
        if let diskFree { all.append(.disk(free: diskFree)) }
        return ConditionSet(conditions: all)
    }
}

extension Manifest {
    /// What is to be learned of the host's conditions: each that some task requires, and each set of them.
    var conditionSets: [ConditionSet] {
        var sets: [ConditionSet] = []
        var names: Set<String> = []
        func add(_ set: ConditionSet) {
            guard !set.conditions.isEmpty, sets.count < ConditionHistory.limit,
                names.insert(set.name).inserted
            else { return }
            sets.append(set)
        }
        for task in tasks {
            let required = task.requires.conditions
            for condition in required.conditions { add(ConditionSet(conditions: [condition])) }
            add(required)
            // Processing prefers an idle host.
            guard task.kind == .processing, task.requires.idle == nil else { continue }
            add(ConditionSet(conditions: [.idle]))
            add(required.adding(.idle))
        }
        return sets
    }
}
