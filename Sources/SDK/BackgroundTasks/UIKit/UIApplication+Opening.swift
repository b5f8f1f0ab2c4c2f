import Foundation

/// Calls by which an app acts on its device. They have no effect here.
extension UIApplication {
    /// The options for opening a URL.
    ///
    /// Apple: UIKit, `UIApplication.OpenExternalURLOptionsKey`.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Opens the URL only in an app that it belongs to.
        public static let universalLinksOnly = OpenExternalURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    /// The options of a URL that this app is asked to open; it never is.
    ///
    /// Apple: UIKit, `UIApplication.OpenURLOptionsKey`.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The app that asks to open the URL.
        public static let sourceApplication = OpenURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
        /// Data that the asking app adds.
        public static let annotation = OpenURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
        /// Whether the document stays where it is.
        public static let openInPlace = OpenURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
    }

    /// The URL of the app's settings, which nothing opens here: they are in `jobs.yaml`.
    nonisolated public class var openSettingsURLString: String { "app-settings:" }

    /// Opens nothing: the answer is false.
    ///
    /// Apple: UIKit, `UIApplication.open(_:options:completionHandler:)`.
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        sayThatNothingOpens()
        guard let completion else { return }
        Task { @MainActor in completion(false) }
    }

    /// Opens nothing, and answers false.
    ///
    /// Apple: UIKit, `UIApplication.open(_:options:)`.
    @discardableResult
    public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        sayThatNothingOpens()
        return false
    }

    /// Whether `open` would open it: never.
    ///
    /// Apple: UIKit, `UIApplication.canOpenURL(_:)`.
    public func canOpenURL(_ url: URL) -> Bool { false }

    private func sayThatNothingOpens() {
        WithoutEffect.say("UIApplication.open", "nobody sees what an app would open.")
    }

    /// Stored without effect: no screen goes dark because of an app.
    ///
    /// Apple: UIKit, `UIApplication.isIdleTimerDisabled`.
    public var isIdleTimerDisabled: Bool {
        get { kept.isIdleTimerDisabled }
        set {
            kept.isIdleTimerDisabled = newValue
            guard newValue else { return }
            WithoutEffect.say(
                "UIApplication.isIdleTimerDisabled",
                "an app has no screen. beginBackgroundTask keeps the app from being suspended.")
        }
    }

    /// Stored, and shown nowhere.
    ///
    /// Apple: UIKit, `UIApplication.applicationIconBadgeNumber`, deprecated since iOS 17.
    public var applicationIconBadgeNumber: Int {
        get { kept.badgeNumber }
        set {
            kept.badgeNumber = newValue
            guard newValue != 0 else { return }
            WithoutEffect.say("UIApplication.applicationIconBadgeNumber", "an app has no icon.")
        }
    }

    /// Stored, and shown nowhere.
    ///
    /// Apple: UIKit, `UIApplication.shortcutItems`.
    public var shortcutItems: [UIApplicationShortcutItem]? {
        get { kept.shortcutItems }
        set {
            kept.shortcutItems = newValue
            guard newValue?.isEmpty == false else { return }
            WithoutEffect.say("UIApplication.shortcutItems", "an app has no icon.")
        }
    }

    /// Always true: files here have no protection that depends on a lock.
    ///
    /// Apple: UIKit, `UIApplication.isProtectedDataAvailable`.
    public var isProtectedDataAvailable: Bool { true }
}

/// Values without effect that an app has set, so that it reads what it wrote.
struct KeptSettings {
    var isIdleTimerDisabled = false
    var badgeNumber = 0
    var shortcutItems: [UIApplicationShortcutItem]?
}
