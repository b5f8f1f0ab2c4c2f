import FlyingSocks
import Foundation
import LullModel
import Synchronization

@testable import FlyingFox
@testable import LullWeb

/// Anything that comes to the page's port: each request is answered with what it may have, or the connection ends.
///
/// The bytes go through FlyingFox's decoder and the page's own handler, as on a connection that is kept alive, but for the
/// sockets. Whatever is asked for, nothing is changed and nothing that was printed is shown without the token.
enum WebCheck {
    static func run(_ bytes: [UInt8]) throws {
        let stage = try stage.get()
        try InlineExecutor().run { try await stage.converse(Connection(bytes)) }
    }

    private static let stage = Result { try WebStage() }
}

/// One page for all inputs.
private struct WebStage {
    private let handler: WebHandler
    private let token = String(repeating: "0f", count: 32)
    /// The server's own sizes.
    private let decoder = HTTPDecoder(sharedRequestBufferSize: 4096, sharedRequestReplaySize: 2 << 20)

    init() throws {
        guard let known = WebToken(token) else { throw Broken("its own token is none") }
        let answers = try FixedAnswers()
        let doors = WebGuard(token: known, names: ["host.example"])
        handler = WebHandler(
            site: WebSite(answers: answers, doors: doors, version: "1"), live: LiveStreams(answers: answers))
    }

    func converse(_ connection: Connection) async throws {
        while let request = try? await decoder.decodeRequest(from: connection) {
            // It has no end.
            if case .live? = WebRoute(path: request.path) { return }
            let response = try await handler.handleRequest(request)
            try await check(response, to: request)
            do { try await request.bodySequence.flushIfNeeded() } catch { return }
            guard request.shouldKeepAlive else { return }
        }
    }

    private func check(_ response: HTTPResponse, to request: HTTPRequest) async throws {
        let route = WebRoute(path: request.path)
        let code = response.statusCode.code
        let what = "\(request.method.rawValue) \(request.path)"
        try hold([200, 400, 401, 403, 404, 405, 409].contains(code), "\(code) for \(what)")
        for (name, value) in WebReply.headers {
            try hold(response.headers[HTTPHeader(name)] == value, "\(what) without \(name)")
        }
        let hasToken = request.headers[.authorization] == "Bearer " + token
        switch (code, route?.door) {
        case (200, .changing): try hold(hasToken && request.method == .POST, "changed by \(what)")
        case (200, .output): try hold(hasToken, "\(what) without the token")
        case (200, .page), (200, .reading): break
        case (200, nil): throw Broken("there is something at \(what)")
        default:
            guard request.method.rawValue != "HEAD" else { return }
            let error = try? JSONDecoder().decode([String: String].self, from: try await response.bodyData)
            try hold(error?["error"]?.isEmpty == false, "\(code) without a sentence for \(what)")
        }
    }
}

/// What a client sends, up to the end of it; what has been read of it once is gone.
private final class Connection: AsyncBufferedSequence {
    typealias Element = UInt8

    private let rest: Mutex<ArraySlice<UInt8>>

    init(_ bytes: [UInt8]) { rest = Mutex(bytes[...]) }

    struct AsyncIterator: AsyncBufferedIteratorProtocol {
        let connection: Connection

        func next() async throws -> UInt8? { connection.rest.withLock { $0.popFirst() } }

        func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            connection.rest.withLock { rest in
                let part = rest.prefix(count)
                rest = rest.dropFirst(count)
                return part.isEmpty ? nil : part
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: self) }
}

/// Runs what is asynchronous to its end on the thread that asks: each time in the same order, and without a switch of
/// threads for each step.
private final class InlineExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let isThere = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        isThere.signal()
    }

    func run(_ body: @escaping @Sendable () async throws -> Void) throws {
        let end = Ending()
        Task(executorPreference: self) {
            do {
                try await body()
                end.result.withLock { $0 = .success(()) }
            } catch {
                end.result.withLock { $0 = .failure(error) }
            }
        }
        while true {
            isThere.wait()
            let job = jobs.withLock { $0.removeFirst() }
            job.runSynchronously(on: asUnownedTaskExecutor())
            if let result = end.result.withLock({ $0 }) { return try result.get() }
        }
    }

    private final class Ending: Sendable {
        let result = Mutex<Result<Void, any Error>?>(nil)
    }
}
