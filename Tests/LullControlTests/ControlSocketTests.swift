import Foundation
import LullModel
import LullSystem
import Synchronization
import Testing

@testable import LullControl

/// The control socket from a client's call to its answer, with the real loop on a separate thread.
struct ControlSocketTests {
    @Test func `a client asks and is answered`() throws {
        try withServer { put in
            if put.question is Ask.Pending {
                put.back.answer(Result.success([TaskRequest]()))
            } else {
                put.back.refuse("no")
            }
        } body: { folder in
            let client = try ControlClient(stateFolder: folder)
            #expect(try client.ask(Ask.Pending()) == [])
            #expect(throws: ControlError.refused("no")) { try client.ask(Ask.Reload()) }
        }
    }

    @Test func `who acts is the user of the process, as the kernel says, and a question has nobody's name`()
        throws
    {
        try withServer { put in
            let asker = put.asker.map { "\($0.user) \($0.bearer?.token ?? "-")" } ?? "nobody"
            if put.question is Ask.Names {
                let isNobody = put.asker == nil
                put.back.answer(Result.success(TakenNames(tasks: [], apps: isNobody ? [] : [.host])))
            } else {
                put.back.answer(Result.success(OrderAnswer(asker)))
            }
        } body: { folder in
            let client = try ControlClient(stateFolder: folder)
            #expect(try client.ask(Ask.Resume(.all)).sentence == "\(geteuid()) -")
            #expect(try client.ask(Ask.Reload(), for: Bearer(token: "t")).sentence == "\(geteuid()) t")
            #expect(try client.ask(Ask.Names()).apps == [])
        }
    }

    @Test func `a refusal says after how long the same is taken`() throws {
        try withServer { put in
            put.back.answer(
                Result<OrderAnswer, _>.failure(ControlRefusal("not so fast", wait: .milliseconds(1500))))
        } body: { folder in
            let client = try ControlClient(stateFolder: folder)
            let error = ControlError.busy("not so fast", wait: .milliseconds(1500))
            #expect(throws: error) { try client.ask(Ask.Reload()) }
            #expect(error.message == "not so fast")
        }
    }

    @Test func `without a host the client says where nobody listens`() throws {
        let folder = try temporaryFolder()
        #expect(throws: ControlError.notRunning(path: folder + "/control.sock")) {
            _ = try ControlClient(stateFolder: folder)
        }
    }

    @Test func `what is not a request is refused in a sentence and the host goes on`() throws {
        try withServer { put in
            put.say("well")
        } body: { folder in
            let descriptor = try connected(to: folder)
            defer { close(descriptor) }
            let garbage: [UInt8] = [3, 0, 0, 0] + Array("{]!".utf8)
            #expect(write(descriptor, garbage, garbage.count) == garbage.count)
            var answer = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &answer, answer.count)
            #expect(count > 4)
            #expect(String(decoding: answer.prefix(max(count, 0)), as: UTF8.self).contains("not a request"))
            #expect(try ControlClient(stateFolder: folder).ask(Ask.Reload()).sentence == "well")
        }
    }

    @Test func `a frame longer than any honest one ends the connection alone`() throws {
        try withServer { put in
            put.say("well")
        } body: { folder in
            let descriptor = try connected(to: folder)
            defer { close(descriptor) }
            let huge: [UInt8] = [255, 255, 255, 255]
            #expect(write(descriptor, huge, huge.count) == huge.count)
            var answer = [UInt8](repeating: 0, count: 4096)
            var last = 1
            while last > 0 { last = read(descriptor, &answer, answer.count) }
            #expect(last == 0)
            #expect(try ControlClient(stateFolder: folder).ask(Ask.Reload()).sentence == "well")
        }
    }

    @Test func `a spare descriptor that was lost is had again with the next client`() throws {
        let folder = try temporaryFolder()
        let loop = try EventLoop()
        let server = try ControlServer(stateFolder: folder, loop: loop) { put in
            put.say("well")
            loop.stop()
        }
        server.dropSpare()
        let descriptor = try connected(to: folder)
        defer { close(descriptor) }
        let request = Array(try ControlFrame.encode(Ask.Status()))
        #expect(write(descriptor, request, request.count) == request.count)
        loop.run()
        #expect(server.spare >= 0)
    }

    @Test func `the socket is for its owner alone`() throws {
        let folder = try temporaryFolder()
        let loop = try EventLoop()
        let server = try ControlServer(stateFolder: folder, loop: loop) { _ in }
        try withExtendedLifetime(server) {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/control.sock")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `every question and answer survives the wire`() throws {
        let task = try #require(TaskIdentifier("com.example.App.task"))
        let app = try #require(AppIdentifier("com.example.App"))
        let questions: [any Question] = [
            Ask.Status(), Ask.Report(of: .task(task), isBrief: true), Ask.Names(),
            Ask.Why(task, by: WallTime(seconds: 5)), Ask.Pending(app), Ask.Pending(),
            Ask.Notifications(app), Ask.Transfers(app), Ask.Transfers(TransferID(17)),
            Ask.OrderTransfer(TransferID(17), .pause),
            Ask.Forecast(app),
            Ask.Forecasts(), Ask.Loads(), Ask.Changes(since: 7), Ask.Used(app, at: WallTime(seconds: 5)),
            Ask.Submit(task, instead: true), Ask.Cancel(task, next: true),
            Ask.Submit(task, params: ["day": "x"]), Ask.Launch(task, params: ["day": "a=b"]),
            Ask.Begin(task, params: ["day": ""]), Ask.Await(RunID(7)),
            Ask.Printed(by: RunID(7), from: 3, waits: true),
            Ask.Expire(task),
            Ask.Enable(app, false, task: task), Ask.Pause(.all, until: nil, reason: "by hand"),
            Ask.Resume(.app(app)), Ask.Reload(), Ask.Push(Push(payload: "{}", source: .http), to: app),
            Ask.PushDoor(of: app), Ask.RestoreUrgency(of: app),
            Ask.PushHindrance(of: app, .mqtt, "The password is not there."),
            Ask.ImportEvents([HistoryEvent(.used, at: WallTime(seconds: 1), app: app)]),
        ]
        for question in questions { try expectSame(question) }
        #expect(Set(questions.map { type(of: $0).word }) == Set(Ask.Word.allCases))
        let end = EndedRun(
            RunID(7), .succeeded, reason: nil, printed: .init(lines: ["done"], count: 1), exitCode: 3)
        for form in [ControlFrame.Form.json, .packed] {
            var buffer = ControlFrame.encode(Result.success(end), as: form)
            let body = try #require(try ControlFrame.take(from: &buffer))
            #expect(Packed.isPacked(body) == (form == .packed))
            #expect(try ControlFrame.answer(to: Ask.Await.self, body) == end)
        }
    }

    private func expectSame<Q: Question>(_ question: Q) throws {
        var buffer = try ControlFrame.encode(question)
        let body = try #require(try ControlFrame.take(from: &buffer))
        let asked = try ControlFrame.question(body)
        #expect(asked.question as? Q == question)
        #expect(asked.form == .packed)
        #expect(buffer.isEmpty)
    }

    @Test func `a host that does not answer is not waited for without end, but a run is`() throws {
        let task = try #require(TaskIdentifier("com.example.App.task"))
        let kept = Unanswered()
        try withServer({ put in
            if put.question is Ask.Launch { put.say("launched") } else { kept.keep(put) }
        }) { folder in
            let client = try ControlClient(stateFolder: folder, timeout: .milliseconds(20))
            #expect(throws: ControlError.noAnswer(path: ControlAddress.path(in: folder), .milliseconds(20))) {
                try client.ask(Ask.Status())
            }
            let patient = try ControlClient(stateFolder: folder, timeout: .milliseconds(20))
            #expect(try patient.ask(Ask.Launch(task)).sentence == "launched")
        }
    }

    @Test func `a long answer is waited for while the host answers others, and no longer`() throws {
        let task = try #require(TaskIdentifier("com.example.App.task"))
        let kept = Unanswered()
        let asked = Mutex(0)
        // A run that never ends, in a host that answers the first question about it and then hangs.
        try withServer({ put in
            let isFirst =
                put.question is Ask.Names
                && asked.withLock {
                    $0 += 1; return $0 == 1
                }
            if isFirst {
                put.back.answer(Result.success(TakenNames(tasks: [task], apps: [])))
            } else {
                kept.keep(put)
            }
        }) { folder in
            let client = try ControlClient(stateFolder: folder, timeout: .milliseconds(20))
            #expect(throws: ControlError.noAnswer(path: ControlAddress.path(in: folder), .milliseconds(20))) {
                try client.ask(Ask.Await(RunID(1)))
            }
            #expect(asked.withLock { $0 } == 2)
        }
    }

    /// Runs a server's loop on a thread until `body` returns.
    private func withServer(
        _ handler: @escaping @Sendable (PutQuestion) -> Void,
        body: (String) throws -> Void
    ) throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ready = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let stop = Stop()
        Thread.detachNewThread {
            do {
                let loop = try EventLoop()
                let server = try ControlServer(stateFolder: folder, loop: loop, handler: handler)
                stop.channel = try LoopChannel<Bool>(on: loop) { _ in loop.stop() }
                ready.signal()
                withExtendedLifetime(server) { loop.run() }
            } catch {
                Issue.record("The server did not start: \(error)")
                ready.signal()
            }
            ended.signal()
        }
        ready.wait()
        defer {
            stop.channel?.send(true)
            ended.wait()
        }
        try body(folder)
    }

    private func temporaryFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lull-\(UUID().uuidString)"
        ).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    private func connected(to folder: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let result = try ControlAddress.withAddress(ControlAddress.path(in: folder)) {
            connect(descriptor, $0, $1)
        }
        #expect(result == 0)
        return descriptor
    }
}

/// Questions that are never answered; only the server's thread touches them while it runs.
private final class Unanswered: @unchecked Sendable {
    private var questions: [PutQuestion] = []
    func keep(_ put: PutQuestion) { questions.append(put) }
}

/// Written by the server's thread before `ready`, read by the test after it: the semaphore orders the two.
private final class Stop: @unchecked Sendable {
    var channel: LoopChannel<Bool>?
}
