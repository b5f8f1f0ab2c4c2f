import Collections
import LullModel

/// Uses, and the week rule.
extension SchedulerState {
    mutating func use(_ app: AppIdentifier, at time: WallTime) {
        record(HistoryEvent(.used, at: min(time, now.wall), app: app))
        reconcileIdleness(of: app)
        // Only what waits for its moment asks the forecast.
        for task in (apps[app]?.awaitingMoment ?? []).sorted() { touch(task) }
    }

    /// Records when the week rule begins to hold an app back and when it ceases to, and looks again when it
    /// may.
    mutating func reconcileIdleness(of name: AppIdentifier) {
        guard let app = app(name), let record = ledger.apps[name] else { return }
        let last = lastMoment(of: app, record)
        let isIdle = last.map { now.wall > $0 } ?? false
        if isIdle, record.idledAt == nil {
            let since = record.lastUsed == nil ? "discovered, and never used" : "last used"
            let sign = Phrase.moment(record.lastSign ?? now.wall, seenFrom: now.wall, in: now.zones.host)
            self.record(HistoryEvent(.idled, at: now.wall, app: name, reason: "it was \(since), at \(sign)"))
            idlenessChanged(name)
        } else if !isIdle, record.idledAt != nil {
            let reason =
                app.idleAfter == nil
                ? "`idle_after: never`" : record.lastUsed == nil ? "`idle_after` was changed" : "it was used"
            self.record(HistoryEvent(.revived, at: now.wall, app: name, reason: reason))
            idlenessChanged(name)
            if app.enabled, needsDiscovery(app) { wantDiscovery(of: name) }
        }
        armCheck(of: name)
    }

    /// When the app is looked at again: when the week rule bites, or when a worker that died is tried again.
    mutating func armCheck(of name: AppIdentifier) {
        guard let app = app(name), let record = ledger.apps[name] else { return }
        let bite = lastMoment(of: app, record).map { $0 + .milliseconds(1) }
        let next = [bite, record.setback?.until].compactMap { $0 }.filter { $0 > now.wall }.min()
        if let next, next != apps[name]?.checkAt { checks.insert(Check(time: next, subject: .app(name))) }
        apps[name]?.checkAt = next
    }

    private mutating func idlenessChanged(_ name: AppIdentifier) {
        countBudget()
        touchTasks(of: name)
    }

    /// The last instant at which it is not idle; exactly `idle_after` is not over.
    func lastMoment(of app: App, _ record: AppRecord) -> WallTime? {
        guard let idleAfter = app.idleAfter, let sign = record.lastSign else { return nil }
        return sign + idleAfter + (app.idleClock == .host ? absences.credit(since: sign) : .zero)
    }

    func isIdle(_ app: App) -> Bool {
        guard let record = ledger.apps[app.identifier], let last = lastMoment(of: app, record) else {
            return false
        }
        return now.wall > last
    }
}
