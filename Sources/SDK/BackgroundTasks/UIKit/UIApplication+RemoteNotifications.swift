import Foundation

/// Registering for pushes. There is no service of Apple's here: an app takes pushes where its manifest entry has `push`, and
/// its address is its own name.
extension UIApplication {
    /// Has the delegate told, soon and on the main actor, of the app's device token, or that it has none, with a sentence that
    /// says what the operator can do.
    ///
    /// The token's bytes are the app's identifier in UTF-8: who posts to `/push/` and that reaches this app on this host.
    ///
    /// Apple: UIKit, `UIApplication.registerForRemoteNotifications()`.
    public func registerForRemoteNotifications() {
        let app = LullApp.identifier
        guard isRegisteredForRemoteNotifications else {
            let refusal = RemoteNotificationRefusal(app: app)
            if WithoutEffect.isNew("registerForRemoteNotifications") {
                LullApp.log(refusal.sentence, level: .notice)
            }
            Task { @MainActor in
                delegate?.application(self, didFailToRegisterForRemoteNotificationsWithError: refusal)
            }
            return
        }
        Task { @MainActor in
            delegate?.application(
                self, didRegisterForRemoteNotificationsWithDeviceToken: Data(app.utf8))
        }
    }

    /// Does nothing: whether pushes are taken is the manifest's to say.
    ///
    /// Apple: UIKit, `UIApplication.unregisterForRemoteNotifications()`.
    public func unregisterForRemoteNotifications() {}

    /// Whether the app takes pushes: its manifest entry has `push`.
    ///
    /// Apple: UIKit, `UIApplication.isRegisteredForRemoteNotifications`.
    public var isRegisteredForRemoteNotifications: Bool {
        LullApp.permittedTasks.contains(LullApp.identifier + ".push")
    }
}

/// Why an app takes no pushes, and what its operator does about it. The one place that says so.
struct RemoteNotificationRefusal: Error, LocalizedError, CustomStringConvertible, Sendable, Equatable {
    let app: String

    var sentence: String {
        let app = app.isEmpty ? "the app" : app
        return
            "\(app) takes no pushes here. Give it `push: {}` in jobs.yaml; then `lull push` and POST /push/APP reach it."
    }

    var description: String { sentence }
    var errorDescription: String? { sentence }
}
