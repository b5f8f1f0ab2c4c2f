import Foundation

/// A part of the user interface. An app that has scenes is given one, which is connected and goes to the background when
/// the app does; there is nothing to see in it.
///
/// Apple: UIKit, `UIScene`.
@preconcurrency @MainActor
open class UIScene: UIResponder {
    /// The state of a scene.
    ///
    /// Apple: UIKit, `UIScene.ActivationState`.
    public enum ActivationState: Int, Sendable {
        /// Not connected.
        case unattached = -1
        /// In use; no scene here ever is.
        case foregroundActive = 0
        /// Seen; no scene here ever is.
        case foregroundInactive = 1
        /// Not seen.
        case background = 2
    }

    /// The options of a scene's connection: none.
    ///
    /// Apple: UIKit, `UIScene.ConnectionOptions`.
    public final class ConnectionOptions: NSObject {
        /// None.
        public var urlContexts: Set<UIOpenURLContext> { [] }
        /// None.
        public var userActivities: Set<NSUserActivity> { [] }
        /// None.
        public var shortcutItem: UIApplicationShortcutItem? { nil }
        /// None.
        public var sourceApplication: String? { nil }
    }

    /// The record of the scene.
    public let session: UISceneSession
    /// The object that is told of the scene's life cycle.
    public var delegate: (any UISceneDelegate)?
    /// `.unattached` while it is connected, then `.background`.
    public internal(set) var activationState = ActivationState.unattached
    /// Stored, and shown nowhere.
    public var title: String! = ""

    /// Makes a scene of a session; only the launch does.
    public init(session: UISceneSession, connectionOptions: ConnectionOptions) {
        self.session = session
        super.init()
    }

    /// Posted after the delegate's method was called.
    nonisolated public class var didEnterBackgroundNotification: NSNotification.Name {
        .init("UISceneDidEnterBackgroundNotification")
    }
    /// Posted after the delegate's method was called.
    nonisolated public class var willConnectNotification: NSNotification.Name {
        .init("UISceneWillConnectNotification")
    }
    /// Never posted: there is no foreground.
    nonisolated public class var willEnterForegroundNotification: NSNotification.Name {
        .init("UISceneWillEnterForegroundNotification")
    }
    /// Never posted: there is no foreground.
    nonisolated public class var didActivateNotification: NSNotification.Name {
        .init("UISceneDidActivateNotification")
    }
    /// Never posted: there is no foreground.
    nonisolated public class var willDeactivateNotification: NSNotification.Name {
        .init("UISceneWillDeactivateNotification")
    }
    /// Never posted: a process ends without notice.
    nonisolated public class var didDisconnectNotification: NSNotification.Name {
        .init("UISceneDidDisconnectNotification")
    }
}

/// A scene of windows.
///
/// Apple: UIKit, `UIWindowScene`.
open class UIWindowScene: UIScene {
    /// Always empty: no window is shown.
    public var windows: [UIWindow] { [] }
    /// Always nil: no window is shown.
    public var keyWindow: UIWindow? { nil }
    /// A screen without a size.
    public var screen: UIScreen { UIScreen.main }
}

/// The record of a scene.
///
/// Apple: UIKit, `UISceneSession`.
@preconcurrency @MainActor
open class UISceneSession: NSObject {
    /// The purpose of a scene.
    ///
    /// Apple: UIKit, `UISceneSession.Role`.
    public struct Role: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A window of an app.
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
        /// A window on another screen.
        public static let windowExternalDisplayNonInteractive = Role(
            rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
        /// A scene on a car's screen.
        public static let carTemplateApplication = Role(
            rawValue: "CPTemplateApplicationSceneSessionRoleApplication")
    }

    /// The purpose of the scene.
    public let role = Role.windowApplication
    /// The session's identifier in this process.
    public let persistentIdentifier = UUID().uuidString
    /// The app's own data.
    public var userInfo: [String: Any]?
    /// The scene, once it is made.
    public internal(set) weak var scene: UIScene?
    /// How the scene was made.
    public internal(set) var configuration = UISceneConfiguration(name: nil, sessionRole: .windowApplication)
}

/// How a scene is to be made; only the class of its delegate has an effect.
///
/// Apple: UIKit, `UISceneConfiguration`.
@preconcurrency @MainActor
open class UISceneConfiguration: NSObject {
    /// Its name in `Info.plist`.
    public let name: String?
    /// The purpose of the scene.
    public let role: UISceneSession.Role
    /// The class of the scene; a `UIWindowScene` is made.
    public var sceneClass: AnyClass?
    /// The class of its delegate: made with `init()`, if it adopts `UISceneDelegate`.
    public var delegateClass: AnyClass?

    /// Names a configuration.
    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
        super.init()
    }
}
