import LullModel

/// External power and charge, from `class/power_supply`.
///
/// A host without a battery of its own has external power, whatever its ports say. With a battery, an adapter that is
/// online decides, then what the batteries do. A mouse's battery is not the host's.
struct PowerSupplies: Equatable {
    let externalPower: Sensed<Bool>
    let battery: Sensed<Double>

    init(sysfs: String) {
        let folder = sysfs + "/class/power_supply"
        do throws(Unreadable) {
            let names = try HostFile.names(in: folder)
            self.init(folder: folder, names: names)
        } catch {
            // A kernel or container without the class has no battery; without any sysfs nobody knows.
            if error.isMissing, HostFile.exists(sysfs + "/class") || HostFile.exists(sysfs + "/devices") {
                self.init(
                    externalPower: .known(true), battery: .unknown("\(Conditions.noBattery) in \(folder)"))
            } else {
                self.init(externalPower: .unknown(error.reason), battery: .unknown(error.reason))
            }
        }
    }

    init(externalPower: Sensed<Bool>, battery: Sensed<Double>) {
        self.externalPower = externalPower
        self.battery = battery
    }

    private init(folder: String, names: [String]) {
        var adapters: [Bool] = []
        var batteries: [Battery] = []
        var fault: Unreadable?
        for name in names {
            let path = folder + "/" + name
            do throws(Unreadable) {
                let type = try HostFile.word(path + "/type")
                guard try !Self.isOfDevice(path) else { continue }
                switch type {
                case "Battery", "UPS":
                    if let battery = try Battery(path) { batteries.append(battery) }
                case "Mains", "Wireless": adapters.append(try HostFile.number(path + "/online") > 0)
                default:
                    if type.hasPrefix("USB") { adapters.append(try HostFile.number(path + "/online") > 0) }
                }
            } catch {
                fault = fault ?? error
            }
        }
        externalPower = Self.externalPower(adapters: adapters, batteries: batteries, fault: fault)
        battery =
            switch (batteries.isEmpty, fault) {
            case (true, nil): .unknown("\(Conditions.noBattery) in \(folder)")
            case (true, let fault?): .unknown(fault.reason)
            case (false, _): Battery.together(batteries)
            }
    }

    private static func isOfDevice(_ path: String) throws(Unreadable) -> Bool {
        do throws(Unreadable) {
            return try HostFile.word(path + "/scope") == "Device"
        } catch {
            // Most drivers say nothing of the scope, which means the system's.
            if error.isMissing { return false }
            throw error
        }
    }

    private static func externalPower(adapters: [Bool], batteries: [Battery], fault: Unreadable?) -> Sensed<
        Bool
    > {
        if adapters.contains(true) { return .known(true) }
        if batteries.isEmpty { return fault.map { .unknown($0.reason) } ?? .known(true) }
        let states = batteries.map(\.status)
        if states.contains("Charging") { return .known(true) }
        if states.contains("Discharging") { return .known(false) }
        if let fault { return .unknown(fault.reason) }
        // All adapters are offline, and the batteries are at rest.
        guard adapters.isEmpty else { return .known(false) }
        if states.allSatisfy({ $0 == "Full" || $0 == "Not charging" }) { return .known(true) }
        let battery = batteries.first { $0.status != "Full" && $0.status != "Not charging" }
        return .unknown(
            "no adapter, and \(battery?.path ?? "")/status says \(HostFile.quoted(battery?.status ?? ""))")
    }
}

/// One battery of the host.
private struct Battery {
    let path: String
    let status: String
    /// The energy that is left and that of a full charge, in a unit that batteries share.
    var energy: (now: Double, full: Double)?
    var share: Sensed<Double>

    /// Nil: the bay is empty.
    init?(_ path: String) throws(Unreadable) {
        self.path = path
        do throws(Unreadable) {
            guard try HostFile.number(path + "/present") != 0 else { return nil }
        } catch {
            if !error.isMissing { throw error }
        }
        status = try HostFile.word(path + "/status")
        energy = Self.pair(path, "energy")
        if let pair = energy ?? Self.pair(path, "charge") {
            share = .known(min(pair.now / pair.full, 1))
            return
        }
        do throws(Unreadable) {
            let percent = try HostFile.number(path + "/capacity")
            share =
                (0...100).contains(percent)
                ? .known(Double(percent) / 100)
                : .unknown("\(path)/capacity says “\(percent)”, not a share of 100")
        } catch {
            share = .unknown(error.reason)
        }
    }

    private static func pair(_ path: String, _ kind: String) -> (now: Double, full: Double)? {
        guard let now = try? HostFile.number("\(path)/\(kind)_now"), now >= 0,
            let full = try? HostFile.number("\(path)/\(kind)_full"), full > 0
        else { return nil }
        return (Double(now), Double(full))
    }

    /// The charge of all: by energy where all report theirs; else each counts alike.
    static func together(_ batteries: [Battery]) -> Sensed<Double> {
        let energies = batteries.compactMap(\.energy)
        if energies.count == batteries.count {
            let full = energies.reduce(0) { $0 + $1.full }
            return .known(min(energies.reduce(0) { $0 + $1.now } / full, 1))
        }
        var sum = 0.0
        for battery in batteries {
            switch battery.share {
            case .known(let share): sum += share
            case .unknown: return battery.share
            }
        }
        return .known(sum / Double(batteries.count))
    }
}
