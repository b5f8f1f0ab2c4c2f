import Foundation
import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullTransfers

/// A loop with the real `lull-transfer`, and a folder of an app. It waits for news, never for time.
final class TransferBench {
    let loop: EventLoop
    let temporary: TemporaryFolder
    private var pool: TransferProcesses?
    private(set) var news: [(id: TransferID, attempt: UInt64, news: TransferNews)] = []
    private(set) var logged: [String] = []
    private var isOver = false
    private var isEnough: () -> Bool = { false }
    private var attempts: [UInt64: UInt64] = [:]
    private var answers: [UInt64: [GivenAnswer]] = [:]

    static let app = AppIdentifier("com.example.Mirror")

    var mark: String? { TransferOrphans.mark(ofState: temporary.path) }
    var folder: String { temporary.path + "/.transfers" }

    init(
        executable: String = TransferBench.executable, keepsIdle: Duration = .seconds(60),
        asksEvery: Duration = .seconds(600),
        environment: (_ folder: String) -> [String] = { _ in [] }
    ) throws {
        loop = try EventLoop()
        temporary = try TemporaryFolder()
        let own = environment(temporary.path + "/.transfers")
        loop.onAlarm = { [unowned self] in
            Issue.record("nothing came; before there was \(news.suffix(3)), and it complained: \(logged)")
            isOver = true
            loop.stop()
        }
        loop.arm(wall: nil, monotonic: Clock.monotonic + hangLimit)
        pool = try TransferProcesses(
            loop: loop, executable: executable, mark: try #require(mark), keepsIdle: keepsIdle,
            asksEvery: asksEvery, environment: ["PATH=/usr/bin:/bin"] + own,
            hear: { [unowned self] in
                news.append(($1, $2, $3))
                if isEnough() { loop.stop() }
            },
            log: { [unowned self] in
                logged.append($0)
                if isEnough() { loop.stop() }
            })
        pool?.didEnd = { [unowned self] in if isEnough() { loop.stop() } }
    }

    deinit { pool = nil }

    /// Kills the process, and returns when it is dead; the loop has not noticed yet.
    func killProcess(by signal: Int32 = SIGKILL) throws {
        let number = try #require(try processes.numbers.first)
        kill(number, signal)
        var info = siginfo_t()
        waitid(P_PID, id_t(number), &info, WEXITED | WNOWAIT)
    }

    func waitUntilIdle() throws { try run { [unowned self] in pool?.numbers.isEmpty == true } }

    /// `lull-transfer` in the folder of this test executable.
    static let executable: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let places = ([own] + CommandLine.arguments).map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("lull-transfer").path
        }
        return places.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "lull-transfer"
    }()

    var processes: TransferProcesses {
        get throws { try #require(pool) }
    }

    static func download(_ url: String, change: (inout TransferOrder) -> Void = { _ in }) -> TransferOrder {
        var order = TransferOrder(session: "test", ordinal: 1, direction: .download, url: url)
        change(&order)
        return order
    }

    func begin(
        _ order: TransferOrder, id: UInt64 = 1, rules: TransferRules = TransferRules(),
        answer: TransferAnswer? = nil, keepsFree: Int64 = 0, room: Int64? = nil, as user: TransferUser? = nil
    ) throws {
        attempts[id, default: 0] += 1
        if let answer { answers[id, default: []].append(GivenAnswer(answer, to: try asked(order))) }
        let start = TransferStart(
            id: TransferID(id), attempt: attempts[id, default: 0], stem: id, folder: folder, order: order,
            rules: rules, answers: answers[id] ?? [], keepsFree: keepsFree, room: room)
        try processes.begin(start, app: try #require(Self.app), as: user)
    }

    /// The last challenge, or a default one.
    private func asked(_ order: TransferOrder) throws -> TransferChallenge {
        if let last = news.last(where: { $0.news.challenge != nil })?.news.challenge { return last }
        let url = try #require(URL(string: order.url))
        return TransferChallenge(
            method: .basic, host: try #require(url.host), port: try #require(url.port),
            scheme: try #require(url.scheme))
    }

    func run(until isEnough: @escaping () -> Bool) throws {
        try #require(!isOver)
        self.isEnough = isEnough
        if !isEnough() { loop.run() }
        self.isEnough = { false }
        try #require(!isOver)
    }

    /// The final news of the newest attempt.
    func end(of id: UInt64 = 1) throws -> TransferNews {
        let find = { [unowned self] in
            news.last { $0.id == TransferID(id) && $0.attempt == attempts[id] && !$0.news.isProgress }?.news
        }
        try run { find() != nil }
        return try #require(find())
    }

    func waitForProgress(of id: UInt64 = 1) throws {
        let count = news.count
        try run { [unowned self] in
            news.dropFirst(count).contains { $0.id == TransferID(id) && $0.news.isProgress }
        }
    }

    func fetch(
        _ order: TransferOrder, id: UInt64 = 1, rules: TransferRules = TransferRules(),
        answer: TransferAnswer? = nil
    ) throws -> TransferNews {
        try begin(order, id: id, rules: rules, answer: answer)
        return try end(of: id)
    }

    func finish(_ order: TransferOrder, id: UInt64 = 1, answer: TransferAnswer? = nil) throws
        -> TransferResult
    {
        let news = try fetch(order, id: id, answer: answer)
        guard case .finished(let result) = news else {
            Issue.record("it has not finished: \(news)")
            throw CancellationError()
        }
        return result
    }

    /// The bytes received in all attempts, as far as reported.
    var received: Int64 {
        let last = Dictionary(news.map { ($0.id, $0.news) }) { $1 }
        return last.values.reduce(0) { sum, news in
            switch news {
            case .progressed(let progress): sum + progress.received
            case .finished(let result): sum + result.received
            case .interrupted(_, _, let received): sum + received
            case .failed, .challenged: sum
            }
        }
    }

    func contents(_ name: String) -> Data? { FileManager.default.contents(atPath: folder + "/" + name) }
    func done(_ id: UInt64 = 1) -> Data? { contents(TransferFiles.done(id)) }
    func part(_ id: UInt64 = 1) -> Data? { contents(TransferFiles.part(id)) }
    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? [] }

    func makeFolder() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}

extension TransferNews {
    var failure: TransferFailure? { if case .failed(let failure) = self { failure } else { nil } }
    var challenge: TransferChallenge? { if case .challenged(let challenge) = self { challenge } else { nil } }
    var interruption: (sentence: String, retryAfter: Duration?, received: Int64)? {
        if case .interrupted(let sentence, let after, let received) = self {
            (sentence, after, received)
        } else {
            nil
        }
    }
}

/// Pseudorandom bytes.
func pattern(_ count: Int, seed: UInt64 = 1) -> Data {
    var generator = SeededGenerator(seed: seed)
    return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
}
