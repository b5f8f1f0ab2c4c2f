import BackgroundTasks
import CLullPlugin
import Foundation
import Testing

@testable import BackgroundTransfers

/// A background session's requests to its host, and its calls of the delegate.
@Suite(.timeLimit(.minutes(20))) struct SessionTests {
    private let host = TransferHost()
    private let listener = Listener()
    /// Each test has a different name.
    private let name = UUID().uuidString

    private func session(
        _ delegate: (any URLSessionDelegate)? = nil,
        _ configure: (URLSessionConfiguration) -> Void = { _ in }
    ) -> URLSession {
        let configuration = URLSessionConfiguration.background(withIdentifier: name)
        configure(configuration)
        return TransferTable.$replaced.withValue(host.table) {
            URLSession(configuration: configuration, delegate: delegate ?? listener, delegateQueue: nil)
        }
    }

    private func address(_ path: String = "a") throws -> URL {
        try #require(URL(string: "https://example.org/" + path))
    }

    private func file(_ text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func finish(_ ordinal: UInt64, _ path: String) {
        host.change(ordinal, in: name) { kept in
            kept.phase = lull_transfer_phase(LULL_TRANSFER_FINISHED)
            kept.received = 4
            kept.toReceive = 4
            kept.status = 200
            kept.url = "https://example.org/b"
            kept.headers = [.init(name: "ETag", value: "x"), .init(name: "X", value: "1")]
            kept.file = path
        }
    }

    @Test func `what a task is asked for reaches the host as it was meant`() throws {
        let session = session { configuration in
            configuration.isDiscretionary = true
            configuration.sessionSendsLaunchEvents = false
            configuration.allowsExpensiveNetworkAccess = false
            configuration.allowsConstrainedNetworkAccess = false
            configuration.httpAdditionalHeaders = ["X-Session": "s", "accept": "overruled"]
            configuration.timeoutIntervalForRequest = 90
            configuration.timeoutIntervalForResource = 3600
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        }
        var request = URLRequest(url: try address())
        request.httpMethod = "POST"
        request.setValue("text/plain", forHTTPHeaderField: "Accept")
        request.httpBody = Data("body".utf8)
        let task = session.downloadTask(with: request)
        task.earliestBeginDate = Date(timeIntervalSince1970: 2_000_000_000)
        task.countOfBytesClientExpectsToSend = 4
        task.countOfBytesClientExpectsToReceive = 500
        task.taskDescription = "label"
        #expect(task.state == .suspended && host.orders.isEmpty)
        task.resume()
        #expect(task.state == .running)
        var order = TransferOrder()
        order.session = name
        order.ordinal = 1
        order.method = "POST"
        order.url = "https://example.org/a"
        order.headers = [
            .init(name: "Accept", value: "text/plain"), .init(name: "Cache-Control", value: "no-cache"),
            .init(name: "X-Session", value: "s"),
        ]
        order.body = Data("body".utf8)
        order.label = "label"
        order.isDiscretionary = true
        (order.allowsExpensive, order.allowsConstrained, order.sendsLaunchEvents) = (false, false, false)
        order.asksChallenges = true
        order.earliestBegin = Date(timeIntervalSince1970: 2_000_000_000)
        (order.expectedToSend, order.expectedToReceive) = (4, 500)
        (order.idleLimitMilliseconds, order.wholeLimitMilliseconds) = (90_000, 3_600_000)
        #expect(host.orders == [order])
        #expect(task.taskIdentifier == 1 && task.originalRequest == request)
    }

    @Test func `a session's configuration is kept with all that it says`() {
        let configuration = session { $0.sharedContainerIdentifier = "group.a" }.configuration
        #expect(configuration.identifier == name && configuration.sharedContainerIdentifier == "group.a")
        #expect(configuration.sessionSendsLaunchEvents && configuration.waitsForConnectivity)
        #expect(configuration.httpCookieStorage == nil && !configuration.httpShouldSetCookies)
        #expect(!URLSessionConfiguration.default.waitsForConnectivity)
    }

    @Test func `a download is told once, from its first byte to its end`() async throws {
        let session = session()
        let task = session.downloadTask(with: try address())
        task.resume()
        host.change(1, in: name) { kept in
            kept.phase = lull_transfer_phase(LULL_TRANSFER_ACTIVE)
            (kept.received, kept.toReceive) = (3, 4)
        }
        await listener.wait(for: "wrote")
        #expect(task.countOfBytesReceived == 3 && task.countOfBytesExpectedToReceive == 4)
        #expect(task.progress.fractionCompleted == 0.75)
        host.change(1, in: name) { $0.phase = lull_transfer_phase(LULL_TRANSFER_WAITING) }
        await listener.wait(for: "waits")
        finish(1, try file("data"))
        await listener.wait(for: "completed")
        host.tell(name)
        #expect(await session.allTasks.isEmpty)
        #expect(
            listener.lines == [
                "wrote 1: 3, 3 of 4", "waits 1", "wrote 1: 1, 4 of 4", "finished 1: data with 200",
                "completed 1",
            ])
        #expect(host.acts == ["taking 17", "taken 17"])
        #expect(task.state == .completed && task.error == nil)
        #expect(task.currentRequest?.url?.lastPathComponent == "b")
        #expect((task.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "etag") == "x")
    }

    @Test func `an upload's file may be deleted right after resume`() async throws {
        let path = try file("what is sent")
        var request = URLRequest(url: try address())
        request.httpMethod = "POST"
        let task = session().uploadTask(with: request, fromFile: URL(fileURLWithPath: path))
        task.resume()
        try FileManager.default.removeItem(atPath: path)
        #expect(host.record.withLock { $0.transfers.map(\.upload) } == ["what is sent"])
        finish(1, try file("answer"))
        await listener.wait(for: "completed")
        #expect(listener.lines == ["received 1: answer", "completed 1"])
    }

    @Test func `a session that is made anew meets its transfers`() async throws {
        let first = session()
        first.downloadTask(with: try address()).resume()
        let upload = first.uploadTask(
            with: URLRequest(url: try address("up")), fromFile: URL(fileURLWithPath: try file("b")))
        upload.taskDescription = "mine"
        upload.resume()
        let again = Listener()
        let second = session(again)
        let (data, uploads, downloads) = await second.tasks
        #expect(data.isEmpty && uploads.map(\.taskDescription) == ["mine"])
        #expect(downloads.map(\.taskIdentifier) == [1])
        #expect(downloads.first?.originalRequest?.url == (try address()))
        // The identifiers go on counting.
        #expect(second.downloadTask(with: try address()).taskIdentifier == 3)
        finish(1, try file("data"))
        await again.wait(for: "completed")
        #expect(again.lines == ["wrote 1: 4, 4 of 4", "finished 1: data with 200", "completed 1"])
        #expect(listener.lines.isEmpty)
    }

    @Test func `of what an earlier worker was telling only the end is told when the file is gone`()
        async throws
    {
        let order = { (ordinal: UInt64) in
            var order = TransferOrder()
            (order.session, order.ordinal, order.url) = (name, ordinal, "https://example.org/a")
            return order
        }
        let path = try file("data")
        host.record.withLock { record in
            for (ordinal, file) in [(UInt64(5), "/nowhere/gone"), (6, path)] {
                var kept = TransferHost.Kept(number: ordinal, order: order(ordinal))
                kept.phase = lull_transfer_phase(LULL_TRANSFER_FINISHED)
                (kept.file, kept.received, kept.status, kept.wasTaking) = (file, 4, 200, true)
                record.transfers.append(kept)
            }
        }
        let session = session()
        await listener.wait(for: "completed 6")
        #expect(await session.allTasks.isEmpty)
        #expect(listener.lines == ["completed 5", "finished 6: data with 200", "completed 6"])
        #expect(host.acts == ["taken 5", "taken 6"])
    }

    @Test func `an end that could not be recorded is told later`() async throws {
        let session = session()
        let task = session.downloadTask(with: try address())
        task.resume()
        host.record.withLock { $0.refusal = "The host is busy." }
        finish(1, try file("data"))
        await listener.wait(for: "wrote")
        host.record.withLock { $0.refusal = nil }
        await listener.wait(for: "completed")
        #expect(await session.allTasks.isEmpty)
        #expect(listener.lines.filter { $0.hasPrefix("finished") }.count == 1)
        #expect(host.acts == ["taking 17", "taken 17"])
    }
}
