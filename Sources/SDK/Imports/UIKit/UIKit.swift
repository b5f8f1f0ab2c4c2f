// All that there is of UIKit here, for `import UIKit`: what an app does in the background. Nothing is drawn.
@_exported import BackgroundTasks
// Apple's UIKit brings it along too.
@_exported import UserNotifications

extension UNNotificationResponse {
    /// Always nil: the host does not learn what people do with a notification.
    ///
    /// Apple: UIKit, `UNNotificationResponse.targetScene`.
    @MainActor public var targetScene: UIScene? { nil }
}
