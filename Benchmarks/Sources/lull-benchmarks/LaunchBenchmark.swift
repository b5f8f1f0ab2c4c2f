import LullControl
import LullModel

/// From a launch in a warm worker to its recorded completion, in three steps from the pipe to the whole host.
struct LaunchBenchmark {
    let workshop: Workshop
    private static let rounds = 11

    func rows() throws -> [Row] {
        let echo = try EchoProcess()
        let disk = try Durability(folder: workshop.folder)
        let alone = try WarmWorker(workshop, name: "worker", isRecorded: false)
        let recorded = try WarmWorker(workshop, name: "recorded", isRecorded: true)
        let host = try RealHost(
            workshop, name: "launch",
            manifest: NoOpManifest(plugin: workshop.plugin, apps: 1, tasksPerApp: 1, keepWarm: "1h").text)
        let client = try host.client()
        guard let task = TaskIdentifier("com.example.NoOp0.task0") else { return [] }

        // In turns, so that other work on the machine affects all of them.
        var bare: [Double] = []
        var writes: [Double] = []
        var workers: [Double] = []
        var histories: [Double] = []
        var hosts: [Double] = []
        for round in 0...Self.rounds {
            let echoed = try echo.roundTrip(times: 2000)
            let wrote = try disk.write(times: 50)
            let launched = try alone.launch(times: 1000)
            let kept = try recorded.launch(times: 50)
            let asked =
                try Stopwatch.time {
                    for _ in 0..<50 { try Self.launch(task, client) }
                } / 50
            guard round > 0 else { continue }
            bare.append(echoed)
            writes.append(wrote)
            workers.append(launched)
            histories.append(kept)
            hosts.append(asked)
        }
        let pipe = (name: "a socketpair round trip", sample: Sample(bare))
        let write = (name: "one fsync'd 4 KiB write", sample: Sample(writes))
        return [
            Row("one fsync'd 4 KiB write", write.sample, against: pipe),
            Row("warm launch to completion, the worker alone", Sample(workers), against: pipe, aim: "2 ×"),
            Row("… with launch and completion each durable", Sample(histories), against: pipe, aim: "2 ×"),
            Row("… the same", Sample(histories), against: write, aim: "2 ×, for two commits"),
            Row("… through `lull run` and its control socket", Sample(hosts), against: pipe, aim: "2 ×"),
            Row("… the same", Sample(hosts), against: write, aim: "2 ×, for two commits"),
        ]
    }

    static func launch(_ task: TaskIdentifier, _ client: borrowing ControlClient) throws {
        let end = try client.ask(Ask.Await(client.ask(Ask.Begin(task)).run))
        guard end.outcome == .succeeded else {
            throw BenchmarkError("run \(end.run) of \(task) \(end.outcome.rawValue): \(end.reason ?? "")")
        }
    }
}
