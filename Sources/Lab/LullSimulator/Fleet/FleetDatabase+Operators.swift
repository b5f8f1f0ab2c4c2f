public import LullModel

extension FleetDatabase {
    /// The result of forgetting hosts.
    public struct Forgetting: Sendable, Equatable {
        /// Hosts that were forgotten.
        public var forgotten = 0
        /// Their leases that were taken back.
        public var freed = 0
        /// Hosts that live, and so were left alone, by their random numbers.
        public var living: [String] = []
    }

    /// Hosts of this place or name get no lease any more; they may finish what they hold. Returns the number of places.
    ///
    /// `span`: for how long; nil: until it is resumed.
    @discardableResult
    public mutating func drain(
        _ host: String, by: String? = nil, reason: String? = nil, for span: Duration? = nil, at now: WallTime
    ) -> Int {
        let places = Set(named(host).map(\.place))
        let now = now.milliseconds
        for place in places {
            drained[place] = Drain(
                by: by, reason: reason, since: now, until: span.map { now + $0.milliseconds })
        }
        return places.count
    }

    @discardableResult
    public mutating func resume(_ host: String) -> Int {
        let places = Set(named(host).map(\.place) + [host]).intersection(drained.keys)
        for place in places { drained[place] = nil }
        return places.count
    }

    /// Takes back the leases of hosts of this name, place or random number, and forgets the hosts; one that lives is left alone.
    public mutating func forget(_ host: String, at now: WallTime) -> Forgetting {
        var result = Forgetting()
        let now = now.milliseconds
        for known in named(host).sorted(by: { $0.hello.host < $1.hello.host }) {
            let id = known.hello.host
            guard !lives(known, now) else {
                result.living.append(id)
                continue
            }
            hosts[id] = nil
            result.forgotten += 1
            for var slot in leased.values.flatMap({ $0 }).compactMap({ slots[$0] }) where slot.holder == id {
                giveBack(&slot, "its host \(known.hello.name) was forgotten", now)
                put(slot)
                result.freed += 1
            }
            if !hosts.values.contains(where: { $0.place == known.place }) { drained[known.place] = nil }
        }
        return result
    }

    private func named(_ host: String) -> [Host] {
        hosts.values.filter { [$0.hello.host, $0.place, $0.hello.name].contains(host) }
    }
}
