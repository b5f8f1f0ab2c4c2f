import LullModel
import LullWire
import Testing

@testable import LullSimulator

/// The watch of the frames between a host and a worker has to be able to object: each check is shown a made-up bad trace.
@Suite struct WireWatchTests {
    private static let task = "com.example.A.t"
    private var watch: WireWatch
    private let permit: TaskIdentifier

    init() throws {
        permit = try #require(TaskIdentifier(Self.task))
        watch = WireWatch(permits: [permit: .processing])
    }

    private static let hello = WorkerFrame.Hello(abiMajor: 1, abiMinor: 0, sdk: "test", buildID: "")
    private static let launch = HostFrame.launch(
        run: 1, kind: .processing, identifier: task, deadline: 0, label: WireLabel())
    private static let submit = WorkerFrame.submit(
        sequence: 1, request: WireRequest(kind: .processing, identifier: task))
    private static let accepted = HostFrame.submitReply(sequence: 1, status: 0, sentence: "")

    /// The host reads `frame`, and believes `news` of it.
    private mutating func hear(_ frame: WorkerFrame?, _ news: WorkerEvent...) {
        if let frame { watch.writes(frame) }
        watch.arrives(frame)
        for news in news { watch.heard(news) }
        watch.arrived()
    }

    private mutating func tell(_ frame: HostFrame) {
        watch.sends(frame)
        watch.reads(frame, meant: frame)
    }

    private mutating func begin() {
        tell(.welcome(.init(app: "a", plugin: "b", stateFolder: "c", nice: 0, settingsBytes: 0, permits: 1)))
        hear(.registered(identifier: Self.task))
        let identity = PluginIdentity(sdk: "test", abiMajor: 1, abiMinor: 0, buildID: "")
        hear(.hello(Self.hello), .ready(registered: [permit], plugin: identity))
        watch.launches(RunID(1))
        tell(Self.launch)
    }

    private mutating func hearSubmit() throws {
        let wish = try #require(PluginRequest(WireRequest(kind: .processing, identifier: Self.task)))
        hear(Self.submit, .submit(SubmitID(7), sequence: 1, wish))
    }

    private mutating func finds(_ words: String) -> Bool {
        let faults = watch.takeFaults()
        return faults.count == 1 && faults[0].contains(words)
    }

    @Test mutating func `a sound life of a worker is no fault`() throws {
        begin()
        try hearSubmit()
        tell(Self.accepted)
        watch.checkAnswered()
        hear(.launchReturned(run: 1), .launchReturned(RunID(1)))
        hear(.withdraw(sequence: 1), .withdrawn(SubmitID(7)))
        tell(.expire(run: 1, reason: "Its time is up."))
        hear(.completed(run: 1, success: true), .completed(RunID(1), success: true))
        hear(.launchReturned(run: 1))
        tell(.terminate)
        #expect(watch.takeFaults() == [])
    }

    @Test mutating func `news of a run that is not the worker's, or that is over, is a fault`() {
        begin()
        hear(
            .progress(run: 2, completed: 1, total: 2, message: ""),
            .progress(RunID(2), completed: 1, total: 2, message: ""))
        #expect(watch.takeFaults().contains { $0.contains("hears of run 2, which is not open") })
        hear(.completed(run: 1, success: true), .completed(RunID(1), success: true))
        hear(.launchReturned(run: 1), .launchReturned(RunID(1)))
        #expect(watch.takeFaults().contains { $0.contains("hears of run 1, which is not open") })
        hear(
            .violation(run: 9, identifier: "", sentence: "It did.", isFatal: false),
            .violation(RunID(9), sentence: "It did.", isFatal: false))
        #expect(finds("held against run 9, which is not its worker's"))
    }

    @Test mutating func `a completion that is none, a second one, and one that nobody hears are faults`() {
        begin()
        hear(.completed(run: 2, success: true), .completed(RunID(2), success: true))
        #expect(watch.takeFaults().contains { $0.contains("completion of run 2 is believed") })
        hear(.completed(run: 1, success: true))
        #expect(finds("does not hear what its worker said"))
        hear(.completed(run: 1, success: true), .completed(RunID(1), success: true))
        hear(.completed(run: 1, success: true), .completed(RunID(1), success: true))
        #expect(watch.takeFaults().contains { $0.contains("run 1 completes twice") })
    }

    @Test mutating func `what can't be has to be a violation`() {
        begin()
        hear(nil)
        #expect(finds("what can't be is passed over"))
    }

    @Test mutating func `after a fatal violation nothing is heard and nothing is told`() {
        begin()
        hear(nil, .violation(nil, sentence: "It wrote an empty frame.", isFatal: true))
        #expect(watch.takeFaults() == [])
        hear(.launchReturned(run: 1), .launchReturned(RunID(1)))
        #expect(watch.takeFaults().contains { $0.contains("is heard after a fatal violation") })
        watch.sends(.expire(run: 1, reason: "Its time is up."))
        #expect(finds("is told something after a fatal violation"))
    }

    @Test mutating func `a submit without an answer, and one with two, are faults`() throws {
        begin()
        try hearSubmit()
        watch.checkAnswered()
        #expect(finds("submit 1 has no answer"))
        tell(Self.accepted)
        #expect(finds("submit 1 is answered, and nobody waits for that"))
        tell(Self.accepted)
        #expect(watch.takeFaults().contains { $0.contains("for which it does not wait") })
    }

    @Test mutating func `a submit that nobody hears of, and another than was made, are faults`() throws {
        begin()
        hear(Self.submit)
        #expect(finds("submit 1 is not heard"))
        let other = try #require(PluginRequest(WireRequest(kind: .refresh, identifier: Self.task)))
        watch.unanswered = []
        hear(Self.submit, .submit(SubmitID(7), sequence: 1, other))
        #expect(finds("its worker said something else"))
    }

    @Test mutating func `a withdrawal that nobody hears is a fault, and so is an answer after it`() throws {
        begin()
        try hearSubmit()
        hear(.withdraw(sequence: 1))
        #expect(finds("the withdrawal of submit 1 is not heard"))
        watch.sends(Self.accepted)
        #expect(finds("submit 1 is answered, and nobody waits for that"))
    }

    @Test mutating func `what a worker can't read, or make sense of, is a fault`() {
        watch.reads(.settings(part: []), meant: .settings(part: []))
        #expect(finds("is not welcomed first"))
        tell(Self.launch)
        #expect(finds("is launched before its worker is ready"))
        begin()
        #expect(finds("is to launch run 1 twice"))
        watch.reads(nil, meant: .terminate)
        #expect(finds("can't read what the host wrote"))
        watch.reads(.expire(run: 1, reason: "a"), meant: .expire(run: 1, reason: "b"))
        #expect(finds("reads another frame than the host wrote"))
        tell(.expire(run: 3, reason: "Its time is up."))
        #expect(finds("is to expire run 3, which it does not have"))
        tell(.terminate)
        tell(Self.accepted)
        #expect(watch.takeFaults().contains { $0.contains("after it was told to end") })
    }
}
