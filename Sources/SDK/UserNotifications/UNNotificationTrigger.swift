import Foundation

/// When a notification is delivered.
///
/// Apple: UserNotifications, `UNNotificationTrigger`.
// Sendable: its values, and those of its subclasses here, are constants.
public class UNNotificationTrigger: NSObject, NSCopying, @unchecked Sendable {
    public let repeats: Bool

    init(repeats: Bool) { self.repeats = repeats }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Delivers a notification so long after it was added, by the wall clock.
///
/// Apple: UserNotifications, `UNTimeIntervalNotificationTrigger`. Where Apple's initialiser ends the app, `add` refuses
/// here: an interval that is not above 0 s, and one under 60 s that repeats.
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    public let timeInterval: TimeInterval

    public init(timeInterval: TimeInterval, repeats: Bool) {
        self.timeInterval = timeInterval
        super.init(repeats: repeats)
    }

    /// Counted from now, as Apple's is.
    public func nextTriggerDate() -> Date? {
        timeInterval > 0 ? Date(timeIntervalSinceNow: timeInterval) : nil
    }
}

/// Delivers a notification when the app's local time shows these components.
///
/// Apple: UserNotifications, `UNCalendarNotificationTrigger`.
public final class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    public let dateComponents: DateComponents

    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        self.dateComponents = dateComponents
        super.init(repeats: repeats)
    }

    public func nextTriggerDate() -> Date? { nextTriggerDate(after: Date()) }

    func nextTriggerDate(after date: Date) -> Date? {
        var calendar = dateComponents.calendar ?? Calendar(identifier: .gregorian)
        calendar.timeZone = dateComponents.timeZone ?? .current
        var wanted = dateComponents
        wanted.calendar = nil
        wanted.timeZone = nil
        wanted.nanosecond = nil
        return calendar.nextDate(after: date, matching: wanted, matchingPolicy: .nextTime)
    }
}

/// The trigger of a notification that another computer has asked for. Here nothing makes one.
///
/// Apple: UserNotifications, `UNPushNotificationTrigger`.
public final class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {}
