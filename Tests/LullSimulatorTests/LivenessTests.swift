import LullModel
import LullScheduler
import Testing

@testable import LullSimulator

/// The second opinion on wakes: it goes by the verdict that `why` will give at the moment in question.
struct LivenessTests {
    private let start = WallTime(seconds: 1_772_409_600)
    private let owner: AppIdentifier
    private let task: TaskIdentifier

    init() throws {
        owner = try #require(AppIdentifier("com.example.A"))
        task = try #require(TaskIdentifier("com.example.A.t"))
    }

    private func now(_ span: Duration) -> Now {
        Now(wall: start + span, monotonic: MonotonicTime(nanoseconds: 0) + span, zones: .utc)
    }

    /// A processing task that failed at `failed` hours, as a clock then showed, and that waits since.
    private func state(failed hours: Int, begin: WallTime?, _ conditions: Conditions) -> SchedulerState {
        var definition = TaskDefinition(identifier: task, app: owner, kind: .processing)
        definition.repeat = .days(1)
        definition.retry = .init(first: .hours(1), max: .hours(1))
        var app = App(identifier: owner, plugin: "/plugins/a.so")
        app.tasks = [definition]
        let request = HistoryEvent(.submitted, at: start, app: owner, task: task, request: RequestID(1))
        var events = [HistoryEvent(.discovered, at: start, app: owner), request, request, request, request]
        events[0].registered = [task]
        events[0].stamp = "1"
        events[1].kind = .processing
        events[2] = HistoryEvent(
            .launched, at: start, app: owner, task: task, request: RequestID(1), run: RunID(1))
        events[3] = HistoryEvent(
            .failed, at: start + .hours(hours), app: owner, task: task, run: RunID(1), outcome: .failed)
        events[4].request = RequestID(2)
        events[4].kind = .processing
        events[4].origin = .repeat
        events[4].earliestBegin = begin
        var ledger = Ledger()
        for event in events { ledger.apply(event, zones: .utc) }
        var state = SchedulerState(ledger: ledger)
        _ = state.handle(.conditionsChanged(conditions), at: now(.hours(1)))
        let effects = state.handle(
            .manifestLoaded(Manifest(apps: [app]), stamps: [owner: "1"]), at: now(.hours(1)))
        if effects.contains(.startWorker(WorkerID(app: owner, number: 1))) {
            _ = state.handle(
                .workerReady(WorkerID(app: owner, number: 1), registered: [task]), at: now(.hours(1)))
        }
        return state
    }

    private func faults(_ state: SchedulerState, after span: Duration, armed: Deadline) -> [String] {
        var liveness = Liveness()
        return liveness.check(state, now: now(span), armed: armed)
    }

    @Test func `a host that sleeps beyond the opening of a gate is found out`() {
        let quiet = Conditions(presence: .known(.idle(since: start - .days(1))), load: 0)
        let waits = state(failed: 0, begin: start + .hours(5), quiet)
        let late = Deadline(wall: start + .hours(6))
        #expect(faults(waits, after: .hours(2), armed: late).count == 1)
        #expect(faults(waits, after: .hours(2), armed: Deadline(wall: start + .hours(5))) == [])
    }

    @Test func `one whose task waits for its moment when the gate opens is not`() {
        // A failure that the clock, set back since, has yet to reach closes `backoff` once it does.
        let busy = Conditions(presence: .known(.active), load: 2)
        let waits = state(failed: 2, begin: nil, busy)
        let verdict = waits.verdict(for: task, at: now(.hours(2)))
        #expect(verdict.closed.map(\.gate) == [.backoff])
        #expect(faults(waits, after: .hours(2), armed: Deadline(wall: start + .hours(20))) == [])
    }
}
