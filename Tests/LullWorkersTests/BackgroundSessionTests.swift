import Foundation
import LullModel
import LullWire
import Testing

@testable import LullWorkers

/// Apps in Swift with background sessions, in real workers: the host here only reports transfers, and makes none.
@Suite struct BackgroundSessionTests {
    private let bench: WorkerBench

    init() throws { bench = try WorkerBench() }

    private func start(_ fixture: String, tasks: [String]) throws -> AppIdentifier {
        let library = URL(fileURLWithPath: WorkerBench.worker).deletingLastPathComponent()
            .appendingPathComponent("libFixture\(fixture).so").path
        var app = try bench.app("good", plugin: library, tasks: tasks + ["transfers"])
        app.tasks[tasks.count].kind = .transfers
        app.tasks[0].settings = .object(["urls": .array([.string("https://example.org/file")])])
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        #expect(try bench.waitForReady().registered.count == app.tasks.count)
        return app.identifier
    }

    /// A finished download of the order, with the whole file where the host keeps it.
    private func finished(_ order: TransferOrder, of app: AppIdentifier) throws -> TransferState {
        let folder = bench.folder + "/" + TransferFiles.folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "data".write(
            toFile: folder + "/" + TransferFiles.done(17), atomically: true, encoding: .utf8)
        var state = TransferState(
            id: TransferID(17), app: app, order: order, asked: WallTime(milliseconds: 0), stem: 17,
            phase: .finished)
        state.result = TransferResult(
            status: 200, url: order.url, headers: [], received: 4, sent: 0)
        return state
    }

    /// Reports these transfers for the app, even after it has taken them, as an older list would.
    private func serve(_ states: [TransferState]) {
        bench.onEvent = { [unowned bench] event in
            guard let worker = bench.heard.last?.worker, let pool = try? bench.pool else { return }
            switch event {
            case .transfersQuery(let sequence, _):
                pool.answer(toTransfers: sequence, of: worker, next: 2, states)
            case .transfer(let id, let sequence, _):
                pool.answer(toTransfer: id, sequence: sequence, of: worker, .success(TransferID(17)))
            case .transferAct(let id, let sequence, _, _):
                pool.answer(id, sequence: sequence, of: worker, nil)
            default: break
            }
        }
    }

    private var acts: [TransferAct] {
        bench.events.compactMap { if case .transferAct(_, _, _, let act) = $0 { act } else { nil } }
    }

    private func launchForTransfers(of app: AppIdentifier, _ sessions: String) throws -> Bool {
        try bench.pool.launch(
            RunID(2), task: #require(TaskIdentifier("transfers", of: app)), kind: .transfers, deadline: nil,
            origin: #"{"sessions":[\#(sessions)]}"#, in: WorkerID(app: app, number: 1))
        return try bench.waitForCompletion(of: 2)
    }

    @Test func `a delegate as in Apple's article has its download`() throws {
        let app = try start("TransferApp", tasks: ["begin"])
        serve([])
        try bench.launch(1, "begin", of: app)
        #expect(try bench.waitForCompletion(of: 1))
        let orders = bench.events.compactMap { event -> TransferOrder? in
            if case .transfer(_, _, let order) = event { order } else { nil }
        }
        #expect(orders.map(\.url) == ["https://example.org/file"])
        #expect(orders.map(\.session) == ["MySession"])
        serve([try finished(#require(orders.first), of: app)])
        #expect(try launchForTransfers(of: app, #""MySession""#))
        #expect(acts == [.taking, .taken])
        let saved = bench.folder + "/Documents/file"
        #expect(try String(contentsOfFile: saved, encoding: .utf8) == "data")
        let lines = bench.printed(.output).split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "events for MySession", "saved file", "completed file: no error", "finished events",
            ])
    }

    @Test func `a scene's action has its download`() throws {
        let app = try start("TransferUIApp", tasks: [])
        let order = TransferOrder(
            session: "MySession", ordinal: 1, direction: .download, url: "https://example.org/file")
        serve([try finished(order, of: app)])
        #expect(try launchForTransfers(of: app, #""MySession","other.one""#))
        #expect(acts == [.taking, .taken])
        let lines = bench.printed(.output).split(separator: "\n").map(String.init)
        #expect(lines.sorted() == ["0 tasks are left", "downloaded 4 bytes", "events for other.one"])
    }
}
