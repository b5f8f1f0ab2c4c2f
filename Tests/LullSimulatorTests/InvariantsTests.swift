import LullModel
import LullScheduler
import Testing

@testable import LullSimulator

/// The second opinion has to be able to object.
@Suite struct InvariantsTests {
    private let time = WallTime(seconds: 1_772_409_600)

    private func faults(of effects: [Effect]) throws -> [String] {
        var invariants = Invariants(manifest: Manifest(), zones: .utc, history: [])
        invariants.willAnswer(Token(1))
        for effect in effects { invariants.note(effect) }
        return invariants.takeFaults(at: VirtualClock(start: time), seed: 0)
    }

    private func event(_ name: HistoryEvent.Name, request: UInt64? = nil, run: UInt64? = nil) throws -> Effect
    {
        let app = try #require(AppIdentifier("com.example.A"))
        let task = try #require(TaskIdentifier("com.example.A.t"))
        var event = HistoryEvent(
            name, at: time, app: app, task: task,
            request: request.map { RequestID($0) }, run: run.map { RunID($0) },
            outcome: name == .completed ? .succeeded : nil)
        event.kind = .processing
        return .record(event)
    }

    private func launch(run: UInt64) throws -> Effect {
        .launch(
            Launch(
                run: RunID(run), request: nil, task: try #require(TaskIdentifier("com.example.A.t")),
                app: try #require(AppIdentifier("com.example.A")), kind: .processing, deadline: nil))
    }

    @Test func `a sound life of a request and a run is no fault`() throws {
        let effects = try [
            event(.submitted, request: 1), .reply(Token(1), .accepted(RequestID(1))),
            event(.launched, request: 1, run: 1), launch(run: 1), event(.completed, request: 1, run: 1),
        ]
        #expect(try faults(of: effects) == [])
    }

    @Test func `an effect before its record is a fault`() throws {
        #expect(
            try faults(of: [.reply(Token(1), .accepted(RequestID(1))), event(.submitted, request: 1)]).count
                == 1)
        #expect(try faults(of: [launch(run: 1), event(.launched, run: 1)]).count == 1)
    }

    @Test func `a second end or a second answer is a fault`() throws {
        #expect(
            try faults(of: [
                event(.submitted, request: 1), event(.replaced, request: 1), event(.cancelled, request: 1),
            ])
            .count == 1)
        #expect(
            try faults(of: [event(.launched, run: 1), event(.completed, run: 1), event(.completed, run: 1)])
                .count == 1)
        #expect(try faults(of: [.reply(Token(1), .done("")), .reply(Token(1), .done(""))]).count == 1)
    }
}
