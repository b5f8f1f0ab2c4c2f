import CCommandKit
import Foundation
import Synchronization

/// A loop of commands on a separate thread, and its news of each.
final class Commands: Sendable {
    enum News: Sendable {
        case printed(command_stream, [UInt8])
        case ended(Outcome)
    }
    struct Failure: Error {}
    struct Outcome: Sendable {
        var fault: command_fault
        var isSuccess: Bool
        var hasExited: Bool
        var status: Int32
        var isCancelled: Bool
        var leftBehind: Int
        var message: String
    }
    struct Settings: Encodable {
        var run: [String]
        var isForShell = true
        var env: [String: String]?
        var env_file: [String]?
        var secrets: [String: [String: String]]?
        var cwd: String?
        var stdin: String?
        var success: [Int]?
        var grace_seconds: Double?

        init(_ script: String) { run = [script] }

        init(arguments: [String]) { (run, isForShell) = (arguments, false) }

        enum CodingKeys: String, CodingKey {
            case run, env, env_file, secrets, cwd, stdin, success, grace_seconds
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            if isForShell {
                try container.encode(run[0], forKey: .run)
            } else {
                try container.encode(run, forKey: .run)
            }
            try container.encodeIfPresent(env, forKey: .env)
            try container.encodeIfPresent(env_file, forKey: .env_file)
            try container.encodeIfPresent(secrets, forKey: .secrets)
            try container.encodeIfPresent(cwd, forKey: .cwd)
            try container.encodeIfPresent(stdin, forKey: .stdin)
            try container.encodeIfPresent(success, forKey: .success)
            try container.encodeIfPresent(grace_seconds, forKey: .grace_seconds)
        }

        var json: String { get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) } }
    }

    /// Receives the news of the loop's thread; it outlives the loop.
    private final class Ear: Sendable {
        let streams = Mutex<[UInt64: AsyncStream<News>.Continuation]>([:])
        let late: AsyncStream<[UInt8]>
        private let lateEnd: AsyncStream<[UInt8]>.Continuation

        init() { (late, lateEnd) = AsyncStream.makeStream() }

        func tell(_ task: UInt64, _ news: News) { _ = streams.withLock { $0[task] }?.yield(news) }
        func tell(late bytes: [UInt8]) { lateEnd.yield(bytes) }

        static func of(_ context: UnsafeMutableRawPointer?) -> Ear? {
            context.map { Unmanaged<Ear>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    private let ear = Ear()
    nonisolated(unsafe) private let loop: OpaquePointer
    private let tasks = Atomic<UInt64>(0)

    /// `isHeld`: nothing is done until `start` is called. `state`: the folder of the secrets' folders.
    init(
        inherited: [String: String] = [:], app: String = "{}", isHeld: Bool = false,
        state: String = "/nowhere"
    ) throws {
        let listener = UnsafeMutablePointer<command_listener>.allocate(capacity: 1)
        listener.initialize(
            to: command_listener(
                context: Unmanaged.passRetained(ear).toOpaque(),
                printed: { context, task, stream, bytes, count in
                    let bytes = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
                    Ear.of(context)?.tell(task, .printed(stream, bytes))
                },
                ended: { context, task, outcome, message in
                    guard let outcome = outcome?.pointee, let message else { return }
                    Ear.of(context)?.tell(task, .ended(Outcome(outcome, String(cString: message))))
                },
                takes_late: { _, _ in true },
                late: { context, _, bytes, count in
                    Ear.of(context)?.tell(late: [UInt8](UnsafeRawBufferPointer(start: bytes, count: count)))
                }))
        var variables = inherited.map { strdup("\($0)=\($1)") }
        variables.append(nil)
        let base = command_base_environment(&variables, false)
        guard let loop = command_loop_make(listener, base, command_app_settings_read(app), strdup(state))
        else {
            throw Failure()
        }
        self.loop = loop
        if !isHeld { start() }
    }

    func start() {
        nonisolated(unsafe) let own = loop
        Thread.detachNewThread {
            command_loop_run(own)
            command_loop_free(own)
        }
    }

    deinit { command_loop_stop(loop) }

    var late: AsyncStream<[UInt8]> { ear.late }

    /// Requests that a command begins, and optionally expires at once.
    func begin(
        _ settings: Settings, expires: Bool = false, origin: String? = nil, payload: String? = nil,
        merged: UInt32 = 0
    ) throws -> (task: UInt64, news: AsyncStream<News>) {
        let task = tasks.add(1, ordering: .relaxed).newValue
        let (news, continuation) = AsyncStream.makeStream(of: News.self)
        ear.streams.withLock { $0[task] = continuation }
        let json = try settings.json
        withText(origin) { origin in
            withText(payload) { text in
                var cause = command_cause()
                (cause.origin, cause.payload, cause.merged) = (origin, text, merged)
                cause.payload_length = payload?.utf8.count ?? 0
                command_loop_begin_for(loop, task, json, &cause)
            }
        }
        if expires { command_loop_expire(loop, task) }
        return (task, news)
    }

    private func withText(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Void) {
        if let text { text.withCString(body) } else { body(nil) }
    }

    func expire(_ task: UInt64) { command_loop_expire(loop, task) }

    /// Runs a command to its end.
    func run(_ settings: Settings) async throws -> Heard { await Heard(of: try begin(settings).news) }

    func run(_ script: String) async throws -> Heard { try await run(Settings(script)) }
}

/// All news of one command.
struct Heard: Sendable {
    private(set) var output: [UInt8] = []
    private(set) var error: [UInt8] = []
    private(set) var all = ""
    private(set) var outcome: Commands.Outcome?

    init(of news: AsyncStream<Commands.News>) async {
        for await each in news {
            take(each)
            if outcome != nil { return }
        }
    }

    private mutating func take(_ news: Commands.News) {
        switch news {
        case .printed(let stream, let bytes):
            if stream == COMMAND_OUTPUT { output += bytes } else { error += bytes }
            all += String(decoding: bytes, as: UTF8.self)
        case .ended(let outcome): self.outcome = outcome
        }
    }

    var text: String { String(decoding: output, as: UTF8.self) }
    var errorText: String { String(decoding: error, as: UTF8.self) }
    var message: String { outcome?.message ?? "" }
    var isSuccess: Bool { outcome?.isSuccess ?? false }
    var exitCode: Int32? { outcome.flatMap { $0.hasExited && $0.fault == COMMAND_STARTED ? $0.status : nil } }
    var signal: Int32? { outcome.flatMap { $0.hasExited || $0.fault != COMMAND_STARTED ? nil : $0.status } }
}

extension Commands.Outcome {
    fileprivate init(_ outcome: command_outcome, _ message: String) {
        self.init(
            fault: outcome.fault, isSuccess: outcome.is_success, hasExited: outcome.has_exited,
            status: outcome.status, isCancelled: outcome.is_cancelled, leftBehind: Int(outcome.left_behind),
            message: message)
    }
}
