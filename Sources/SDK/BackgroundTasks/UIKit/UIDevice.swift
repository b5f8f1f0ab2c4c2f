import Foundation

/// The machine, as far as it can say of itself what a phone says.
///
/// Apple: UIKit, `UIDevice`.
@preconcurrency @MainActor
open class UIDevice: NSObject {
    private static let device = UIDevice()

    /// This machine.
    public class var current: UIDevice { device }

    /// What its battery does.
    ///
    /// Apple: UIKit, `UIDevice.BatteryState`.
    public enum BatteryState: Int, Sendable {
        /// It has none, nobody may know, or the app does not ask: see ``UIDevice/isBatteryMonitoringEnabled``.
        case unknown = 0
        /// It gives power.
        case unplugged = 1
        /// It takes power.
        case charging = 2
        /// It takes no more.
        case full = 3
    }

    /// How the machine lies in a hand.
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

    /// What the machine's maker calls it; its processor where nobody may know.
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

    /// Neither of a phone nor of a tablet.
    ///
    /// Apple: UIKit, `UIDevice.userInterfaceIdiom`.
    public var userInterfaceIdiom: UIUserInterfaceIdiom { .unspecified }

    /// Always.
    ///
    /// Apple: UIKit, `UIDevice.isMultitaskingSupported`.
    public var isMultitaskingSupported: Bool { true }

    /// Whether the two values of the battery are known. As on iOS they are not unless the app says so.
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

    /// What the battery does, read anew each time.
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
    /// Never posted: nobody holds the machine.
    nonisolated public class var orientationDidChangeNotification: NSNotification.Name {
        .init("UIDeviceOrientationDidChangeNotification")
    }
}

/// How a device lies in a hand; none does here.
///
/// Apple: UIKit, `UIDeviceOrientation`.
public enum UIDeviceOrientation: Int, Sendable {
    /// Nobody knows.
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

/// What an app is seen on.
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
