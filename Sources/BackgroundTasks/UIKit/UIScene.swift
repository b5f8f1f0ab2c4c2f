import Foundation

// What the app delegate of a new project in Xcode mentions, so that it compiles. No scene is ever made.

/// A window; there is nothing to see in it.
///
/// Apple: UIKit, `UIWindow`.
@preconcurrency @MainActor
open class UIWindow: UIResponder {}

/// A part of the user interface; none is ever made.
///
/// Apple: UIKit, `UIScene`.
@preconcurrency @MainActor
open class UIScene: UIResponder {
    /// What a scene is connected with.
    public final class ConnectionOptions: NSObject {}
}

/// The record of a scene; none is ever made.
///
/// Apple: UIKit, `UISceneSession`.
@preconcurrency @MainActor
open class UISceneSession: NSObject {
    /// What a scene is for.
    public struct Role: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A window of an app.
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
    }

    /// What the scene is for.
    public let role = Role.windowApplication
}

/// How a scene is to be made; none ever is.
///
/// Apple: UIKit, `UISceneConfiguration`.
@preconcurrency @MainActor
open class UISceneConfiguration: NSObject {
    /// Its name in `Info.plist`.
    public let name: String?
    /// What the scene is for.
    public let role: UISceneSession.Role

    /// Names a configuration.
    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
        super.init()
    }
}
