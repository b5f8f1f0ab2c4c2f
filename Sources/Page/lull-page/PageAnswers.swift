import Foundation
import LullAnswers
import LullCommands
import LullControl
import LullHistory
import LullHost
import LullModel
import LullSystem
import LullWeb
import Synchronization

/// The answers for the page: from a running host or from the state that it left, in the words of the commands.
///
/// Questions are asked one at a time, so that the host has at most one of them to answer, however many pages are open.
/// Orders, and the wait for a change, may take long and have threads of their own.
final class PageAnswers: WebAnswers, Asking, Sendable {
    let options: StateOptions
    let manifest: String?
    private let questions = BlockingThread()
    private let reading = BlockingThread()
    /// For the fleet's database: while it does not answer, no other caller waits.
    private let far = BlockingThread()
    /// The fleet of the manifest when it was last looked at.
    private let lastMembership = Mutex<(at: MonotonicTime, fleet: FleetDefinition?)?>(nil)
    /// A report that is younger than this is shared by all callers.
    private static let young: Duration = .milliseconds(200)
    private let last = Mutex<(at: MonotonicTime, change: UInt64, report: StatusReport)?>(nil)
    /// The newest change that a listening page was told of.
    private let lastChange = Mutex<UInt64>(0)
    private let history = Mutex<SQLiteHistory?>(nil)
    /// The last answer of the fleet's database.
    private let grid = Mutex<(key: String, at: MonotonicTime, data: Data)?>(nil)
    private static let fresh: Duration = .seconds(5)

    init(options: StateOptions, manifest: String?) {
        self.options = options
        self.manifest = manifest
    }

    func status(_ slice: TaskSlice) async throws -> Data {
        let report = try await report()
        let fleet = try await membership()
        return WebJSON.encode(
            PageStatusJSON(
                report, slice, Phrases.current, isRunning: await isRunning(), fleet: fleet?.name,
                tokenFile: URL(fileURLWithPath: options.folder.path).path + "/" + WebToken.fileName))
    }

    func why(_ task: TaskIdentifier, showsCommand: Bool) async throws -> Data {
        let report = try await report()
        return try await on(questions) { [self] in
            let why = try ask(Ask.Why(task))
            guard why.verdict.gates.count > 1 else {
                throw WebRefusal(404, "jobs.yaml does not list \(task).")
            }
            let status = report.tasks.first { $0.task == task }
            let words = WhyText(
                verdict: why.verdict, status: status, outlook: why.outlook, phrases: .current,
                absent: report.lacksHost ? report.absent : nil,
                runs: WhatRuns(of: task, options, manifest: manifest))
            return WebJSON.encode(PageWhyJSON(words, showsCommand: showsCommand))
        }
    }

    func forecast(of app: AppIdentifier) async throws -> Data {
        try await on(questions) { [self] in
            let report = try ask(Ask.Forecast(app), orRefuse: 404)
            let past = try ForecastPast(of: report, in: options.checkedFolder())
            return WebJSON.encode(ForecastJSON(report, past))
        }
    }

    func transfers(of app: AppIdentifier) async throws -> Data {
        try await on(questions) { [self] in
            WebJSON.encode(try ask(Ask.Transfers(app), orRefuse: 404).map(PageTransferJSON.init))
        }
    }

    func report() async throws -> StatusReport { try await report(since: nil) }

    /// `change`: if nothing has changed since, the report of the question before is shared: a page asks for the state and
    /// then for the timeline, and with thousands of tasks a report takes its time.
    private func report(since change: UInt64?) async throws -> StatusReport {
        try await on(questions) { [self] in
            if let last = last.withLock({ $0 }) {
                let age = Clock.monotonic - last.at
                if age < Self.young || last.change == change && age < .seconds(1) { return last.report }
            }
            let newest = lastChange.withLock { $0 }
            let report = try ask(Ask.Status())
            last.withLock { $0 = (Clock.monotonic, newest, report) }
            return report
        }
    }

    func isRunning() async -> Bool {
        let folder = options.folder.path
        let isThere = try? await on(questions) {
            _ = try ControlClient(stateFolder: folder)
            return true
        }
        return isThere ?? false
    }

    func loads() async throws -> [WorkerLoad] {
        try await on(questions) { [self] in
            // Without a host there are no workers.
            switch try answer(to: Ask.Loads()) {
            case .success(let loads): loads
            case .failure: []
            }
        }
    }

    func setting() async throws -> WebSetting {
        let report = try await report(since: lastChange.withLock { $0 })
        let tasks = report.tasks.map(\.task).filter { !$0.isWildcard }
        var setting = WebSetting(
            now: Clock.wall, zone: Phrases.current.zone, tasks: tasks, disabled: report.disabledTasks)
        setting.apps = Dictionary(report.tasks.map { ($0.task, $0.app) }) { first, _ in first }
        (setting.chains, setting.absent, setting.lacks) = (report.chains, report.absent, report.lacks)
        return setting
    }

    func history(_ query: HistoryQuery) async throws -> [HistoryEvent] {
        try await read { try $0.events(matching: query) } ?? []
    }

    func runs(_ query: RunQuery) async throws -> RunList {
        var query = query
        query.isHostGone = !(await isRunning())
        return try await read { [query] in try RunList.read(query, in: $0) }
            ?? RunList(rows: [], earlier: nil)
    }

    func origin(of run: RunID) async throws -> String? {
        try await read { history -> String? in
            guard let account = try RunAccount(run, in: history) else { return nil }
            let failed = account.end?.outcome?.isSuccess == false
            return account.origin(
                against: failed ? try account.lastGood(in: history) : nil, phrases: .current)
        } ?? nil
    }

    func output(of run: RunID) async throws -> (kept: RunOutput?, isOpen: Bool) {
        let folder = options.folder.path
        let part = try await on(questions) {
            try? ControlClient(stateFolder: folder).ask(Ask.Printed(by: run))
        }
        if let part, !part.isOver { return (RunOutput(part, of: run, at: Clock.wall), true) }
        return (try await read { try $0.output(of: run) } ?? nil, false)
    }

    func timeline(
        _ setting: WebSetting, from: WallTime, to: WallTime
    ) async throws -> (timeline: Timeline, isCut: Bool) {
        let read = try await read {
            try Timeline.read(
                of: setting.tasks, disabled: setting.disabled, lacks: setting.lacks, isWhole: true,
                chains: setting.chains,
                absent: setting.absent, from: from, to: to, now: setting.now, zone: setting.zone, in: $0)
        }
        let empty = Timeline(
            of: setting.tasks, from: from, to: to, now: setting.now, zone: setting.zone, events: [])
        return read ?? (empty, false)
    }

    func follow(
        after seq: Int64, limit: Int, _ body: @escaping @Sendable (HistoryEvent) -> Void
    ) async throws -> Int64 {
        try await read { try $0.follow(after: seq, limit: limit, body) } ?? seq
    }

    func carryOut(_ order: any Order, for bearer: Bearer?) async throws -> OrderAnswer {
        let said = try await onOwnThread { [self] in try ask(order, orRefuse: 409, for: bearer) }
        last.withLock { $0 = nil }
        return said
    }

    func pushRules(of app: AppIdentifier) async throws -> PushRules? {
        try await on(questions) { [self] in
            switch try answer(to: Ask.PushDoor(of: app)) {
            case .success(let rules): rules
            case .failure: nil
            }
        }
    }

    func change(after known: UInt64?) async throws -> UInt64 {
        let change = try await onOwnThread { [self] in
            try ControlClient(stateFolder: options.folder.path).ask(Ask.Changes(since: known ?? 0))
        }
        lastChange.withLock { $0 = change }
        return change
    }

    private func ask<Q: Question>(
        _ question: Q, orRefuse status: Int, for bearer: Bearer? = nil
    ) throws -> Q.Answer {
        switch try answer(to: question, for: bearer) {
        case .success(let answer): return answer
        case .failure(let refusal): throw WebRefusal(refusal, otherwise: status)
        }
    }

    /// Nil where nothing has been recorded yet. After an error the history is opened anew.
    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteHistory) throws -> Value
    ) async throws -> Value? {
        try await on(reading) { [self] in
            do {
                let folder = options.folder.path
                let opened = try history.withLock {
                    try $0 ?? SQLiteHistory.open(folder: folder, mode: .readOnly)
                }
                history.withLock { $0 = opened }
                return try body(opened)
            } catch let error as HistoryError {
                history.withLock { $0 = nil }
                if case .missing = error { return nil }
                throw WebRefusal(503, error.message + " " + error.fix)
            }
        }
    }

    func fleet(_ span: TimelineSpan, finding name: String) async throws -> Data {
        let fleet = try await fleetNow()
        return try await on(far) { [self] in
            // Each change of this host redraws the page; the other hosts' data is not read as often.
            let key = span.rawValue + " " + name
            if let known = grid.withLock({ $0 }), known.key == key, Clock.monotonic - known.at < Self.fresh {
                return known.data
            }
            let phrases = Phrases.current
            let range = span.range(at: phrases.now, in: phrases.zone)
            let reader = try FleetDatabaseReader(fleet)
            let data = WebJSON.encode(
                try askingFleet {
                    try FleetGrid.read(
                        from: range.from, to: range.to, now: phrases.now, finding: name, reader: reader)
                })
            grid.withLock { $0 = (key, Clock.monotonic, data) }
            return data
        }
    }

    func fleetMetrics() async throws -> String {
        let fleet = try await fleetNow()
        return try await on(far) {
            let reader = try FleetDatabaseReader(fleet)
            return FleetMetricsText(
                try askingFleet { try FleetOverview.read(from: reader) }, fleet: fleet.name
            )
            .rendered
        }
    }

    private func fleetNow() async throws -> FleetDefinition {
        guard let fleet = try await membership() else {
            throw WebRefusal(404, "This host is in no fleet: its manifest has no `fleet`.")
        }
        return fleet
    }

    /// Cached for a while: the manifest in force is a file of some size.
    private func membership() async throws -> FleetDefinition? {
        let now = Clock.monotonic
        if let known = lastMembership.withLock({ $0 }), now - known.at < .seconds(30) { return known.fleet }
        return try await on(questions) { [self] in
            let manifest = options.folder.manifestInForce ?? options.read(manifest).manifest
            lastMembership.withLock { $0 = (now, manifest?.fleet) }
            return manifest?.fleet
        }
    }

    private func on<Value: Sendable>(
        _ thread: BlockingThread, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            thread.run { continuation.resume(with: Result { try body() }.mapError(Self.refusal)) }
        }
    }

    private func onOwnThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try body() }.mapError(Self.refusal))
            }
        }
    }

    private static func refusal(_ error: any Error) -> any Error {
        switch error {
        case is WebRefusal: error
        case let failure as Failure: WebRefusal(503, failure.sentence)
        case let failure as ControlError: WebRefusal(503, failure.message)
        default: WebRefusal(503, "No host is running, and its manifest can't be read. `lull check` says why.")
        }
    }
}
