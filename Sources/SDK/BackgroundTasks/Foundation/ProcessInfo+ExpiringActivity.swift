import Foundation
import Synchronization

extension ProcessInfo {
    /// Does work that the app should not be suspended in.
    ///
    /// The block is called on a global queue with `false`. When the app's time is nearly up while it still works, it is
    /// called once more, at the same time, with `true`: then the work has to end within seconds. When there is no time
    /// to begin with, it is called with `true` alone.
    ///
    /// Apple: Foundation, `ProcessInfo.performExpiringActivity(withReason:using:)`.
    /// - Parameters:
    ///   - reason: Its name in history and log.
    ///   - block: Does the work and returns when it is done; `true` says that its time is up.
    public func performExpiringActivity(
        withReason reason: String, using block: @escaping @Sendable (_ expired: Bool) -> Void
    ) {
        performExpiringActivity(withReason: reason, in: BGTaskScheduler.shared.registry, using: block)
    }

    func performExpiringActivity(
        withReason reason: String, in registry: Registry, using block: @escaping @Sendable (Bool) -> Void
    ) {
        let activity = registry.activities.begin(reason, in: registry) {
            DispatchQueue.global().async { block(true) }
        }
        DispatchQueue.global().async {
            block(activity == 0)
            if activity != 0 { registry.activities.end(activity, in: registry) }
        }
    }
}
