public import LullModel

extension SchedulerState {
    /// The pending notifications with when they are due, or the delivered ones with when they were delivered: for a
    /// plugin.
    public func notifications(
        of app: AppIdentifier, delivered: Bool, at now: Now
    ) -> [(AppNotification, WallTime?)] {
        guard let known = ledger.notifications.apps[app] else { return [] }
        if delivered { return known.delivered.map { ($0.notification, $0.time) } }
        let zone = now.zones.zone(of: app)
        return known.pending.map { ($0.notification, $0.due(in: zone)) }
    }

    /// The same for people, in the manifest's order; nil: for each app that may notify or has notifications.
    public func notifications(of app: AppIdentifier?, at now: Now) -> [NotificationReport] {
        manifest.apps.compactMap { entry in
            let name = entry.identifier
            let known = ledger.notifications.apps[name]
            guard app == name || app == nil && (entry.notifications || known != nil) else { return nil }
            let pending = notifications(of: name, delivered: false, at: now)
                .map { NotificationReport.Entry($0, time: $1) }
                .sorted { ($0.time ?? .distantFuture) < ($1.time ?? .distantFuture) }
            let delivered = notifications(of: name, delivered: true, at: now)
                .map { NotificationReport.Entry($0, time: $1) }
            return NotificationReport(
                app: name, mayNotify: entry.notifications, badge: known?.badge ?? 0, pending: pending,
                delivered: delivered)
        }
    }
}
