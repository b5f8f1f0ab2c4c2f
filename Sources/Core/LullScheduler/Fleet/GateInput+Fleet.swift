import LullModel

extension GateFact.Sharing {
    var isOpen: Bool {
        switch self {
        case .unshared, .askedHere, .holds: true
        case .claims, .lacks, .asking, .better, .turn, .elsewhere, .notDue, .full, .differs, .refused,
            .draining, .never, .away:
            false
        }
    }

    var until: WallTime? {
        switch self {
        case .better(_, _, let until), .turn(let until), .elsewhere(_, _, let until), .notDue(let until),
            .full(_, _, let until), .differs(_, let until), .refused(_, let until):
            until
        case .draining(let drain): drain.until
        case .unshared, .askedHere, .holds, .claims, .lacks, .asking, .never, .away: nil
        }
    }

    /// Since when a state lasts that an operator has to end; nil: it is no such state.
    var since: WallTime? { if case .draining(let drain) = self { drain.since } else { nil } }
}

extension GateFact {
    /// Whether the fleet's gate stays closed until an operator acts.
    var needsSomebody: Bool {
        switch self {
        case .fleet(.lacks): true
        case .fleet(.draining(let drain)): drain.until == nil
        default: false
        }
    }
}

extension GateFact {
    /// Why it can't be said when the fleet's gate opens, as a clause.
    var unknownInFleet: String {
        switch self {
        case .fleet(.away), .fleet(.never): "the fleet's database does not answer"
        default: "whether the fleet gives it to this host is not known"
        }
    }
}

extension GateInput {
    func fleet() -> GateFinding {
        guard let sharing else { return open(.fleet(.unshared)) }
        // The fleet has said nothing against it.
        guard !sharing.isOpen, sharing != .claims else { return open(.fleet(sharing)) }
        return closed(.fleet(sharing), since: sharing.since, until: sharing.until)
    }
}

extension SchedulerState {
    /// The identity from which the shifts of `spread` follow; for a task of any host it is the same on all hosts.
    func identity(for task: TaskDefinition) -> String {
        task.fleet.scope == .anyHost ? manifest.fleet?.name ?? options.host : options.host
    }

    /// Whether a launch for this request needs a slot: requests by the clock do, requests made on this host do not.
    func needsLease(_ task: TaskDefinition, _ request: TaskRequest?) -> Bool {
        guard task.fleet.needsLease, let request else { return false }
        switch request.origin {
        case .at, .repeat: return true
        case .plugin, .operator, .event, .push, .transfers:
            // Its time has come meanwhile.
            guard !request.givesParams(at: now.wall), let time = request.occurrence?.time,
                let table = timetable(of: task)
            else { return false }
            return table.due(time) <= now.wall
        }
    }

    func sharing(of task: TaskDefinition, _ request: TaskRequest?) -> GateFact.Sharing? {
        guard let fleet else { return nil }
        for (label, wanted) in task.fleet.labels.sorted(by: { $0.key < $1.key }) {
            let has = fleet.definition.labels[label]
            if has != wanted { return .lacks(label: label, wanted: wanted, has: has) }
        }
        guard task.fleet.needsLease else { return .unshared }
        guard request == nil || needsLease(task, request) else { return .askedHere }
        let wish = fleet.wishes[task.identifier]
        if case .granted(let lease) = wish, let held = fleet.held[lease], now.boot < held.trust {
            return .holds(lease.number)
        }
        // Without a host the fleet was not asked.
        if !options.launches { return .claims }
        switch fleet.reach {
        case .never(let since): return .never(since: since)
        case .away(let since, let sentence): return .away(since: since, sentence)
        case .reached: break
        }
        if let drain = fleet.drain, drain.until.map({ $0 > now.wall }) ?? true { return .draining(drain) }
        switch wish {
        case nil, .granted: return .claims
        case .asked: return .asking
        case .later(let delay, let until):
            guard until > now.wall else { return .claims }
            return switch delay {
            case .better(let best, let own): .better(best, own: own, until: until)
            case .turn: .turn(until: until)
            case .elsewhere(let host, let since): .elsewhere(host, since: since, until: until)
            case .notDue: .notDue(until: until)
            case .full(let hosts, let most): .full(hosts, most: most, until: until)
            case .differs(let hosts): .differs(hosts, until: until)
            case .trouble(let sentence): .refused(sentence, until: until)
            }
        }
    }
}
