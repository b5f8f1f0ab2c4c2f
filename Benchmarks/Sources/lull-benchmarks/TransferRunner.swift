import Foundation
import LullModel
import LullSystem
import LullTransfers

/// `lull-transfer` as a host runs it: downloads into one folder, several at once.
final class TransferRunner {
    private let loop: EventLoop
    private let app: AppIdentifier
    private let folder: String
    private var pool: TransferProcesses?
    private var waiting: ArraySlice<String> = []
    private var underWay: Set<TransferID> = []
    private var number: UInt64 = 0
    private var trouble: String?

    /// Longer than any measurement takes.
    private static let timeout: Duration = .seconds(120)

    /// - Parameter authority: the certificate that it trusts, in place of the system's.
    init(_ workshop: Workshop, in folder: String, authority: String? = nil) throws {
        guard let app = AppIdentifier("com.example.Transfers") else {
            throw BenchmarkError("com.example.Transfers is no name of an app")
        }
        (self.app, self.folder) = (app, folder)
        loop = try EventLoop()
        loop.onAlarm = { [unowned self] in stop(because: "a transfer takes longer than \(Self.timeout)") }
        let own = authority.map { ["SSL_CERT_FILE=" + $0] } ?? []
        pool = try TransferProcesses(
            loop: loop, executable: workshop.transfer, mark: folder, keepsIdle: .seconds(600),
            environment: ChildProcess.environment(of: []) + own,
            hear: { [unowned self] in hear($1, $3) },
            log: { [unowned self] in stop(because: $0) })
    }

    deinit { pool?.end() }

    /// Nanoseconds from the start of the first until all files are complete and durable.
    func fetch(_ urls: [String], atOnce: Int) throws -> Double {
        loop.arm(wall: nil, monotonic: Clock.monotonic + Self.timeout)
        let spent = try Stopwatch.time {
            waiting = urls[...]
            for _ in 0..<atOnce { begin() }
            if !underWay.isEmpty { loop.run() }
            if let trouble { throw BenchmarkError(trouble) }
        }
        loop.arm(wall: nil, monotonic: nil)
        return spent
    }

    /// Removes the downloaded files, which is not measured.
    func clear() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.removeItem(atPath: folder + "/" + name)
        }
    }

    /// Its process; nil if none runs.
    var pid: Int32? { pool?.numbers.first }

    private func begin() {
        guard let url = waiting.popFirst() else { return }
        number += 1
        let id = TransferID(number)
        underWay.insert(id)
        let order = TransferOrder(session: "benchmark", ordinal: number, direction: .download, url: url)
        pool?.begin(
            TransferStart(
                id: id, attempt: 1, stem: number, folder: folder, order: order, rules: TransferRules()),
            app: app, as: nil)
    }

    private func hear(_ id: TransferID, _ news: TransferNews) {
        switch news {
        case .progressed: return
        case .finished(let result) where result.status == 200:
            underWay.remove(id)
            begin()
            if underWay.isEmpty { loop.stop() }
        case .finished, .failed, .interrupted, .challenged: stop(because: "\(id): \(news)")
        }
    }

    private func stop(because sentence: String) {
        trouble = sentence
        loop.stop()
    }
}
