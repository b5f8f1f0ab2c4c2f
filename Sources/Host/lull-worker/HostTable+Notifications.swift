import CLullPlugin
import Glibc
import LullModel
import LullWire

/// The host functions about notifications: each asks the host and waits for its answer.

@c func hostMayNotify(_ host: Host) -> Bool {
    guard let session = session(host) else { return false }
    return setting("/lull/notifications", session) == Array("true".utf8)
}

@c func hostNotify(
    _ host: Host, _ notification: UnsafePointer<lull_notification>, _ reason: UnsafeMutablePointer<CChar>?,
    _ capacity: Int
) -> lull_status {
    let verdict: HostVerdict =
        switch read(notification) {
        case .meant(let meant): verdict(of: host) { .notify(sequence: $0, meant) }
        case .fault(let sentence): .unavailable(sentence)
        }
    return verdict.explain(reason, capacity)
}

@c func hostSetBadge(
    _ host: Host, _ count: Int64, _ reason: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> lull_status {
    verdict(of: host) { .setBadge(sequence: $0, count: count) }.explain(reason, capacity)
}

@c func hostNotifications(
    _ host: Host, _ delivered: Bool, _ context: UnsafeMutableRawPointer?,
    _ visit: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<lull_notification>) -> Void
) {
    let answer = session(host)?.ask { .notifications(sequence: $0, delivered: delivered) }.answer
    guard case .notifications(let notifications)? = answer else { return }
    for notification in notifications {
        notification.withCNotification { visit(context, $0) }
    }
}

@c func hostRemoveNotifications(
    _ host: Host, _ delivered: Bool, _ identifiers: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
) {
    guard let session = session(host) else { return }
    func remove(_ identifiers: [String]?) {
        _ = session.ask {
            .removeNotifications(sequence: $0, delivered: delivered, identifiers: identifiers)
        }
    }
    guard let identifiers else { return remove(nil) }
    var rest = UnsafeBufferPointer(start: identifiers, count: count)[...]
    while !rest.isEmpty {
        let part = rest.prefix(WorkerFrame.identifiersInPart)
        remove(part.compactMap { $0 }.map { CText.read($0, atMost: Limits.identifierBytes + 4) })
        rest = rest.dropFirst(part.count)
    }
}

private enum Reading { case meant(WireNotification), fault(String) }

private func read(_ notification: UnsafePointer<lull_notification>) -> Reading {
    let raw = UnsafeRawPointer(notification)
    let size = Int(raw.load(as: UInt32.self))
    guard size >= MemoryLayout<lull_notification>.size,
        let offset = MemoryLayout<lull_notification>.offset(of: \.identifier),
        let identifier = raw.load(fromByteOffset: offset, as: UnsafePointer<CChar>?.self)
    else {
        return .fault(
            "The notification is smaller than that of version 1.2, or has no identifier. Set its size and its identifier."
        )
    }
    let value = notification.pointee
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { CText.read($0, atMost: Limits.notificationBytes + 4) } ?? ""
    }
    func field(_ bit: Int, _ number: Int32) -> Int32? {
        value.fields & UInt32(bit) == 0 ? nil : number
    }
    guard let trigger = UInt8(exactly: value.trigger).flatMap(WireNotification.Trigger.init(rawValue:)) else {
        return .fault(
            "This worker knows no trigger \(value.trigger). Use LULL_TRIGGER_NONE, LULL_TRIGGER_INTERVAL or LULL_TRIGGER_CALENDAR."
        )
    }
    var meant = WireNotification(identifier: CText.read(identifier, atMost: Limits.notificationBytes + 4))
    meant.title = text(value.title)
    meant.subtitle = text(value.subtitle)
    meant.body = text(value.body)
    meant.details = text(value.details)
    meant.level = NoticeText.Level(value.level)
    meant.badge = value.fields & UInt32(LULL_NOTIFICATION_BADGE) == 0 ? nil : value.badge
    meant.trigger = trigger
    meant.repeats = value.fields & UInt32(LULL_NOTIFICATION_REPEATS) != 0
    meant.interval = value.interval_ms
    meant.fields = fieldBits.enumerated().map { index, bit in
        let numbers = [
            value.year, value.month, value.day, value.weekday, value.hour, value.minute, value.second,
        ]
        return value.fields & bit == 0 ? nil : numbers[index]
    }
    return .meant(meant)
}

private let fieldBits = [
    LULL_NOTIFICATION_YEAR, LULL_NOTIFICATION_MONTH, LULL_NOTIFICATION_DAY, LULL_NOTIFICATION_WEEKDAY,
    LULL_NOTIFICATION_HOUR, LULL_NOTIFICATION_MINUTE, LULL_NOTIFICATION_SECOND,
].map { UInt32($0) }

extension NoticeText.Level {
    /// The contract's numbers are not Apple's: 0 is the level of a notification that sets none.
    fileprivate init(_ level: lull_notification_level) {
        switch level {
        case lull_notification_level(LULL_LEVEL_PASSIVE): self = .passive
        case lull_notification_level(LULL_LEVEL_TIME_SENSITIVE): self = .timeSensitive
        case lull_notification_level(LULL_LEVEL_CRITICAL): self = .critical
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

extension WireNotification {
    /// Lends the notification to C.
    fileprivate func withCNotification(_ body: (UnsafePointer<lull_notification>) -> Void) {
        identifier.withCString { identifier in
            title.withCString { title in
                subtitle.withCString { subtitle in
                    self.body.withCString { text in
                        details.withCString { details in
                            let value = value(identifier, title, subtitle, text, details)
                            withUnsafePointer(to: value, body)
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
        var bits: lull_notification_fields = 0
        if badge != nil { bits |= UInt32(LULL_NOTIFICATION_BADGE) }
        if repeats { bits |= UInt32(LULL_NOTIFICATION_REPEATS) }
        for (bit, field) in zip(fieldBits, fields) where field != nil { bits |= bit }
        let numbers = fields.map { $0 ?? 0 } + Array(repeating: 0, count: Self.fieldCount)
        return lull_notification(
            size: UInt32(MemoryLayout<lull_notification>.size),
            trigger: lull_notification_trigger(trigger.rawValue), identifier: identifier, title: title,
            subtitle: subtitle, body: body, details: details, level: level.number, fields: bits,
            badge: badge ?? 0, interval_ms: interval, year: numbers[0], month: numbers[1], day: numbers[2],
            weekday: numbers[3], hour: numbers[4], minute: numbers[5], second: numbers[6], reserved: 0,
            time_unix_ns: time)
    }
}
