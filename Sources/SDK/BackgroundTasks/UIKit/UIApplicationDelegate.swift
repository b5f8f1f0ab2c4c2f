import Foundation

/// The object that is told of the app's life cycle. Mark the class that adopts it `@main`, and its library is a plugin.
///
/// ```swift
/// @main class AppDelegate: UIResponder, UIApplicationDelegate {
///     func application(
///         _ application: UIApplication,
///         didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
///     ) -> Bool {
///         BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.Feed.refresh", using: .main) { task in
///             task.setTaskCompleted(success: true)
///         }
///         return true
///     }
/// }
/// ```
///
/// It is made once in a worker, with `init()`, and lives as long as the process. These are called once each, in this order:
/// `application(_:willFinishLaunchingWithOptions:)`, `application(_:didFinishLaunchingWithOptions:)`,
/// `application(_:configurationForConnecting:options:)`, `applicationDidEnterBackground(_:)`. Later these may be called:
/// `application(_:performFetchWithCompletionHandler:)` for a background fetch,
/// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)` for a push,
/// `application(_:handleEventsForBackgroundURLSession:completionHandler:)` for transfers, and the two answers to
/// `registerForRemoteNotifications()`. All other methods are here so that apps that have them compile.
///
/// Apple: UIKit, `UIApplicationDelegate`.
@preconcurrency @MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    /// The app is about to launch. The result has no effect here, where no URL is opened.
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// Register the handler of each task here; afterwards it is too late. The result has no effect here.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// Called in place of the method above if the delegate lacks that.
    func applicationDidFinishLaunching(_ application: UIApplication)

    /// Called right after the launch. Submit the first requests here.
    func applicationDidEnterBackground(_ application: UIApplication)

    /// The fetch that `setMinimumBackgroundFetchInterval(_:)` asked for.
    ///
    /// Apple deprecates it in favour of `BGAppRefreshTask`; it still works here.
    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)

    /// A push came, with its payload; the run has 30 seconds to fetch what is new.
    ///
    /// `jobs.yaml` allows pushes with `push` in the app's entry. ``UIApplication/pushTask`` says whether the push is urgent and
    /// has to be reported.
    ///
    /// Apple: UIKit, `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)

    /// The async form; called in place of the method above if the delegate lacks that.
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: sending [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult

    /// All transfers of a background session have ended without the app, or one of them has to be answered. Make the session
    /// anew under its identifier, and call the handler once its delegate was told
    /// `urlSessionDidFinishEvents(forBackgroundURLSession:)`: the run ends then.
    ///
    /// `jobs.yaml` lets an app transfer with `transfers` in its entry; the sessions are in the product `BackgroundTransfers`.
    ///
    /// Apple: UIKit, `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void)

    /// Called after `registerForRemoteNotifications()` if the app takes pushes; the token is the app's identifier in UTF-8.
    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
    /// Called after `registerForRemoteNotifications()` if the app takes none; its `localizedDescription` names the remedy.
    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)

    /// Never called: there is no foreground.
    func applicationDidBecomeActive(_ application: UIApplication)
    /// Never called: there is no foreground.
    func applicationWillResignActive(_ application: UIApplication)
    /// Never called: there is no foreground.
    func applicationWillEnterForeground(_ application: UIApplication)
    /// Never called: a process ends without notice.
    func applicationWillTerminate(_ application: UIApplication)
    /// Never called: an app that uses more memory than it may is ended.
    func applicationDidReceiveMemoryWarning(_ application: UIApplication)
    /// Never called: no address is opened.
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool
    /// Never called: nobody presses an icon.
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void)

    /// Called once, when the app has launched. An app has a scene if the class of its delegate is named here, or in its
    /// `Info.plist`, or is `SceneDelegate`.
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration
    /// Never called: nobody discards a scene.
    func application(
        _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)
}

// On iOS all of them are optional.
extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        applicationDidFinishLaunching(application)
        return true
    }

    public func applicationDidFinishLaunching(_ application: UIApplication) {}
    public func applicationDidEnterBackground(_ application: UIApplication) {}

    public func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) { completionHandler(.noData) }

    public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        // It is made of JSON for this call, and nobody else has it.
        nonisolated(unsafe) let userInfo = userInfo
        Task { @MainActor in
            completionHandler(await self.application(application, didReceiveRemoteNotification: userInfo))
        }
    }

    public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: sending [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult { UIApplication.refusePush() }

    public func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) { UIApplication.handOver(identifier, or: completionHandler) }

    public func applicationDidBecomeActive(_ application: UIApplication) {}
    public func applicationWillResignActive(_ application: UIApplication) {}
    public func applicationWillEnterForeground(_ application: UIApplication) {}
    public func applicationWillTerminate(_ application: UIApplication) {}
    public func applicationDidReceiveMemoryWarning(_ application: UIApplication) {}

    public func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {}
    public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {}
    public func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool { false }
    public func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) { completionHandler(false) }

    public func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
    }
    public func application(
        _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
    ) {}

    /// Launches the app and returns; the worker serves the main queue from then on.
    public static func main() {
        AppLaunch.launch(AppLaunch.make(Self.self))
    }
}

/// The result of a fetch.
///
/// Apple: UIKit, `UIBackgroundFetchResult`.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// Something new: the run succeeds.
    case newData = 0
    /// Nothing new: the run succeeds as well.
    case noData = 1
    /// It could not be fetched: the run fails.
    case failed = 2
}
