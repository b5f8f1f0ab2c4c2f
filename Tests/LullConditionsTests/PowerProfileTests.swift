import Testing

@testable import LullConditions

struct PowerProfileTests {
    @Test(arguments: [("low-power\n", true), ("balanced\n", false), ("performance\n", false), ("", false)])
    func `the firmware's profile tells whether power is spared`(text: String, isLow: Bool) {
        let tree = HostTree(["sys" + PowerProfile.firmware: text])
        #expect(PowerProfile(sysfs: tree.roots.sysfs).isLow == isLow)
    }

    @Test func `without one the processor's preference tells, and without both nothing is spared`() {
        let tree = HostTree()
        #expect(!PowerProfile(sysfs: tree.roots.sysfs).isLow)
        tree.write("sys" + PowerProfile.processor, "power\n")
        #expect(PowerProfile(sysfs: tree.roots.sysfs).isLow)
        tree.write("sys" + PowerProfile.firmware, "balanced\n")
        #expect(!PowerProfile(sysfs: tree.roots.sysfs).isLow)
    }
}
