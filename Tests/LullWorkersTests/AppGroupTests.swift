import CLullShims
import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullWorkers

/// Control groups, where they are delegated: the files that Lull writes, and no escape from them.
struct AppGroupTests {
    /// A folder of plain files that looks as the kernel would show it.
    private func shown(_ files: [String: String]) throws -> String {
        let folder = NSTemporaryDirectory() + "lull-groups-" + UUID().uuidString
        for (name, text) in files {
            let path = folder + "/" + name
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: path, atomically: false, encoding: .utf8)
        }
        return folder
    }

    private func contents(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test func `a worker's group gets its limits, and of the controllers only those that there are`() throws {
        let app = try #require(AppIdentifier("org.example.feed"))
        let group = "org.example.feed@3"
        let files = [
            "cgroup.controllers": "cpu pids memory\n", "cgroup.subtree_control": "", "host/cgroup.procs": "",
            "\(group)/memory.max": "", "\(group)/memory.oom.group": "", "\(group)/pids.max": "",
            "\(group)/cgroup.procs": "", "\(group)/cgroup.kill": "", "\(group)/cpu.max": "",
            "\(group)/cpu.stat": "usage_usec 1234567\nuser_usec 1000000\n",
            "\(group)/memory.events": "low 0\noom 1\noom_kill 2\n",
        ]
        let folder = try shown(files)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let groups = try #require(AppGroups(takingOver: folder))
        #expect(groups.controllers == ["cpu", "memory", "pids"])
        #expect(try contents(folder + "/host/cgroup.procs") == String(getpid()))
        var limits = AppLimits()
        limits.memory = 64 << 20
        limits.processes = 7
        let confinement = Confinement(user: nil, limits: limits, plugin: "/x.so", stateFolder: "/tmp")
        let own = try #require(groups.group(of: WorkerID(app: app, number: 3), confinement))
        #expect(try contents(own.folder + "/memory.max") == "67108864")
        #expect(try contents(own.folder + "/memory.oom.group") == "1")
        #expect(try contents(own.folder + "/pids.max") == "7")
        for (share, text) in [(0.25, "25000 100000"), (2, "200000 100000"), (0.001, "1000 100000")] {
            #expect(own.limitProcessor(to: share))
            #expect(try contents(own.folder + "/cpu.max").hasPrefix(text))
        }
        #expect(own.limitProcessor(to: nil))
        #expect(try contents(own.folder + "/cpu.max").hasPrefix("max 100000"))
        let door = own.openDoor()
        #expect(write(door, "0", 1) == 1 && close(door) == 0)
        #expect(try contents(own.folder + "/cgroup.procs") == "0")
        own.kill()
        #expect(try contents(own.folder + "/cgroup.kill") == "1")
        #expect(own.ranOutOfMemory)
        #expect(own.processorTime == 1234)
        try "low 0\noom_kill 0\n".write(
            toFile: own.folder + "/memory.events", atomically: false, encoding: .utf8)
        #expect(!own.ranOutOfMemory)
    }

    @Test func `where nothing is marked as delegated nothing is taken`() throws {
        let folder = try shown([
            "membership": "12:pids:/x\n0::/a/b\n", "cgroup.controllers": "memory", "a/b/cgroup.procs": "",
        ])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(AppGroups.delegated(membership: folder + "/membership", roots: [folder]) == nil)
        #expect(!FileManager.default.fileExists(atPath: folder + "/a/b/host"))
        #expect(AppGroups.delegated(membership: folder + "/nothing", roots: [folder]) == nil)
    }

    @Test func `a host that has taken its group over is known to have it, and nothing is changed`() throws {
        let folder = try shown([
            "membership": "0::/a/host\n", "cgroup.controllers": "cpu memory pids",
            "a/cgroup.controllers": "memory pids\n", "a/host/cgroup.controllers": "",
        ])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func look(isOfHost: Bool, marked: String? = "/a") -> GroupSight? {
            GroupSight(
                membership: folder + "/membership", roots: [folder + "/none", folder], isOfHost: isOfHost,
                isMarked: { $0 == marked.map { folder + $0 } })
        }
        #expect(look(isOfHost: true)?.isDelegated == true)
        #expect(look(isOfHost: true)?.controllers == ["memory", "pids"])
        #expect(look(isOfHost: false)?.isDelegated == false)
        #expect(look(isOfHost: true, marked: nil)?.isDelegated == false)
        #expect(GroupSight(membership: folder + "/nothing", roots: [folder]) == nil)
        #expect(GroupSight(membership: folder + "/membership", roots: [folder + "/none"]) == nil)
    }

    /// Calls `body` with a bench whose pool has control groups, as far as the machine lets a test mount them; limits on memory
    /// and processes may be missing.
    private func withGroups(_ body: (WorkerBench) throws -> Void) throws {
        let bench = try WorkerBench()
        let mounted = bench.folder + "/groups"
        try FileManager.default.createDirectory(atPath: mounted, withIntermediateDirectories: true)
        guard getpid() < 100, mount("none", mounted, "cgroup2", 0, nil) == 0 else {
            try Test.cancel("control groups of version 2 can't be mounted here, or not out of the way")
        }
        defer { umount2(mounted, Int32(MNT_DETACH)) }
        let folder = mounted + "/lull-test-\(UUID().uuidString)"
        try #require(mkdir(folder, 0o755) == 0)
        defer {
            AppGroups.write(String(getpid()), to: mounted + "/cgroup.procs")
            rmdir(folder + "/host")
            rmdir(folder)
        }
        try bench.pool.groups = AppGroups(takingOver: folder)
        try #require(try bench.pool.groups != nil)
        try body(bench)
    }

    @Test func `a daemon that has left its session and its name is ended with its worker`() throws {
        try withGroups { bench in
            let app = try bench.start("HidesDaemon")
            try bench.launch(1, "now", of: app)
            let pid = try bench.waitForNumber(of: "daemon")
            #expect(WorkerBench.state(of: pid) != nil)
            try bench.pool.kill(app, reason: "the test is over")
            _ = try bench.waitForExit()
            // The daemon is a child of this process by now. The wait runs out only if the test fails.
            let pidfd = lull_pidfd(pid)
            let ended = pidfd < 0 || lull_wait_readable(pidfd, Int32(hangLimit / .milliseconds(1))) == 1
            if !ended { kill(pid, SIGKILL) }
            if pidfd >= 0 { close(pidfd) }
            waitpid(pid, nil, 0)
            #expect(ended)
        }
    }

    @Test func `the kernel holds an app to its share of the processor, and it goes on`() throws {
        try withGroups { bench in
            guard try bench.pool.groups?.controllers.contains("cpu") == true else {
                try Test.cancel("the kernel has given the processor to control groups of version 1")
            }
            var whole = try bench.app("good", plugin: bench.compile("Costs"), tasks: ["burn"])
            whole.limits.cpu = 0.1
            try bench.pool.start(WorkerSpec(app: whole, stateFolder: bench.folder))
            let app = whole.identifier
            try bench.launch(1, "burn", of: app)
            let pid = try #require(try bench.pool.pid(of: app))
            let supervisor = try #require(ProcessTable.entry(of: pid)?.parent)
            let worker = try #require(try bench.pool.worker(keptBy: supervisor))
            let folder = try #require(worker.group).folder
            #expect(try contents(folder + "/cpu.max") == "10000 100000\n")
            #expect(try bench.waitForCompletion(of: 1))
            #expect(try !contents(folder + "/cpu.stat").contains("nr_throttled 0\n"))
        }
    }

    @Test(arguments: ["timer", "parent"])
    func `what the kernel freezes does not go on, and is not looked at`(way: String) throws {
        try withGroups { bench in
            let app = try bench.start("WakesItself", tasks: [way])
            try bench.launch(1, way, of: app)
            #expect(try bench.waitForCompletion(of: 1))
            let pid = try #require(try bench.pool.pid(of: app))
            let supervisor = try #require(ProcessTable.entry(of: pid)?.parent)
            try bench.suspendAndWait(app)
            let worker = try #require(try bench.pool.worker(keptBy: supervisor))
            #expect(worker.freeze?.isLasting == true && worker.deadlines[.measure] == nil)
            let folder = try #require(worker.group).folder
            try bench.turn(until: "it is frozen") {
                try contents(folder + "/cgroup.events").contains("frozen 1")
            }
            if way == "parent" {
                let first = try #require(bench.lines.first { $0.hasPrefix("first ") }?.dropFirst(6))
                kill(try #require(Int32(first)), SIGKILL)
            }
            try bench.launch(2, way, of: app)
            #expect(try bench.waitForCompletion(of: 2))
            #expect(!bench.events.contains { if case .violation = $0 { true } else { false } })
        }
    }
}
