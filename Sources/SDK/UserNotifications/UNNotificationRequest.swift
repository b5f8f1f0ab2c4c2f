import Foundation

/// A notification that is to be delivered: its content and its trigger.
///
/// Apple: UserNotifications, `UNNotificationRequest`.
public final class UNNotificationRequest: NSObject, NSCopying, Sendable {
    public let identifier: String
    // Safe: it is a copy of this request's own, and has no value that can be written.
    public nonisolated(unsafe) let content: UNNotificationContent
    public let trigger: UNNotificationTrigger?

    /// - Parameters:
    ///   - identifier: The app's own; a pending notification with the same one is replaced. 255 bytes at most.
    ///   - content: It is copied at once.
    ///   - trigger: Nil: it is delivered at once.
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        self.content = UNNotificationContent(values: content.values)
        self.trigger = trigger
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A notification that was delivered.
///
/// Apple: UserNotifications, `UNNotification`.
public final class UNNotification: NSObject, NSCopying, Sendable {
    public let date: Date
    public let request: UNNotificationRequest

    init(date: Date, request: UNNotificationRequest) { (self.date, self.request) = (date, request) }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A person's response to a notification. None is ever made here: no app hears of one.
///
/// Apple: UserNotifications, `UNNotificationResponse`.
public final class UNNotificationResponse: NSObject, Sendable {
    public let notification: UNNotification
    public let actionIdentifier: String

    init(notification: UNNotification, actionIdentifier: String) {
        (self.notification, self.actionIdentifier) = (notification, actionIdentifier)
    }
}

/// Apple: UserNotifications, `UNNotificationDefaultActionIdentifier`.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// Apple: UserNotifications, `UNNotificationDismissActionIdentifier`.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"
