import Foundation

/// How much attention a notification asks for; on a desktop its urgency.
///
/// Apple: UserNotifications, `UNNotificationInterruptionLevel`.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    case passive = 0
    case active = 1
    case timeSensitive = 2
    case critical = 3
}

/// The sound of a notification: stored, never played.
///
/// Apple: UserNotifications, `UNNotificationSound`.
public final class UNNotificationSound: NSObject, NSCopying, Sendable {
    let name: String

    init(kept name: String) { self.name = name }

    public init(named name: UNNotificationSoundName) { self.name = name.rawValue }

    public static let `default` = UNNotificationSound(kept: "default")
    public static let defaultCritical = UNNotificationSound(kept: "default_critical")
    public static let defaultRingtone = UNNotificationSound(kept: "default_ringtone")

    public static func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(named: name)
    }

    public static func criticalSoundNamed(
        _ name: UNNotificationSoundName, withAudioVolume volume: Float
    ) -> UNNotificationSound { UNNotificationSound(named: name) }

    public static func defaultCriticalSound(withAudioVolume volume: Float) -> UNNotificationSound {
        defaultCritical
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSound)?.name == name }
    public override var hash: Int { name.hashValue }
}

/// Apple: UserNotifications, `UNNotificationSoundName`.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// A file that belongs to a notification: stored by name, never shown.
///
/// Apple: UserNotifications, `UNNotificationAttachment`.
public final class UNNotificationAttachment: NSObject, Sendable {
    public let identifier: String
    public let url: URL
    public let type: String

    init(identifier: String, url: URL, type: String) {
        (self.identifier, self.url, self.type) = (identifier, url, type)
    }

    /// - Throws: ``UNError`` where there is no such file.
    public convenience init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        guard url.isFileURL, FileManager.default.fileExists(atPath: url.path) else {
            throw UNError(.attachmentInvalidURL, "There is no file at \(url.absoluteString).")
        }
        self.init(
            identifier: identifier.isEmpty ? UUID().uuidString : identifier, url: url,
            type: url.pathExtension)
    }
}

/// The content of a notification.
///
/// Apple: UserNotifications, `UNNotificationContent`.
public class UNNotificationContent: NSObject, NSCopying, NSMutableCopying {
    var values = ContentValues()

    public override init() { super.init() }

    init(values: ContentValues) {
        self.values = values
        super.init()
    }

    public var title: String { values.title }
    public var subtitle: String { values.subtitle }
    public var body: String { values.body }
    public var badge: NSNumber? { values.badge.map { NSNumber(value: $0) } }
    public var sound: UNNotificationSound? { values.sound.map(UNNotificationSound.init(kept:)) }
    public var userInfo: [AnyHashable: Any] { values.userInfo }
    public var attachments: [UNNotificationAttachment] { values.attachments }
    public var threadIdentifier: String { values.thread }
    public var categoryIdentifier: String { values.category }
    public var launchImageName: String { values.launchImage }
    public var targetContentIdentifier: String? { values.target }
    public var interruptionLevel: UNNotificationInterruptionLevel { values.level }
    public var relevanceScore: Double { values.relevance }
    public var filterCriteria: String? { values.filter }

    public func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(values: values) }
    public func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(values: values) }
}

/// The content of a notification, which can be changed.
///
/// Not Sendable, as Apple's: a request keeps a copy, which nobody writes.
///
/// Apple: UserNotifications, `UNMutableNotificationContent`.
public class UNMutableNotificationContent: UNNotificationContent {
    public override var title: String {
        get { values.title }
        set { values.title = newValue }
    }
    public override var subtitle: String {
        get { values.subtitle }
        set { values.subtitle = newValue }
    }
    public override var body: String {
        get { values.body }
        set { values.body = newValue }
    }
    public override var badge: NSNumber? {
        get { super.badge }
        set { values.badge = newValue?.int64Value }
    }
    public override var sound: UNNotificationSound? {
        get { super.sound }
        set { values.sound = newValue?.name }
    }
    public override var userInfo: [AnyHashable: Any] {
        get { values.userInfo }
        set { values.userInfo = newValue }
    }
    public override var attachments: [UNNotificationAttachment] {
        get { values.attachments }
        set { values.attachments = newValue }
    }
    public override var threadIdentifier: String {
        get { values.thread }
        set { values.thread = newValue }
    }
    public override var categoryIdentifier: String {
        get { values.category }
        set { values.category = newValue }
    }
    public override var launchImageName: String {
        get { values.launchImage }
        set { values.launchImage = newValue }
    }
    public override var targetContentIdentifier: String? {
        get { values.target }
        set { values.target = newValue }
    }
    public override var interruptionLevel: UNNotificationInterruptionLevel {
        get { values.level }
        set { values.level = newValue }
    }
    public override var relevanceScore: Double {
        get { values.relevance }
        set { values.relevance = newValue }
    }
    public override var filterCriteria: String? {
        get { values.filter }
        set { values.filter = newValue }
    }
}
