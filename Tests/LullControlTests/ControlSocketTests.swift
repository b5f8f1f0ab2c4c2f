import Foundation
import LullLoop
import LullModel
import Testing

@testable import LullControl

/// The control socket from a client's call to its answer, with the real loop on a thread of its own.
struct ControlSocketTests {
    @Test func `a client asks and is answered`() throws {
        try withServer { request, respond in
            if case .pending = request { respond(.pending([])) } else { respond(.refused("no")) }
        } body: { folder in
            let client = try ControlClient(stateFolder: folder)
            #expect(try client.ask(.pending(nil)) == .pending([]))
            #expect(try client.ask(.status) == .refused("no"))
        }
    }

    @Test func `without a host the client says where nobody listens`() throws {
        let folder = try temporaryFolder()
        #expect(throws: ControlError.notRunning(path: folder + "/control.sock")) {
            _ = try ControlClient(stateFolder: folder)
        }
    }

    @Test func `what is not a request is refused in a sentence and the host goes on`() throws {
        try withServer { _, respond in
            respond(.done("well"))
        } body: { folder in
            let descriptor = try connected(to: folder)
            defer { close(descriptor) }
            let garbage: [UInt8] = [3, 0, 0, 0] + Array("{]!".utf8)
            #expect(write(descriptor, garbage, garbage.count) == garbage.count)
            var answer = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &answer, answer.count)
            #expect(count > 4)
            #expect(String(decoding: answer.prefix(max(count, 0)), as: UTF8.self).contains("not a request"))
            #expect(try ControlClient(stateFolder: folder).ask(.status) == .done("well"))
        }
    }

    @Test func `a frame longer than any honest one ends the connection alone`() throws {
        try withServer { _, respond in
            respond(.done("well"))
        } body: { folder in
            let descriptor = try connected(to: folder)
            defer { close(descriptor) }
            let huge: [UInt8] = [255, 255, 255, 255]
            #expect(write(descriptor, huge, huge.count) == huge.count)
            var answer = [UInt8](repeating: 0, count: 4096)
            var last = 1
            while last > 0 { last = read(descriptor, &answer, answer.count) }
            #expect(last == 0)
            #expect(try ControlClient(stateFolder: folder).ask(.status) == .done("well"))
        }
    }

    @Test func `a spare descriptor that was lost is had again with the next client`() throws {
        let folder = try temporaryFolder()
        let loop = try EventLoop()
        let server = try ControlServer(stateFolder: folder, loop: loop) { _, respond in
            respond(.done("well"))
            loop.stop()
        }
        server.dropSpare()
        let descriptor = try connected(to: folder)
        defer { close(descriptor) }
        let request = Array(try ControlFrame.encode(ControlEnvelope(request: .status)))
        #expect(write(descriptor, request, request.count) == request.count)
        loop.run()
        #expect(server.spare >= 0)
    }

    @Test func `every request and response survives the wire`() throws {
        let task = try #require(TaskIdentifier("com.example.App.task"))
        let app = try #require(AppIdentifier("com.example.App"))
        let requests: [ControlRequest] = [
            .status, .why(task), .pending(app), .pending(nil), .used(app, at: WallTime(seconds: 5)),
            .submit(task, earliestBegin: nil), .cancel(task), .launch(task), .await(RunID(7)), .expire(task),
            .enable(app, false), .importEvents([HistoryEvent(.used, at: WallTime(seconds: 1), app: app)]),
            .reload, .changes(since: 7), .loads,
        ]
        for request in requests {
            var buffer = try ControlFrame.encode(ControlEnvelope(request: request))
            let body = try #require(try ControlFrame.take(from: &buffer))
            #expect(try JSONDecoder().decode(ControlEnvelope.self, from: body).request == request)
            #expect(buffer.isEmpty)
        }
    }

    @Test func `a host that does not answer is not waited for without end, but a run is`() throws {
        let task = try #require(TaskIdentifier("com.example.App.task"))
        try withServer({ request, answer in
            if case .launch = request { answer(.done("launched")) }
        }) { folder in
            let client = try ControlClient(stateFolder: folder, patience: .milliseconds(20))
            #expect(throws: ControlError.noAnswer(path: ControlAddress.path(in: folder), .milliseconds(20))) {
                try client.ask(.status)
            }
            let patient = try ControlClient(stateFolder: folder, patience: .milliseconds(20))
            #expect(try patient.ask(.launch(task)) == .done("launched"))
        }
    }

    /// Runs a server's loop on a thread until `body` is through.
    private func withServer(
        _ handler: @escaping @Sendable (ControlRequest, @escaping (ControlResponse) -> Void) -> Void,
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

/// Written by the server's thread before `ready`, read by the test after it: the semaphore orders the two.
private final class Stop: @unchecked Sendable {
    var channel: LoopChannel<Bool>?
}
