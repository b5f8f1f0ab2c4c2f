import Foundation
import LullControl
import LullHistory
import LullModel
import TestSupport
import Testing

/// A host whose app fetches many files from nginx, and their fate: from the files, the plugin's notes and the history.
final class TransferYard {
    let workshop: Workshop
    let web: WebServer
    let count: Int
    private var contents: [Data] = []
    private(set) var host: Process?

    static let app = Workshop.apps[0]
    private var folder: String { "\(workshop.state)/apps/\(Self.app)" }

    /// `bytes`: the size of file n; `limit`: nginx's `limit_rate` for each.
    init(count: Int, atOnce: Int, limit: String? = nil, bytes: (Int) -> Int) throws {
        self.count = count
        workshop = try Workshop(rest: true)
        try workshop.compile("Fetches")
        web = try WebServer(locations: limit.map { "limit_rate \($0);" } ?? "")
        for number in 0..<count {
            contents.append(try web.serve("\(number)", bytes: bytes(number), seed: UInt64(number)))
        }
        let manifest = """
            version: 1
            apps:
              \(Self.app):
                plugin: Fetches
                idle_after: never
                keep_warm: 1h
                transfers: { at_once: \(atOnce) }
                settings: { url: \(web.url("")), count: "\(count)" }
                tasks:
                  begin: { kind: processing, requires: { idle: false } }
                  look: { kind: processing, requires: { idle: false } }
            """
        try manifest.write(toFile: workshop.folder + "/jobs.yaml", atomically: true, encoding: .utf8)
    }

    deinit {
        guard let host, host.isRunning else { return }
        kill(host.processIdentifier, SIGKILL)
        host.waitUntilExit()
    }

    /// Starts a host if none runs; true: a new one runs.
    @discardableResult
    func startHost() throws -> Bool {
        if let host, host.isRunning { return false }
        let started = try workshop.start(["run", "jobs.yaml"])
        host = started
        try #require(
            Workshop.waits { (try? transfers()) != nil && isDiscovered }, "\(workshop.lastWords)")
        return true
    }

    private var isDiscovered: Bool {
        guard let report = try? client().ask(Ask.Status()) else { return false }
        return report.apps.allSatisfy { $0.discovered != nil }
    }

    private func client() throws -> ControlClient { try ControlClient(stateFolder: workshop.state) }

    func transfers() throws -> [TransferReport] { try client().ask(Ask.Transfers()) }

    /// Launches a task as an operator does, and waits for its end; false if it did not succeed, as when the worker has just been
    /// killed.
    @discardableResult
    func launch(_ name: String) throws -> Bool {
        let task = try #require(TaskIdentifier(name, of: Self.app))
        let run = try client().ask(Ask.Begin(task)).run
        return try client().ask(Ask.Await(run)).outcome == .succeeded
    }

    /// Retries at once all transfers that wait for their next attempt.
    func hurry() throws {
        for report in try transfers() where report.state.phase == .waiting && report.until != nil {
            _ = try? client().ask(Ask.OrderTransfer(report.state.id, .resume))
        }
    }

    func children(_ name: String) throws -> [pid_t] {
        try Processes.descendants(of: host?.processIdentifier ?? 0, named: name)
    }

    /// Waits until none is left, as long as they become fewer.
    func waitForAll() throws {
        var left = Int.max
        while left > 0 {
            let before = left
            let areFewer = try Workshop.waits {
                try hurry()
                left = try transfers().count
                return left < before
            }
            try #require(areFewer, "\(left) are left. \(workshop.lastWords)")
        }
    }

    func stop() throws {
        host?.terminate()
        host?.waitUntilExit()
        #expect(host?.terminationStatus == 0, "\(workshop.lastWords)")
    }

    // MARK: What became of it

    /// The number of complete files among those that the app was handed.
    func wholeFiles() throws -> Int {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/got")
        return names.count { name in
            guard let number = name.split(separator: ".").last.flatMap({ Int($0) }), number < count else {
                return false
            }
            return FileManager.default.contents(atPath: folder + "/got/" + name) == contents[number]
        }
    }

    /// The plugin's notes of each end.
    var notes: [String] {
        ((try? String(contentsOfFile: folder + "/notes", encoding: .utf8)) ?? "").split(separator: "\n")
            .map(String.init)
    }

    /// The transfers' own files.
    var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder + "/.transfers"))?.sorted() ?? []
    }

    /// Faults in the history: a transfer without an end, or with two, or whose end was taken twice or never.
    func faults(expecting all: Int) throws -> [String] {
        let history = try SQLiteHistory.open(folder: workshop.state, mode: .readOnly)
        var acts: [TransferID: [String: Int]] = [:]
        for event in try history.events(matching: HistoryQuery(names: [.transfer])) {
            guard let note = event.transfer, let kind = note.kind else { continue }
            acts[note.id, default: [:]][kind, default: 0] += 1
        }
        let wrong = acts.filter { $0.value != ["asked": 1, "finished": 1, "taking": 1, "taken": 1] }
        return (acts.count == all ? [] : ["\(acts.count) transfers where \(all) were asked for"])
            + wrong.map { "\($0.key): \($0.value)" }
    }
}

extension TransferNote {
    /// Nil for events that may occur any number of times.
    fileprivate var kind: String? {
        switch self {
        case .asked: "asked"
        case .finished: "finished"
        case .taking: "taking"
        case .taken: "taken"
        case .failed, .cancelled, .challenged, .answered, .paused, .givenUp: "another end"
        case .interrupted, .resumed: nil
        }
    }
}
