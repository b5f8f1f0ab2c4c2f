import LullModel

extension FleetDatabase {
    /// The upkeep that one host does for all, at most each ten seconds.
    mutating func keepUp(_ now: Int64) {
        summary = Summary(made: now)
        // A host that was started again counts once.
        summary.hosts = Set(hosts.values.filter { lives($0, now) }.map(\.place)).count
        for host in hosts.values where lives(host, now) {
            guard drain(host.place, now) == nil else { continue }
            summary.best.merge(host.scores) { max($0, $1) }
        }
        drained = drained.filter { $0.value.until.map { $0 > now } ?? true }
        let lost = leased.values.flatMap { $0 }.compactMap { slots[$0] }
        for var slot in some(of: lost, before: now - FleetTimes.grace.milliseconds, by: { $0.leaseEnd ?? 0 })
        {
            giveBack(&slot, lossReason(of: slot), now)
            put(slot)
        }
        noteHeld(now)
        for var slot in some(of: all(\.open), before: now + 1, by: { $0.ends }) {
            expire(&slot, now)
            put(slot)
        }
        forgetOld(now)
    }

    /// Keeps what five hosts last reported of the slots that no host has started shortly before their end.
    private mutating func noteHeld(_ now: Int64) {
        let due = all(\.open).filter { $0.ends > now + 10_000 && $0.held == nil }
        let near = hosts.values.filter { lives($0, now) && $0.reports != nil }
            .sorted { ($0.hello.name, $0.hello.host) < ($1.hello.name, $1.hello.host) }.prefix(5)
        for var slot in some(of: due, before: now + 40_001, by: { $0.ends }) {
            let said = near.compactMap { host in
                host.reports?[slot.name.task].map { report in
                    "\(host.hello.name) (\(report.reason.map { String($0.prefix(120)) } ?? "no gate is closed"))"
                }
            }
            guard !said.isEmpty else { continue }
            let more = summary.hosts - said.count
            slot.held = said.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
            put(slot)
        }
    }

    /// No host was heard of: the database was away, or its clock was set. Leases and live hosts keep the time that they had left.
    mutating func bridge(to now: Int64) {
        func isSilence(since time: Int64) -> Bool { abs(now - time) > FleetTimes.silence.milliseconds }
        guard isSilence(since: summary.made) else { return }
        let heard = max(summary.made, hosts.values.map(\.seen).max() ?? 0)
        guard heard > 0, isSilence(since: heard) else { return }
        let gap = now - heard
        for var slot in leased.values.flatMap({ $0 }).compactMap({ slots[$0] }) {
            slot.leaseEnd = slot.leaseEnd.map { $0 + gap }
            put(slot)
        }
        for (name, host) in hosts where lives(host, heard) && !isOver(host) {
            hosts[name]?.seen = min(now, host.seen + gap)
        }
        summary.made = now
    }

    /// Whether a later process has its folder.
    private func isOver(_ host: Host) -> Bool {
        !host.hello.home.isEmpty
            && hosts.values.contains {
                $0.place == host.place && $0.hello.home == host.hello.home
                    && ($0.began, $0.hello.host) > (host.began, host.hello.host)
            }
    }

    private mutating func forgetOld(_ now: Int64) {
        let first = now - FleetTimes.kept.milliseconds
        if oldestEnd < first {
            let ended = all(\.ended)
            oldestEnd = ended.map(\.changed).min() ?? .max
            for slot in some(of: ended, before: first, by: { $0.changed }) { remove(slot.name) }
            changes.removeAll { slots[$0.name] == nil }
        }
        let gone = hosts.values.filter { $0.seen < now - Self.hostsKept }
            .sorted { ($0.seen, $0.hello.host) < ($1.seen, $1.hello.host) }.prefix(Self.mostChanged)
        for host in gone { hosts[host.hello.host] = nil }
    }
    private static let hostsKept = Duration.days(7).milliseconds

    private func all(_ state: KeyPath<Course, Set<WallTime>>) -> [Slot] {
        courses.flatMap { name, course in
            course[keyPath: state].compactMap { slots[SlotName(name.task, at: $0, target: name.target)] }
        }
    }

    /// The first of those whose time has passed.
    private func some(of slots: [Slot], before time: Int64, by key: (Slot) -> Int64) -> some Sequence<Slot> {
        slots.filter { key($0) < time }.sorted { (key($0), $0.name) < (key($1), $1.name) }
            .prefix(Self.mostChanged)
    }

    func lossReason(of slot: Slot) -> String {
        "the lease ended on \(slot.lastName ?? "a host") without a result"
    }

    /// Takes a slot from its host.
    func giveBack(_ slot: inout Slot, _ reason: String, _ now: Int64) {
        (slot.holder, slot.leaseEnd, slot.changed, slot.reason) = (nil, nil, now, reason)
        if slot.attempt >= FleetTimes.attempts {
            slot.state = .failed
            slot.reason = "\(reason), the last of \(FleetTimes.attempts) attempts"
        } else if let other = standIn(for: slot) {
            slot.state = .skipped
            slot.reason = "\(reason); \(Self.standsForIt(other))"
        } else {
            slot.state = .open
            if slot.ends <= now { expire(&slot, now) }
        }
    }

    /// The time of the later slot whose run stands for this one too; nil: there is none.
    func standIn(for slot: Slot) -> Int64? {
        let nominal = slot.name.nominal.milliseconds
        guard let course = courses[CourseName(slot.name)], let through = course.through, through >= nominal,
            course.ran != nominal
        else { return nil }
        return course.ran
    }

    static func standsForIt(_ nominal: Int64) -> String { "the run for \(text(nominal)) stands for it" }

    func expire(_ slot: inout Slot, _ now: Int64) {
        let late = "no host could start it in time" + (slot.held.map { ": \($0)" } ?? "")
        slot.reason = slot.reason.map { "\($0); since then \(late)" } ?? late
        (slot.state, slot.changed) = (.expired, now)
    }
}
