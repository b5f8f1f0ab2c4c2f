import LullModel
import Testing

@testable import LullWorkers

/// Several workers of one app at once, as after a change of its entry.
struct SeveralWorkersTests {
    private let bench: WorkerBench
    private let app: App
    private let wait: TaskIdentifier

    init() throws {
        bench = try WorkerBench()
        app = try bench.app("good", plugin: bench.compile("Good"), tasks: ["wait", "print", "settings"])
        wait = app.tasks[0].identifier
    }

    private func id(_ number: UInt64) -> WorkerID { WorkerID(app: app.identifier, number: number) }

    @discardableResult
    private func start(_ number: UInt64, _ change: (inout App) -> Void = { _ in }) throws -> WorkerID {
        var app = app
        change(&app)
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder, number: number))
        _ = try bench.waitForReady()
        return id(number)
    }

    private func launch(_ run: UInt64, _ task: String, in worker: WorkerID) throws {
        try bench.pool.launch(
            RunID(run), task: #require(TaskIdentifier(task, of: worker.app)), kind: .processing,
            deadline: nil,
            in: worker)
    }

    private func waitForExit(of worker: WorkerID) throws -> String {
        try bench.wait(for: "the end of \(worker)", of: worker) {
            if case .exited(let sentence, _) = $0 { sentence } else { nil }
        }
    }

    @Test func `the end of one leaves the other's run alone`() throws {
        let old = try start(1)
        try launch(1, "wait", in: old)
        let new = try start(2)
        try launch(2, "wait", in: new)
        #expect(try bench.pool.loads.map(\.app) == [app.identifier], "one figure for an app")
        #expect(try bench.pool.pid(of: old) != bench.pool.pid(of: new))
        try bench.pool.kill(old, reason: "run 1 had to be")
        #expect(try waitForExit(of: old) == "killed by the host: run 1 had to be")
        try bench.pool.expire(RunID(2), in: new, reason: "time is up")
        #expect(try bench.waitForCompletion(of: 2) == false)
        try bench.pool.evict(new)
        #expect(try waitForExit(of: new) == "evicted by the host")
        #expect(try bench.pool.isEmpty)
    }

    @Test func `each has the settings that it was started with`() throws {
        let old = try start(1) { $0.settings = .object(["feed": .string("old")]) }
        let new = try start(2) { $0.settings = .object(["feed": .string("new")]) }
        try launch(1, "settings", in: new)
        #expect(try bench.waitForCompletion(of: 1))
        #expect(
            bench.lines.contains { $0.contains("/feed=new") }
                && !bench.lines.contains { $0.contains("/feed=old") })
        try launch(2, "settings", in: old)
        #expect(try bench.waitForCompletion(of: 2))
        #expect(bench.lines.contains { $0.contains("/feed=old") })
    }

    @Test func `what one prints is told as its own`() throws {
        let old = try start(1)
        let new = try start(2)
        try launch(1, "wait", in: old)
        try launch(2, "print", in: new)
        #expect(try bench.waitForCompletion(of: 2))
        let printers = Set(
            bench.heard.compactMap { if case .output = $0.event { $0.worker } else { nil } })
        #expect(printers == [new])
    }

    @Test func `together they are held to the most generous of their limits, and who uses most goes`() throws
    {
        try bench.pool.measureOften = .milliseconds(50)
        let probe = try start(9)
        let threads = try #require(try bench.pool.loads.first?.processes)
        try bench.pool.evict(probe)
        _ = try waitForExit(of: probe)
        // Each worker is within the limit, both together are above it.
        let limit = 2 * threads - 1
        let one = try start(1) { $0.limits.processes = limit }
        let other = try start(2) { $0.limits.processes = limit }
        try launch(1, "wait", in: one)
        try launch(2, "wait", in: other)
        let sentence = try waitForExit(of: other)
        #expect(
            sentence.hasPrefix("killed by the host: with the other workers of its app it had \(2 * threads) ")
        )
        #expect(sentence.hasSuffix("but may have \(limit) (`limits: { processes }`)"))
        try bench.pool.expire(RunID(1), in: one, reason: "time is up")
        #expect(try bench.waitForCompletion(of: 1) == false)
    }
}
