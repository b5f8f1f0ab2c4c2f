import Foundation

/// Reads the first line of a file, such as one in /sys.
enum MachineFile {
    /// Nil where there is no such file, nothing in it, or the app may not read it.
    static func line(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let text = String(decoding: data.prefix { $0 != 0 && $0 != 10 }, as: UTF8.self)
            .trimmingCharacters(in: .whitespaces)
        return text.isEmpty ? nil : text
    }

    static var processor: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "aarch64"
        #else
            "unknown"
        #endif
    }
}

/// The machine's first battery, as the kernel shows it.
struct Battery: Equatable {
    var share: Float?
    var state: UIDevice.BatteryState

    /// Nil where there is none, or the app may not read it.
    static func read(_ supplies: String = "/sys/class/power_supply") -> Battery? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: supplies)) ?? []
        for name in names.sorted() {
            let folder = supplies + "/" + name
            // The battery of a device, such as a mouse, does not count.
            guard MachineFile.line(folder + "/type") == "Battery",
                MachineFile.line(folder + "/scope") != "Device", MachineFile.line(folder + "/present") != "0"
            else { continue }
            let share = MachineFile.line(folder + "/capacity").flatMap(Float.init).map {
                min(max($0 / 100, 0), 1)
            }
            return Battery(share: share, state: state(MachineFile.line(folder + "/status")))
        }
        return nil
    }

    private static func state(_ word: String?) -> UIDevice.BatteryState {
        switch word {
        case "Discharging": .unplugged
        // A battery that is held below full, to spare it, is still on external power.
        case "Charging", "Not charging": .charging
        case "Full": .full
        default: .unknown
        }
    }
}

/// The app's identifier on this machine, made when it is first asked for.
enum VendorIdentifier {
    static func kept(in home: String) -> UUID? {
        let folder = home + "/.config"
        let file = folder + "/identifier-for-vendor"
        if let text = MachineFile.line(file), let identifier = UUID(uuidString: text) { return identifier }
        let identifier = UUID()
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        do {
            try Data((identifier.uuidString + "\n").utf8).write(
                to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            // An identifier that can't be saved would be another one the next time.
            return nil
        }
        return identifier
    }
}
