import CLullPlugin
import Foundation

/// A notification as it crosses into C and back.
struct NotificationRecord {
    private var identifier: String
    private var values: ContentValues
    private var details = ""
    private var trigger: UNNotificationTrigger?
    private var fields: lull_notification_fields = 0
    private var numbers = [Int32](repeating: 0, count: Self.components.count)
    private var time: Int64 = 0

    /// The components of a local time that a trigger may ask for.
    private static var components: [(WritableKeyPath<DateComponents, Int?>, Int)] {
        [
            (\.year, Int(LULL_NOTIFICATION_YEAR)), (\.month, Int(LULL_NOTIFICATION_MONTH)),
            (\.day, Int(LULL_NOTIFICATION_DAY)), (\.weekday, Int(LULL_NOTIFICATION_WEEKDAY)),
            (\.hour, Int(LULL_NOTIFICATION_HOUR)), (\.minute, Int(LULL_NOTIFICATION_MINUTE)),
            (\.second, Int(LULL_NOTIFICATION_SECOND)),
        ]
    }

    /// - Throws: ``UNError`` if it has no content or a date that the host can't match, else ``LullNotificationError``.
    init(_ request: UNNotificationRequest) throws {
        identifier = request.identifier.withoutNul
        values = request.content.values
        trigger = request.trigger
        guard !(values.title + values.subtitle + values.body).isEmpty || values.badge != nil else {
            throw UNError(
                .notificationInvalidNoContent,
                "The notification '\(identifier)' is empty. Give it a title, a body or a badge.")
        }
        details = try values.details()
        if trigger?.repeats == true { fields |= UInt32(LULL_NOTIFICATION_REPEATS) }
        if values.badge != nil { fields |= UInt32(LULL_NOTIFICATION_BADGE) }
        switch trigger {
        case nil, is UNTimeIntervalNotificationTrigger: break
        case let calendar as UNCalendarNotificationTrigger: try take(calendar)
        default:
            throw LullNotificationError(
                "The trigger of '\(identifier)' has a kind that this host does not know. Use a time interval or a date."
            )
        }
    }

    private mutating func take(_ trigger: UNCalendarNotificationTrigger) throws {
        var wanted = trigger.dateComponents
        // The host knows the app's own zone alone: a single time in another zone is converted to it.
        if let zone = wanted.timeZone, zone != .current {
            guard !trigger.repeats, let date = trigger.nextTriggerDate() else {
                throw UNError(
                    .notificationInvalidNoDate,
                    "The date of '\(identifier)' repeats in the zone \(zone.identifier), or never comes. Repeat it in the zone of "
                        + "this host, \(TimeZone.current.identifier).")
            }
            wanted = Calendar(identifier: .gregorian).dateComponents(
                [.year, .month, .day, .hour, .minute, .second], from: date)
        }
        let isOther = [
            wanted.era, wanted.quarter, wanted.weekOfMonth, wanted.weekOfYear, wanted.weekdayOrdinal,
            wanted.yearForWeekOfYear,
        ].contains { $0 != nil }
        guard !isOther else {
            throw UNError(
                .notificationInvalidNoDate,
                "The date of '\(identifier)' names a week, a quarter or an era. Use year, month, day, weekday, hour, minute and second."
            )
        }
        for (index, (path, bit)) in Self.components.enumerated() {
            guard let number = wanted[keyPath: path] else { continue }
            fields |= UInt32(bit)
            numbers[index] = Int32(clamping: number)
        }
        let known = Self.components.reduce(0) { $0 | $1.1 }
        guard fields & UInt32(known) != 0 else {
            throw UNError(
                .notificationInvalidNoDate,
                "The date of '\(identifier)' names no time. Give it an hour, for example.")
        }
    }

    init(_ notification: UnsafePointer<lull_notification>) {
        let value = notification.pointee
        func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
        identifier = String(cString: value.identifier)
        values = ContentValues()
        values.title = text(value.title)
        values.subtitle = text(value.subtitle)
        values.body = text(value.body)
        values.level = UNNotificationInterruptionLevel(value.level)
        values.badge = value.fields & UInt32(LULL_NOTIFICATION_BADGE) == 0 ? nil : value.badge
        values.take(details: text(value.details))
        time = value.time_unix_ns
        let repeats = value.fields & UInt32(LULL_NOTIFICATION_REPEATS) != 0
        switch Int(value.trigger) {
        case Int(LULL_TRIGGER_INTERVAL):
            trigger = UNTimeIntervalNotificationTrigger(
                timeInterval: Double(value.interval_ms) / 1000, repeats: repeats)
        case Int(LULL_TRIGGER_CALENDAR):
            var wanted = DateComponents()
            let numbers = [
                value.year, value.month, value.day, value.weekday, value.hour, value.minute, value.second,
            ]
            for ((path, bit), number) in zip(Self.components, numbers) where value.fields & UInt32(bit) != 0 {
                wanted[keyPath: path] = Int(number)
            }
            trigger = UNCalendarNotificationTrigger(dateMatching: wanted, repeats: repeats)
        default: trigger = nil
        }
    }

    var request: UNNotificationRequest {
        UNNotificationRequest(
            identifier: identifier, content: UNNotificationContent(values: values), trigger: trigger)
    }

    var notification: UNNotification {
        UNNotification(date: Date(timeIntervalSince1970: Double(time) / 1e9), request: request)
    }

    /// Lends the notification to C.
    func withNotification<R>(_ body: (UnsafePointer<lull_notification>) -> R) -> R {
        identifier.withCString { identifier in
            values.title.withoutNul.withCString { title in
                values.subtitle.withoutNul.withCString { subtitle in
                    values.body.withoutNul.withCString { text in
                        details.withCString { details in
                            let value = value(identifier, title, subtitle, text, details)
                            return withUnsafePointer(to: value, body)
                        }
                    }
                }
            }
        }
    }

    private typealias Text = UnsafePointer<CChar>

    private func value(
        _ identifier: Text, _ title: Text, _ subtitle: Text, _ body: Text, _ details: Text
    ) -> lull_notification {
        var kind = lull_notification_trigger(LULL_TRIGGER_NONE)
        var interval: Int64 = 0
        if let trigger = trigger as? UNTimeIntervalNotificationTrigger {
            kind = lull_notification_trigger(LULL_TRIGGER_INTERVAL)
            // Rounded up: never before the time that was asked for. NaN counts as 0.
            let milliseconds = (trigger.timeInterval * 1000).rounded(.up)
            interval = Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : 0)
        } else if trigger is UNCalendarNotificationTrigger {
            kind = lull_notification_trigger(LULL_TRIGGER_CALENDAR)
        }
        return lull_notification(
            size: UInt32(MemoryLayout<lull_notification>.size), trigger: kind, identifier: identifier,
            title: title, subtitle: subtitle, body: body, details: details, level: values.level.number,
            fields: fields, badge: values.badge ?? 0, interval_ms: interval, year: numbers[0],
            month: numbers[1], day: numbers[2], weekday: numbers[3], hour: numbers[4], minute: numbers[5],
            second: numbers[6], reserved: 0, time_unix_ns: 0)
    }
}

extension UNNotificationInterruptionLevel {
    /// The contract's numbers are not Apple's: 0 is the default level, `active`.
    fileprivate init(_ level: lull_notification_level) {
        switch Int(level) {
        case Int(LULL_LEVEL_PASSIVE): self = .passive
        case Int(LULL_LEVEL_TIME_SENSITIVE): self = .timeSensitive
        case Int(LULL_LEVEL_CRITICAL): self = .critical
        default: self = .active
        }
    }

    fileprivate var number: lull_notification_level {
        switch self {
        case .active: lull_notification_level(LULL_LEVEL_ACTIVE)
        case .passive: lull_notification_level(LULL_LEVEL_PASSIVE)
        case .timeSensitive: lull_notification_level(LULL_LEVEL_TIME_SENSITIVE)
        case .critical: lull_notification_level(LULL_LEVEL_CRITICAL)
        }
    }
}

extension String {
    /// Replaces each NUL: C ends a text at its first one, and the rest would be lost without notice.
    fileprivate var withoutNul: String {
        utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self
    }
}
