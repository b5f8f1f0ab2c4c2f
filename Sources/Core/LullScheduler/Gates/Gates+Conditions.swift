import LullModel

/// Whether the host's conditions are what the task requires.
extension GateInput {
    func condition(_ gate: GateName, _ required: [Condition]) -> GateFinding {
        guard let condition = required.first(where: { $0.gate == gate }) else {
            return open(.condition(gate, .notRequired))
        }
        guard let conditions = host.conditions else { return closed(.condition(gate, .notSensed)) }
        let constraint = condition.judged(conditions, at: now.wall)
        let fact = GateFact.condition(gate, constraint.fact)
        guard !constraint.isSatisfied else { return open(fact) }
        return closed(
            fact, since: host.changed[condition.sensors(in: conditions)], until: constraint.until)
    }
}
