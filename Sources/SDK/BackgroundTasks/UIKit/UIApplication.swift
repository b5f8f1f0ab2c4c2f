import Foundation

/// The app, as far as background work needs it.
///
/// There is no user interface: the app is launched, enters the background, and stays there. `usage` in `jobs.yaml` and
/// `lull used` report its uses.
///
/// Apple: UIKit, `UIApplication`.
@preconcurrency @MainActor
open class UIApplication: UIResponder {
    private static let app = UIApplication()

    /// The one app of this process.
    public class var shared: UIApplication { app }

    /// The app's delegate; the launch makes it and keeps it.
    public var delegate: (any UIApplicationDelegate)?

    /// `.inactive` while the app launches, then `.background`.
    public internal(set) var applicationState = State.inactive

    /// The app's scene, if it has scenes; it is in the background.
    public internal(set) var connectedScenes: Set<UIScene> = []

    /// The sessions of the connected scenes.
    public var openSessions: Set<UISceneSession> { Set(connectedScenes.map(\.session)) }

    /// Always false: an app has one scene at most.
    public var supportsMultipleScenes: Bool { false }

    /// Always empty: no window is shown.
    public var windows: [UIWindow] { [] }

    /// Always nil: no window is shown.
    public var keyWindow: UIWindow? { nil }

    /// Values without effect that the app has set.
    var kept = KeptSettings()

    /// Does nothing: there is no snapshot of a scene that could be renewed.
    public func requestSceneSessionRefresh(_ sceneSession: UISceneSession) {}

    /// Always `.available`: an app that the manifest does not permit does not run.
    public var backgroundRefreshStatus: UIBackgroundRefreshStatus { .available }

    /// The state of an app.
    ///
    /// Apple: UIKit, `UIApplication.State`.
    public enum State: Int, Sendable {
        /// In the foreground; no app here ever is.
        case active = 0
        /// The app launches.
        case inactive = 1
        /// The app has launched.
        case background = 2
    }

    /// Why an app was launched; no option is ever given here.
    ///
    /// Apple: UIKit, `UIApplication.LaunchOptionsKey`.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A push; never given here.
        public static let remoteNotification = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
        /// A URL to open; never given here.
        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
        /// A place that was reached; never given here.
        public static let location = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsLocationKey")
        /// A shortcut of the app's icon; there is none here.
        public static let shortcutItem = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsShortcutItemKey")
        /// The app that asks to open a URL; never given here.
        public static let sourceApplication = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
        /// An activity that another app hands on; never given here.
        public static let userActivityDictionary = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
    }
}

/// Whether an app may be launched in the background.
///
/// Apple: UIKit, `UIBackgroundRefreshStatus`.
public enum UIBackgroundRefreshStatus: Int, Sendable {
    /// Someone other than the user has forbidden it; here such an app is left out of the manifest.
    case restricted = 0
    /// Its user has forbidden it, as `lull disable` does here.
    case denied = 1
    /// It may be launched.
    case available = 2
}

extension UIApplication {
    /// Posted after the delegate's method was called.
    nonisolated public class var didFinishLaunchingNotification: NSNotification.Name {
        .init("UIApplicationDidFinishLaunchingNotification")
    }
    /// Posted once, after the delegate's method was called and before the first run.
    nonisolated public class var didEnterBackgroundNotification: NSNotification.Name {
        .init("UIApplicationDidEnterBackgroundNotification")
    }
    /// Never posted: there is no foreground.
    nonisolated public class var willEnterForegroundNotification: NSNotification.Name {
        .init("UIApplicationWillEnterForegroundNotification")
    }
    /// Never posted: there is no foreground.
    nonisolated public class var didBecomeActiveNotification: NSNotification.Name {
        .init("UIApplicationDidBecomeActiveNotification")
    }
    /// Never posted: there is no foreground.
    nonisolated public class var willResignActiveNotification: NSNotification.Name {
        .init("UIApplicationWillResignActiveNotification")
    }
    /// Never posted: a process ends without notice.
    nonisolated public class var willTerminateNotification: NSNotification.Name {
        .init("UIApplicationWillTerminateNotification")
    }
    /// Never posted: an app that uses more memory than it may is ended.
    nonisolated public class var didReceiveMemoryWarningNotification: NSNotification.Name {
        .init("UIApplicationDidReceiveMemoryWarningNotification")
    }
    /// Never posted: a run asks the clock when it begins.
    nonisolated public class var significantTimeChangeNotification: NSNotification.Name {
        .init("UIApplicationSignificantTimeChangeNotification")
    }
    /// Never posted: files have no such protection.
    nonisolated public class var protectedDataDidBecomeAvailableNotification: NSNotification.Name {
        .init("UIApplicationProtectedDataDidBecomeAvailable")
    }
    /// Never posted: files have no such protection.
    nonisolated public class var protectedDataWillBecomeUnavailableNotification: NSNotification.Name {
        .init("UIApplicationProtectedDataWillBecomeUnavailable")
    }
    /// Never posted: a task that is disabled is not launched.
    nonisolated public class var backgroundRefreshStatusDidChangeNotification: NSNotification.Name {
        .init("UIApplicationBackgroundRefreshStatusDidChangeNotification")
    }
}
