import LullModel
import LullScheduler

/// Checks apps' notifications by the records alone: each is delivered, removed or replaced, none before its time and none twice.
struct NotificationWatch: Sendable {
    private struct Waiting: Sendable {
        let notification: AppNotification
        var from: WallTime
        /// The last time that it was delivered for.
        var last: WallTime?
    }

    private struct Name: Hashable {
        let app: AppIdentifier
        let identifier: String
    }

    private var waiting: [Name: Waiting] = [:]
    /// The notifications that callers have added and wait for the host's answer to.
    private var asked: [Token: Name] = [:]
    private var known: Set<Name> = []

    mutating func willAdd(_ token: Token, _ app: AppIdentifier, _ identifier: String) {
        asked[token] = Name(app: app, identifier: identifier)
    }

    /// Notes a record that is durable now, and returns a sentence for each fault.
    mutating func note(_ event: HistoryEvent, in zones: Zones) -> [String] {
        guard let act = event.notification else { return ["a notification's event says nothing"] }
        guard let identifier = act.identifier else { return [] }
        let name = Name(app: event.app, identifier: identifier)
        switch act {
        case .added(let notification):
            known.insert(name)
            waiting[name] = Waiting(notification: notification, from: event.earliestBegin ?? event.time)
        case .delivered(_, let due): return deliver(name, due: due, at: event.time, in: zones)
        case .removed:
            if waiting.removeValue(forKey: name) == nil {
                return ["'\(identifier)' is removed and does not wait"]
            }
        case .recounted:
            if waiting[name] == nil { return ["'\(identifier)' waits anew and did not wait"] }
            waiting[name]?.from = event.time
            waiting[name]?.last = nil
        case .cleared, .badge: break
        }
        return []
    }

    private mutating func deliver(
        _ name: Name, due: WallTime, at time: WallTime, in zones: Zones
    ) -> [String] {
        guard let known = waiting[name] else {
            return ["'\(name.identifier)' is delivered and does not wait"]
        }
        var faults: [String] = []
        if time < due { faults.append("'\(name.identifier)' is delivered before its time") }
        if let last = known.last, due <= last {
            faults.append("'\(name.identifier)' is delivered twice for one time")
        }
        switch known.notification.trigger {
        case .interval(let milliseconds, let repeats)?:
            let first = known.from + .milliseconds(milliseconds)
            let offset = (due - first).milliseconds
            if offset < 0 || (repeats ? offset % milliseconds : offset) != 0 {
                faults.append("'\(name.identifier)' is due at another time than its interval says")
            }
        case .calendar(let fields, _)?:
            let local = zones.zone(of: name.app).local(due)
            let isMinute = fields.minute.map { $0 == local.minute } ?? true
            let isSecond = (fields.second ?? 0) == local.second
            // A time in the hour that the clocks skip comes as they are put forward.
            if !isSecond || (!isMinute && local.minute != 0) || due <= known.from {
                faults.append("'\(name.identifier)' is due at another time than its date says")
            }
        case nil:
            if due != known.from { faults.append("'\(name.identifier)' is due, and was not added then") }
        }
        if known.notification.repeats { waiting[name]?.last = due } else { waiting[name] = nil }
        return faults
    }

    /// The host has answered.
    mutating func answered(_ token: Token, isDone: Bool) -> String? {
        guard let name = asked.removeValue(forKey: token), isDone, !known.contains(name) else { return nil }
        return "'\(name.identifier)' is said to be added before that is durable"
    }

    mutating func hostDied() { asked = [:] }

    /// Compares the notifications that the host has with the records.
    func check(_ book: NotificationBook) -> String? {
        let held = Set(
            book.apps.values.flatMap { app in
                app.pending.map { Name(app: app.app, identifier: $0.identifier) }
            })
        return held == Set(waiting.keys) ? nil : "other notifications wait than the records say"
    }

    /// A fault if a host that has just looked still holds a notification that is due.
    static func overdue(_ book: NotificationBook, at now: Now) -> String? {
        for app in book.apps.values {
            for pending in app.pending {
                if let due = pending.due(in: now.zones.zone(of: app.app)), due <= now.wall {
                    return "'\(pending.identifier)' of \(app.app) is due, and nobody delivers it"
                }
            }
        }
        return nil
    }
}
