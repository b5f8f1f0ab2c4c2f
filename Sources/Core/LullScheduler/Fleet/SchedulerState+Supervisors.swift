import LullModel

/// A worker's supervisor ends runs whose leases the host has not renewed in time, so that a host that hangs leaves no
/// run beside that of the next host.
extension SchedulerState {
    /// Tells supervisors when to end their workers: at the first end of a lease there. Called before a launch, and once
    /// in each event.
    mutating func tellSupervisors() {
        guard let fleet, !fleet.held.isEmpty || !fleet.kept.isEmpty else { return }
        var ends: [WorkerID: Duration] = [:]
        for held in fleet.held.values {
            guard let run = held.run.flatMap({ runs[$0] }) else { continue }
            // An end that the host has let pass stays.
            let before = held.isOverdue ? fleet.kept[run.worker]?.end : nil
            let end = before ?? Self.killTime(held) + FleetTimes.supervisorDelay
            ends[run.worker] = min(ends[run.worker] ?? end, end)
        }
        for worker in Set(ends.keys).union(fleet.kept.keys).sorted() {
            guard ends[worker] != fleet.kept[worker]?.end else { continue }
            let kept = ends[worker].map { FleetState.Kept(end: $0, asleep: now.asleep) }
            self.fleet?.kept[worker] = kept
            guard let state = self.worker(worker)?.state, state != .leaving, state != .none else { continue }
            turn.effects.append(.keepWorker(worker, until: ends[worker]))
        }
    }

    /// Whether the host was awake and let the time pass at which a worker's supervisor ends it.
    func hasLetPass(the worker: WorkerID) -> Bool {
        guard let kept = fleet?.kept[worker] else { return false }
        return .nanoseconds(now.monotonic.nanoseconds) + kept.asleep >= kept.end
    }

    /// The supervisor has ended the run and is about to report it. If it hangs, too, the host kills the worker later.
    mutating func awaitSupervisor(of lease: SlotLease) {
        fleet?.held[lease]?.isOverdue = true
        let killAt = now.boot + FleetTimes.supervisorDelay
        fleet?.held[lease]?.killAt = killAt
    }

    mutating func workerOverdue(_ id: WorkerID) {
        guard let known = worker(id) else { return }
        switch known.state {
        case .none, .leaving: return
        case .starting, .warm, .suspended: break
        }
        // The time is known only if the machine has not slept since: after a sleep the supervisor gives the host some
        // time more.
        let time = fleet?.kept[id].flatMap { kept in
            now.asleep - kept.asleep < .seconds(1) ? now.wall - (now.boot - kept.end) : nil
        }
        // First: a worker that is gone is not asked to end when its last run has ended.
        setWorker(id, .leaving)
        endRuns(
            of: id, .interrupted,
            "the host hung, and the supervisor ended it\(time.map { " \(when($0))" } ?? ""), before another host could "
                + "start its slot", wasKilled: true)
    }

    /// Ends the runs with leases of a worker that was lost through no fault of theirs: another host may run them.
    mutating func interruptLeased(of worker: WorkerID, _ reason: String) {
        let leased = Set(fleet?.held.values.compactMap(\.run) ?? [])
        for run in self.worker(worker)?.runs ?? [] where leased.contains(run) {
            end(run, .interrupted, reason: reason)
        }
    }

    /// Leaves a fleet that the manifest no longer names: the leases are not renewed, and their runs are expired.
    mutating func leaveFleet() {
        guard let fleet else { return }
        for held in fleet.held.values.sorted(by: { $0.lease.number < $1.lease.number }) {
            guard let run = held.run else { continue }
            signal(
                run,
                .expire(
                    reason: "the manifest no longer names the fleet that gave its lease",
                    gates: [GateName.fleet.rawValue]))
        }
        for worker in fleet.kept.keys.sorted() { turn.effects.append(.keepWorker(worker, until: nil)) }
        self.fleet = nil
    }
}
