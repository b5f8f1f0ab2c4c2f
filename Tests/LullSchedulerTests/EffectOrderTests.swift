import LullModel
import LullScheduler
import Testing

/// An effect that ends a begun run does not wait for the log; one that ends a run before its launch does.
struct EffectOrderTests {
    private let worker: WorkerID
    private let other: WorkerID
    private let task: TaskIdentifier

    init() throws {
        worker = try WorkerID(app: #require(AppIdentifier("com.example.App")), number: 1)
        other = try WorkerID(app: #require(AppIdentifier("com.example.Other")), number: 2)
        task = try #require(TaskIdentifier("com.example.App.task"))
    }

    private func launch(_ run: UInt64) -> Effect {
        .launch(
            Launch(
                run: RunID(run), request: nil, task: task, worker: worker, kind: .processing, deadline: nil))
    }

    private func expire(_ run: UInt64) -> Effect { .expire(RunID(run), worker, reason: "late") }

    @Test func `an end overtakes what waits, and nothing else does`() {
        var order = EffectOrder()
        let kill = Effect.killWorker(worker, reason: "late")
        let rest: [Effect] = [
            .record(HistoryEvent(.used, at: WallTime(seconds: 1), app: worker.app)),
            .reply(Token(1), .done("so")),
            .startWorker(other), .resumeWorker(other), .suspendWorker(other), .evictWorker(other), launch(2),
            .finished,
        ]
        let divided = order.divide([expire(1), kill] + rest)
        #expect(divided.atOnce == [expire(1), kill])
        #expect(divided.later == rest)
    }

    @Test func `a run is not warned before it is launched`() {
        var order = EffectOrder()
        #expect(order.divide([launch(1)]).later == [launch(1)])
        #expect(order.divide([expire(1)]).later == [expire(1)])
        #expect(order.divide([expire(2)]).atOnce == [expire(2)])
        order.carriedOut(launch(1))
        #expect(order.divide([expire(1)]).atOnce == [expire(1)])
    }

    @Test func `a worker is not killed before it is started, and is although a launch waits`() {
        var order = EffectOrder()
        let kill = Effect.killWorker(worker, reason: "late")
        #expect(order.divide([launch(1)]).atOnce.isEmpty)
        #expect(order.divide([kill]).atOnce == [kill])
        #expect(order.divide([.startWorker(worker)]).atOnce.isEmpty)
        #expect(order.divide([kill]).later == [kill])
        #expect(order.divide([.killWorker(other, reason: "late")]).later.isEmpty)
        order.carriedOut(.startWorker(worker))
        #expect(order.divide([kill]).atOnce == [kill])
    }
}
