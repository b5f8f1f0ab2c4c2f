import Foundation

/// The app, as far as background work hangs on it.
///
/// There is no user interface: the app is launched, enters the background, and stays there. A "use" of it is what
/// `usage` in `jobs.yaml` or `lull used` says.
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

    /// Those of the scenes.
    public var openSessions: Set<UISceneSession> { Set(connectedScenes.map(\.session)) }

    /// Never: an app has one scene at most.
    public var supportsMultipleScenes: Bool { false }

    /// None is ever seen.
    public var windows: [UIWindow] { [] }

    /// None is ever seen.
    public var keyWindow: UIWindow? { nil }

    /// What has been set of what has no effect.
    var kept = KeptSettings()

    /// Does nothing: there is no snapshot of a scene that could be renewed.
    public func requestSceneSessionRefresh(_ sceneSession: UISceneSession) {}

    /// Whether the app may be launched in the background: always, for the manifest permits it or it does not run.
    public var backgroundRefreshStatus: UIBackgroundRefreshStatus { .available }

    /// Where an app is in its life.
    ///
    /// Apple: UIKit, `UIApplication.State`.
    public enum State: Int, Sendable {
        /// In the foreground; no app here ever is.
        case active = 0
        /// On its way.
        case inactive = 1
        /// Launched.
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

        /// A push; there are none here.
        public static let remoteNotification = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
        /// An address to open; there are none here.
        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
        /// A place that was reached; no app is told of places here.
        public static let location = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsLocationKey")
        /// A shortcut of the app's icon; there is none here.
        public static let shortcutItem = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsShortcutItemKey")
        /// Who has an address opened; nobody here.
        public static let sourceApplication = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
        /// What a person did in another app; nobody hands it on here.
        public static let userActivityDictionary = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
    }
}

/// Whether an app may be launched in the background.
///
/// Apple: UIKit, `UIBackgroundRefreshStatus`.
public enum UIBackgroundRefreshStatus: Int, Sendable {
    /// Somebody else has forbidden it, who here leaves the app out of the manifest.
    case restricted = 0
    /// Its user has forbidden it, as `lull disable` does here.
    case denied = 1
    /// It may.
    case available = 2
}

extension UIApplication {
    /// Posted after the delegate was told the same.
    nonisolated public class var didFinishLaunchingNotification: NSNotification.Name {
        .init("UIApplicationDidFinishLaunchingNotification")
    }
    /// Posted after the delegate was told the same, once, before the first run.
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
