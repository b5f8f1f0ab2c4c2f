import LullModel

/// Notifications: added, removed and delivered when they are due, to the moment, as a time of `at` is.
///
/// Neither the week rule nor an operator's pause holds them back: they launch nothing.
extension SchedulerState {
    mutating func add(_ notification: AppNotification, of app: AppIdentifier, _ token: Token) {
        if let refusal = refusal(of: notification, app) {
            let time = now.wall
            if let sentence = apps[app]?.records.admit(refusal.sentence, at: time) {
                record(HistoryEvent(.refused, at: now.wall, app: app, reason: sentence))
            }
            return reply(token, .refused(refusal))
        }
        let replaced = pendingNotification(notification.identifier, of: app)
        note(
            .added(notification), of: app,
            replaced == nil ? nil : "it replaces the one of the same identifier that waited")
        recent.notifications.note(
            .init(app: app, identifier: notification.identifier, replaced: replaced), token)
        reply(token, .done(""))
        deliverNotifications(of: app)
    }

    /// Why it is refused; nil: it is accepted.
    private mutating func refusal(of notification: AppNotification, _ name: AppIdentifier) -> Refusal? {
        let subject = "The notification '\(notification.identifier.clipped(to: 100))' of \(name)"
        guard let app = app(name), app.notifications else { return notGranted(name) }
        if isShuttingDown {
            return Refusal(
                .unavailable, "The host is shutting down; add the notification again when it is back.")
        }
        let length = notification.identifier.utf8.count
        guard (1...Limits.identifierBytes).contains(length) else {
            return Refusal(
                .unavailable,
                "A notification of \(name) has an identifier of \(length) bytes. Give it one of 1 to \(Limits.identifierBytes), such as its UUID."
            )
        }
        let bytes = notification.bytes
        guard bytes <= Limits.notificationBytes else {
            return Refusal(
                .unavailable,
                "\(subject) has \(bytes) bytes; the limit is \(Limits.notificationBytes). Shorten its texts or its userInfo."
            )
        }
        guard !notification.text.isEmpty || notification.badge != nil else {
            return Refusal(.unavailable, "\(subject) is empty. Give it a title, a body or a badge.")
        }
        switch notification.trigger {
        case .interval(let milliseconds, let repeats)?:
            guard milliseconds > 0 else {
                return Refusal(
                    .unavailable, "\(subject) has no interval to wait. Give it an interval above 0 s.")
            }
            guard !repeats || .milliseconds(milliseconds) >= NotificationTrigger.leastRepeat else {
                return Refusal(
                    .unavailable, "\(subject) repeats in less than 60 s. Repeat it every 60 s or less often.")
            }
        case .calendar?:
            let waiting = PendingNotification(notification: notification, from: now.wall)
            guard waiting.due(in: now.zones.zone(of: name)) != nil else {
                return Refusal(
                    .unavailable, "\(subject) has a date that never comes. Give it a future date.")
            }
        case nil: break
        }
        let pending = ledger.notifications.apps[name]?.pending ?? []
        if pending.count >= Limits.pendingNotifications,
            !pending.contains(where: { $0.identifier == notification.identifier })
        {
            return Refusal(
                .tooManyPending,
                "\(name) has \(pending.count) notifications pending, which is the limit. Remove one, or wait until one is delivered."
            )
        }
        return historyRefusal(of: name) ?? allowance(of: name)
    }

    private func notGranted(_ app: AppIdentifier) -> Refusal {
        Refusal(
            .notPermitted,
            "\(app) may not notify anybody. Give the app `notifications: true` in \(manifest.path).")
    }

    /// Takes a call from the app's allowance of submits, for each call is in the history; nil: it had room.
    private mutating func allowance(of app: AppIdentifier) -> Refusal? {
        let time = now.monotonic
        guard let wait = apps[app, default: AppState()].allowance.take(at: time) else { return nil }
        return Refusal(
            .tooManyPending,
            "\(app) asks too often: after a burst of \(Limits.submitsAtOnce) submits and notifications it may send one every "
                + "\(Phrase.span(Limits.submitGap)). Ask again in \(Phrase.span(wait)).")
    }

    /// The plugin gave up waiting: its notification has no effect, and the one that it replaced waits again.
    mutating func withdrawNotification(_ token: Token) {
        guard let added = recent.notifications.take(token),
            pendingNotification(added.identifier, of: added.app) != nil
        else { return }
        if let replaced = added.replaced {
            note(
                .added(replaced.notification), of: added.app,
                "restored: the one that replaced it was withdrawn", from: replaced.from)
        } else {
            note(
                .removed(identifier: added.identifier), of: added.app,
                "withdrawn: the plugin stopped waiting for the answer")
        }
        deliverNotifications(of: added.app)
    }

    /// Nil `identifiers`: all. Unknown ones are passed over.
    mutating func removeNotifications(
        _ identifiers: [String]?, delivered: Bool, of app: AppIdentifier, _ token: Token?
    ) {
        let known = ledger.notifications.apps[app]
        let all = delivered ? known?.delivered.map(\.identifier) : known?.pending.map(\.identifier)
        let gone = (all ?? []).filter { identifiers?.contains($0) ?? true }
        if !gone.isEmpty, let refusal = allowance(of: app) {
            note(violationOf: app, nil, refusal.sentence)
            return reply(token, .refused(refusal))
        }
        for identifier in gone {
            note(delivered ? .cleared(identifier: identifier) : .removed(identifier: identifier), of: app)
        }
        reply(token, .done(""))
        deliverNotifications(of: app)
    }

    mutating func setBadge(_ count: Int64, of app: AppIdentifier, _ token: Token) {
        guard self.app(app)?.notifications == true else { return reply(token, .refused(notGranted(app))) }
        guard count >= 0 else {
            return reply(
                token, .refused(Refusal(.unavailable, "A badge is a number from 0 on, not \(count).")))
        }
        if count != ledger.notifications.apps[app]?.badge ?? 0 {
            if let refusal = allowance(of: app) { return reply(token, .refused(refusal)) }
            note(.badge(count), of: app)
        }
        reply(token, .done(""))
    }

    /// Delivers due notifications, and sets when to look again.
    mutating func deliverNotifications(of app: AppIdentifier) {
        guard options.sendsNotices, options.launches, ledger.notifications.apps[app] != nil else { return }
        let zone = now.zones.zone(of: app)
        var next: WallTime?
        for pending in ledger.notifications.apps[app]?.pending ?? [] {
            var pending = pending
            // The clock was set back since: the notification would wait longer by as much.
            if pending.from > now.wall + Self.leastStep {
                note(.recounted(identifier: pending.identifier), of: app, "the clock was set back")
                pending.from = now.wall
            }
            guard let due = pending.due(in: zone), Mutation.deliversEarly.isOn || due <= now.wall
            else {
                next = [next, pending.due(in: zone)].compactMap { $0 }.min()
                continue
            }
            deliver(pending, due: due, of: app)
            // One that repeats waits for its next time.
            let rest = pendingNotification(pending.identifier, of: app)
            next = [next, rest?.due(in: zone)].compactMap { $0 }.min()
        }
        if Mutation.forgetsNotifications.isOn { next = nil }
        agenda[.notifications(app)] = next.map { max($0, now.wall + .milliseconds(1)) }
    }

    private mutating func deliver(_ pending: PendingNotification, due: WallTime, of app: AppIdentifier) {
        let notification = pending.notification
        let late = now.wall - due
        let excuse =
            late < .minutes(1)
            ? nil
            : "late: it was due \(Phrase.moment(due, seenFrom: now.wall, in: now.zones.host)), when this host was off or its "
                + "clock was different"
        let times = Mutation.deliversTwice.isOn ? 2 : 1
        for _ in 0..<times {
            note(.delivered(identifier: pending.identifier, due: due), of: app, excuse)
        }
        guard !notification.text.isEmpty else { return }
        let event = HistoryEvent(.notice, at: now.wall, app: app)
        let sentence = [notification.text.head.clipped(to: 200), excuse].compactMap { $0 }
        tell(
            .notification, event, sentence.joined(separator: "; "), saying: notification.text,
            to: [NoticeSink(.desktop)])
    }

    /// When a manifest is read: removes the notifications of apps that may no longer notify, and delivers what is due
    /// of others.
    mutating func loadNotifications() {
        for (app, known) in ledger.notifications.apps.sorted(by: { $0.key < $1.key }) {
            guard self.app(app)?.notifications != true else {
                deliverNotifications(of: app)
                continue
            }
            let reason =
                self.app(app) == nil
                ? "\(app) was removed from \(manifest.path)"
                : "\(manifest.path) has no `notifications: true` for \(app) any more"
            for pending in known.pending { note(.removed(identifier: pending.identifier), of: app, reason) }
        }
    }

    private func pendingNotification(_ identifier: String, of app: AppIdentifier) -> PendingNotification? {
        ledger.notifications.apps[app]?.pending.first { $0.identifier == identifier }
    }

    private mutating func note(
        _ act: NotificationAct, of app: AppIdentifier, _ reason: String? = nil, from: WallTime? = nil
    ) {
        var event = HistoryEvent(.notification, at: now.wall, app: app, reason: reason)
        event.earliestBegin = from
        event.notification = act
        record(event)
    }
}
