private import Glibc

/// Whether the machine is set to save power, by power-profiles-daemon, TLP or a desktop.
///
/// The firmware's profile decides where there is one; else the processor's energy preference. A machine with neither
/// saves no power.
struct PowerProfile {
    let isLow: Bool

    init(sysfs: String) {
        if let profile = try? HostFile.word(sysfs + Self.firmware) {
            isLow = profile == "low-power"
        } else {
            isLow = (try? HostFile.word(sysfs + Self.processor)) == "power"
        }
    }

    static let firmware = "/firmware/acpi/platform_profile"
    static let processor = "/devices/system/cpu/cpufreq/policy0/energy_performance_preference"
}

/// The kernel's event for a change of the firmware's profile.
final class PowerProfileWatch {
    let descriptor: Int32

    /// Nil where there is no such profile.
    init?(sysfs: String) {
        descriptor = open(sysfs + PowerProfile.firmware, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        drain()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads the profile; until then the kernel repeats the event.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = pread(descriptor, &bytes, bytes.count, 0)
    }
}
