import LullModel
import LullScheduler

/// Checks pushes: none is lost, the quota is never passed, and an app reports urgent pushes or loses urgency.
extension Invariants {
    mutating func checkPush(_ subject: Subject, _ frame: Frame) {
        guard subject.launch.kind == .push else { return }
        let (app, now) = (subject.app, frame.now.wall)
        guard let request = subject.request, let push = subject.launch.push else {
            return fault("\(subject.name) is launched without a push")
        }
        if push.payload != request.push?.payload || push.merged != request.push?.merged {
            fault("\(subject.name) is launched with another push than the one that was recorded")
        }
        if push.isUrgent {
            if request.push?.isUrgent != true { fault("\(subject.name) is launched as urgent, and is not") }
            if unreported[app.identifier, default: 0] >= Limits.unreportedPushes {
                fault("\(app.identifier) has an urgent push, and has lost urgency")
            }
            return
        }
        guard let rules = app.push else { return fault("\(subject.name) is launched, and takes no pushes") }
        let counted = (silentPushes[app.identifier] ?? []).count { $0 <= now && $0 + rules.span > now }
        // This launch is recorded already.
        if counted > rules.quota {
            fault("\(subject.name) is launched \(counted) times in its quota's span, of \(rules.quota)")
        }
    }

    mutating func willPush(_ token: Token, _ push: Push) { pushes[token] = push }

    /// An accepted push brings the newest payload, except that a silent push does not take an urgent one's place.
    mutating func checkPushed(_ token: Token, _ id: RequestID) {
        guard let sent = pushes.removeValue(forKey: token), let push = pending[id]?.push else { return }
        let isOlder = push.isUrgent && !sent.isUrgent
        if push.payload == nil || push.payload != sent.payload && !isOlder {
            fault("request \(id) brings another payload than the push that it was accepted for")
        }
        if sent.isUrgent && !push.isUrgent { fault("request \(id) is for an urgent push, and is silent") }
    }

    mutating func notePush(launchedBy event: HistoryEvent) {
        guard let push = event.push, let run = event.run else { return }
        running[run]?.isUrgent = push.isUrgent
        guard !push.isUrgent else { return }
        silentPushes[event.app] = ((silentPushes[event.app] ?? []) + [event.time]).suffix(PushRules.mostQuota)
    }

    mutating func notePush(endedBy event: HistoryEvent, _ run: Run) {
        guard run.isUrgent, event.event != .interrupted, (run.expiredBy ?? []).isEmpty else { return }
        // Lost urgency stays lost, also where a later run reports.
        if unreported[event.app, default: 0] >= Limits.unreportedPushes { return }
        unreported[event.app] = run.isReported ? nil : unreported[event.app, default: 0] + 1
    }
}
