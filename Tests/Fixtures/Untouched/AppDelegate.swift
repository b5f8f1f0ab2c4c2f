import BackgroundTasks
import Network
import UIKit
import os

// As it stands in an app for iOS, its imports too.

@main
class AppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    var window: UIWindow?
    private let logger = Logger(subsystem: "com.example.Untouched", category: "app")
    private let monitor = NWPathMonitor()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = UIViewController()
        window?.makeKeyAndVisible()
        application.registerForRemoteNotifications()
        application.shortcutItems = [
            UIApplicationShortcutItem(
                type: "sync", localizedTitle: "Sync", localizedSubtitle: nil,
                icon: UIApplicationShortcutIcon(systemImageName: "arrow.clockwise"))
        ]
        application.isIdleTimerDisabled = true
        application.isIdleTimerDisabled = true
        UNUserNotificationCenter.current().delegate = self
        BackgroundTaskManager.shared.register()
        monitor.pathUpdateHandler = { path in
            BackgroundTaskManager.shared.pathChanged(path)
        }
        monitor.start(queue: DispatchQueue(label: "monitor"))
        logger.info("launched with \(launchOptions?.count ?? 0) options")
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        let token = deviceToken.map { String(format: "%02.2hhx", $0) }.joined()
        logger.info("token \(token, privacy: .private)")
    }

    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error
    ) {
        logger.error("no token: \(error.localizedDescription, privacy: .public)")
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.list, .banner, .badge, .sound])
    }

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        return UISceneConfiguration(
            name: "Default Configuration", sessionRole: connectingSceneSession.role)
    }
}
