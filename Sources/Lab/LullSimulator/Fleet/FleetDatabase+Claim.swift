import LullModel

extension FleetDatabase {
    mutating func answer(_ claim: FleetClaim, _ now: Int64) -> FleetClaim.Answer {
        guard let host = hosts[claim.host] else { return answer(.unknown, now) }
        guard drain(host.place, now) == nil else { return answer(.draining, now) }
        let nominal: Int64
        switch due(claim, now) {
        case .at(let time): nominal = time
        case .not(let answer): return answer
        }
        let name = SlotName(
            claim.slot.task, at: WallTime(milliseconds: nominal), target: claim.slot.target)
        var slot =
            slots[name]
            ?? Slot(
                name: name, definitionHash: claim.definitionHash,
                ends: nominal + (claim.tolerance ?? FleetTimes.tolerance.milliseconds))
        if let leaseEnd = slot.leaseEnd {
            if leaseEnd + FleetTimes.grace.milliseconds > now {
                // The call is repeated, because its answer was lost: it only renews the lease.
                guard slot.holder == claim.host, leaseEnd > now else {
                    return answer(.leased, now, slotStatus(slot, now))
                }
                slot.leaseEnd = now + Self.leaseLength(claim.lease)
                put(slot)
                return claimed(slot, now)
            }
            giveBack(&slot, lossReason(of: slot), now)
        }
        put(slot)
        guard !slot.state.isEnd else { return answer(.ended, now, slotStatus(slot, now)) }
        if slot.definitionHash != claim.definitionHash {
            let others = names(
                of: hosts.values.filter { other in
                    other.hello.host != claim.host && lives(other, now) && drain(other.place, now) == nil
                        && other.definitionHash(of: name.task) == slot.definitionHash
                })
            // A slot of a single host, or one that the others have left for too long, is for any host.
            let isTheirs = name.target.isEmpty && now < nominal + FleetTimes.deference.milliseconds
            guard others.isEmpty || !isTheirs else { return answer(.differs, now, holders: others) }
            slot.definitionHash = claim.definitionHash
            put(slot)
        }
        if let holders = crowd(claim, host, now) { return answer(.full, now, holders: holders) }
        guard slot.ends > now else {
            expire(&slot, now)
            put(slot)
            return answer(.ended, now, slotStatus(slot, now))
        }
        if claim.every == nil, let other = standIn(for: slot) {
            (slot.state, slot.changed, slot.reason) = (.skipped, now, Self.standsForIt(other))
            put(slot)
            return answer(.ended, now, slotStatus(slot, now))
        }
        return lease(slot, claim, host, now)
    }

    private enum Due {
        case at(Int64)
        case not(FleetClaim.Answer)
    }

    /// The nominal time of the slot that is claimed: the fleet's, where the task has `repeat`.
    private func due(_ claim: FleetClaim, _ now: Int64) -> Due {
        let course = courses[CourseName(claim.slot)] ?? Course()
        guard claim.every != nil else {
            let nominal = claim.slot.nominal.milliseconds
            if nominal > now + Self.early { return .not(notDue(nominal - now, nil, now)) }
            guard slots[claim.slot] == nil, let through = course.through, nominal <= through else {
                return .at(nominal)
            }
            // The run that stands for this time was given back: that slot is to be run.
            if let ran = course.ran, let standIn = slotStatus(claim.slot, at: ran, now),
                standIn.state == .open
            {
                return .at(ran)
            }
            return .not(answer(.ended, now, course.ran.flatMap { slotStatus(claim.slot, at: $0, now) }))
        }
        if let first = course.open.min() ?? course.leased.min() { return .at(first.milliseconds) }
        guard let next = course.next else { return .at(now) }
        if next > now + Self.early { return .not(notDue(next - now, latest(claim.slot, now), now)) }
        // If the slot of that time is over, or would be at once, a slot of now takes its place, so that the task runs again.
        let name = SlotName(
            claim.slot.task, at: WallTime(milliseconds: next), target: claim.slot.target)
        let isOver = next + (claim.tolerance ?? FleetTimes.tolerance.milliseconds) <= now
        return .at(isOver || slots[name] != nil ? now : next)
    }

    private func notDue(_ wait: Int64, _ slotStatus: SlotStatus?, _ now: Int64) -> FleetClaim.Answer {
        var result = answer(.notDue, now, slotStatus)
        result.wait = wait
        return result
    }

    private func slotStatus(_ slot: SlotName, at nominal: Int64, _ now: Int64) -> SlotStatus? {
        let name = SlotName(slot.task, at: WallTime(milliseconds: nominal), target: slot.target)
        return slots[name].map { slotStatus($0, now) }
    }

    /// The last of a task's slots that have ended.
    private func latest(_ slot: SlotName, _ now: Int64) -> SlotStatus? {
        courses[CourseName(slot)]?.ended.max().flatMap { slotStatus(slot, at: $0.milliseconds, now) }
    }

    /// The hosts that run the task, if they leave no room for another; nil: there is room.
    private func crowd(_ claim: FleetClaim, _ host: Host, _ now: Int64) -> [String]? {
        let running = (leased[claim.slot.task] ?? []).compactMap { slots[$0] }.filter {
            ($0.leaseEnd ?? 0) + FleetTimes.grace.milliseconds > now
        }
        if running.count >= claim.limit { return first(running.compactMap(\.lastName)) }
        guard let spread = claim.spread, let own = host.hello.labels[spread] else { return nil }
        let near = running.filter {
            $0.holder.flatMap { hosts[$0] }?.hello.labels[spread] == own
        }
        return near.isEmpty ? nil : first(near.compactMap(\.lastName))
    }

    private func first(_ names: [String]) -> [String] {
        Array(Set(names).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(5))
    }
    private func names(of hosts: [Host]) -> [String] { first(hosts.map(\.hello.name)) }

    private mutating func lease(
        _ slot: Slot, _ claim: FleetClaim, _ host: Host, _ now: Int64
    ) -> FleetClaim.Answer {
        var slot = slot
        let isFirst = slot.attempt == 0
        let number = max((fences[slot.name.task] ?? 0) + 1, now)
        fences[slot.name.task] = number
        slot.attempt += 1
        (slot.state, slot.reason, slot.changed) = (.leased, nil, now)
        (slot.holder, slot.lastName, slot.number) = (claim.host, host.hello.name, number)
        slot.leaseEnd = now + Self.leaseLength(claim.lease)
        put(slot)
        // A host whose clock is ahead must not take the runs of times that have yet to come.
        let nominal = slot.name.nominal.milliseconds
        let through = claim.through.map { max(nominal, min($0.milliseconds, now + Self.early)) }
        let name = CourseName(slot.name)
        var course = courses[name] ?? Course()
        if let through, course.through.map({ through > $0 }) ?? true {
            (course.through, course.ran) = (through, nominal)
        }
        if let every = claim.every {
            if isFirst { course.next = now + every }
        } else {
            course.next = nil
        }
        courses[name] = course
        for time in course.open where through.map({ time.milliseconds <= $0 }) == true {
            guard var other = slots[SlotName(name.task, at: time, target: name.target)] else { continue }
            (other.state, other.changed) = (.skipped, now)
            other.reason = Self.standsForIt(nominal)
            put(other)
        }
        return claimed(slot, now)
    }

    private func claimed(_ slot: Slot, _ now: Int64) -> FleetClaim.Answer {
        var result = answer(.claimed, now)
        result.lease = slot.number.map { SlotLease(slot.name, number: $0) }
        result.attempt = slot.attempt
        return result
    }

    private func answer(
        _ verdict: FleetClaim.Verdict, _ now: Int64, _ slotStatus: SlotStatus? = nil,
        holders: [String]? = nil
    ) -> FleetClaim.Answer {
        var result = FleetClaim.Answer(now: now, verdict)
        result.slotStatus = slotStatus
        result.holders = holders
        return result
    }

    /// How long a lease lasts that was asked for: as `lease` of a manifest may say.
    static func leaseLength(_ asked: Int64) -> Int64 {
        let range = FleetTimes.leases
        return min(max(asked, range.lowerBound.milliseconds), range.upperBound.milliseconds)
    }

    /// RFC 3339, to the second.
    static func text(_ milliseconds: Int64) -> String {
        let seconds = WallTime(milliseconds: milliseconds).seconds
        let day = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        // Days from March 1st of the year 0, in eras of 400 years.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let inEra = shifted - era * 146_097
        let yearOfEra = (inEra - inEra / 1_460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * inYear + 2) / 153
        let date = inYear - (153 * month + 2) / 5 + 1
        let isNext = month >= 10
        let clock = seconds - day * 86_400
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let days =
            "\(yearOfEra + era * 400 + (isNext ? 1 : 0))-\(two(isNext ? month - 9 : month + 3))-\(two(date))"
        return "\(days)T\(two(clock / 3600)):\(two(clock / 60 % 60)):\(two(clock % 60))Z"
    }
}
