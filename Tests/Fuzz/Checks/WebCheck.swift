import Foundation
import LullControl
import LullModel
import Synchronization

@testable import LullWeb

/// Any bytes may come to the page's port: each request gets an answer that it may have, or the connection ends.
///
/// The bytes go through the page's reader and its handler, as on a connection that is kept alive, but without sockets.
/// Without the token no request changes anything or sees any output.
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

    init() throws {
        guard let known = WebToken(token) else { throw Broken("its own token is none") }
        let answers = try FixedAnswers()
        let doors = WebGuard(token: known, names: ["host.example"])
        handler = WebHandler(
            site: WebSite(answers: answers, doors: doors, version: "1"), live: LiveStreams(answers: answers),
            turns: WebTurns(1))
    }

    func converse(_ connection: Connection) async throws {
        let limits = WebLimits()
        var reader = HTTPReader(source: connection, limits: limits)
        do {
            while true {
                let before = connection.taken
                let head = try await reader.next()
                try hold(connection.taken - before <= limits.head + limits.body, "read without end")
                guard let head else { return }
                try check(await handler.answer(head), to: head)
                guard head.keepsAlive else { return }
            }
        } catch let refusal as HTTPRefusal {
            let reply = WebReply.refusal(refusal.status, refusal.message)
            try hold((400..<600).contains(reply.status), "refused with \(reply.status)")
            try check(sentenceOf: reply, "what is refused")
        }
    }

    private func check(_ answer: WebHandler.Answer, to head: HTTPHead) throws {
        let route = WebRoute(path: head.path)
        guard case .reply(let reply) = answer else {
            return try hold(route == .live, "no end of \(head.path)")
        }
        let what = "\(head.method) \(head.path)"
        try hold(
            [200, 400, 401, 403, 404, 405, 409, 503].contains(reply.status), "\(reply.status) for \(what)")
        let sent = HTTPAnswer.bytes(reply, withBody: head.method != "HEAD", closes: !head.keepsAlive)
        guard let end = sent.range(of: Data("\r\n\r\n".utf8)) else {
            throw Broken("no end of the headers of \(what)")
        }
        let lines = String(decoding: sent[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        for (name, value) in WebReply.headers {
            try hold(lines.contains("\(name): \(value)"), "\(what) without \(name)")
        }
        try hold(head.method != "HEAD" || end.upperBound == sent.endIndex, "a body for \(what)")
        let claim = head.client.authorization ?? ""
        let hasToken = claim.prefix(7).lowercased() == "bearer " && claim.dropFirst(7) == token
        switch (reply.status, route?.door) {
        case (200, .changing), (200, .checking):
            try hold(hasToken && head.method == "POST", "changed by \(what)")
        case (200, .output): try hold(hasToken, "\(what) without the token")
        case (200, .page), (200, .reading): break
        case (200, nil): throw Broken("there is something at \(what)")
        default: try check(sentenceOf: reply, what)
        }
    }

    private func check(sentenceOf reply: WebReply, _ what: String) throws {
        let error = try? JSONDecoder().decode([String: JSONValue].self, from: reply.body)
        guard case .object(let content)? = error?["error"], case .string(let sentence)? = content["message"]
        else { throw Broken("\(reply.status) without an error for \(what)") }
        try hold(!sentence.isEmpty, "\(reply.status) without a sentence for \(what)")
    }
}

/// The bytes that a client sends; each byte is read once.
private final class Connection: ByteSource {
    private let bytes: [UInt8]
    private let count = Mutex(0)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// How many bytes have been read.
    var taken: Int { count.withLock { $0 } }

    func read(atMost most: Int, by deadline: ContinuousClock.Instant) async throws -> [UInt8] {
        count.withLock { count in
            let part = bytes[count...].prefix(most)
            count += part.count
            return Array(part)
        }
    }
}

/// Runs asynchronous code to its end on the calling thread: always in the same order, and without a thread switch for
/// each step.
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
