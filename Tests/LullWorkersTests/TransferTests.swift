import Foundation
import LullModel
import LullWire
import Testing

@testable import LullWorkers

/// Transfers of a plugin in C, between it and the host.
@Suite struct TransferTests {
    private let bench: WorkerBench

    init() throws { bench = try WorkerBench() }

    private static let tasks = ["download", "upload", "bad", "visit", "act", "watch", "transfers"]

    private func start() throws -> AppIdentifier {
        var app = try bench.app("good", plugin: bench.compile("Transfers"), tasks: Self.tasks)
        app.tasks[Self.tasks.count - 1].kind = .transfers
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        try #expect(bench.waitForReady().registered.count == Self.tasks.count)
        return app.identifier
    }

    private func run(_ task: String, of app: AppIdentifier) throws {
        try bench.launch(1, task, of: app)
        #expect(try bench.waitForCompletion(of: 1))
    }

    /// Answers each order with this verdict; returns the orders that came.
    private func answering(_ verdict: Result<TransferID, Refusal>) -> () -> [TransferOrder] {
        let bench = bench
        bench.onEvent = { [unowned bench] event in
            guard case .transfer(let id, let sequence, _) = event, let pool = try? bench.pool else { return }
            pool.answer(
                toTransfer: id, sequence: sequence, of: bench.heard.last?.worker ?? bench.heard[0].worker,
                verdict)
        }
        return { [unowned bench] in
            bench.events.compactMap { if case .transfer(_, _, let order) = $0 { order } else { nil } }
        }
    }

    private var taken: [String] {
        get throws {
            let folder = bench.folder + "/" + TransferFiles.folder
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        }
    }

    @Test func `an order reaches the host as it was meant`() throws {
        let app = try start()
        let orders = answering(.success(TransferID(17)))
        try run("download", of: app)
        #expect(bench.lines == ["status 0, transfer 17, "])
        let order = TransferOrder(
            session: "mirror", ordinal: 1, direction: .download, method: "POST",
            url: "https://example.org/file",
            headers: [TransferHeader("Accept", "text/plain"), TransferHeader("X-Empty", "")],
            body: TransferBody([97, 0, 98]), label: "mine", isDiscretionary: true, allowsExpensive: false,
            asksChallenges: true, earliestBegin: WallTime(milliseconds: 2), expectedToReceive: 500,
            idleLimit: .seconds(1), wholeLimit: .seconds(2), resumes: TransferID(3))
        #expect(orders() == [order])
    }

    @Test func `an upload's file is the host's before the plugin goes on`() throws {
        let app = try start()
        try "what is sent".write(toFile: bench.folder + "/upload", atomically: true, encoding: .utf8)
        let orders = answering(.success(TransferID(17)))
        try run("upload", of: app)
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/upload"))
        let name = try #require(orders().first?.file)
        #expect(try TransferFiles.isUpload(name) && taken == [name])
        let file = bench.folder + "/" + TransferFiles.folder + "/" + name
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "what is sent")
        let folder = try FileManager.default.attributesOfItem(
            atPath: bench.folder + "/" + TransferFiles.folder)
        #expect(folder[.posixPermissions] as? Int == 0o700)
        #expect(
            try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `an upload that the host refuses leaves nothing`() throws {
        let app = try start()
        try "b".write(toFile: bench.folder + "/upload", atomically: true, encoding: .utf8)
        let orders = answering(.failure(Refusal(.notPermitted, "Not here.")))
        try run("upload", of: app)
        #expect(bench.lines == ["status 3, transfer 0, Not here."])
        #expect(try orders().count == 1 && taken.isEmpty)
    }

    @Test func `an order without an answer is taken back, and its file is gone`() throws {
        let app = try start()
        try "b".write(toFile: bench.folder + "/upload", atomically: true, encoding: .utf8)
        try run("upload", of: app)
        #expect(bench.lines.first?.contains("did not answer within 1000 ms") == true)
        #expect(try taken.isEmpty)
        let isWithdrawn = bench.events.contains { if case .withdrawn = $0 { true } else { false } }
        #expect(isWithdrawn)
    }

    @Test func `what nobody could transfer is refused with a sentence`() throws {
        let app = try start()
        let orders = answering(.success(TransferID(17)))
        try run("bad", of: app)
        let words = [
            "smaller than that of version 1.3", "neither http nor https", "no direction 9",
            "names no file", "No such file or directory", "Invalid argument",
        ]
        #expect(bench.lines.count == words.count && orders().isEmpty)
        for (line, word) in zip(bench.lines, words) {
            #expect(line.hasPrefix("status 1, transfer 0, ") && line.contains(word), "\(line)")
        }
    }

    @Test func `transfers are visited as they stand, however many there are`() throws {
        let app = try start()
        var done = TransferState(
            id: TransferID(17), app: app,
            order: TransferOrder(
                session: "mirror", ordinal: 1, direction: .download, url: "https://example.org/a",
                headers: [TransferHeader("A", "b")], body: TransferBody([1]), label: "mine"),
            asked: WallTime(milliseconds: 1), stem: 12, phase: .finished, wasTaking: true)
        done.result = TransferResult(
            status: 206, url: "https://example.org/b", headers: [TransferHeader("ETag", "x")], received: 4,
            sent: 0)
        var asked = TransferState(
            id: TransferID(18), app: app,
            order: TransferOrder(
                session: "mirror", ordinal: 2, direction: .upload, method: "PUT",
                url: "https://example.org/c", file: "up-1"),
            asked: WallTime(milliseconds: 1), stem: 18, phase: .challenged,
            progress: TransferProgress(received: 1))
        asked.challenge = TransferChallenge(
            method: .basic, host: "example.org", port: 443, scheme: "https", realm: "r")
        var failed = asked
        (failed.id, failed.phase, failed.challenge) = (TransferID(19), .failed, nil)
        failed.failure = TransferFailure(code: -1001, sentence: "It took too long.")
        let many = (20..<1020).map { number in
            var state = asked
            (state.id, state.phase, state.challenge) = (TransferID(UInt64(number)), .waiting, nil)
            state.order.label = String(repeating: "l", count: 500) + "\(number)"
            return state
        }
        let states = [done, asked, failed] + many
        bench.onEvent = { [unowned bench] event in
            guard case .transfersQuery(let sequence, "mirror") = event, let pool = try? bench.pool else {
                return
            }
            pool.answer(
                toTransfers: sequence, of: bench.heard.last?.worker ?? bench.heard[0].worker, next: 3, states)
        }
        try run("visit", of: app)
        #expect(
            Array(bench.lines.prefix(3)) == [
                "17: phase 5, GET https://example.org/a, 1 headers, body 1, label mine, file /12.done, 4 of 4, "
                    + "status 206 https://example.org/b, 1 headers, was taking, 0 -, challenge 0 -",
                "18: phase 3, PUT https://example.org/c, 0 headers, body 0, label -, file -, 1 of -1, "
                    + "status 0 -, 0 headers, new, 0 -, challenge 2 example.org",
                "19: phase 6, PUT https://example.org/c, 0 headers, body 0, label -, file -, 1 of -1, "
                    + "status 0 -, 0 headers, new, -1001 It took too long., challenge 0 -",
            ])
        #expect(bench.lines.contains("1003 transfers, next 3"))
        let queries = bench.events.count { if case .transfersQuery = $0 { true } else { false } }
        #expect(queries > 3)
    }

    @Test func `acts and answers are heard, and what can't be is refused`() throws {
        let app = try start()
        bench.onEvent = { [unowned bench] event in
            switch event {
            case .transferAct(let id, let sequence, _, _), .transferAnswer(let id, let sequence, _, _):
                try? bench.pool.answer(
                    id, sequence: sequence, of: bench.heard.last?.worker ?? bench.heard[0].worker, nil)
            default: break
            }
        }
        try run("act", of: app)
        #expect(bench.lines == ["taking: 0", "unknown: 1", "credential: 0", "bad: 1", "odd: 0"])
        let heard = bench.events.compactMap { event -> String? in
            switch event {
            case .transferAct(_, _, let transfer, let act): "\(act) \(transfer)"
            case .transferAnswer(_, _, let transfer, let answer): "\(answer) \(transfer)"
            default: nil
            }
        }
        #expect(
            heard == [
                "taking t17", #"credential(user: "user", password: "word") t17"#, "byDefault t17",
            ])
    }

    @Test func `news of a session reach its plugin`() throws {
        let app = try start()
        try run("watch", of: app)
        let worker = WorkerID(app: app, number: 1)
        try bench.pool.tellTransfers(session: "mirror", of: worker)
        try bench.waitForLog("news of mirror, 7")
    }

    @Test func `a suspended plugin hears once of a session when it goes on`() throws {
        let app = try start()
        try run("watch", of: app)
        try bench.pool.suspend(app)
        try bench.wait(for: "the suspension") { if case .suspended = $0 { true } else { nil } }
        let worker = WorkerID(app: app, number: 1)
        for _ in 0..<100_000 { try bench.pool.tellTransfers(session: "mirror", of: worker) }
        try bench.pool.resume(app)
        try bench.waitForLog("news of mirror, 7")
        try run("act", of: app)
        #expect(bench.lines.filter { $0.hasPrefix("news") }.count == 1)
    }

    @Test func `a launch for transfers names their sessions`() throws {
        let app = try start()
        try bench.pool.launch(
            RunID(1), task: #require(TaskIdentifier("transfers", of: app)), kind: .transfers, deadline: nil,
            origin: #"{"sessions":["mirror"]}"#, in: WorkerID(app: app, number: 1))
        #expect(try bench.waitForCompletion(of: 1))
        #expect(bench.lines == [#"{"sessions":["mirror"]}"#])
    }

    @Test func `a plugin of an older version is launched for none`() throws {
        let frozen = WorkerBench.root.appending(path: "Tests/Fixtures/Headers/1.2").path
        var app = try bench.app(
            "good", plugin: bench.compile("Later", against: frozen), tasks: ["now", "transfers"])
        app.tasks[1].kind = .transfers
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        #expect(try bench.waitForReady().registered.map(\.text) == ["org.example.good.now"])
        #expect(bench.lines.contains { $0.contains("Transfers need 1.3: rebuild it.") })
    }
}
