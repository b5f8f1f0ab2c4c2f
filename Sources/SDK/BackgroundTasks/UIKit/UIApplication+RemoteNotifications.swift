import Foundation

/// Registering for pushes. There is no service of Apple's here: an app takes pushes where its manifest entry has `push`, and
/// its address is its own name.
extension UIApplication {
    /// Soon calls the delegate on the main actor, with the app's device token or with an error that tells the operator what
    /// to do.
    ///
    /// The token's bytes are the app's identifier in UTF-8: a POST to `/push/` and that identifier reaches this app on this host.
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

    /// Does nothing: the manifest decides whether the app takes pushes.
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

/// The error of an app that takes no pushes, with the sentence that tells its operator what to do.
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
