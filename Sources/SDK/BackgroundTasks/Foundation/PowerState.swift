import Foundation

extension ProcessInfo {
    /// Whether the machine is to save power, by the power profile of its firmware or else of its processor.
    ///
    /// As the host senses it; false in a process that is no worker.
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
    /// Posts on a global queue, so that the calling thread does not wait for observers.
    static func changed() {
        DispatchQueue.global().async {
            NotificationCenter.default.post(
                name: .NSProcessInfoPowerStateDidChange, object: ProcessInfo.processInfo)
        }
    }
}
