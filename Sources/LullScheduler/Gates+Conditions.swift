import LullModel

/// Whether the host's conditions are what the task requires.
extension GateInput {
    private func gate(
        _ gate: GateName, required: Bool, _ sensor: SensorSet, _ constraint: (Conditions) -> Constraint
    ) -> GateVerdict {
        guard required else { return open(gate, "not required") }
        guard let conditions = host.conditions else {
            return closed(gate, "the host's conditions are not sensed yet")
        }
        let constraint = constraint(conditions)
        return constraint.isSatisfied
            ? open(gate, constraint.sentence)
            : closed(gate, constraint.sentence, since: host.changed[sensor], until: constraint.until)
    }

    func network() -> GateVerdict {
        let required = requires.network
        return gate(.network, required: required != nil, .network) {
            Constraint.network(required ?? .any, $0, explains: explains)
        }
    }

    func externalPower() -> GateVerdict {
        gate(.externalPower, required: requires.externalPower, .power) {
            Constraint.externalPower($0, explains: explains)
        }
    }

    func battery() -> GateVerdict {
        let share = requires.batteryAbove
        return gate(.battery, required: share != nil, .battery) {
            Constraint.battery(above: share ?? 0, $0, explains: explains)
        }
    }

    func idle() -> GateVerdict {
        gate(.idle, required: requires.idle == true, .presence) {
            Constraint.idleness($0, at: now.wall, explains: explains)
        }
    }

    func load() -> GateVerdict {
        let limit = requires.loadBelow
        return gate(.load, required: limit != nil, .load) {
            Constraint.load(below: limit ?? 0, $0, explains: explains)
        }
    }

    func disk() -> GateVerdict {
        let bytes = requires.diskFree
        return gate(.disk, required: bytes != nil, .disk) {
            Constraint.disk(free: bytes ?? 0, $0, explains: explains)
        }
    }
}
