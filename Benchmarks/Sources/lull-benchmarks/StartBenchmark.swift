import CBenchmarks
import Foundation
import LullModel
import LullSystem
import LullWire
import LullWorkers

/// A cold start of a worker, from its spawn by the pool until it reports that a no-op plugin is loaded: with its supervisor,
/// confined, and as an account of its own. The reference is the bare start and end of the same executable.
struct StartBenchmark {
    let workshop: Workshop
    private static let rounds = 100
    /// An account that no machine uses.
    private static let account: UInt32 = 61_234

    func rows() throws -> [Row] {
        var kinds: [(name: String, limits: AppLimits, account: UInt32?)] = []
        var free = AppLimits()
        free.keepsPrivileges = true
        kinds.append(("with a supervisor", free, nil))
        kinds.append(("… and confined", AppLimits(), nil))
        if geteuid() == 0 { kinds.append(("… and as an account of its own", AppLimits(), Self.account)) }
        let starters = try kinds.enumerated().map { index, kind in
            try ColdWorker(workshop, name: "start\(index)", limits: kind.limits, account: kind.account)
        }
        var bare: [Double] = []
        var cold = [[Double]](repeating: [], count: kinds.count)
        // In turns, so that other work on the machine affects all of them.
        for round in 0..<Self.rounds + 5 {
            let spent = Double(benchmarks_start_processes(workshop.worker, 1))
            let starts = try starters.map { try $0.start() }
            guard round >= 5, spent >= 0 else { continue }
            bare.append(spent)
            for (index, start) in starts.enumerated() { cold[index].append(start) }
        }
        let reference = (name: "`lull-worker` bare, started and ended", sample: Sample(bare))
        return zip(kinds, cold).map { kind, times in
            Row(
                kind.name.hasPrefix("…")
                    ? kind.name : "a worker's cold start, to a loaded plugin, \(kind.name)",
                Sample(times), against: reference)
        }
    }
}

/// A pool that starts one worker after another, and ends each once it is ready.
final class ColdWorker {
    private let loop: EventLoop
    private let app: App
    private let folder: String
    private let account: UInt32?
    private var pool: WorkerPool?
    private var number: UInt64 = 0
    private var readyAfter: Double?
    private var watch = Stopwatch()
    private var trouble: String?

    init(_ workshop: Workshop, name: String, limits: AppLimits, account: UInt32?) throws {
        folder = try workshop.empty(name)
        guard let identifier = AppIdentifier("com.example.NoOp"),
            let task = TaskIdentifier("task", of: identifier)
        else { throw BenchmarkError("the identifiers of the no-op app are not reverse-DNS names") }
        var app = App(identifier: identifier, plugin: workshop.plugin)
        app.tasks = [TaskDefinition(identifier: task, app: identifier, kind: .processing)]
        app.limits = limits
        self.app = app
        self.account = account
        if let account {
            guard chown(folder, account, account) == 0 else {
                throw BenchmarkError("\(folder) can't be given to \(account)")
            }
        }
        loop = try EventLoop()
        pool = try WorkerPool(loop: loop, executable: workshop.worker, stateFolder: folder) {
            [unowned self] in heard($1, of: $0)
        }
    }

    /// The nanoseconds of one start; the worker has exited when this returns.
    func start() throws -> Double {
        number += 1
        readyAfter = nil
        watch = Stopwatch()
        pool?.start(WorkerSpec(app: app, stateFolder: folder, account: account, number: number))
        loop.run()
        guard let readyAfter else {
            throw BenchmarkError("the worker did not start: \(trouble ?? "it ended before it was ready")")
        }
        return readyAfter
    }

    private func heard(_ event: WorkerEvent, of worker: WorkerID) {
        switch event {
        case .ready:
            readyAfter = watch.nanoseconds
            pool?.evict(worker)
        case .failed(let sentence), .exited(let sentence, _):
            trouble = sentence
            loop.stop()
        default: break
        }
    }
}
