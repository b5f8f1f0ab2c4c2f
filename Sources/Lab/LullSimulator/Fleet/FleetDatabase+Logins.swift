public import LullModel

extension FleetDatabase {
    /// A login is that of one host from now on. It is bound to a place; nil: to that of its next hello.
    public mutating func own(_ login: String, place: String? = nil) {
        logins.insert(login)
        bound = bound.filter { $0.value != login && $0.key != place }
        if let place { bound[place] = login }
    }

    /// The answer to a session of that login; nil: the login may not act for the call's host.
    public mutating func answer(_ call: FleetCall, by login: String, at now: WallTime) -> FleetAnswer? {
        let before = bound
        guard admits(call, by: login) else {
            bound = before
            return nil
        }
        return answer(call, at: now)
    }

    private mutating func admits(_ call: FleetCall, by login: String) -> Bool {
        func isFree(_ place: String?) -> Bool {
            guard let place else { return true }
            return bound[place].map { $0 == login } ?? !logins.contains(login)
        }
        func isFreeTarget(_ slot: SlotName) -> Bool { slot.target.isEmpty || isFree(slot.target) }
        switch call {
        case .hello(let hello):
            let former = hosts[hello.host]?.place
            let others = hosts.values.filter { $0.place == hello.place }.map(\.hello.host)
            let isNew =
                bound.values.contains(login)
                ? former.map { bound[$0] == login } == true && others.allSatisfy { $0 == hello.host }
                : others.isEmpty
            if logins.contains(login), isNew, bound[hello.place] == nil { bound[hello.place] = login }
            return isFree(former) && isFree(hello.place)
        case .beat(let beat):
            guard let place = hosts[beat.host]?.place else { return true }
            return isFree(place) && beat.offers.allSatisfy { isFreeTarget($0.slot) }
        case .claim(let claim):
            guard let place = hosts[claim.host]?.place else { return true }
            return isFree(place) && isFreeTarget(claim.slot)
        case .finish(let finish): return isFree(hosts[finish.host]?.place)
        case .leave(let leave): return isFree(hosts[leave.host]?.place)
        }
    }
}
