import Foundation
import LullModel
import LullSystem
import LullWire
import TestSupport
import Testing

@testable import LullWorkers

/// A loop, a pool with the real `lull-worker`, and plugins compiled by the tests.
///
/// It waits for events, never for time: the deadline only ends a test that would hang.
final class WorkerBench {
    let loop: EventLoop
    private let temporary: TemporaryFolder
    var folder: String { temporary.path }
    private(set) var heard: [(worker: WorkerID, event: WorkerEvent)] = []
    private var seen = 0
    private var poolStorage: WorkerPool?
    private var isOver = false
    /// The answer to each submit; nil: none is answered.
    var verdict: ((PluginRequest) -> Refusal?)? = { _ in nil }
    var pending: [TaskRequest] = []
    /// Called for each event before any test waits for it.
    var onEvent: ((WorkerEvent) -> Void)?

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    init(worker: String? = nil) throws {
        loop = try EventLoop()
        temporary = try TemporaryFolder()
        poolStorage = try WorkerPool(
            loop: loop, executable: worker ?? Self.worker, stateFolder: temporary.path
        ) { [unowned self] in take($1, of: $0) }
    }

    deinit { poolStorage = nil }

    /// `lull-worker` in the folder of this test executable.
    static let worker: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folders = [own] + CommandLine.arguments
        let places = folders.map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("lull-worker").path
        }
        return places.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "lull-worker"
    }()

    var pool: WorkerPool {
        get throws { try #require(poolStorage) }
    }

    var events: [WorkerEvent] { heard.map(\.event) }

    private func take(_ event: WorkerEvent, of worker: WorkerID) {
        heard.append((worker, event))
        switch event {
        case .submit(let id, let sequence, let request):
            if let verdict {
                poolStorage?.answer(id, sequence: sequence, of: worker, verdict(request))
            }
        case .cancel(let sequence, _): poolStorage?.answer(toCancel: sequence, of: worker)()
        case .pendingQuery(let sequence):
            poolStorage?.answer(toPending: sequence, of: worker, pending)
        default: break
        }
        onEvent?(event)
        loop.stop()
    }

    /// Compiles a fixture with the header alone, as an author would.
    func compile(_ fixture: String) throws -> String {
        let fixtures = Self.root.appendingPathComponent("Tests/Fixtures/Plugins")
        let plugin = "\(folder)/\(fixture).so"
        let gcc = Process()
        gcc.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        gcc.arguments = [
            "gcc", "-std=gnu17", "-shared", "-fPIC", "-pthread", "-Wl,--build-id", "-I",
            Self.root.appendingPathComponent("Sources/C/CLullPlugin/include").path, "-I", fixtures.path,
            fixtures.appendingPathComponent(fixture + ".c").path, "-o", plugin,
        ]
        try gcc.run()
        gcc.waitUntilExit()
        try #require(gcc.terminationStatus == 0)
        return plugin
    }

    /// An app of the manifest with these tasks and this plugin.
    func app(_ name: String, plugin: String, tasks: [String], settings: JSONValue = .object([:])) throws
        -> App
    {
        let identifier = try #require(AppIdentifier("org.example.\(name)"))
        var app = App(identifier: identifier, plugin: plugin)
        app.settings = settings
        app.tasks = try tasks.map {
            TaskDefinition(
                identifier: try #require(TaskIdentifier($0, of: identifier)), app: identifier,
                kind: .processing)
        }
        return app
    }

    /// Starts a worker for a fixture; returns the app's identifier.
    @discardableResult
    func start(
        _ fixture: String, as name: String = "good", tasks: [String] = ["now"],
        settings: JSONValue = .object([:])
    ) throws -> AppIdentifier {
        let app = try app(name, plugin: compile(fixture), tasks: tasks, settings: settings)
        try pool.start(WorkerSpec(app: app, stateFolder: folder))
        return app.identifier
    }

    func launch(_ run: UInt64, _ task: String, of app: AppIdentifier, kind: Kind = .processing) throws {
        try pool.launch(
            RunID(run), task: #require(TaskIdentifier(task, of: app)), kind: kind, deadline: nil, in: app)
    }

    /// The first matching event among those not waited for yet; of one worker if it is named.
    @discardableResult
    func wait<T>(
        for what: String, of worker: WorkerID? = nil, _ match: (WorkerEvent) -> T?
    ) throws -> T {
        let limit = Clock.monotonic + hangLimit
        loop.onAlarm = { [unowned self] in
            isOver = Clock.monotonic >= limit
            loop.stop()
        }
        while true {
            while seen < heard.count {
                defer { seen += 1 }
                guard worker == nil || heard[seen].worker == worker else { continue }
                if let found = match(heard[seen].event) { return found }
            }
            guard !isOver else { throw Missing(what: what, events: events.suffix(20).map { "\($0)" }) }
            loop.arm(wall: nil, monotonic: limit)
            loop.run()
        }
    }

    func waitForReady() throws -> (registered: [TaskIdentifier], plugin: PluginIdentity) {
        try wait(for: "a ready worker") {
            if case .ready(let registered, let plugin) = $0 { (registered, plugin) } else { nil }
        }
    }

    /// The sentence about the worker's end.
    func waitForExit() throws -> String {
        try wait(for: "the worker's end") { if case .exited(let sentence, _) = $0 { sentence } else { nil } }
    }

    func waitForFailure() throws -> String {
        try wait(for: "a failed start") { if case .failed(let sentence) = $0 { sentence } else { nil } }
    }

    func waitForCompletion(of run: UInt64) throws -> Bool {
        try wait(for: "the completion of run \(run)") {
            if case .completed(let id, let success, _) = $0, id.number == run { success } else { nil }
        }
    }

    func waitForLog(_ text: String) throws {
        try wait(for: "the line '\(text)'") {
            if case .log(_, _, let message) = $0, message.contains(text) { true } else { nil }
        }
    }

    func waitForViolation() throws -> (sentence: String, isFatal: Bool) {
        try wait(for: "a violation") {
            if case .violation(_, _, let sentence, let isFatal) = $0 { (sentence, isFatal) } else { nil }
        }
    }

    /// All lines logged until now.
    var lines: [String] {
        events.compactMap { if case .log(_, _, let message) = $0 { message } else { nil } }
    }

    func printed(_ stream: PrintedStream) -> String {
        var bytes: [UInt8] = []
        for case .output(stream, let piece) in events { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The state letter of a process; nil if there is none.
    static func state(of pid: Int32) -> Character? {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = stat.lastIndex(of: ")")
        else { return nil }
        return stat[end...].dropFirst(2).first
    }
}

struct Missing: Error, CustomStringConvertible {
    let what: String
    let events: [String]
    var description: String {
        "\(what) did not come; the last events were:\n" + events.joined(separator: "\n")
    }
}

/// In a bench an app has one worker, unless the test says otherwise.
extension WorkerPool {
    private func only(_ app: AppIdentifier) -> WorkerID { WorkerID(app: app, number: 1) }

    func pid(of app: AppIdentifier) -> Int32? { pid(of: only(app)) }
    func resume(_ app: AppIdentifier) { resume(only(app)) }
    func suspend(_ app: AppIdentifier) { suspend(only(app)) }
    func evict(_ app: AppIdentifier) { evict(only(app)) }
    func kill(_ app: AppIdentifier, reason: String) { kill(only(app), reason: reason) }
    func expire(_ run: RunID, in app: AppIdentifier, reason: String) {
        expire(run, in: only(app), reason: reason)
    }
    func launch(
        _ run: RunID, task: TaskIdentifier, kind: Kind, deadline: MonotonicTime?, label: RequestLabel? = nil,
        in app: AppIdentifier
    ) {
        launch(run, task: task, kind: kind, deadline: deadline, label: label, in: only(app))
    }
}
