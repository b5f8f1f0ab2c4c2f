import BackgroundTasks
import Network
import SwiftUI
import UIKit
import UserNotifications
import os

final class BackgroundTaskManager {
    static let shared = BackgroundTaskManager()

    private let identifier = "com.example.Untouched.refresh"
    private let logger = Logger(subsystem: "com.example.Untouched", category: "background")
    private let path = OSAllocatedUnfairLock<NWPath?>(initialState: nil)

    func register() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
            self.handle(task as! BGAppRefreshTask)
        }
    }

    func pathChanged(_ new: NWPath) {
        path.withLock { $0 = new }
    }

    func schedule() {
        let request = BGAppRefreshTaskRequest(identifier: identifier)
        request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch {
            logger.error("not scheduled: \(error.localizedDescription)")
        }
    }

    private func remind() async {
        let content = UNMutableNotificationContent()
        content.title = "3 feeds are new"
        content.sound = .default
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 3600, repeats: false)
        do {
            try await UNUserNotificationCenter.current().add(
                UNNotificationRequest(identifier: "feeds", content: content, trigger: trigger))
        } catch {
            logger.error("no reminder: \(error.localizedDescription, privacy: .public)")
        }
    }

    private func handle(_ task: BGAppRefreshTask) {
        schedule()
        let owner = "somebody"
        logger.notice("refreshing \(3) feeds of \(owner), of \(owner, privacy: .public)")
        let work = Task { @MainActor in
            let device = UIDevice.current
            logger.info(
                "on \(device.systemName, privacy: .public) \(device.systemVersion, privacy: .public), \(UIApplication.shared.connectedScenes.count) scene"
            )
            let path = NWPathMonitor().currentPath
            logger.debug("unmetered: \(!path.isExpensive)")
            await remind()
            guard !Task.isCancelled else { return }
            task.setTaskCompleted(success: true)
        }
        task.expirationHandler = {
            self.logger.warning("expired")
            work.cancel()
            task.setTaskCompleted(success: false)
        }
    }
}
