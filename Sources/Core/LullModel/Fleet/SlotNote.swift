/// The slot of the fleet in an event.
public struct SlotNote: Sendable, Hashable {
    public enum Act: String, Sendable, Codable, CaseIterable {
        /// `launched`: the run is for it.
        case held
        /// `slot`: another host has handled the slot, and the request here has ended.
        case elsewhere
        /// `slot`: the database has recorded the result of this host's run.
        case settled
        /// `submitted`, `deferred`, `given_up`: every host of the fleet records the same of this slot, which any host may have.
        case shared
        /// `slot`: the database refused the result, because another host had the lease; the reason says how the run ended.
        case refused
    }

    public var act: Act
    public var name: SlotName
    /// The fencing number.
    public var number: Int64?
    /// The other host.
    public var host: String?
    /// The state of the slot since then.
    public var state: SlotState?

    public init(
        _ act: Act, _ name: SlotName, number: Int64? = nil, host: String? = nil, state: SlotState? = nil
    ) {
        (self.act, self.name, self.number, self.host, self.state) = (act, name, number, host, state)
    }
}

extension SlotNote {
    public var lease: SlotLease? { number.map { SlotLease(name, number: $0) } }

    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "act": .string(act.rawValue), "task": .string(name.task.text),
            "at": .integer(name.nominal.milliseconds),
        ]
        if !name.target.isEmpty { members["target"] = .string(name.target) }
        if let number { members["number"] = .integer(number) }
        if let host { members["host"] = .string(host) }
        if let state { members["state"] = .string(state.rawValue) }
        return .object(members)
    }

    /// Nil when `json` is no slot note.
    public init?(json: JSONValue) {
        guard case .object(let members) = json, case .string(let act)? = members["act"],
            let act = Act(rawValue: act), case .string(let task)? = members["task"],
            let task = TaskIdentifier(task), case .integer(let time)? = members["at"]
        else { return nil }
        var name = SlotName(task, at: WallTime(recorded: time))
        var (number, host, state): (Int64?, String?, SlotState?)
        for (key, value) in members {
            switch (key, value) {
            case ("act", _), ("task", _), ("at", _): break
            case ("target", .string(let target)): name.target = target
            case ("number", .integer(let value)): number = value
            case ("host", .string(let value)): host = value
            case ("state", .string(let value)):
                guard let known = SlotState(rawValue: value) else { return nil }
                state = known
            default: return nil
            }
        }
        self.init(act, name, number: number, host: host, state: state)
    }
}
