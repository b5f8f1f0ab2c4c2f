/// A notification of an app to people, now or at a time: one request of Apple's UserNotifications.
///
/// The app chooses the identifier. A new notification with the same identifier replaces one that waits.
public struct AppNotification: Sendable, Equatable, Codable {
    public var identifier: String
    public var text: NoticeText
    /// The app's badge from the delivery on; nil: as before.
    public var badge: Int64?
    /// Data that only the plugin's SDK reads: it is returned unchanged.
    public var details: String
    /// When it is delivered; nil: at once.
    public var trigger: NotificationTrigger?

    public init(
        identifier: String, text: NoticeText, badge: Int64? = nil, details: String = "",
        trigger: NotificationTrigger? = nil
    ) {
        self.identifier = identifier
        self.text = text
        self.badge = badge
        self.details = details
        self.trigger = trigger
    }

    /// The size that counts for its limit.
    public var bytes: Int {
        identifier.utf8.count + text.title.utf8.count + text.subtitle.utf8.count + text.body.utf8.count
            + details.utf8.count
    }

    public var repeats: Bool { trigger?.repeats ?? false }
}

/// When a notification is delivered.
public enum NotificationTrigger: Sendable, Equatable, Codable {
    /// This long after it was added, by the wall clock.
    case interval(milliseconds: Int64, repeats: Bool)
    /// When the app's local time matches.
    case calendar(CalendarFields, repeats: Bool)

    public var repeats: Bool {
        switch self {
        case .interval(_, let repeats), .calendar(_, let repeats): repeats
        }
    }

    /// Apple's: a shorter interval between repetitions is refused.
    public static let leastRepeat: Duration = .seconds(60)
}

/// The fields of a local date and time that have to match. A nil field matches anything; if it is finer than the finest
/// given field, it stands for its least value.
public struct CalendarFields: Sendable, Equatable, Codable {
    public var year: Int?
    public var month: Int?
    public var day: Int?
    /// As Apple counts them: 1 is Sunday, 7 is Saturday.
    public var weekday: Int?
    public var hour: Int?
    public var minute: Int?
    public var second: Int?

    public init(
        year: Int? = nil, month: Int? = nil, day: Int? = nil, weekday: Int? = nil, hour: Int? = nil,
        minute: Int? = nil, second: Int? = nil
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.weekday = weekday
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Whether every given field is in its range, and at least one is given.
    public var isValid: Bool {
        let ranges: [(Int?, ClosedRange<Int>)] = [
            (year, 1970...9999), (month, 1...12), (day, 1...31), (weekday, 1...7), (hour, 0...23),
            (minute, 0...59), (second, 0...59),
        ]
        return ranges.contains { $0.0 != nil }
            && ranges.allSatisfy { value, range in value.map { range.contains($0) } ?? true }
    }
}
