import Foundation

/// The machine: the facts of a device that Linux knows as well.
///
/// Apple: UIKit, `UIDevice`.
@preconcurrency @MainActor
open class UIDevice: NSObject {
    private static let device = UIDevice()

    /// This machine.
    public class var current: UIDevice { device }

    /// The state of a battery.
    ///
    /// Apple: UIKit, `UIDevice.BatteryState`.
    public enum BatteryState: Int, Sendable {
        /// There is no battery, it can't be read, or the app does not ask: see ``UIDevice/isBatteryMonitoringEnabled``.
        case unknown = 0
        /// Discharging.
        case unplugged = 1
        /// On external power, and not full.
        case charging = 2
        /// Full.
        case full = 3
    }

    /// How the device is held; always unknown.
    ///
    /// Apple: UIKit, `UIDeviceOrientation`.
    public var orientation: UIDeviceOrientation { .unknown }

    /// The name of the host.
    ///
    /// Apple: UIKit, `UIDevice.name`.
    public var name: String { ProcessInfo.processInfo.hostName }

    /// `Linux`.
    ///
    /// Apple: UIKit, `UIDevice.systemName`.
    public var systemName: String { "Linux" }

    /// The version of the kernel, in numbers alone, as `6.1.0`.
    ///
    /// Apple: UIKit, `UIDevice.systemVersion`.
    public var systemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }

    /// The maker's name for the machine; the processor where that can't be read.
    ///
    /// Apple: UIKit, `UIDevice.model`.
    public var model: String {
        MachineFile.line("/sys/class/dmi/id/product_name") ?? MachineFile.line("/proc/device-tree/model")
            ?? MachineFile.processor
    }

    /// As ``model``.
    ///
    /// Apple: UIKit, `UIDevice.localizedModel`.
    public var localizedModel: String { model }

    /// An identifier of the app on this machine: the same until the app's folder is deleted; nil in a process that is no
    /// worker.
    ///
    /// Apple: UIKit, `UIDevice.identifierForVendor`.
    public var identifierForVendor: UUID? {
        BGTaskScheduler.shared.registry.host?.stateDirectory.flatMap { VendorIdentifier.kept(in: $0) }
    }

    /// Always unspecified: neither a phone nor a tablet.
    ///
    /// Apple: UIKit, `UIDevice.userInterfaceIdiom`.
    public var userInterfaceIdiom: UIUserInterfaceIdiom { .unspecified }

    /// Always true.
    ///
    /// Apple: UIKit, `UIDevice.isMultitaskingSupported`.
    public var isMultitaskingSupported: Bool { true }

    /// Whether the battery's level and state are read. As on iOS they are not unless the app sets this.
    ///
    /// Apple: UIKit, `UIDevice.isBatteryMonitoringEnabled`.
    public var isBatteryMonitoringEnabled = false

    /// How full the battery is, from 0 to 1; -1 where that is not known.
    ///
    /// Apple: UIKit, `UIDevice.batteryLevel`.
    public var batteryLevel: Float {
        guard isBatteryMonitoringEnabled, let share = Battery.read()?.share else { return -1 }
        return share
    }

    /// The state of the battery, read anew each time.
    ///
    /// Apple: UIKit, `UIDevice.batteryState`.
    public var batteryState: BatteryState {
        guard isBatteryMonitoringEnabled else { return .unknown }
        return Battery.read()?.state ?? .unknown
    }

    /// Never posted: ask when a run begins.
    nonisolated public class var batteryLevelDidChangeNotification: NSNotification.Name {
        .init("UIDeviceBatteryLevelDidChangeNotification")
    }
    /// Never posted: ask when a run begins.
    nonisolated public class var batteryStateDidChangeNotification: NSNotification.Name {
        .init("UIDeviceBatteryStateDidChangeNotification")
    }
    /// Never posted: the orientation is unknown.
    nonisolated public class var orientationDidChangeNotification: NSNotification.Name {
        .init("UIDeviceOrientationDidChangeNotification")
    }
}

/// How a device is held; always unknown here.
///
/// Apple: UIKit, `UIDeviceOrientation`.
public enum UIDeviceOrientation: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// Upright.
    case portrait = 1
    /// On its head.
    case portraitUpsideDown = 2
    /// On its side, its top to the left.
    case landscapeLeft = 3
    /// On its side, its top to the right.
    case landscapeRight = 4
    /// On its back.
    case faceUp = 5
    /// On its face.
    case faceDown = 6
}

/// The kind of device that shows an app.
///
/// Apple: UIKit, `UIUserInterfaceIdiom`.
public enum UIUserInterfaceIdiom: Int, Sendable {
    /// None of the others, as here.
    case unspecified = -1
    /// An iPhone.
    case phone = 0
    /// An iPad.
    case pad = 1
    /// A television.
    case tv = 2
    /// A car.
    case carPlay = 3
    /// A Mac.
    case mac = 5
    /// A headset.
    case vision = 6
}
