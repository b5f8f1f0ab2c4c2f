import Foundation
import LullModel
import Testing

@testable import LullWorkers

/// What runs cost, by the kernel's count, compared with what it has told the plugin itself.
///
/// Each bound comes from a count of the kernel, and none from a clock.
struct RunCostTests {
    private let bench: WorkerBench
    private let app: AppIdentifier
    /// The kernel counts a process's time in user and in system mode in whole ticks, once of itself and once of its children.
    private static let ticks: Int64 = 4 * 10

    init() throws {
        bench = try WorkerBench()
        app = try bench.start("Costs", tasks: ["burn", "fill", "write", "rest", "hold", "crash"])
    }

    /// What the kernel has told the plugin.
    private struct Used {
        /// Milliseconds.
        var processor: Int64
        var peak: Int64
        var written: Int64
    }

    private func cost(of run: UInt64) throws -> RunCost {
        try #require(
            bench.events.lazy.compactMap { event -> RunCost? in
                if case .cost(RunID(run), let cost) = event { cost } else { nil }
            }.first)
    }

    private func run(_ run: UInt64, _ task: String) throws -> RunCost {
        try bench.launch(run, task, of: app)
        #expect(try bench.waitForCompletion(of: run))
        return try cost(of: run)
    }

    private func used() throws -> Used {
        let line = try #require(bench.lines.last { $0.hasPrefix("used ") })
        let figures = line.split(separator: " ").compactMap { Int64($0) }
        try #require(figures.count == 3)
        return Used(processor: figures[0] / 1000, peak: figures[1], written: figures[2])
    }

    @Test func `a child that counts costs what the kernel has counted`() throws {
        let cost = try run(1, "burn")
        let used = try used()
        let processor = try #require(cost.processor)
        #expect(used.processor > Self.ticks && processor >= used.processor - Self.ticks)
        // Above it are the worker's start and its supervisor.
        #expect(processor < used.processor * 2 + 2000)
        #expect(cost.sharers == 0)
    }

    @Test func `a child that touches 64 MiB has that peak, and the next run has not`() throws {
        _ = try bench.waitForReady()
        let cost = try run(1, "fill")
        let used = try used()
        let memory = try #require(cost.memory)
        #expect(memory >= 64 << 20 && memory >= used.peak && memory < used.peak + 64 << 20)
        // The earlier child had more than the worker has: whether this run had less, nothing tells.
        #expect(try run(2, "rest").memory == nil)
    }

    @Test func `a child that writes 10 MiB costs what the kernel has counted for storage`() throws {
        let cost = try run(1, "write")
        let used = try used()
        // Memory that passes for a disk is not written.
        #expect(used.written == 0 || used.written >= 10 << 20)
        #expect(try #require(cost.written) >= used.written)
        #expect(try #require(cost.read) >= 0)
    }

    @Test func `a later run of a warm worker costs nothing of the earlier ones`() throws {
        let first = try run(1, "burn")
        let used = try used()
        let second = try run(2, "rest")
        #expect(try #require(second.processor) < #require(first.processor))
        #expect(try #require(second.processor) <= used.processor / 2 + Self.ticks)
    }

    @Test func `runs that were open at once in one process cost nothing that is known`() throws {
        try bench.launch(1, "hold", of: app)
        try bench.launch(2, "burn", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        #expect(try bench.waitForCompletion(of: 2))
        for run: UInt64 in [1, 2] { #expect(try cost(of: run) == RunCost(sharers: 1)) }
        #expect(try run(3, "rest").processor != nil)
    }

    @Test func `a run that crashes costs what the kernel has counted until then`() throws {
        try bench.launch(1, "crash", of: app)
        #expect(try bench.waitForExit().contains("SIGABRT"))
        let cost = try cost(of: 1)
        let used = try used()
        #expect(try #require(cost.processor) >= used.processor)
        #expect(try #require(cost.memory) >= used.peak)
        #expect(cost.read != nil && cost.written != nil)
    }

    @Test func `a cost comes before the end of its run`() throws {
        _ = try run(1, "rest")
        let order = bench.events.compactMap { event in
            switch event {
            case .cost: "cost"
            case .completed: "completed"
            default: nil
            }
        }
        #expect(order == ["cost", "completed"])
    }

    // MARK: - What can be told apart

    @Test(
        arguments: [
            // Of a new worker all is the run's.
            (nil, nil, 30, 0, 30), (nil, nil, 30, 50, 50),
            // A child of an earlier run had more than anything now.
            (nil, 50, 30, 50, nil), (nil, 50, 60, 50, 60), (nil, 50, 30, 70, 70),
            // The peak of the process could not be reset, and has not grown.
            (40, 0, 40, 0, nil), (40, 0, 41, 0, 41), (40, 0, 40, 60, 60),
        ] as [(Int64?, Int64?, Int64, Int64, Int64?)])
    func `a peak is the run's only if nothing before it was as high`(
        before: Int64?, children: Int64?, end: Int64, told: Int64, peak: Int64?
    ) {
        var meter = RunMeter(childPeak: children)
        meter.before.peak = before
        #expect(meter.cost(at: Meter(peak: end), told: told).memory == peak)
    }

    @Test func `the kernel's count of an ended worker is its first run's alone`() {
        let end = Meter(processor: 70, peak: 30, read: 1, written: 2)
        #expect(
            RunMeter().cost(at: end, told: nil) == RunCost(processor: 70, memory: 30, read: 1, written: 2))
        #expect(RunMeter(childPeak: 0).cost(at: end, told: nil).memory == nil)
    }

    @Test func `what is unknown at one of the two moments is unknown`() {
        let known = Meter(processor: 70, read: 1, written: 2)
        #expect(RunMeter(before: Meter()).cost(at: known, told: 0) == RunCost())
        #expect(RunMeter().cost(at: Meter(), told: 0) == RunCost())
    }
}
