import LullModel
import LullWire
import Testing

@testable import LullWorkers

/// Continued tasks, which a person starts and watches, between host and plugin.
struct ContinuedTests {
    /// An app with the wildcard `export.*` beside its tasks.
    @discardableResult
    private func start(_ bench: WorkerBench, _ tasks: [String]) throws -> AppIdentifier {
        var app = try bench.app("good", plugin: bench.compile("Continued"), tasks: tasks + ["export.*"])
        app.tasks[tasks.count].kind = .continued
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        return app.identifier
    }

    @Test func `what fits a wildcard is registered by its own name, and launched with its titles`() throws {
        let bench = try WorkerBench()
        let app = try start(bench, ["titles"])
        #expect(
            try bench.waitForReady().registered.map(\.text) == [
                "org.example.good.titles", "org.example.good.export.known",
            ])
        try bench.pool.launch(
            RunID(1), task: #require(TaskIdentifier("org.example.good.export.known")), kind: .continued,
            deadline: nil, label: RequestLabel(title: "Export", subtitle: "9 pages"), in: app)
        #expect(try bench.waitForCompletion(of: 1))
        #expect(bench.lines.contains("org.example.good.export.known 3: Export, 9 pages, -"))
        try bench.pool.launch(
            RunID(2), task: #require(TaskIdentifier("org.example.good.titles")), kind: .processing,
            deadline: nil, label: RequestLabel(protection: "NSFileProtectionComplete"), in: app)
        #expect(try bench.waitForCompletion(of: 2))
        #expect(bench.lines.contains("org.example.good.titles 2: -, -, NSFileProtectionComplete"))
    }

    @Test func `titles and progress of a run reach the host`() throws {
        let bench = try WorkerBench()
        let app = try start(bench, ["titles"])
        try bench.launch(1, "titles", of: app)
        let titles = try bench.wait(for: "new titles") { event -> [String]? in
            if case .titled(RunID(1), let title, let subtitle) = event { [title, subtitle] } else { nil }
        }
        #expect(titles == ["Export", "page 1"])
        let progress = try bench.wait(for: "progress") { event -> [Int64]? in
            if case .progress(RunID(1), let completed, let total, _) = event {
                [completed, total]
            } else {
                nil
            }
        }
        #expect(progress == [1, 9])
    }

    @Test func `a continued request carries its titles and its strategy, and its refusal the status 4`()
        throws
    {
        let bench = try WorkerBench()
        var seen: [PluginRequest] = []
        bench.verdict = { request in
            seen.append(request)
            return request.kind == .continued
                ? Refusal(.immediateRunIneligible, "It can't be launched at once.") : nil
        }
        let task = try #require(TaskIdentifier("org.example.good.export.8"))
        let app = try #require(AppIdentifier("org.example.good"))
        bench.pending = [
            TaskRequest(
                id: RequestID(1), task: task, app: app, kind: .continued, origin: .plugin,
                submitted: WallTime(seconds: 0), label: RequestLabel(title: "Export"))
        ]
        try start(bench, ["submit"])
        try bench.launch(1, "submit", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        #expect(seen.count == 3)
        #expect(seen[0].task.text == "org.example.good.export.7" && seen[0].isImmediate)
        #expect(seen[0].label == RequestLabel(title: "Export"))
        #expect(seen[1].label == RequestLabel(protection: "NSFileProtectionComplete"))
        #expect(seen[2].label == nil)
        #expect(bench.lines.contains("status 4, It can't be launched at once."))
        #expect(bench.lines.contains { $0.hasPrefix("status 1, The request needs resources") })
        #expect(bench.lines.contains("pending org.example.good.export.8: Export, -"))
    }

    @Test func `a continued handler may be registered late, once, and no other may`() throws {
        let bench = try WorkerBench()
        let app = try start(bench, ["late", "now", "plain_export"])
        try bench.launch(1, "late", of: app)
        let task = try bench.wait(for: "a late registration") { event -> TaskIdentifier? in
            if case .registered(let task) = event { task } else { nil }
        }
        #expect(task.text == "org.example.good.export.late")
        let again = try bench.waitForViolation()
        #expect(
            again.sentence
                == "It registered org.example.good.export.late twice. The first handler stays: "
                + "register each identifier once.")
        #expect(!again.isFatal)
        #expect(try bench.waitForViolation().sentence.contains("org.example.good.now twice"))
        #expect(
            try bench.waitForViolation().sentence
                == "It registered org.example.good.plain_export after its start had returned. Register it before."
        )
        #expect(try bench.waitForCompletion(of: 1))
        #expect(bench.lines.contains("1 0 0 0"))
        try bench.pool.launch(RunID(2), task: task, kind: .continued, deadline: nil, in: app)
        #expect(try bench.waitForCompletion(of: 2))
    }

    @Test func `the power mode is known from the start, and each change is told once`() throws {
        let bench = try WorkerBench()
        try bench.pool.isLowPower = true
        let app = try start(bench, ["power"])
        try bench.launch(1, "power", of: app)
        try bench.waitForLog("power is low")
        #expect(try bench.waitForCompletion(of: 1))
        for isLow in [true, false, false, true] { try bench.pool.isLowPower = isLow }
        try bench.waitForLog("power is back")
        try bench.waitForLog("power is low now")
        #expect(bench.lines.filter { $0.hasPrefix("power is") }.count == 3)
    }
}
