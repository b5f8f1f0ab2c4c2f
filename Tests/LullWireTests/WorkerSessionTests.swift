import LullModel
import Testing

@testable import LullWire

/// A worker's frames as its host reads them, without any worker.
@Suite struct WorkerSessionTests {
    private var session: WorkerSession
    private let task: TaskIdentifier
    private var submits: UInt64 = 0

    init() throws {
        let app = try #require(AppIdentifier("com.example.A"))
        task = try #require(TaskIdentifier("com.example.A.t"))
        session = WorkerSession(
            app: app, permits: [SessionPermit(task: task, kind: .processing, settings: "{}")])
    }

    private mutating func take(_ frame: WorkerFrame) -> [SessionDeed] {
        frame.encoded().withUnsafeBytes { session.take($0, length: $0.count, submits: &submits) }
    }

    private mutating func beReady() {
        _ = take(.registered(identifier: task.text))
        _ = take(.hello(.init(abiMajor: 1, abiMinor: 0, sdk: "test", buildID: "")))
    }

    private mutating func launch(_ run: UInt64) -> HostFrame? {
        session.launch(RunID(run), task: task, kind: .processing, deadline: nil, label: nil)
    }

    private mutating func submit(_ sequence: UInt64) -> SubmitID? {
        let request = WireRequest(kind: .processing, identifier: task.text)
        guard case .say(.submit(let id, _, _))? = take(.submit(sequence: sequence, request: request)).first
        else { return nil }
        return id
    }

    /// A worker that registers without end costs its host bounded time and memory.
    @Test mutating func `so many identifiers are registered by a wildcard, and no more`() throws {
        let wildcard = try #require(TaskIdentifier("com.example.A.any.*"))
        session = WorkerSession(
            app: session.app, permits: [SessionPermit(task: wildcard, kind: .continued, settings: "{}")])
        for number in 0..<Limits.registrations {
            #expect(take(.registered(identifier: "com.example.A.any.n\(number)")).isEmpty)
        }
        let deeds = take(.registered(identifier: "com.example.A.any.last"))
        let isFatal = deeds.contains {
            if case .kill(let reason) = $0 { reason.contains("more than 10000") } else { false }
        }
        #expect(isFatal, "\(deeds)")
    }

    @Test mutating func `what is launched before the plugin is ready waits for it`() {
        #expect(launch(1) == nil)
        #expect(session.takeWaiting() == [])
        beReady()
        #expect(session.takeWaiting().count == 1)
        #expect(session.takeWaiting() == [])
        #expect(launch(2) != nil)
    }

    @Test mutating func `a run completes once, and only one that is its own`() {
        beReady()
        _ = launch(1)
        #expect(
            take(.completed(run: 1, success: true)) == [
                .readOutput, .rest, .say(.completed(RunID(1), success: true)),
            ])
        let again = take(.completed(run: 1, success: true))
        #expect(again.count == 3 && again.first == .closeSocket)
        #expect(take(.log(run: 0, level: .info, message: "after that")) == [])
    }

    @Test mutating func `news of another worker's run is none`() {
        beReady()
        _ = launch(1)
        #expect(take(.launchReturned(run: 2)) == [])
        #expect(take(.progress(run: 2, completed: 1, total: 2, message: "")) == [])
        #expect(take(.titles(run: 2, title: "a", subtitle: "b")) == [])
        #expect(take(.printed(run: 2, stream: .output, part: [1])) == [])
        #expect(take(.printed(run: 1, stream: .error, part: [1])) == [.say(.printed(RunID(1), .error, [1]))])
        #expect(take(.holdsOutput(run: 2)) == [])
        #expect(take(.skippedOutput(run: 2, bytes: 5)) == [])
        #expect(take(.holdsOutput(run: 1)) == [.letPrint(1)])
        #expect(take(.skippedOutput(run: 1, bytes: 5)) == [.say(.skippedOutput(RunID(1), bytes: 5))])
        #expect(
            take(.log(run: 2, level: .info, message: "a")) == [.say(.log(nil, .info, message: "a"))])
        #expect(
            take(.violation(run: 2, identifier: "", sentence: "a", isFatal: false)) == [
                .say(.violation(nil, sentence: "a", isFatal: false))
            ])
    }

    @Test mutating func `each of many submits whose answers are on their way can be withdrawn`() {
        beReady()
        let ids = (1...UInt64(WorkerSession.openSubmits)).map { submit($0) }
        #expect(submit(5000) == nil)
        for (index, id) in ids.enumerated() {
            guard let id else { continue }
            #expect(session.answer(id, UInt64(index + 1), nil) != nil)
        }
        for (index, id) in ids.enumerated() {
            guard let id else { continue }
            #expect(take(.withdraw(sequence: UInt64(index + 1))) == [.say(.withdrawn(id))])
            #expect(take(.withdraw(sequence: UInt64(index + 1))) == [])
        }
    }

    @Test mutating func `a submit is answered once, and not after it was withdrawn`() throws {
        beReady()
        let first = try #require(submit(1))
        #expect(session.answer(first, 1, nil) != nil)
        #expect(session.answer(first, 1, nil) == nil)
        let second = try #require(submit(2))
        #expect(take(.withdraw(sequence: 2)) == [.say(.withdrawn(second))])
        #expect(session.answer(second, 2, nil) == nil)
    }

    @Test mutating func `a worker that is to end is told no more`() throws {
        beReady()
        let id = try #require(submit(1))
        session.end(reason: "evicted by the host")
        session.end(reason: "killed by the host: later")
        #expect(session.reason == "evicted by the host")
        #expect(session.answer(id, 1, nil) == nil)
        #expect(launch(1) == nil)
        #expect(session.answerCancel(1) == nil)
    }

    @Test mutating func `a start for which the machine has no room now is held back`() {
        _ = take(.failed(phase: .room, sentence: "It can't make a thread."))
        #expect(
            session.outcome(reason: nil, wasStarting: true, otherwise: "by itself")
                == .heldBack(sentence: "It can't make a thread."))
    }

    @Test mutating func `how it ended is what it said, if it had not started, and else what the host did`() {
        _ = take(.failed(phase: .load, sentence: "It can't be loaded."))
        let outcome = session.outcome(reason: nil, wasStarting: true, otherwise: "by itself")
        #expect(outcome == .failed(sentence: "It can't be loaded."))
        #expect(
            session.outcome(reason: "killed", wasStarting: false, otherwise: "by itself")
                == .exited(sentence: "killed"))
    }

    @Test(arguments: [
        WorkerFrame.failed(phase: .start, sentence: ""),
        .violation(run: 0, identifier: "", sentence: "", isFatal: false),
    ])
    mutating func `a fault that says nothing is told with a sentence of the host's`(frame: WorkerFrame) {
        let sentence = "It wrote a fault without a sentence to its socket, which is the worker's alone."
        #expect(
            take(frame) == [
                .closeSocket, .say(.violation(nil, sentence: sentence, isFatal: true)),
                .kill(reason: sentence),
            ])
        #expect(session.isClosed)
    }

    @Test mutating func `a datagram that was too long to be read is a violation`() {
        let deeds = [UInt8](repeating: 0, count: 8).withUnsafeBytes {
            session.take($0, length: Limits.frameBytes + 1, submits: &submits)
        }
        #expect(deeds.first == .closeSocket)
        #expect(session.isClosed)
    }
}
