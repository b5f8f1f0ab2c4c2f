import BackgroundTasks
import UserNotifications

/// Adds notifications with Apple's calls alone.
@main
struct ReminderApp: BackgroundTasksApp {
    func didFinishLaunching() {
        BGTaskScheduler.shared.register(
            forTaskWithIdentifier: "com.example.Reminder.remind", using: .main
        ) { task in
            Task {
                task.setTaskCompleted(success: await Self.remind())
            }
        }
    }

    private static func remind() async -> Bool {
        let center = UNUserNotificationCenter.current()
        do {
            guard try await center.requestAuthorization(options: [.alert, .badge, .sound]) else {
                LullApp.log("not allowed")
                return false
            }
            let content = UNMutableNotificationContent()
            content.title = "Water the plants"
            content.body = "All of them"
            content.sound = .default
            content.userInfo = ["room": 7]
            var eight = DateComponents()
            eight.hour = 8
            try await center.add(
                UNNotificationRequest(
                    identifier: "daily", content: content,
                    trigger: UNCalendarNotificationTrigger(dateMatching: eight, repeats: true)))
            try await center.add(
                UNNotificationRequest(identifier: "now", content: content, trigger: nil))
            let pending = await center.pendingNotificationRequests()
            let delivered = await center.deliveredNotifications()
            let room = pending.first?.content.userInfo["room"] as? Int
            LullApp.log(
                "pending \(pending.map(\.identifier)), delivered \(delivered.map(\.request.identifier)), room \(room ?? 0)"
            )
            return true
        } catch {
            LullApp.log(error.localizedDescription)
            return false
        }
    }
}
