import Foundation
import LullControl
import LullHistory
import LullModel
import Synchronization
import Testing

@testable import LullAnswers
@testable import LullWeb

/// A host for the site's tests: a history in memory, a report, and the orders that it got.
final class FakeAnswers: WebAnswers, Sendable {
    let events: MemoryHistory
    let tasks: [TaskIdentifier]
    let now: WallTime
    let told = Mutex<[any Order]>([])
    /// Who gave them.
    let bearers = Mutex<[Bearer?]>([])
    /// For each follow, the event after which it began and the number of events that it got.
    let followed = Mutex<[(after: Int64, count: Int)]>([])
    /// The app of the tasks.
    let app: AppIdentifier
    let onFollow: @Sendable (Int64) async -> Void
    let onChange: @Sendable (UInt64?) async -> UInt64

    init(
        now: WallTime, app: AppIdentifier = .host, tasks: [TaskIdentifier] = [], events: [HistoryEvent] = [],
        output: [OutputChunk] = [],
        onFollow: @escaping @Sendable (Int64) async -> Void = { _ in },
        onChange: @escaping @Sendable (UInt64?) async -> UInt64 = { _ in 1 }
    ) throws {
        self.onChange = onChange
        self.onFollow = onFollow
        self.now = now
        self.app = app
        self.tasks = tasks
        self.events = MemoryHistory()
        try self.events.append(HistoryBatch(events: events, outputs: output))
    }

    func status(_ slice: TaskSlice) async throws -> Data { Data("{\"tasks\":[]}".utf8) }
    func why(_ task: TaskIdentifier, showsCommand: Bool) async throws -> Data {
        guard tasks.contains(task) else { throw WebRefusal(404, "jobs.yaml does not list \(task).") }
        return Data("{\"task\":\"\(task)\",\"command\":\(showsCommand)}".utf8)
    }
    func forecast(of app: AppIdentifier) async throws -> Data { Data("{}".utf8) }
    func history(_ query: HistoryQuery) async throws -> [HistoryEvent] { try events.events(matching: query) }
    func runs(_ query: RunQuery) async throws -> RunList { try RunList.read(query, in: events) }
    func origin(of run: RunID) async throws -> String? { "Task \"jobs.yaml:7\"" }
    func output(of run: RunID) async throws -> (kept: RunOutput?, isOpen: Bool) {
        let isOver = try events.events(matching: HistoryQuery(run: run)).contains { $0.outcome != nil }
        return (try events.output(of: run), !isOver)
    }
    func timeline(
        _ setting: WebSetting, from: WallTime, to: WallTime
    ) async throws -> (timeline: Timeline, isCut: Bool) {
        try Timeline.read(
            of: setting.tasks, from: from, to: to, now: setting.now, zone: setting.zone, in: events)
    }
    /// Whether it got these orders only, in this order.
    func wasTold(_ orders: any Order...) -> Bool {
        func isSame<O: Order>(_ one: O, _ other: any Order) -> Bool { other as? O == one }
        let told = told.withLock { $0 }
        for (order, other) in zip(told, orders) where !isSame(order, other) { return false }
        return told.count == orders.count
    }
    func report() async throws -> StatusReport {
        let status = tasks.map { task in
            StatusReport.TaskStatus(
                task: task, app: app, kind: .processing, running: [], lastRun: nil, lastLaunched: nil,
                lastOutcome: nil, lastMilliseconds: nil, lastReason: nil, pending: nil,
                verdict: Verdict(task: task, gates: []))
        }
        return StatusReport(time: now, conditions: Conditions(), apps: [], tasks: status)
    }
    func isRunning() async -> Bool { true }
    func loads() async throws -> [WorkerLoad] { [] }
    func setting() async throws -> WebSetting { WebSetting(now: now, zone: .utc, tasks: tasks) }
    func follow(
        after seq: Int64, limit: Int, _ body: @escaping @Sendable (HistoryEvent) -> Void
    ) async throws -> Int64 {
        await onFollow(seq)
        var handed: Int64 = 0
        try events.forEachEvent(after: seq) { event in
            guard handed < limit else { return }
            handed += 1
            body(event)
        }
        followed.withLock { $0.append((seq, Int(handed))) }
        return seq + handed
    }
    func carryOut(_ order: any Order, for bearer: Bearer?) async throws -> OrderAnswer {
        told.withLock { $0.append(order) }
        bearers.withLock { $0.append(bearer) }
        if order is Ask.Expire { throw WebRefusal(409, "It is not running.") }
        if order is Ask.Resume { return OrderAnswer("It is not paused.", wasSo: true) }
        return OrderAnswer("Done.")
    }
    func change(after known: UInt64?) async throws -> UInt64 { await onChange(known) }
}
