import Foundation
import LullModel
import LullSystem
import Testing

@testable import LullWorkers

/// The host ends an app that uses more than its limits, and says by how much.
struct ConsumptionTests {
    private func bench(_ task: String, _ limits: AppLimits) throws -> WorkerBench {
        let bench = try WorkerBench()
        try bench.pool.measureOften = .milliseconds(50)
        try bench.pool.cpuSpan = .milliseconds(400)
        var app = try bench.app("good", plugin: bench.compile("Hungry"), tasks: [task])
        app.limits = limits
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        try bench.launch(1, task, of: app.identifier)
        return bench
    }

    @Test func `who fills the memory is ended, with the figures`() throws {
        var limits = AppLimits()
        limits.memory = 64 << 20
        let sentence = try bench("memory", limits).waitForExit()
        let pattern =
            /killed by the host: it used ([\d.]+) MiB of memory, but may use 64 MiB \(`limits: { memory }`\)/
        let match = try #require(sentence.wholeMatch(of: pattern), "\(sentence)")
        #expect(try #require(Double(match.1)) > 64)
    }

    @Test func `who is quicker than the watch meets the kernel's brake`() throws {
        var limits = AppLimits()
        limits.memory = 16 << 20
        let bench = try WorkerBench()
        try bench.pool.measureOften = .days(1)
        var app = try bench.app("good", plugin: bench.compile("Hungry"), tasks: ["memory"])
        app.limits = limits
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        try bench.launch(1, "memory", of: app.identifier)
        try bench.waitForLog("no more memory")
    }

    @Test func `who has too many children is ended, and they with it`() throws {
        var limits = AppLimits()
        limits.processes = 20
        let sentence = try bench("children", limits).waitForExit()
        // The count depends on how fast the children are made: the app's own threads, and at most 40 more.
        let words =
            /killed by the host: it had (\d+) processes, but may have 20 \(`limits: \{ processes \}`\)/
        let count = try #require(sentence.wholeMatch(of: words).flatMap { Int($0.1) }, "\(sentence)")
        #expect((21...48).contains(count))
    }

    @Test func `who keeps a core busy for longer than it may is ended`() throws {
        var limits = AppLimits()
        limits.cpu = 0.1
        let sentence = try bench("time", limits).waitForExit()
        #expect(sentence.hasPrefix("killed by the host: it used "), "\(sentence)")
        #expect(sentence.hasSuffix(" but may use 10 % (`limits: { cpu }`)"), "\(sentence)")
    }

    @Test func `what requires external power is not held to its share of the processor`() throws {
        let bench = try WorkerBench()
        var app = try bench.app("good", plugin: "/nowhere.so", tasks: ["free", "now"])
        app.tasks[0].requires.externalPower = true
        let spec = WorkerSpec(app: app, stateFolder: bench.folder)
        #expect(spec.permitted.map(\.isFreeOfCPULimit) == [true, false])
    }
}

/// The verdicts on figures, without a process.
struct LimitWatchTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func watch(cpu: Double? = nil) -> LimitWatch {
        var limits = AppLimits()
        limits.cpu = cpu
        limits.memory = 64 << 20
        return LimitWatch(limits)
    }

    @Test func `the share of a core is judged over the whole span, and forgets what is older`() {
        var watch = watch(cpu: 0.7)
        func excess(_ seconds: Int, _ used: Int, isTimed: Bool = true) -> String? {
            watch.excess(
                of: Consumption(time: .seconds(used)), at: start + .seconds(seconds), isTimed: isTimed)
        }
        #expect(excess(0, 0) == nil)
        #expect(excess(59, 59) == nil)
        #expect(
            excess(60, 60)
                == "it used 100 % of a core over the last 1 min, but may use 70 % (`limits: { cpu }`)")
        #expect(excess(90, 60) == nil)
        #expect(excess(120, 60) == nil)
        // A span without the limit restarts the measurement.
        #expect(excess(150, 90, isTimed: false) == nil)
        #expect(excess(160, 100) == nil)
        #expect(excess(219, 159) == nil)
        #expect(excess(220, 160) != nil)
    }

    @Test func `without a limit a core may be kept busy`() {
        var watch = watch()
        for second in 0...200 {
            let used = Consumption(time: .seconds(second * 4))
            #expect(watch.excess(of: used, at: start + .seconds(second), isTimed: true) == nil)
        }
    }

    @Test func `memory and processes are judged at once, and the limit itself is within`() {
        var watch = watch()
        #expect(
            watch.excess(of: Consumption(memory: 64 << 20, processes: 512), at: start, isTimed: false) == nil)
        #expect(
            watch.excess(of: Consumption(memory: 65 << 20), at: start, isTimed: false)
                == "it used 65 MiB of memory, but may use 64 MiB (`limits: { memory }`)")
        #expect(
            watch.excess(of: Consumption(processes: 513), at: start, isTimed: false)
                == "it had 513 processes, but may have 512 (`limits: { processes }`)")
    }
}
