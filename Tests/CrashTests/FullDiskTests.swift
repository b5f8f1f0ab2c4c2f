import Foundation
import Glibc
import LullControl
import LullHistory
import LullModel
import TestSupport
import Testing

/// An app fills the disk of the state: the host names and ends it, and all other apps go on.
@Suite(.serialized) struct FullDiskTests {
    struct Act: Sendable, CustomTestStringConvertible {
        /// The task of the plugin.
        let name: String
        /// The host's user, and the app's `user`; empty: root, and nobody.
        var host = ""
        var user = ""
        var options = "size=64m"
        var testDescription: String { "\(name) host=\(host) user=\(user)" }
    }

    static let acts = [
        Act(name: "file"), Act(name: "file", user: "nobody"), Act(name: "file", host: "nobody"),
        Act(name: "nameless"), Act(name: "nameless", host: "nobody"), Act(name: "elsewhere"),
        Act(name: "elsewhere", user: "nobody"), Act(name: "empty", options: "size=64m,nr_inodes=4000"),
        Act(name: "words", options: "size=48m"),
    ]

    @Test(
        .enabled(if: Namespace.isPermitted && getpwnam("nobody") != nil, "needs the right to mount"),
        arguments: acts)
    func `who fills the disk is named and ended, and a neighbour is launched`(act: Act) throws {
        let bench = try FullDisk(act)
        try bench.begin()
        try bench.submit("com.example.Hog.\(act.name)")
        let sentence = "com.example.Hog has filled the disk that holds Lull's state: "
        try bench.wait("it is not named") { bench.workshop.words.contains(sentence) }
        // The history has a reserve when the disk has no room for anything else.
        var time = Workshop.past
        func use() -> Bool {
            time += 1
            return bench.use(time)
        }
        try bench.wait("no use is recorded") { use() }
        try bench.wait("it is not ended") { !bench.isRunning("com.example.Hog.\(act.name)") }
        for _ in 0..<20 { #expect(use()) }
        try bench.submit("com.example.Neighbour.now")
        try bench.wait("the neighbour is not launched") {
            bench.status("com.example.Neighbour.now")?.lastOutcome == .succeeded
        }
        // A nameless file is gone with its process, so there is room again.
        if act.name != "nameless" { try expectHeldBack(act, bench, sentence) }
        #expect(bench.host.isRunning)
        let events = try bench.end()
        let hog = events.filter { $0.app.text == "com.example.Hog" }
        #expect(hog.contains { $0.event == .violation && $0.reason?.hasPrefix(sentence) == true })
        #expect(hog.contains { $0.event == .expired && $0.reason?.hasPrefix(sentence) == true })
        let end = try #require(hog.first { $0.event == .failed })
        #expect(end.outcome == .killed && end.reason?.contains(sentence) == true, "\(end)")
        let uses = Set(events.filter { $0.event == .used }.map(\.time.milliseconds))
        #expect(uses.isSuperset(of: bench.acknowledged) && bench.acknowledged.count > 20)
        #expect(!bench.workshop.words.contains("the disk is full. "), "\(bench.workshop.lastWords)")
    }

    /// The app is not launched again while the disk is full.
    private func expectHeldBack(_ act: Act, _ bench: FullDisk, _ sentence: String) throws {
        let status = try #require(bench.report)
        #expect(status.remarks?.contains { $0.contains(sentence) } == true, "\(status.remarks ?? [])")
        try bench.submit("com.example.Hog.\(act.name)")
        let gate = try #require(bench.gate(.folder, of: "com.example.Hog.\(act.name)"))
        #expect(!gate.isOpen && gate.reason.hasPrefix(sentence))
    }

    @Test(
        .enabled(if: Namespace.isPermitted && getpwnam("nobody") != nil, "needs the right to mount"),
        arguments: [Act(name: "grow"), Act(name: "grow", user: "nobody"), Act(name: "grow", host: "nobody")])
    func `who keeps more than it may is ended, and is launched again once it has tidied up`(act: Act) throws {
        var act = act
        act.options = "size=512m"
        let bench = try FullDisk(act, limits: "disk: 8MiB")
        try bench.begin()
        try bench.submit("com.example.Hog.grow")
        try bench.wait("it is not ended") {
            guard let status = bench.status("com.example.Hog.grow") else { return false }
            return status.running.isEmpty && status.lastReason != nil
        }
        let reason = try #require(bench.status("com.example.Hog.grow")?.lastReason)
        let words = /Hog keeps (?:at least )?[\d.]+ MiB in its folder, and its `limits: { disk }` is 8 MiB/
        #expect(reason.contains(words), "\(reason)")
        for task in ["grow", "tidy"] { try bench.submit("com.example.Hog.\(task)") }
        try bench.wait("its gate is open") {
            bench.gate(.folder, of: "com.example.Hog.tidy")?.isOpen == false
        }
        let gate = try #require(bench.gate(.folder, of: "com.example.Hog.tidy"))
        #expect(gate.reason.contains(words) && gate.remedy?.contains("raise `disk`") == true, "\(gate)")
        // A launch by hand lets the app make room.
        #expect(try bench.launch("com.example.Hog.tidy"))
        try bench.wait("it does not tidy up") {
            bench.status("com.example.Hog.tidy")?.lastOutcome == .succeeded
        }
        try bench.wait("its gate stays closed") {
            bench.gate(.folder, of: "com.example.Hog.tidy")?.isOpen == true
        }
        #expect(bench.host.isRunning)
        _ = try bench.end()
    }
}

/// A host whose state lies on a small disk, with a hostile app and a good one.
private final class FullDisk {
    let workshop: Workshop
    private(set) var host = Process()
    private(set) var acknowledged: Set<Int64> = []
    private let act: FullDiskTests.Act
    private var disk: String { workshop.folder + "/disk" }

    init(_ act: FullDiskTests.Act, limits: String = "") throws {
        self.act = act
        workshop = try Workshop()
        for plugin in ["FillsDisk", "Good"] { try workshop.compile(plugin) }
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let user = act.user.isEmpty ? "" : "    user: \(act.user)\n"
        let keys = [act.name == "elsewhere" ? "write: [\(disk)/beside]" : "", limits].filter { !$0.isEmpty }
        try """
        version: 1
        defaults:
          idle_after: never
          time_limit: 5m
          grace: { warning: 1s, kill: 1s }
          retry: { first: 1s, max: 1s }
          requires: { idle: false }
        apps:
          com.example.Hog:
            plugin: FillsDisk
        \(user)    limits: { \(keys.joined(separator: ", ")) }
            transfers: {}
            tasks: { \(act.name): { kind: processing }, tidy: { kind: processing } }
          com.example.Neighbour:
            plugin: Good
            tasks: { now: { kind: processing } }
        """.write(toFile: workshop.folder + "/jobs.yaml", atomically: true, encoding: .utf8)
    }

    private var inside: String { Namespace.path(disk + "/state", of: host) }

    func begin() throws {
        let owner = act.host.isEmpty ? "root" : act.host
        var through = Namespace.tmpfs(
            on: disk, options: "\(act.options),mode=755",
            more: "mkdir -m 777 '\(disk)/beside' && chown \(owner) '\(disk)'")
        var executable = Workshop.lull
        if !act.host.isEmpty {
            // That user may not be able to reach the build's products.
            let own = workshop.folder + "/bin"
            try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
            for name in ["lull", "lull-worker"] {
                try FileManager.default.copyItem(
                    atPath: Workshop.products.appendingPathComponent(name).path, toPath: own + "/" + name)
            }
            executable = own + "/lull"
            through += ["setpriv", "--reuid=\(act.host)", "--regid=nogroup", "--clear-groups"]
        }
        host = try workshop.start(
            ["run", "jobs.yaml"], through: through, state: disk + "/state", executable: executable)
        try wait("it does not begin") {
            guard let report else { return false }
            return report.apps.count == 2 && report.apps.allSatisfy { $0.discovered != nil }
        }
    }

    func wait(_ what: String, until isSo: () throws -> Bool) throws {
        try #require(
            Workshop.waits { try !host.isRunning || isSo() } && host.isRunning,
            "\(what):\n\(workshop.lastWords)")
    }

    private func ask<Q: Question>(_ question: Q) -> Q.Answer? {
        guard let client = try? ControlClient(stateFolder: inside, timeout: hangLimit) else { return nil }
        return try? client.ask(question)
    }

    var report: StatusReport? { ask(Ask.Status()) }

    func status(_ task: String) -> StatusReport.TaskStatus? { report?.tasks.first { $0.task.text == task } }

    func isRunning(_ task: String) -> Bool { status(task)?.running.isEmpty == false }

    func gate(_ gate: GateName, of task: String) -> GateVerdict? {
        guard let task = TaskIdentifier(task), let verdict = ask(Ask.Why(task))?.verdict else {
            return nil
        }
        return verdict.gates.first { $0.gate == gate }
    }

    func submit(_ task: String) throws {
        let task = try #require(TaskIdentifier(task))
        guard ask(Ask.Submit(task)) != nil else {
            Issue.record("\(task) is not accepted: \(workshop.lastWords)")
            return
        }
    }

    func launch(_ task: String) throws -> Bool {
        ask(Ask.Launch(try #require(TaskIdentifier(task)))) != nil
    }

    func use(_ milliseconds: Int64) -> Bool {
        guard let app = AppIdentifier("com.example.Neighbour"),
            ask(Ask.Used(app, at: WallTime(milliseconds: milliseconds))) != nil
        else { return false }
        acknowledged.insert(milliseconds)
        return true
    }

    /// Ends the host, and returns the events that it has recorded.
    func end() throws -> [HistoryEvent] {
        // SQLite follows links, so it would not find the path into the namespace.
        let copy = workshop.folder + "/copy"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        kill(host.processIdentifier, SIGSTOP)
        for suffix in ["", "-wal"] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: inside + "/history.sqlite" + suffix))
            try bytes.write(to: URL(fileURLWithPath: copy + "/history.sqlite" + suffix))
        }
        kill(host.processIdentifier, SIGCONT)
        host.terminate()
        host.waitUntilExit()
        #expect(host.terminationStatus == 0, "\(workshop.lastWords)")
        let history = try SQLiteHistory.open(folder: copy, mode: .readWrite)
        var account = Account()
        try account.read(history)
        #expect(account.faults.isEmpty)
        return try history.events()
    }
}
