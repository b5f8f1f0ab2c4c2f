public import LullModel

/// A `lull_notification` on the wire: nothing in it has been checked yet.
public struct WireNotification: Sendable, Equatable {
    /// `lull_notification_trigger`.
    public enum Trigger: UInt8, Sendable, CaseIterable {
        case none = 0
        case interval = 1
        case calendar = 2
    }

    public var identifier: String
    public var title = ""
    public var subtitle = ""
    public var body = ""
    /// Data of the plugin's SDK.
    public var details = ""
    public var level = NoticeText.Level.active
    /// Nil: as before.
    public var badge: Int64?
    public var trigger = Trigger.none
    public var repeats = false
    /// Milliseconds.
    public var interval: Int64 = 0
    /// Year, month, day, weekday, hour, minute and second; nil: any.
    public var fields: [Int32?] = Array(repeating: nil, count: Self.fieldCount)
    /// In an answer: when it was delivered or is due, in nanoseconds since 1970; 0: never.
    public var time: Int64 = 0

    public static let fieldCount = 7
    /// A little above the limit: the worker truncates to this, and the host refuses the text because it is still too long.
    static let identifierBytes = Limits.identifierBytes + 4
    static let textBytes = Limits.notificationBytes + 4

    public init(identifier: String) { self.identifier = identifier }
}

extension WireNotification {
    public init(_ notification: AppNotification, time: WallTime?) {
        self.init(identifier: notification.identifier)
        title = notification.text.title
        subtitle = notification.text.subtitle
        body = notification.text.body
        level = notification.text.level
        details = notification.details
        badge = notification.badge
        repeats = notification.repeats
        switch notification.trigger {
        case .interval(let milliseconds, _)?: (trigger, interval) = (.interval, milliseconds)
        case .calendar(let fields, _)?:
            trigger = .calendar
            let values = [
                fields.year, fields.month, fields.day, fields.weekday, fields.hour, fields.minute,
                fields.second,
            ]
            self.fields = values.map { $0.map { Int32(clamping: $0) } }
        case nil: break
        }
        let nanoseconds = time?.milliseconds.multipliedReportingOverflow(by: 1_000_000)
        self.time = nanoseconds.map { $0.overflow ? .max : $0.partialValue } ?? 0
    }

    /// The notification as a value; nil: its date is invalid.
    public var notification: AppNotification? {
        var trigger: NotificationTrigger?
        switch self.trigger {
        case .none: break
        case .interval: trigger = .interval(milliseconds: interval, repeats: repeats)
        case .calendar:
            guard fields.count == Self.fieldCount else { return nil }
            let values = fields.map { $0.map { Int($0) } }
            let date = CalendarFields(
                year: values[0], month: values[1], day: values[2], weekday: values[3], hour: values[4],
                minute: values[5], second: values[6])
            guard date.isValid else { return nil }
            trigger = .calendar(date, repeats: repeats)
        }
        return AppNotification(
            identifier: identifier,
            text: NoticeText(title: title, subtitle: subtitle, body: body, level: level), badge: badge,
            details: details, trigger: trigger)
    }
}

extension FrameWriter {
    mutating func notification(_ notification: WireNotification) {
        for text in [
            notification.identifier, notification.title, notification.subtitle, notification.body,
            notification.details,
        ] {
            self.text(text, atMost: WireNotification.textBytes)
        }
        byte(notification.level.rawValue)
        flag(notification.badge != nil)
        if let badge = notification.badge { integer(badge) }
        byte(notification.trigger.rawValue)
        flag(notification.repeats)
        integer(notification.interval)
        for index in 0..<WireNotification.fieldCount {
            let field = index < notification.fields.count ? notification.fields[index] : nil
            flag(field != nil)
            if let field { integer(field) }
        }
        integer(notification.time)
    }

    mutating func texts(_ texts: [String]) {
        let texts = texts.prefix(WorkerFrame.identifiersInPart)
        integer(UInt16(truncatingIfNeeded: texts.count))
        for text in texts { self.text(text, atMost: WireNotification.identifierBytes) }
    }
}

extension FrameReader {
    mutating func notification() throws(WireError) -> WireNotification {
        func text(_ reader: inout FrameReader) throws(WireError) -> String {
            try reader.text(atMost: WireNotification.textBytes)
        }
        var notification = WireNotification(identifier: try text(&self))
        notification.title = try text(&self)
        notification.subtitle = try text(&self)
        notification.body = try text(&self)
        notification.details = try text(&self)
        notification.level = try value()
        notification.badge = try flag() ? try integer(Int64.self) : nil
        notification.trigger = try value()
        notification.repeats = try flag()
        notification.interval = try integer()
        for index in 0..<WireNotification.fieldCount {
            notification.fields[index] = try flag() ? try integer(Int32.self) : nil
        }
        notification.time = try integer()
        return notification
    }

    mutating func texts() throws(WireError) -> [String] {
        let count = Int(try integer(UInt16.self))
        guard count <= WorkerFrame.identifiersInPart else {
            throw .listTooLong(count: count, limit: WorkerFrame.identifiersInPart)
        }
        var texts: [String] = []
        for _ in 0..<count { texts.append(try text(atMost: WireNotification.identifierBytes)) }
        return texts
    }
}
