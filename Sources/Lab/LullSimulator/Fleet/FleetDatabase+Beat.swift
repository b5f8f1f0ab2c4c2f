import LullModel

extension FleetDatabase {
    mutating func answer(_ hello: FleetHello, _ now: Int64) -> FleetHello.Answer {
        var host = hosts[hello.host] ?? Host(hello: hello, seen: now, began: now)
        // A host that has drawn another place is still to be drained.
        if let drain = drained[host.place], drained[hello.place] == nil { drained[hello.place] = drain }
        (host.hello, host.seen, host.stopped) = (hello, now, false)
        // It reports on all its tasks anew.
        if host.reports != nil { host.reports = [:] }
        hosts[hello.host] = host
        return FleetHello.Answer(
            now: now, version: Self.version, drain: drain(hello.place, now))
    }

    mutating func answer(_ leave: FleetLeave, _ now: Int64) -> FleetLeave.Answer {
        hosts[leave.host]?.seen = now
        hosts[leave.host]?.stopped = true
        return FleetLeave.Answer(now: now)
    }

    mutating func answer(_ beat: FleetBeat, _ now: Int64) -> FleetBeat.Answer {
        guard var host = hosts[beat.host] else { return FleetBeat.Answer(now: now, known: false) }
        (host.seen, host.stopped) = (now, false)
        host.scores = beat.scores.mapValues { min(max($0, 0), 1) }
        host.reports = beat.reports.reduce(into: host.reports ?? [:]) { $0[$1.task] = $1 }
        hosts[beat.host] = host
        var result = FleetBeat.Answer(now: now, known: true)
        result.drain = drain(host.place, now)
        let twins = hosts.values.filter {
            $0.place == host.place && $0.seen > host.began + Self.succession
                && ($0.began, $0.hello.host) < (host.began, beat.host)
        }
        result.twin = twins.map(\.hello.name).min()
        for renewal in beat.leases {
            guard var slot = slots[renewal.slot], slot.holder == beat.host, slot.number == renewal.number,
                let leaseEnd = slot.leaseEnd, leaseEnd > now
            else { continue }
            slot.leaseEnd = now + Self.leaseLength(renewal.length ?? beat.lease)
            put(slot)
            result.held.append(renewal.lease)
        }
        for offer in beat.offers where slots[offer.slot] == nil {
            let nominal = offer.slot.nominal.milliseconds
            if let through = courses[CourseName(offer.slot)]?.through, nominal <= through { continue }
            put(
                Slot(
                    name: offer.slot, definitionHash: offer.definitionHash,
                    ends: nominal + (offer.tolerance ?? FleetTimes.tolerance.milliseconds)))
        }
        if now - summary.made >= Self.round { keepUp(now) }
        (result.best, result.hosts) = (summary.best, summary.hosts)
        (result.news, result.cursor) = news(since: beat.since, now)
        return result
    }

    mutating func answer(_ finish: FleetFinish, _ now: Int64) -> FleetFinish.Answer {
        var result = FleetFinish.Answer(now: now, accepted: false)
        guard var slot = slots[finish.lease.slot] else { return result }
        if slot.state == .leased, slot.number == finish.lease.number {
            let twin = twin(slot, finish, now)
            guard twin == nil, isOf(slot, finish.host) else {
                (result.twin, result.slotStatus) = (twin, slotStatus(slot, now))
                return result
            }
        }
        let isThird = finish.began && slot.attempt >= FleetTimes.attempts
        let standIn = standIn(for: slot)
        var state = finish.state == .open && isThird ? SlotState.failed : finish.state
        if state == .open, standIn != nil { state = .skipped }
        if slot.number == finish.lease.number, state != .leased {
            // The call is repeated, because its answer was lost: the result stands.
            if slot.state == state { result.accepted = true }
            if slot.state == .leased {
                slot.state = state
                if !finish.began { slot.attempt -= 1 }
                if state == .failed, let next = finish.next {
                    courses[CourseName(slot.name)]?.next = now + next
                }
                slot.reason = finish.reason ?? (state.isEnd && state != .done ? Self.noReason : nil)
                if state == .skipped, let standIn {
                    slot.reason = slot.reason.map { "\($0); \(Self.standsForIt(standIn))" }
                }
                (slot.holder, slot.leaseEnd, slot.changed) = (nil, nil, now)
                put(slot)
                result.accepted = true
            }
        }
        result.slotStatus = slotStatus(slot, now)
        return result
    }
    /// The name of the host that has the lease, if it is another process of this place that may live.
    private func twin(_ slot: Slot, _ finish: FleetFinish, _ now: Int64) -> String? {
        guard let holder = slot.holder, holder != finish.host, let other = hosts[holder],
            let own = hosts[finish.host], other.place == own.place
        else { return nil }
        let isEarlier = (other.began, holder) < (own.began, finish.host)
        if isEarlier, !own.hello.home.isEmpty, other.hello.home == own.hello.home { return nil }
        let late = finish.state == .open ? FleetTimes.lateness.milliseconds : 0
        return (slot.leaseEnd ?? now) + late > now ? other.hello.name : nil
    }

    private func isOf(_ slot: Slot, _ host: String) -> Bool {
        guard let holder = slot.holder, holder != host else { return slot.holder == host }
        return hosts[holder].map(\.place) == hosts[host].map(\.place) && hosts[host] != nil
    }

    static let noReason = "its host gave no reason"

    /// The changes since then, in order. If there are too many, the cursor lets the next call begin after the last of them.
    /// Changes of one instant are returned together, or the same ones would be returned again and again.
    private func news(since: Int64?, _ now: Int64) -> ([SlotStatus], Int64) {
        guard let since else { return ([], now) }
        var found: [Slot] = []
        var cursor = now
        var low = changes.startIndex
        var high = changes.endIndex
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].time < since - Self.overlap { low = middle + 1 } else { high = middle }
        }
        for change in changes[low...] {
            guard let slot = slots[change.name], slot.changed == change.time else { continue }
            if let last = found.last, found.count >= FleetTimes.mostNews, last.changed != slot.changed {
                cursor = min(now, last.changed + Self.overlap + 1)
                break
            }
            found.append(slot)
        }
        return (found.map { slotStatus($0, now) }, cursor)
    }
}
