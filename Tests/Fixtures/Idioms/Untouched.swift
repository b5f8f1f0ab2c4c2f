import BackgroundTasks
import Network
import OSLog
import SwiftUI
import UIKit
import os.log

// Each name that files for iOS touch beside BackgroundTasks, with Apple's own imports and Apple's types. It is only
// type-checked, as Swift 5 and as Swift 6, and no warning is let pass.

// UIApplication.

@MainActor
func application(_ application: UIApplication, _ url: URL) {
    application.registerForRemoteNotifications()
    application.unregisterForRemoteNotifications()
    let _: Bool = application.isRegisteredForRemoteNotifications
    application.open(url)
    application.open(url, options: [.universalLinksOnly: true], completionHandler: nil)
    application.open(url, options: [:]) { (_: Bool) in }
    Task { let _: Bool = await application.open(url) }
    let _: Bool = application.canOpenURL(url)
    let _: URL? = URL(string: UIApplication.openSettingsURLString)
    let scenes: Set<UIScene> = application.connectedScenes
    let _: [UIWindowScene] = scenes.compactMap { $0 as? UIWindowScene }
    let _: UIWindow? =
        scenes.compactMap { $0 as? UIWindowScene }.flatMap(\.windows).first { $0.isKeyWindow }
    let _: Bool = scenes.contains { $0.activationState == .foregroundActive }
    let _: (Set<UISceneSession>, Bool) = (application.openSessions, application.supportsMultipleScenes)
    let _: ([UIWindow], UIWindow?) = (application.windows, application.keyWindow)
    application.shortcutItems = [
        UIApplicationShortcutItem(
            type: "a", localizedTitle: "b", localizedSubtitle: "c",
            icon: UIApplicationShortcutIcon(systemImageName: "d")),
        UIApplicationShortcutItem(type: "a", localizedTitle: "b"),
    ]
    application.isIdleTimerDisabled = true
    application.applicationIconBadgeNumber = 0
    let _: Bool = application.isProtectedDataAvailable
    let _: [NSNotification.Name] = [
        UIApplication.didReceiveMemoryWarningNotification, UIApplication.significantTimeChangeNotification,
        UIApplication.protectedDataDidBecomeAvailableNotification,
        UIApplication.protectedDataWillBecomeUnavailableNotification,
        UIScene.didEnterBackgroundNotification, UIScene.willEnterForegroundNotification,
        UIScene.didActivateNotification, UIScene.willDeactivateNotification,
        UIScene.willConnectNotification, UIScene.didDisconnectNotification,
    ]
    let options: [UIApplication.LaunchOptionsKey: Any] = [:]
    let _: Bool = options[.location] == nil && options[.remoteNotification] == nil && options[.url] == nil
    let _: Any? = options[.shortcutItem] ?? options[.sourceApplication] ?? options[.userActivityDictionary]
}

// The delegates.

class Delegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {}
    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error
    ) {}
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
        configuration.delegateClass = Scenes.self
        configuration.sceneClass = UIWindowScene.self
        return configuration
    }
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool { options[.sourceApplication] == nil }
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) { completionHandler(shortcutItem.type == "a") }
    func applicationDidReceiveMemoryWarning(_ application: UIApplication) {}
}

class Scenes: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = (scene as? UIWindowScene) else { return }
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = UIHostingController(rootView: Text("Nobody sees this."))
        self.window = window
        window.makeKeyAndVisible()
        if let activity = connectionOptions.userActivities.first {
            self.scene(scene, continue: activity)
        }
        self.scene(scene, openURLContexts: connectionOptions.urlContexts)
        let _: UIApplicationShortcutItem? = connectionOptions.shortcutItem
    }
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        let _: [URL] = URLContexts.map(\.url)
    }
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        let _: Bool = userActivity.activityType == NSUserActivityTypeBrowsingWeb
        let _: URL? = userActivity.webpageURL
    }
    func sceneDidDisconnect(_ scene: UIScene) {}
    func sceneDidBecomeActive(_ scene: UIScene) {}
    func sceneWillResignActive(_ scene: UIScene) {}
    func sceneWillEnterForeground(_ scene: UIScene) {}
    func sceneDidEnterBackground(_ scene: UIScene) {
        (UIApplication.shared.delegate as? Delegate)?.applicationDidEnterBackground(.shared)
    }
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) { completionHandler(false) }
}

// The device, the screen, the window.

@MainActor
func device() {
    let device: UIDevice = UIDevice.current
    let _: [String] = [
        device.name, device.systemName, device.systemVersion, device.model, device.localizedModel,
    ]
    let _: String? = device.identifierForVendor?.uuidString
    device.isBatteryMonitoringEnabled = true
    let _: Float = device.batteryLevel
    switch device.batteryState {
    case .unknown, .unplugged, .charging, .full: break
    @unknown default: break
    }
    let _: Bool = device.userInterfaceIdiom == .pad || device.orientation == .portrait
    let _: [NSNotification.Name] = [
        UIDevice.batteryLevelDidChangeNotification, UIDevice.batteryStateDidChangeNotification,
        UIDevice.orientationDidChangeNotification,
    ]
    let window = UIWindow(frame: UIScreen.main.bounds)
    window.rootViewController = UIViewController()
    window.makeKeyAndVisible()
    let _: (CGFloat, CGFloat) = (UIScreen.main.scale, UIScreen.main.brightness)
    UIView.setAnimationsEnabled(false)
}

// Logging.

enum Fault: Error { case first }

extension Logger {
    private static let subsystem = Bundle.main.bundleIdentifier ?? "com.example.App"
    static let background = Logger(subsystem: subsystem, category: "background")
    static let whole = os.Logger()
}

@available(iOS 14.0, *)
func logging(_ error: any Error, _ url: URL, _ task: BGTask, _ bytes: [UInt8], _ date: Date?) {
    let logger = Logger.background
    logger.log("a")
    logger.log(level: .debug, "a \(1)")
    logger.trace("a \(true) \(false, format: .answer)")
    logger.debug("\(url, privacy: .public) \(url.absoluteString, privacy: .private(mask: .hash))")
    logger.info("\(bytes.count) \(bytes) \(255, format: .hex(includePrefix: true, minDigits: 4))")
    logger.notice("\(1.5, format: .fixed(precision: 2)) \(Float(1)) \(UInt8(7), align: .right(columns: 5))")
    logger.warning("\(error) \(error.localizedDescription, privacy: .public) \(Fault.first)")
    logger.error("\(error as NSError) \(error as NSError, privacy: .public) \(type(of: error))")
    logger.critical("\(task) \(task.identifier, align: .left(columns: 20), privacy: .sensitive)")
    logger.fault("\(String(describing: date)) \(UUID()) \(Date()) \(Int64.max, privacy: .private)")
    Logger.whole.info("\(task.identifier)" as OSLogMessage)
    let log = OSLog(subsystem: "a", category: "b")
    os_log("a")
    os_log("a %{public}@ of %d, %.2f", log: log, type: .error, "b", 1, 1.5)
    os_log("a \(1)")
    os_log(.info, log: log, "a \(url, privacy: .public)")
    os_log(.debug, "a")
    let types: [OSLogType] = [.default, .info, .debug, .error, .fault]
    let _: Bool = types.allSatisfy {
        OSLog.default.isEnabled(type: $0) && !OSLog.disabled.isEnabled(type: $0)
    }
    let lock = OSAllocatedUnfairLock(initialState: 1)
    let _: Int = lock.withLock { value in
        value += 1
        return value
    }
    var unfair = os_unfair_lock()
    os_unfair_lock_lock(&unfair)
    os_unfair_lock_unlock(&unfair)
}

// The network.

final class Reachability: @unchecked Sendable {
    private let monitor = NWPathMonitor()
    private let wifi = NWPathMonitor(requiredInterfaceType: .wifi)
    private let queue = DispatchQueue(label: "a")
    var isReachable: Bool { monitor.currentPath.status == .satisfied }

    func start() {
        monitor.pathUpdateHandler = { [weak self] path in
            guard self != nil else { return }
            switch path.status {
            case .satisfied: print(path.isExpensive, path.isConstrained, path.supportsIPv6)
            case .unsatisfied, .requiresConnection: print(path.unsatisfiedReason)
            @unknown default: break
            }
            let kinds: [NWInterface.InterfaceType] = [.wifi, .cellular, .wiredEthernet, .loopback, .other]
            print(kinds.filter { path.usesInterfaceType($0) }, path.availableInterfaces.map(\.name))
        }
        monitor.start(queue: queue)
        wifi.start(queue: .global(qos: .background))
    }

    func wait() async {
        for await path in NWPathMonitor(prohibitedInterfaceTypes: [.cellular])
        where path.status == .satisfied { break }
        monitor.cancel()
    }
}
