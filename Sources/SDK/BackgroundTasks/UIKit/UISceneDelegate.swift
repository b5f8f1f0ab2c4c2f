import Foundation

/// The object that is told of a scene's life cycle.
///
/// `scene(_:willConnectTo:options:)` and then `sceneDidEnterBackground(_:)` are called, once each, while the app
/// launches. All other methods are here so that apps that have them compile.
///
/// Apple: UIKit, `UISceneDelegate`.
@preconcurrency @MainActor
public protocol UISceneDelegate: NSObjectProtocol {
    /// The scene is made. A window that is made here is kept, and nobody sees it.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions)
    /// Submit the first requests here.
    func sceneDidEnterBackground(_ scene: UIScene)

    /// Never called: a process ends without notice.
    func sceneDidDisconnect(_ scene: UIScene)
    /// Never called: there is no foreground.
    func sceneDidBecomeActive(_ scene: UIScene)
    /// Never called: there is no foreground.
    func sceneWillResignActive(_ scene: UIScene)
    /// Never called: there is no foreground.
    func sceneWillEnterForeground(_ scene: UIScene)
    /// Never called: no address is opened.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    /// Never called: no activity is handed on.
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
    /// Never called: nothing of a scene is restored.
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
}

extension UISceneDelegate {
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {}
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    public func sceneDidDisconnect(_ scene: UIScene) {}
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    public func sceneWillResignActive(_ scene: UIScene) {}
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
    public func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { nil }
}

/// The delegate of a scene of windows.
///
/// Apple: UIKit, `UIWindowSceneDelegate`.
@preconcurrency @MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The scene's window; the delegate keeps it.
    var window: UIWindow? { get set }
    /// Never called: nobody presses an icon.
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void)
}

extension UIWindowSceneDelegate {
    public var window: UIWindow? {
        get { nil }
        set {}
    }
    public func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) { completionHandler(false) }
}

/// A URL that a scene is asked to open; it never is.
///
/// Apple: UIKit, `UIOpenURLContext`.
public final class UIOpenURLContext: NSObject {
    /// The address.
    public let url: URL

    init(url: URL) { self.url = url }
}

/// A user's activity in an app, to be handed on to another device; nothing hands it on here.
///
/// Apple: Foundation, `NSUserActivity`.
open class NSUserActivity: NSObject {
    /// The kind of the activity.
    public let activityType: String
    /// The title.
    public var title: String?
    /// The app's own data.
    public var userInfo: [AnyHashable: Any]?
    /// The page on which it continues in a browser.
    public var webpageURL: URL?

    /// Makes an activity of a kind.
    public init(activityType: String) {
        self.activityType = activityType
        super.init()
    }

    /// Does nothing.
    open func becomeCurrent() {}
    /// Does nothing.
    open func invalidate() {}
}

/// The type of an activity in a browser.
///
/// Apple: Foundation, `NSUserActivityTypeBrowsingWeb`.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
