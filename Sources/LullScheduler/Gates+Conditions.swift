import LullModel

/// Whether the host's conditions are what the task requires.
extension GateInput {
    private func gate(
        _ gate: GateName, required: Bool, _ sensor: SensorSet, remedy: @autoclosure () -> String,
        _ constraint: (Conditions) -> Constraint
    ) -> GateVerdict {
        guard required else { return open(gate, "not required") }
        guard let conditions = host.conditions else {
            return closed(gate, "the host's conditions are not sensed yet")
        }
        let constraint = constraint(conditions)
        guard !constraint.isSatisfied else { return open(gate, constraint.sentence) }
        let unread = "see to it that Lull can read what it names"
        return closed(
            gate, constraint.sentence, since: host.changed[sensor], until: constraint.until,
            remedy: (constraint.isUnknown ? unread : remedy())
                + ", or launch it now with `lull launch \(task)`")
    }

    func network() -> GateVerdict {
        let required = requires.network
        return gate(
            .network, required: required != nil, .network,
            remedy: "connect the host to \(required == .unmetered ? "an unmetered" : "a") network"
        ) {
            Constraint.network(required ?? .any, $0, explains: explains)
        }
    }

    func externalPower() -> GateVerdict {
        gate(
            .externalPower, required: requires.externalPower, .power,
            remedy: "connect the host to external power"
        ) {
            Constraint.externalPower($0, explains: explains)
        }
    }

    func battery() -> GateVerdict {
        let share = requires.batteryAbove
        return gate(.battery, required: share != nil, .battery, remedy: "charge the battery") {
            Constraint.battery(above: share ?? 0, $0, explains: explains)
        }
    }

    func idle() -> GateVerdict {
        gate(.idle, required: requires.idle == true, .presence, remedy: "leave the host alone") {
            Constraint.idleness($0, at: now.wall, explains: explains)
        }
    }

    func load() -> GateVerdict {
        let limit = requires.loadBelow
        return gate(.load, required: limit != nil, .load, remedy: "stop what keeps the host busy") {
            Constraint.load(below: limit ?? 0, $0, explains: explains)
        }
    }

    func disk() -> GateVerdict {
        let bytes = requires.diskFree
        return gate(
            .disk, required: bytes != nil, .disk, remedy: "free space on the disk of the state folder"
        ) {
            Constraint.disk(free: bytes ?? 0, $0, explains: explains)
        }
    }
}
