import CLullEntry
import CLullPlugin
import Foundation

/// Lets the app notify people, at once or at a given time.
///
/// jobs.yaml allows it: `notifications: true`. A notification survives the worker and the host. It is shown on the desktop
/// of the user that the host runs as or, if there is none, sent to those whom the manifest's `notify` names.
///
/// All methods may be called on any thread. Methods that add, remove or set something block until the host has recorded it, a
/// second at most, also where Apple's do not: a worker may be suspended as soon as its run is over. Handlers are called
/// on a queue of the center's own.
///
/// Apple: UserNotifications, `UNUserNotificationCenter`.
public final class UNUserNotificationCenter: NSObject, Sendable {
    private static let app = UNUserNotificationCenter(host: lull_entry_host().map(NotificationTable.init))

    /// The center of this app.
    public class func current() -> UNUserNotificationCenter { app }

    private let host: NotificationTable?
    private let queue = DispatchQueue(label: "lull (UNUserNotificationCenter)")

    private struct Kept {
        weak var delegate: (any UNUserNotificationCenterDelegate)?
        var categories: Set<UNNotificationCategory> = []
    }
    // Safe: every access is under the lock, and a delegate that is no Sendable is handed back and called by nobody.
    nonisolated(unsafe) private var kept = Kept()
    private let lock = NSLock()

    init(host: NotificationTable?) {
        self.host = host
        super.init()
    }

    /// Stored, and never called: see ``UNUserNotificationCenterDelegate``.
    public var delegate: (any UNUserNotificationCenterDelegate)? {
        get { lock.withLock { kept.delegate } }
        set { lock.withLock { kept.delegate = newValue } }
    }

    public var supportsContentExtensions: Bool { false }

    // MARK: What is allowed

    /// Asks nobody: jobs.yaml has allowed it, or has not.
    public func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        queue.async { [host] in completionHandler(host?.mayNotify ?? false, nil) }
    }

    nonisolated(nonsending) public func requestAuthorization(
        options: UNAuthorizationOptions = []
    ) async throws -> Bool { host?.mayNotify ?? false }

    public func getNotificationSettings(
        completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
    ) {
        queue.async { [host] in
            completionHandler(UNNotificationSettings(mayNotify: host?.mayNotify ?? false))
        }
    }

    nonisolated(nonsending) public func notificationSettings() async -> UNNotificationSettings {
        UNNotificationSettings(mayNotify: host?.mayNotify ?? false)
    }

    // MARK: Categories

    /// Stored as long as the worker lives.
    public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        lock.withLock { kept.categories = categories }
    }

    public func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        let categories = lock.withLock { kept.categories }
        queue.async { completionHandler(categories) }
    }

    nonisolated(nonsending) public func notificationCategories() async -> Set<UNNotificationCategory> {
        lock.withLock { kept.categories }
    }

    // MARK: Requests

    /// Delivers a notification, at once or when its trigger is due. It replaces a pending one with the same identifier.
    public func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let result = Result { try record(request) }
        queue.async {
            guard case .failure(let error) = result else {
                completionHandler?(nil)
                return
            }
            completionHandler?(error)
        }
    }

    /// - Throws: ``UNError`` or ``LullNotificationError``, whose `localizedDescription` says what to do about it.
    nonisolated(nonsending) public func add(_ request: UNNotificationRequest) async throws {
        try record(request)
    }

    private func record(_ request: UNNotificationRequest) throws {
        guard let host else {
            throw LullNotificationError(
                "There is no host to notify people: run this with lull, which loads it as a plugin.")
        }
        try host.notify(NotificationRecord(request))
    }

    /// The pending requests.
    public func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        queue.async { [host] in
            completionHandler((host?.notifications(delivered: false) ?? []).map(\.request))
        }
    }

    nonisolated(nonsending) public func pendingNotificationRequests() async -> [UNNotificationRequest] {
        (host?.notifications(delivered: false) ?? []).map(\.request)
    }

    public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        host?.remove(identifiers, delivered: false)
    }

    public func removeAllPendingNotificationRequests() { host?.remove(nil, delivered: false) }

    // MARK: What was delivered

    /// The notifications that were delivered and not removed since; the newest 64.
    public func getDeliveredNotifications(
        completionHandler: @escaping @Sendable ([UNNotification]) -> Void
    ) {
        queue.async { [host] in
            completionHandler((host?.notifications(delivered: true) ?? []).map(\.notification))
        }
    }

    nonisolated(nonsending) public func deliveredNotifications() async -> [UNNotification] {
        (host?.notifications(delivered: true) ?? []).map(\.notification)
    }

    /// Removes them from the list. A desktop that shows them keeps showing them.
    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        host?.remove(identifiers, delivered: true)
    }

    public func removeAllDeliveredNotifications() { host?.remove(nil, delivered: true) }

    // MARK: The badge

    /// Stored for `lull notifications`; no desktop shows it.
    public func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let result = Result { try setBadge(newBadgeCount) }
        queue.async {
            guard case .failure(let error) = result else {
                completionHandler?(nil)
                return
            }
            completionHandler?(error)
        }
    }

    nonisolated(nonsending) public func setBadgeCount(_ newBadgeCount: Int) async throws {
        try setBadge(newBadgeCount)
    }

    private func setBadge(_ count: Int) throws {
        guard count >= 0 else {
            throw UNError(.badgeInputInvalid, "A badge is a number from 0 on, not \(count).")
        }
        try host?.setBadge(Int64(count))
    }
}
