import Foundation

/// The domain of this API's errors.
public let UNErrorDomain = "UNErrorDomain"

/// Why a notification was refused, where Apple has a code for it.
///
/// Apple: UserNotifications, `UNError`.
public struct UNError: LocalizedError, CustomNSError, Equatable, Sendable {
    public enum Code: Int, Sendable {
        case notificationsNotAllowed = 1
        case attachmentInvalidURL = 100
        case attachmentUnrecognizedType = 101
        case attachmentInvalidFileSize = 102
        case attachmentNotInDataStore = 103
        case attachmentMoveIntoDataStoreFailed = 104
        case attachmentCorrupt = 105
        case notificationInvalidNoDate = 1400
        case notificationInvalidNoContent = 1401
        case contentProvidingObjectNotAllowed = 1500
        case contentProvidingInvalid = 1501
        case badgeInputInvalid = 1600
    }

    public let code: Code
    /// The cause and the remedy.
    private let sentence: String

    init(_ code: Code, _ sentence: String) { (self.code, self.sentence) = (code, sentence) }

    public init(_ code: Code) { self.init(code, "The notification was refused (\(code)).") }

    public static var errorDomain: String { UNErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorDescription: String? { sentence }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: sentence] }

    public static var notificationsNotAllowed: Code { .notificationsNotAllowed }
    public static var notificationInvalidNoDate: Code { .notificationInvalidNoDate }
    public static var notificationInvalidNoContent: Code { .notificationInvalidNoContent }
    public static var badgeInputInvalid: Code { .badgeInputInvalid }
}

/// Why a notification was refused, where Apple has no code for it: too many, too long, or no host.
public struct LullNotificationError: LocalizedError, Equatable, Sendable {
    private let sentence: String

    init(_ sentence: String) { self.sentence = sentence }

    /// The cause and the remedy.
    public var errorDescription: String? { sentence }
}
