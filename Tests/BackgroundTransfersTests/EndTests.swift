import BackgroundTasks
import CLullPlugin
import Foundation
import Testing

@testable import BackgroundTransfers

/// Ends of tasks and sessions other than success.
@Suite(.timeLimit(.minutes(20))) struct EndTests {
    private let host = TransferHost()
    private let listener = Listener()
    private let name = UUID().uuidString

    private func session(_ delegate: (any URLSessionDelegate)? = nil) -> URLSession {
        TransferTable.$replaced.withValue(host.table) {
            URLSession(
                configuration: .background(withIdentifier: name), delegate: delegate ?? listener,
                delegateQueue: nil)
        }
    }

    private func download(_ session: URLSession) throws -> URLSessionDownloadTask {
        session.downloadTask(with: try #require(URL(string: "https://example.org/a")))
    }

    @Test func `a download that is cancelled is gone on with`() async throws {
        let session = session()
        let task = try download(session)
        task.resume()
        host.change(1, in: name) { kept in
            kept.phase = lull_transfer_phase(LULL_TRANSFER_ACTIVE)
            (kept.received, kept.toReceive) = (3, 4)
        }
        await listener.wait(for: "wrote")
        let data = await withCheckedContinuation { continuation in
            task.cancel(byProducingResumeData: { continuation.resume(returning: $0) })
        }
        await listener.wait(for: "completed")
        #expect(await session.allTasks.isEmpty)
        #expect(host.acts == ["cancel keeping 17", "taking 17", "taken 17"])
        let error = try #require(task.error as? URLError)
        #expect(error.code == .cancelled)
        #expect(error.userInfo[NSURLSessionDownloadTaskResumeData] as? Data == data)
        let next = session.downloadTask(withResumeData: try #require(data))
        next.resume()
        #expect(host.orders.map(\.resumes) == [17] && host.orders.map(\.url) == ["https://example.org/a"])
    }

    @Test func `a failure that can be gone on with says how`() async throws {
        let task = try download(session())
        task.resume()
        host.change(1, in: name) { kept in
            kept.phase = lull_transfer_phase(LULL_TRANSFER_FAILED)
            (kept.code, kept.sentence, kept.isResumable) = (-1001, "It took too long.", true)
        }
        await listener.wait(for: "completed")
        #expect(listener.lines == ["completed 1 -1001, It took too long."])
        let error = try #require(task.error as? URLError)
        #expect((error as NSError).domain == NSURLErrorDomain && error.failingURL != nil)
        let data = try #require(error.userInfo[NSURLSessionDownloadTaskResumeData] as? Data)
        #expect(ResumeData(data)?.number == 17)
    }

    @Test func `what is no resume data makes a task that fails`() async {
        host.record.withLock { $0.refusal = "The URL is none." }
        session().downloadTask(withResumeData: Data("none".utf8)).resume()
        await listener.wait(for: "completed")
        #expect(listener.lines == ["completed 1 -1, The URL is none."])
    }

    @Test func `a refusal is the task's error`() async throws {
        host.record.withLock {
            ($0.refusal, $0.status) = ("jobs.yaml does not let it.", lull_status(LULL_NOT_PERMITTED))
        }
        let task = try download(session())
        task.resume()
        await listener.wait(for: "completed")
        #expect(listener.lines == ["completed 1 -1, jobs.yaml does not let it."])
        #expect(task.state == .completed)
    }

    @Test func `an older worker makes no transfers`() async throws {
        let old = TransferHost(size: 264)
        let session = TransferTable.$replaced.withValue(old.table) {
            URLSession(
                configuration: .background(withIdentifier: name), delegate: listener, delegateQueue: nil)
        }
        try download(session).resume()
        await listener.wait(for: "completed")
        #expect(listener.lines.first?.contains("Install a newer version of lull") == true)
    }

    @Test func `a task that has not begun can be cancelled, and is suspended and resumed at will`()
        async throws
    {
        let session = session()
        try download(session).cancel()
        await listener.wait(for: "completed 1")
        let task = try download(session)
        task.suspend()
        task.resume()
        task.suspend()
        #expect(task.state == .suspended)
        task.resume()
        task.resume()
        #expect(host.acts == ["suspend 17", "resume 17"])
        #expect(listener.lines == ["completed 1 -999, The transfer was cancelled."])
    }

    @Test func `a session that is invalidated ends with its last task`() async throws {
        let session = session()
        let task = try download(session)
        task.resume()
        session.finishTasksAndInvalidate()
        _ = await session.allTasks
        #expect(listener.lines.isEmpty)
        task.cancel()
        await listener.wait(for: "invalid")
        #expect(listener.lines == ["completed 1 -999, The transfer was cancelled.", "invalid"])
        #expect(BackgroundSessions.app.session(name) == nil)
    }

    @Test func `a session is invalidated with all of its tasks`() async throws {
        try download(session()).resume()
        let again = Listener()
        session(again).invalidateAndCancel()
        await again.wait(for: "invalid")
        #expect(again.lines == ["completed 1 -999, The transfer was cancelled.", "invalid"])
    }

    @Test func `the end of all events is told when the app was launched for them`() async throws {
        let session = session()
        try download(session).resume()
        host.change(1, in: name) { $0.phase = lull_transfer_phase(LULL_TRANSFER_FAILED) }
        await listener.wait(for: "completed")
        _ = await session.allTasks
        #expect(!listener.lines.contains("events"))
        SessionEvents.app.launched(name)
        await listener.wait(for: "events")
        host.tell(name)
        _ = await session.allTasks
        #expect(listener.lines.filter { $0 == "events" }.count == 1)
        #expect(SessionEvents.app.owed(name) == nil)
    }

    @Test func `a task that is made while the host is silent has the number of no other`() async throws {
        let earlier = session()
        let first = try download(earlier)
        first.resume()
        // The app starts anew, and its host does not answer at first.
        host.record.withLock { $0.isSilent = true }
        let again = Listener()
        let task = try download(session(again))
        #expect(task.taskIdentifier != first.taskIdentifier)
        host.record.withLock { $0.isSilent = false }
        task.resume()
        host.change(UInt64(first.taskIdentifier), in: name) {
            $0.phase = lull_transfer_phase(LULL_TRANSFER_FAILED)
        }
        await again.wait(for: "completed")
        #expect(again.lines.map { $0.hasPrefix("completed \(first.taskIdentifier) ") } == [true])
        #expect(task.state == .running)
    }

    @Test func `a look from before a launch does not end the events that the launch is for`() async throws {
        let queue = OperationQueue()
        let session = TransferTable.$replaced.withValue(host.table) {
            URLSession(
                configuration: .background(withIdentifier: name), delegate: listener, delegateQueue: queue)
        }
        try download(session).resume()
        queue.isSuspended = true
        host.tell(name)
        // A task is made behind the looks that were asked for: they are over now, and the delegate has not been told.
        _ = try download(session)
        host.change(1, in: name) { $0.phase = lull_transfer_phase(LULL_TRANSFER_FAILED) }
        SessionEvents.app.launched(name)
        queue.isSuspended = false
        await listener.wait(for: "events")
        #expect(listener.lines.map { $0.prefix(6) } == ["comple", "events"])
    }

    @Test func `a handler in a background session ends the app, as on iOS`() async {
        await #expect(processExitsWith: .failure) {
            let session = URLSession(configuration: .background(withIdentifier: "a"))
            guard let url = URL(string: "https://example.org") else { return }
            _ = session.downloadTask(with: url) { _, _, _ in }
        }
    }
}
