import Foundation

extension ProcessInfo {
    /// Whether the machine is to save power: a battery that is low, or somebody who said so.
    ///
    /// The host's own sensing of power; false in a process that is no worker.
    ///
    /// Apple: Foundation, `ProcessInfo.isLowPowerModeEnabled`.
    public var isLowPowerModeEnabled: Bool {
        BGTaskScheduler.shared.registry.host?.isLowPowerMode ?? false
    }
}

extension NSNotification.Name {
    /// Posted after `ProcessInfo.isLowPowerModeEnabled` has changed, on a global queue.
    ///
    /// Apple: Foundation, `NSProcessInfoPowerStateDidChange`.
    public static let NSProcessInfoPowerStateDidChange = NSNotification.Name(
        "NSProcessInfoPowerStateDidChangeNotification")
}

enum PowerState {
    /// On a global queue: the thread that tells of the change must not wait for who listens.
    static func changed() {
        DispatchQueue.global().async {
            NotificationCenter.default.post(
                name: .NSProcessInfoPowerStateDidChange, object: ProcessInfo.processInfo)
        }
    }
}
