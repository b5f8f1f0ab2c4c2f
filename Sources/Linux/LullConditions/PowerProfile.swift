private import Glibc

/// Whether somebody has told the machine to spare power, from what power-profiles-daemon, TLP and desktops set.
///
/// The firmware's profile decides where there is one; else what the processor is told to prefer. A machine that
/// knows neither is sparing nothing.
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

/// The kernel's word that the firmware's profile was changed.
final class PowerProfileWatch {
    let descriptor: Int32

    /// Nil where there is no such profile.
    init?(sysfs: String) {
        descriptor = open(sysfs + PowerProfile.firmware, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        drain()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Until it is read again it goes on saying so.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = pread(descriptor, &bytes, bytes.count, 0)
    }
}
