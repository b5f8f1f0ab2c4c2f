import LullModel

/// Heartbeats for a dead man's switch: for each run that ends, and for the host while its loop goes round.
///
/// They are not in the history: a missing one raises the alarm, and the service that receives them keeps count.
extension SchedulerState {
    /// A run that was cut short through no fault of its task sends none.
    mutating func beat(of run: Run, _ outcome: Outcome, isFailure: Bool) {
        guard options.sendsNotices, let heartbeat = definition(of: run.task)?.heartbeat else { return }
        guard outcome.isSuccess || isFailure && heartbeat.tellsFailures else { return }
        let next = expectedBy(of: run.task, at: now)
        ping(
            Ping(
                heartbeat: heartbeat, isFailure: isFailure, app: run.app, task: run.task,
                run: run.id, outcome: outcome, expectedBy: next))
    }

    /// Sends the host's own heartbeat when it is due; at once when a manifest is read.
    mutating func beatHost() {
        guard options.sendsNotices, let heartbeat = manifest.heartbeat else {
            agenda[.heartbeat] = nil
            return
        }
        guard !isShuttingDown else { return }
        // A clock that was set back must not silence it.
        if let at = agenda[.heartbeat], at > now.wall, at - now.wall <= heartbeat.every { return }
        let next = now.wall + heartbeat.every
        agenda[.heartbeat] = next
        ping(Ping(heartbeat: heartbeat, isFailure: false, expectedBy: next))
    }

    private mutating func ping(_ ping: Ping) {
        if heartbeats.begin(ping.name) { turn.effects.append(.ping(ping)) }
    }

    mutating func pinged(_ name: String, trouble: String?) {
        heartbeats.end(name, trouble: trouble, at: now.wall)
    }
}
