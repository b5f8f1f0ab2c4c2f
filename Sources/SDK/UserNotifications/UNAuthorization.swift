import Foundation

/// The permissions that an app asks for. jobs.yaml gives all of them or none: `notifications: true`.
///
/// Apple: UserNotifications, `UNAuthorizationOptions`.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let badge = Self(rawValue: 1 << 0)
    public static let sound = Self(rawValue: 1 << 1)
    public static let alert = Self(rawValue: 1 << 2)
    public static let carPlay = Self(rawValue: 1 << 3)
    public static let criticalAlert = Self(rawValue: 1 << 4)
    public static let providesAppNotificationSettings = Self(rawValue: 1 << 5)
    public static let provisional = Self(rawValue: 1 << 6)
}

/// Whether the app may notify people. Here `authorized` or `denied`: users are not asked.
///
/// Apple: UserNotifications, `UNAuthorizationStatus`.
public enum UNAuthorizationStatus: Int, Sendable {
    case notDetermined = 0
    case denied = 1
    case authorized = 2
    case provisional = 3
    case ephemeral = 4
}

/// Apple: UserNotifications, `UNNotificationSetting`.
public enum UNNotificationSetting: Int, Sendable {
    case notSupported = 0
    case disabled = 1
    case enabled = 2
}

/// Apple: UserNotifications, `UNAlertStyle`.
public enum UNAlertStyle: Int, Sendable { case none, banner, alert }

/// Apple: UserNotifications, `UNShowPreviewsSetting`.
public enum UNShowPreviewsSetting: Int, Sendable { case always, whenAuthenticated, never }

/// The permissions that jobs.yaml gives the app, as they were when the app asked.
///
/// Apple: UserNotifications, `UNNotificationSettings`.
public final class UNNotificationSettings: NSObject, Sendable {
    public let authorizationStatus: UNAuthorizationStatus

    init(mayNotify: Bool) { authorizationStatus = mayNotify ? .authorized : .denied }

    private var own: UNNotificationSetting { authorizationStatus == .authorized ? .enabled : .disabled }

    public var alertSetting: UNNotificationSetting { own }
    public var badgeSetting: UNNotificationSetting { own }
    /// A desktop plays its own sounds, and the app does not know which.
    public var soundSetting: UNNotificationSetting { .notSupported }
    public var notificationCenterSetting: UNNotificationSetting { own }
    public var lockScreenSetting: UNNotificationSetting { .notSupported }
    public var carPlaySetting: UNNotificationSetting { .notSupported }
    public var criticalAlertSetting: UNNotificationSetting { own }
    public var announcementSetting: UNNotificationSetting { .notSupported }
    public var timeSensitiveSetting: UNNotificationSetting { own }
    public var scheduledDeliverySetting: UNNotificationSetting { .notSupported }
    public var directMessagesSetting: UNNotificationSetting { .notSupported }
    public var alertStyle: UNAlertStyle { authorizationStatus == .authorized ? .banner : .none }
    public var showPreviewsSetting: UNShowPreviewsSetting { .always }
    public var providesAppNotificationSettings: Bool { false }
}
