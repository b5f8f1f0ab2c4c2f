public import LullModel

/// The pending and delivered notifications of all apps, and the badges; the fold of the events `notification`.
///
/// Part of the ledger, so that notifications outlive worker and host. Bounded: pending ones are limited, and of the
/// delivered ones the newest are kept.
public struct NotificationBook: Sendable, Equatable {
    public internal(set) var apps: [AppIdentifier: AppNotifications] = [:]

    public init() {}

    public var isEmpty: Bool { apps.isEmpty }

    mutating func apply(_ event: HistoryEvent) {
        guard let act = event.notification else { return }
        var app = apps[event.app] ?? AppNotifications(app: event.app)
        // A restored notification counts from its old start.
        app.apply(act, at: event.time, from: event.earliestBegin ?? event.time)
        apps[event.app] = app.isEmpty ? nil : app
    }
}

/// The notifications of one app.
public struct AppNotifications: Sendable, Equatable, Codable {
    public let app: AppIdentifier
    /// In the order in which they were added.
    public internal(set) var pending: [PendingNotification] = []
    /// In the order in which they were delivered.
    public internal(set) var delivered: [DeliveredNotification] = []
    public internal(set) var badge: Int64 = 0

    init(app: AppIdentifier) { self.app = app }

    public var isEmpty: Bool { pending.isEmpty && delivered.isEmpty && badge == 0 }

    mutating func apply(_ act: NotificationAct, at time: WallTime, from: WallTime) {
        switch act {
        case .added(let notification):
            pending.removeAll { $0.identifier == notification.identifier }
            pending.append(PendingNotification(notification: notification, from: from))
            // No host adds more, but a history may be imported.
            if pending.count > Limits.pendingNotifications { pending.removeFirst() }
        case .delivered(let identifier, let due):
            guard let place = pending.firstIndex(where: { $0.identifier == identifier }) else { return }
            let notification = pending[place].notification
            if notification.repeats {
                pending[place].delivered(at: time, due: due)
            } else {
                pending.remove(at: place)
            }
            badge = notification.badge ?? badge
            delivered.removeAll { $0.identifier == identifier }
            guard !notification.text.isEmpty else { return }
            delivered.append(DeliveredNotification(notification: notification, time: time))
            if delivered.count > Limits.deliveredNotifications { delivered.removeFirst() }
        case .removed(let identifier): pending.removeAll { $0.identifier == identifier }
        case .recounted(let identifier):
            guard let place = pending.firstIndex(where: { $0.identifier == identifier }) else { return }
            pending[place].from = time
        case .cleared(let identifier): delivered.removeAll { $0.identifier == identifier }
        case .badge(let count): badge = count
        }
    }
}

/// A notification that was delivered, and has not been removed since.
public struct DeliveredNotification: Sendable, Equatable, Codable {
    public let notification: AppNotification
    public let time: WallTime

    public var identifier: String { notification.identifier }
}

extension NotificationBook: Codable {
    public init(from decoder: any Decoder) throws {
        let apps = try [AppNotifications](from: decoder)
        self.apps = Dictionary(apps.map { ($0.app, $0) }) { _, last in last }
    }

    /// Sorted, so that equal books are equal bytes.
    public func encode(to encoder: any Encoder) throws {
        try apps.values.sorted { $0.app < $1.app }.encode(to: encoder)
    }
}
