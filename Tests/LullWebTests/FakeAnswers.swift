import Foundation
import LullControl
import LullHistory
import LullModel
import Synchronization
import Testing

@testable import LullWeb

/// A host for the site's tests: a history in memory, a report, and what it was told.
final class FakeAnswers: WebAnswers, Sendable {
    let events: MemoryHistory
    let tasks: [TaskIdentifier]
    let now: WallTime
    let told = Mutex<[ControlRequest]>([])
    /// From where it was followed, and how many events were handed over.
    let followed = Mutex<[(after: Int64, count: Int)]>([])
    let onFollow: @Sendable (Int64) async -> Void
    let onChange: @Sendable (UInt64?) async -> UInt64

    init(
        now: WallTime, tasks: [TaskIdentifier] = [], events: [HistoryEvent] = [], output: [OutputChunk] = [],
        onFollow: @escaping @Sendable (Int64) async -> Void = { _ in },
        onChange: @escaping @Sendable (UInt64?) async -> UInt64 = { _ in 1 }
    ) throws {
        self.onChange = onChange
        self.onFollow = onFollow
        self.now = now
        self.tasks = tasks
        self.events = MemoryHistory()
        try self.events.append(HistoryBatch(events: events, outputs: output))
    }

    func status() async throws -> Data { Data("{\"tasks\":[]}".utf8) }
    func why(_ task: TaskIdentifier) async throws -> Data {
        guard tasks.contains(task) else { throw WebRefusal(404, "jobs.yaml does not list \(task).") }
        return Data("{\"task\":\"\(task)\"}".utf8)
    }
    func forecast(of app: AppIdentifier) async throws -> Data { Data("{}".utf8) }
    func history(_ query: HistoryQuery) async throws -> [HistoryEvent] { try events.events(matching: query) }
    func runs(_ query: RunQuery) async throws -> RunList { try RunList.read(query, in: events) }
    func origin(of run: RunID) async throws -> String? { "Task \"jobs.yaml:7\"" }
    func output(of run: RunID) async throws -> RunOutput? { try events.output(of: run) }
    func timeline(
        _ setting: WebSetting, from: WallTime, to: WallTime
    ) async throws -> (timeline: Timeline, isCut: Bool) {
        try Timeline.read(
            of: setting.tasks, from: from, to: to, now: setting.now, zone: setting.zone, in: events)
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
    func carryOut(_ request: ControlRequest) async throws -> String {
        told.withLock { $0.append(request) }
        if case .expire = request { throw WebRefusal(409, "It is not running.") }
        return "Done."
    }
    func change(after known: UInt64?) async throws -> UInt64 { await onChange(known) }
}

extension TaskIdentifier {
    static func of(_ text: String) throws -> Self { try #require(TaskIdentifier(text)) }
}

extension AppIdentifier {
    static func of(_ text: String) throws -> Self { try #require(AppIdentifier(text)) }
}

/// 2026-11-21, a Saturday, at this time of day.
func at(_ hour: Int, _ minute: Int = 0, day: Int = 21) -> WallTime {
    let days = LocalTime.days(year: 2026, month: 11, day: day)
    return WallTime(seconds: Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60))
}
