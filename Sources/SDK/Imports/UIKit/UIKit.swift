// All that there is of UIKit here, for `import UIKit`: what an app does in the background. Nothing is drawn.
@_exported import BackgroundTasks
// Apple's UIKit brings it along too.
@_exported import UserNotifications

extension UNNotificationResponse {
    /// Nil: what people do with a notification stays on their desktop.
    ///
    /// Apple: UIKit, `UNNotificationResponse.targetScene`.
    @MainActor public var targetScene: UIScene? { nil }
}
