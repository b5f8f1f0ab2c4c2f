import Foundation

/// Pushes for the delegate: each is a run of the app's task `push`, which `push` in `jobs.yaml` makes.
extension UIApplication {
    /// The push that is being handed over, from the call of the delegate's method to its completion; nil: none is.
    ///
    /// Lull's own.
    public internal(set) var pushTask: LullPushTask? {
        get { CurrentPush.app.task }
        set { CurrentPush.app.task = newValue }
    }

    /// Called before the launch ends, so that the task has its handler.
    func registerPushes() {
        let registry = BGTaskScheduler.shared.registry
        guard delegate != nil, let host = registry.host else { return }
        let identifier = host.app + ".push"
        guard host.permittedTasks.contains(identifier), !registry.hasHandler(identifier) else { return }
        let handler = LaunchHandler(queue: .main, place: "didReceiveRemoteNotification") {
            @MainActor [weak self] task in
            guard let self, let delegate = self.delegate, let push = task as? LullPushTask else {
                return task.setTaskCompleted(success: false)
            }
            self.hand(push, to: delegate)
        }
        _ = registry.register(identifier, handler)
    }

    private func hand(_ push: LullPushTask, to delegate: any UIApplicationDelegate) {
        pushTask = push
        // The delegate may forget to call back, and keeps the task alive until it does.
        push.expirationHandler = { push.setTaskCompleted(success: false) }
        delegate.application(self, didReceiveRemoteNotification: push.userInfo) { [weak self] result in
            push.setTaskCompleted(success: result != .failed)
            if self?.pushTask === push { self?.pushTask = nil }
        }
    }

    /// Refuses a push for an app whose delegate has no method for pushes.
    static func refusePush() -> UIBackgroundFetchResult {
        BGTaskScheduler.shared.registry.log(
            "A push came, but the app does not handle pushes. Write "
                + "application(_:didReceiveRemoteNotification:fetchCompletionHandler:) in its delegate, or take `push` "
                + "out of jobs.yaml.",
            level: .error)
        return .failed
    }
}

/// Holds the push, because an extension can't store properties.
@MainActor
private final class CurrentPush {
    static let app = CurrentPush()
    var task: LullPushTask?
}
