import Foundation
import LullControl
import LullHistory
import LullModel

@testable import LullAnswers
@testable import LullWeb

/// A host for the page: one task, one run that failed, and the run's output.
struct FixedAnswers: WebAnswers {
    private let past = MemoryHistory()
    private let tasks: [TaskIdentifier]
    private let now = WallTime(seconds: 1_795_219_200)

    init() throws {
        guard let app = AppIdentifier("com.example.App"), let task = TaskIdentifier("com.example.App.nightly")
        else { throw Broken("its own identifiers are none") }
        tasks = [task]
        var launched = HistoryEvent(.launched, at: now - .hours(2), app: app, task: task, run: RunID(7))
        launched.kind = .processing
        var failed = HistoryEvent(
            .failed, at: now - .hours(1), app: app, task: task, run: RunID(7), outcome: .failed)
        failed.reason = "<script>alert(1)</script>"
        let output = OutputChunk(
            run: RunID(7), stream: .standardOutput, time: now, bytes: Array("a line\n".utf8))
        try past.append(HistoryBatch(events: [launched, failed], outputs: [output]))
    }

    func status(_ slice: TaskSlice) async throws -> Data { Data("{\"tasks\":[]}".utf8) }
    func why(_ task: TaskIdentifier, showsCommand: Bool) async throws -> Data {
        guard tasks.contains(task) else { throw WebRefusal(404, "jobs.yaml does not list \(task).") }
        return Data("{\"task\":\"\(task)\"}".utf8)
    }
    func forecast(of app: AppIdentifier) async throws -> Data { Data("{}".utf8) }
    func history(_ query: HistoryQuery) async throws -> [HistoryEvent] { try past.events(matching: query) }
    func runs(_ query: RunQuery) async throws -> RunList { RunList(rows: [], earlier: nil) }
    func origin(of run: RunID) async throws -> String? { nil }
    func output(of run: RunID) async throws -> (kept: RunOutput?, isOpen: Bool) {
        (try past.output(of: run), false)
    }
    func timeline(
        _ setting: WebSetting, from: WallTime, to: WallTime
    ) async throws -> (timeline: Timeline, isCut: Bool) {
        try Timeline.read(
            of: setting.tasks, from: from, to: to, now: setting.now, zone: setting.zone, in: past)
    }
    func report() async throws -> StatusReport {
        StatusReport(time: now, conditions: Conditions(), apps: [], tasks: [])
    }
    func isRunning() async -> Bool { true }
    func loads() async throws -> [WorkerLoad] { [] }
    func setting() async throws -> WebSetting { WebSetting(now: now, zone: .utc, tasks: tasks) }
    func follow(
        after seq: Int64, limit: Int, _ body: @escaping @Sendable (HistoryEvent) -> Void
    ) async throws -> Int64 {
        try past.forEachEvent(after: seq, body)
        return 2
    }
    func carryOut(_ order: any Order, for bearer: Bearer?) async throws -> OrderAnswer {
        if order is Ask.Expire { throw WebRefusal(409, "It is not running.") }
        return OrderAnswer("Done.")
    }
    func change(after known: UInt64?) async throws -> UInt64 { 1 }
}
