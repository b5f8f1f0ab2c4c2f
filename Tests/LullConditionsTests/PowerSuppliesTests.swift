import LullModel
import Testing

@testable import LullConditions

struct PowerSuppliesTests {
    private let tree = HostTree()
    private var folder: String { tree.root + "/sys/class/power_supply" }
    private var read: PowerSupplies { PowerSupplies(sysfs: tree.root + "/sys") }

    private func battery(
        _ name: String, _ status: String, capacity: String = "50", _ more: [String: String] = [:]
    ) {
        tree.supply(
            name, ["type": "Battery", "status": status, "capacity": capacity].merging(more) { _, new in new })
    }

    @Test func `a desktop without a battery is powered`() {
        tree.makeFolder("sys/class/power_supply")
        #expect(read.externalPower == .known(true))
        #expect(read.battery == .unknown("no battery in \(folder)"))
    }

    @Test func `a kernel without power supplies has no battery`() {
        #expect(read.externalPower == .known(true))
        #expect(read.battery == .unknown("no battery in \(folder)"))
    }

    @Test func `without any sysfs nobody knows`() {
        let supplies = PowerSupplies(sysfs: tree.root + "/none")
        #expect(
            supplies.externalPower
                == .unknown("can't read \(tree.root)/none/class/power_supply: No such file or directory"))
        #expect(supplies.battery.value == nil)
    }

    @Test func `a port that is offline does not make a desktop run on battery`() {
        tree.supply("ucsi-source-psy-1", ["type": "USB", "online": "0"])
        #expect(read.externalPower == .known(true))
    }

    @Test func `a laptop on its adapter is powered and adds up two batteries by energy`() {
        tree.supply("AC", ["type": "Mains", "online": "1"])
        battery("BAT0", "Charging", ["energy_now": "10000000", "energy_full": "20000000"])
        battery("BAT1", "Not charging", ["energy_now": "60000000", "energy_full": "60000000"])
        #expect(read == PowerSupplies(externalPower: .known(true), battery: .known(0.875)))
    }

    @Test func `a laptop whose adapter is offline runs on battery`() {
        tree.supply("AC", ["type": "Mains", "online": "0"])
        battery("BAT0", "Discharging", capacity: "42")
        #expect(read == PowerSupplies(externalPower: .known(false), battery: .known(0.42)))
    }

    @Test func `a battery at rest beside an offline adapter is no external power`() {
        tree.supply("AC", ["type": "Mains", "online": "0"])
        battery("BAT0", "Full", capacity: "100")
        #expect(read.externalPower == .known(false))
    }

    @Test func `of several adapters one that is online is enough`() {
        tree.supply("AC", ["type": "Mains", "online": "0"])
        tree.supply("ucsi", ["type": "USB_PD", "online": "2"])
        battery("BAT0", "Discharging")
        #expect(read.externalPower == .known(true))
    }

    @Test(arguments: [
        ("Charging", Sensed<Bool>.known(true)), ("Full", .known(true)), ("Not charging", .known(true)),
        ("Discharging", .known(false)),
    ])
    func `without any adapter the battery tells`(status: String, power: Sensed<Bool>) {
        battery("BAT0", status)
        #expect(read.externalPower == power)
    }

    @Test func `a battery that does not know leaves the power unknown`() {
        battery("BAT0", "Unknown")
        #expect(read.externalPower == .unknown("no adapter, and \(folder)/BAT0/status says “Unknown”"))
    }

    @Test func `a mouse has a battery of its own`() {
        tree.supply(
            "hid-mouse", ["type": "Battery", "scope": "Device", "status": "Discharging", "capacity": "5"])
        #expect(read.externalPower == .known(true))
        #expect(read.battery == .unknown("no battery in \(folder)"))
    }

    @Test func `an empty bay is no battery`() {
        tree.supply("BAT1", ["type": "Battery", "present": "0", "status": "Unknown"])
        #expect(read.externalPower == .known(true))
        #expect(read.battery == .unknown("no battery in \(folder)"))
    }

    @Test func `two batteries of different measures count alike`() {
        battery("BAT0", "Discharging", ["energy_now": "1", "energy_full": "1"])
        battery("BAT1", "Discharging", ["charge_now": "1", "charge_full": "2"])
        #expect(read.battery == .known(0.75))
    }

    @Test func `a full capacity of nothing falls back to the percentage`() {
        battery("BAT0", "Discharging", capacity: "30", ["energy_now": "5", "energy_full": "0"])
        #expect(read.battery == .known(0.3))
    }

    @Test(arguments: ["", "full", "101", "-1", "99999999999999999999", "5 %"])
    func `a malformed capacity is unknown and names its file`(capacity: String) {
        battery("BAT0", "Discharging", capacity: capacity)
        guard case .unknown(let why) = read.battery else { return #expect(Bool(false), "\(read.battery)") }
        #expect(why.contains("\(folder)/BAT0/capacity"))
        #expect(read.externalPower == .known(false))
    }

    @Test func `a malformed adapter leaves the power unknown and names its file`() {
        tree.supply("AC", ["type": "Mains", "online": "maybe"])
        battery("BAT0", "Full")
        #expect(read.externalPower == .unknown("\(folder)/AC/online says “maybe”, not a number"))
    }

    @Test func `a supply without a type may be a battery`() {
        tree.supply("odd", ["online": "1"])
        #expect(read.externalPower == .unknown("can't read \(folder)/odd/type: No such file or directory"))
        #expect(read.battery.value == nil)
    }

    @Test func `a folder that can't be read is unknown`() {
        // A file in place of the folder, because root may read a forbidden folder.
        tree.write("sys/class/power_supply", "")
        #expect(read.externalPower == .unknown("can't read \(folder): Not a directory"))
        #expect(read.battery == .unknown("can't read \(folder): Not a directory"))
    }
}
