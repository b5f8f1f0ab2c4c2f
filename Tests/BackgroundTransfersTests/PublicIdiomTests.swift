import CLullPlugin
import Synchronization
import Testing

@testable import BackgroundTransfers

/// The ways in which published apps use a background session.
@Suite(.timeLimit(.minutes(20))) struct PublicIdiomTests {
    private let host = TransferHost()
    private let listener = Listener()
    private let name = UUID().uuidString

    private func session(
        _ delegate: any URLSessionDelegate, _ queue: OperationQueue? = nil
    ) -> URLSession {
        TransferTable.$replaced.withValue(host.table) {
            URLSession(
                configuration: .background(withIdentifier: name), delegate: delegate, delegateQueue: queue)
        }
    }

    private func address() throws -> URL { try #require(URL(string: "https://example.org/a")) }

    private func file(_ text: String) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(text.utf8).write(to: url)
        return url
    }

    @Test func `an upload is awaited, and its answer is found by the task's description`() async throws {
        let uploader = AwaitedUploads()
        let session = session(uploader)
        var request = URLRequest(url: try address())
        request.httpMethod = "POST"
        let body = try file("form")
        let task = session.uploadTask(with: request, fromFile: body)
        task.taskDescription = "recording"
        let answer = try file("thanks").path
        let (data, response) = try await withCheckedThrowingContinuation { continuation in
            uploader.waiting.withLock { $0["recording"] = continuation }
            task.resume()
            try? FileManager.default.removeItem(at: body)
            host.change(1, in: name) { kept in
                kept.phase = lull_transfer_phase(LULL_TRANSFER_FINISHED)
                #expect(kept.upload == "form")
                (kept.status, kept.url, kept.file) = (201, "https://example.org/a", answer)
            }
        }
        #expect(data == Data("thanks".utf8) && (response as? HTTPURLResponse)?.statusCode == 201)
    }

    @Test func `a list of tasks is waited for with a semaphore`() throws {
        let session = session(listener)
        for _ in 0..<2 { session.downloadTask(with: try address()).resume() }
        let found = Mutex(0)
        let semaphore = DispatchSemaphore(value: 0)
        session.getAllTasks { tasks in
            found.withLock { $0 = tasks.count { $0 is URLSessionDownloadTask && $0.state == .running } }
            semaphore.signal()
        }
        semaphore.wait()
        #expect(found.withLock { $0 } == 2)
    }

    @Test
    func `who pauses while it holds its lock gets the resume data, and goes on under the same description`()
        async throws
    {
        let session = session(listener)
        let task = session.downloadTask(with: try address())
        task.taskDescription = "7|"
        task.resume()
        host.change(1, in: name) { kept in
            kept.phase = lull_transfer_phase(LULL_TRANSFER_ACTIVE)
            kept.received = 3
        }
        await listener.wait(for: "wrote")
        let store = ResumeStore()
        store.pause(task) { [listener] in listener.say("paused") }
        await listener.wait(for: "paused")
        let next = session.downloadTask(withResumeData: try #require(store.data))
        next.taskDescription = task.taskDescription
        next.resume()
        #expect(host.orders.last?.resumes == 17 && host.orders.last?.label == "7|")
    }

    @Test func `a session is made on the very queue on which its delegate is told`() async throws {
        let queue = DispatchQueue(label: "model")
        let operations = OperationQueue()
        operations.maxConcurrentOperationCount = 1
        operations.underlyingQueue = queue
        let listener = listener
        let url = try address()
        queue.sync {
            let session = session(listener, operations)
            session.getAllTasks { tasks in
                queue.async {
                    listener.say("found \(tasks.count)")
                    session.downloadTask(with: url).resume()
                    listener.say("begun")
                }
            }
        }
        await listener.wait(for: "begun")
        host.change(1, in: name) { kept in
            kept.phase = lull_transfer_phase(LULL_TRANSFER_FAILED)
            (kept.code, kept.sentence) = (-1001, "It took too long.")
        }
        await listener.wait(for: "completed")
        #expect(listener.lines == ["found 0", "begun", "completed 1 -1001, It took too long."])
    }
}

/// A continuation waits for each upload, and is found by the upload's description.
private final class AwaitedUploads: NSObject, URLSessionDataDelegate {
    typealias Continuation = CheckedContinuation<(Data, URLResponse), any Error>
    let waiting = Mutex<[String: Continuation]>([:])
    private let answers = Mutex<[String: Data]>([:])

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let key = dataTask.taskDescription else { return }
        answers.withLock { $0[key, default: Data()].append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let key = task.taskDescription,
            let continuation = waiting.withLock({ $0.removeValue(forKey: key) })
        else { return }
        guard let response = task.response else {
            return continuation.resume(throwing: error ?? CancellationError())
        }
        continuation.resume(returning: (answers.withLock { $0[key] ?? Data() }, response))
    }
}

/// Keeps resume data behind a lock that it holds while it pauses.
private final class ResumeStore: Sendable {
    private let lock = NSLock()
    private let kept = Mutex<Data?>(nil)

    var data: Data? { kept.withLock { $0 } }

    func pause(_ task: URLSessionDownloadTask, then paused: @escaping @Sendable () -> Void) {
        lock.withLock {
            task.cancel { [self] data in
                lock.withLock { kept.withLock { $0 = data } }
                paused()
            }
        }
    }
}
