import BackgroundTasks

// As it stands in an app for iOS, but for `import UIKit`, and for what an urgent push asks for.

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    private var address = "nobody"

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        address = String(decoding: deviceToken, as: UTF8.self)
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        guard let new = userInfo["new"] as? Int else {
            completionHandler(.failed)
            return
        }
        print("\(new) new for \(address), for \(application.pushTask?.merged ?? -1) earlier")
        if let push = application.pushTask, push.isUrgent { push.report("\(new) new messages") }
        completionHandler(new == 0 ? .noData : .newData)
    }
}
