import CLullPlugin
import Foundation
import Testing

@testable import UserNotifications

/// Apple's calls, against a host in this process.
struct NotificationCenterTests {
    private let host = NotificationHost()
    private var center: UNUserNotificationCenter {
        UNUserNotificationCenter(host: NotificationTable(host.table))
    }

    private func request(
        _ trigger: UNNotificationTrigger? = nil,
        _ change: (UNMutableNotificationContent) -> Void = { _ in }
    ) -> UNNotificationRequest {
        let content = UNMutableNotificationContent()
        content.title = "Export"
        change(content)
        return UNNotificationRequest(identifier: "export", content: content, trigger: trigger)
    }

    @Test func `what jobs.yaml allows is what the app may do`() async throws {
        #expect(try await center.requestAuthorization(options: [.alert, .sound, .badge]))
        #expect(await center.notificationSettings().authorizationStatus == .authorized)
        host.record.withLock { $0.mayNotify = false }
        #expect(try await center.requestAuthorization(options: .alert) == false)
        let settings = await withCheckedContinuation { continuation in
            center.getNotificationSettings { continuation.resume(returning: $0) }
        }
        #expect(settings.authorizationStatus == .denied && settings.alertSetting == .disabled)
        let answer = await withCheckedContinuation { continuation in
            center.requestAuthorization(options: .alert) { granted, _ in
                continuation.resume(returning: granted)
            }
        }
        #expect(answer == false)
    }

    @Test func `all that a content says reaches the host, and comes back`() async throws {
        let sent = request(UNTimeIntervalNotificationTrigger(timeInterval: 60.0004, repeats: true)) {
            content in
            content.subtitle = "Sub"
            content.body = "Body\nline"
            content.badge = 3
            content.sound = .default
            content.userInfo = ["id": 7, "at": Date(timeIntervalSince1970: 5), "list": ["a"]]
            content.threadIdentifier = "thread"
            content.categoryIdentifier = "category"
            content.interruptionLevel = .timeSensitive
            content.relevanceScore = 0.5
        }
        try await center.add(sent)
        let told = try #require(host.record.withLock(\.added).first)
        #expect(told.identifier == "export" && told.title == "Export" && told.subtitle == "Sub")
        #expect(told.body == "Body\nline" && told.badge == 3)
        #expect(told.trigger == lull_notification_trigger(LULL_TRIGGER_INTERVAL))
        // Never before the requested time.
        #expect(told.interval == 60_001)
        #expect(told.fields == UInt32(LULL_NOTIFICATION_BADGE | LULL_NOTIFICATION_REPEATS))
        let back = try #require(await center.pendingNotificationRequests().first)
        #expect(back.content.sound == .default && back.content.threadIdentifier == "thread")
        #expect(back.content.categoryIdentifier == "category" && back.content.relevanceScore == 0.5)
        #expect(back.content.interruptionLevel == .timeSensitive && back.content.badge == 3)
        #expect(
            back.content.userInfo["id"] as? Int == 7 && back.content.userInfo["list"] as? [String] == ["a"])
        #expect(back.content.userInfo["at"] as? Date == Date(timeIntervalSince1970: 5))
        #expect(back.trigger?.repeats == true)
        let delivered = try #require(await center.deliveredNotifications().first)
        #expect(delivered.date == Date(timeIntervalSince1970: 1) && delivered.request.identifier == "export")
    }

    @Test func `what a request says is what its content said then`() async throws {
        let content = UNMutableNotificationContent()
        content.title = "Then"
        let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
        content.title = "Now"
        try await center.add(request)
        #expect(host.record.withLock(\.added).map(\.title) == ["Then"])
    }

    @Test func `a date is its components`() async throws {
        var date = DateComponents()
        date.weekday = 2
        date.hour = 8
        date.second = 0
        try await center.add(request(UNCalendarNotificationTrigger(dateMatching: date, repeats: true)))
        let told = try #require(host.record.withLock(\.added).first)
        #expect(told.numbers == [0, 0, 0, 2, 8, 0, 0])
        let given = LULL_NOTIFICATION_WEEKDAY | LULL_NOTIFICATION_HOUR | LULL_NOTIFICATION_SECOND
        #expect(told.fields == UInt32(given | LULL_NOTIFICATION_REPEATS))
        let back = await center.pendingNotificationRequests().first?.trigger as? UNCalendarNotificationTrigger
        #expect(back?.dateComponents == date)
    }

    @Test func `the next date is the first that fits`() throws {
        var date = DateComponents()
        date.timeZone = TimeZone(identifier: "UTC")
        date.hour = 8
        let trigger = UNCalendarNotificationTrigger(dateMatching: date, repeats: false)
        let next = trigger.nextTriggerDate(after: Date(timeIntervalSince1970: 1_795_392_000))
        #expect(next == Date(timeIntervalSince1970: 1_795_392_000 + 8 * 3600))
        #expect(UNTimeIntervalNotificationTrigger(timeInterval: 0, repeats: false).nextTriggerDate() == nil)
    }

    @Test func `a refusal is Apple's error where there is one, with the host's sentence`() async throws {
        host.record.withLock {
            $0.status = lull_status(LULL_NOT_PERMITTED)
            $0.reason = "Give the app `notifications: true` in jobs.yaml."
        }
        let error = await #expect(throws: UNError.self) { try await center.add(request()) }
        #expect(error?.code == .notificationsNotAllowed)
        #expect(error?.localizedDescription == "Give the app `notifications: true` in jobs.yaml.")
        let answer = await withCheckedContinuation { continuation in
            center.add(request()) { continuation.resume(returning: ($0 as? UNError)?.code) }
        }
        #expect(answer == .notificationsNotAllowed)
        host.record.withLock { $0.status = lull_status(LULL_TOO_MANY_PENDING) }
        await #expect(throws: LullNotificationError.self) { try await center.add(request()) }
    }

    @Test func `what can't be told is refused before the host is asked`() async {
        let empty = UNNotificationRequest(identifier: "a", content: UNNotificationContent(), trigger: nil)
        let noContent = await #expect(throws: UNError.self) { try await center.add(empty) }
        #expect(noContent?.code == .notificationInvalidNoContent)
        let never = request(UNCalendarNotificationTrigger(dateMatching: DateComponents(), repeats: false))
        let noDate = await #expect(throws: UNError.self) { try await center.add(never) }
        #expect(noDate?.code == .notificationInvalidNoDate)
        let odd = request { $0.userInfo = ["a": UUID()] }
        await #expect(throws: LullNotificationError.self) { try await center.add(odd) }
        let badge = await #expect(throws: UNError.self) { try await center.setBadgeCount(-1) }
        #expect(badge?.code == .badgeInputInvalid)
        #expect(host.record.withLock(\.added).isEmpty)
    }

    @Test func `removing and badges reach the host`() async throws {
        center.removePendingNotificationRequests(withIdentifiers: ["a", "b"])
        center.removeAllPendingNotificationRequests()
        center.removeDeliveredNotifications(withIdentifiers: ["c"])
        center.removeAllDeliveredNotifications()
        center.removePendingNotificationRequests(withIdentifiers: [])
        try await center.setBadgeCount(5)
        #expect(
            host.record.withLock(\.removed) == ["pending a,b", "pending all", "delivered c", "delivered all"])
        #expect(host.record.withLock(\.badge) == 5)
    }

    @Test func `an older worker has none of it`() async throws {
        let old = NotificationHost(size: 216)
        let center = UNUserNotificationCenter(host: NotificationTable(old.table))
        #expect(try await center.requestAuthorization(options: .alert) == false)
        await #expect(throws: LullNotificationError.self) { try await center.add(request()) }
        #expect(await center.pendingNotificationRequests().isEmpty)
        let nobody = UNUserNotificationCenter(host: nil)
        await #expect(throws: LullNotificationError.self) { try await nobody.add(request()) }
    }

    private final class Delegate: UNUserNotificationCenterDelegate {}

    @Test func `delegate and categories are kept`() async {
        let center = center
        let delegate = Delegate()
        center.delegate = delegate
        #expect(center.delegate === delegate)
        let action = UNNotificationAction(identifier: "later", title: "Later")
        center.setNotificationCategories([
            UNNotificationCategory(identifier: "export", actions: [action], intentIdentifiers: [])
        ])
        #expect(await center.notificationCategories().map(\.identifier) == ["export"])
    }
}
