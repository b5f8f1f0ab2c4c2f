import LullModel
import Testing

@testable import LullConditions

struct LoadTests {
    private let tree = HostTree()
    private var load: Load { Load(procfs: tree.roots.procfs, sysfs: tree.roots.sysfs) }

    @Test func `the load average is shared by the cores`() {
        #expect(load.perCore == 0.25)
        #expect(load.fault == nil)
    }

    @Test(arguments: [("0", 1), ("0-3", 4), ("0-3,8", 5), ("0-1,4-5\n", 4)])
    func `a list of processors is counted`(list: String, count: Int) {
        tree.write("sys/devices/system/cpu/online", list)
        #expect(Load.cores(procfs: tree.roots.procfs, sysfs: tree.roots.sysfs) == count)
    }

    @Test(arguments: ["", "a", "3-0", "0--3", "0-99999999999"])
    func `a list that is none falls back to cpuinfo, then to one`(list: String) {
        tree.write("sys/devices/system/cpu/online", list)
        #expect(Load.cores(procfs: tree.roots.procfs, sysfs: tree.roots.sysfs) == 1)
        tree.write("proc/cpuinfo", "processor\t: 0\nmodel name\t: x\n\nprocessor\t: 1\n\nprocessor\t: 2\n")
        #expect(Load.cores(procfs: tree.roots.procfs, sysfs: tree.roots.sysfs) == 3)
    }

    @Test(arguments: ["", "high", "nan", "inf", "-1", "0,5 0,2"])
    func `a malformed load counts as too busy and says why`(text: String) {
        tree.write("proc/loadavg", text)
        #expect(load.perCore == Load.unreadable)
        #expect(load.fault?.contains("\(tree.root)/proc/loadavg") == true)
        let sensors = ConditionSensors(roots: tree.roots)
        #expect(sensors.current().load == Load.unreadable)
        #expect(sensors.faults.map(\.sensor) == [.load])
        tree.write("proc/loadavg", "1.00 1 1 1/1 1\n")
        #expect(sensors.current().load == 0.5)
        #expect(sensors.faults.isEmpty)
    }

    @Test func `pressure is the last ten seconds' share`() {
        tree.write(
            "proc/pressure/memory",
            "some avg10=12.50 avg60=0.79 avg300=1.20 total=210\nfull avg10=1.00 avg60=0.00 avg300=0.00 total=0\n"
        )
        #expect(load.memoryPressure == 0.125)
        #expect(load.cpuPressure == nil)
    }

    @Test(arguments: [
        "", "some", "full avg10=3.00", "some avg10=", "some avg10=x", "some avg10=101", "some avg10=nan",
    ])
    func `what is no pressure is none`(text: String) {
        #expect(Pressure.share(text) == nil)
    }
}

struct DiskSpaceTests {
    @Test func `a folder that is not there yet is on its parent's file system`() {
        let tree = HostTree()
        let space = DiskSpace(folder: tree.root + "/state/not/yet")
        #expect(space.fault == nil)
        #expect(space.free > 0)
    }

    @Test func `a path through a file counts as no space and says why`() {
        let tree = HostTree(["file": ""])
        let space = DiskSpace(folder: tree.root + "/file/below")
        #expect(space == DiskSpace(folder: tree.root + "/file/below"))
        #expect(space.free == 0)
        #expect(space.fault == "can't read \(tree.root)/file/below: Not a directory")
    }

    @Test func `a relative folder that is not there yet is in the current one`() {
        #expect(DiskSpace(folder: "no-such-folder").fault == nil)
    }
}
