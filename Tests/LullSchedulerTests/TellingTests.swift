import LullModel
import Testing

@testable import LullScheduler

/// The notices that each sink gets, and how often.
@Suite struct `Telling` {
    private static let mail = NoticeSink(.mail("ops@example.org"))
    private static let journal = NoticeSink(.journal, on: [.failed, .output])

    private func host(_ sinks: [NoticeSink] = [mail], after first: TestHost? = nil) -> TestHost {
        TestHost(
            Self.manifest(sinks), at: first?.now.wall ?? TestHost.monday,
            ledger: first?.state.ledger ?? Ledger())
    }

    private static func manifest(_ sinks: [NoticeSink]) -> Manifest {
        Sample.manifest([
            Sample.definition(Sample.cleaning, .processing) {
                $0.requires.idle = false
                $0.retry = .init(first: .seconds(1), max: .seconds(1))
                $0.notify = sinks
            }
        ]) { $0.notify = sinks }
    }

    /// One run, which ends with this result.
    private func run(_ host: inout TestHost, success: Bool = false, prints: Bool = false) {
        host.advance(.seconds(20))
        host.handle(.wake)
        _ = host.submit(Sample.cleaning)
        if prints { for run in host.running { host.handle(.printed(run)) } }
        host.complete(success: success)
    }

    private func deliveries(_ host: inout TestHost) -> [Delivery] {
        host.take().compactMap { if case .deliver(let delivery) = $0 { delivery } else { nil } }
    }

    private func notes(_ host: TestHost, _ name: HistoryEvent.Name = .notice) -> [NoticeNote] {
        host.records.filter { $0.event == name }.compactMap(\.notice)
    }

    @Test func `a failure is told to each who wants to hear of it, after it is recorded`() throws {
        var host = host([Self.mail, Self.journal, NoticeSink(.webhook("https://h.example/x"), on: [.idle])])
        run(&host)
        let effects = host.take()
        let told = effects.compactMap { if case .deliver(let delivery) = $0 { delivery } else { nil } }
        #expect(told.map(\.target) == [.mail("ops@example.org"), .journal])
        #expect(told.allSatisfy { $0.notice.kind == .failed && $0.notice.task == Sample.cleaning })
        #expect(told.first?.notice.reason.hasPrefix("run 1 failed") == true)
        let record = try #require(
            effects.firstIndex { if case .record(let event) = $0 { event.event == .notice } else { false } })
        let effect = try #require(effects.firstIndex { if case .deliver = $0 { true } else { false } })
        #expect(record < effect)
    }

    @Test func `of a run that ends with its host no failure is told, and its output is`() {
        var host = host([Self.mail, Self.journal])
        host.advance(.seconds(20))
        host.handle(.wake)
        _ = host.submit(Sample.cleaning)
        for run in host.running { host.handle(.printed(run)) }
        host.handle(.shutdown)
        host.complete(success: false)
        #expect(notes(host).map(\.kind) == [.output] && notes(host).map(\.sink) == ["journal"])
    }

    @Test func `a manifest that is refused is told to each sink once, and its end`() throws {
        var host = host([Self.mail, Self.journal])
        host.handle(.manifestJudged("jobs.yaml is in force again", isInForce: true))
        #expect(notes(host).isEmpty)
        host.handle(.manifestJudged("jobs.yaml has errors", isInForce: false))
        let told = try #require(deliveries(&host).first?.notice)
        #expect(told.app == .host && told.reason == "jobs.yaml has errors")
        host.handle(.manifestJudged("jobs.yaml is in force again", isInForce: true))
        #expect(notes(host).map(\.kind) == [.manifest, .recovered])
        #expect(notes(host).allSatisfy { $0.sink == Self.mail.name })
    }

    @Test func `nobody is told of what nobody asked for`() {
        var host = host([])
        run(&host)
        #expect(notes(host).isEmpty)
        #expect(deliveries(&host).isEmpty)
    }

    @Test func `a success after a told failure is a recovery, once`() {
        var host = host()
        run(&host)
        run(&host, success: true)
        run(&host, success: true)
        #expect(notes(host).map(\.kind) == [.failed, .recovered])
    }

    @Test func `what a run printed is told once, and of a failure with that`() {
        var host = host([NoticeSink(.mail("a@example.org"), on: [.output]), Self.journal])
        run(&host, success: true, prints: true)
        run(&host, success: true)
        run(&host, success: false, prints: true)
        let told = notes(host)
        #expect(told.filter { $0.sink == "mail a@example.org" }.map(\.kind) == [.output, .output])
        #expect(told.filter { $0.sink == "journal" }.map(\.kind) == [.output, .failed])
    }

    @Test func `a flood is told in a burst and then in one summary`() {
        var host = host()
        for _ in 0..<15 { run(&host) }
        #expect(notes(host).map(\.state).filter { $0 == .due }.count == NoticeBook.burst)
        #expect(notes(host).filter { $0.state == .held }.count == 12)
        for delivery in deliveries(&host) { host.handle(.delivered(delivery.notice.id, trouble: nil)) }
        host.pass(.hours(2))
        let summaries = notes(host).filter { $0.covers != nil }
        #expect(summaries.map(\.covers) == [12])
        let sentence = host.records.last { $0.notice?.covers != nil }?.reason
        #expect(sentence == "12 more failures of com.example.Feed.cleaning")
        #expect(deliveries(&host).map(\.notice.covers) == [12])
    }

    /// A ledger whose sink got this many output notices of other tasks within the window.
    private func flooded(_ count: Int, at time: WallTime) -> Ledger {
        var ledger = Ledger()
        for number in 0..<count {
            var event = HistoryEvent(
                .notice, at: time, app: Sample.other, task: Sample.task("com.example.Other.t\(number)"))
            event.notice = NoticeNote(
                id: UInt64(number + 1), kind: .output, sink: Self.journal.name,
                state: number < NoticeBook.most ? .due : .held)
            ledger.apply(event, zones: .utc)
        }
        return ledger
    }

    @Test func `outputs do not use up what failures are told by, and a new failure is told at once`() throws {
        var host = TestHost(Self.manifest([Self.journal]), ledger: flooded(40, at: TestHost.monday))
        run(&host)
        #expect(notes(host).map(\.kind) == [.failed] && notes(host).map(\.state) == [.due])
        let sink = try #require(host.state.report(at: host.now).sinks?.first)
        #expect(sink.held == 20 && sink.heldUntil == TestHost.monday + NoticeBook.window)
    }

    @Test func `a failure is told before what waits, and named first in a summary`() throws {
        var ledger = flooded(20, at: TestHost.monday)
        func hold(_ kind: NoticeKind, _ task: TaskIdentifier, _ id: UInt64) {
            var event = HistoryEvent(.notice, at: TestHost.monday, app: Sample.other, task: task)
            event.notice = NoticeNote(id: id, kind: kind, sink: Self.journal.name, state: .held)
            ledger.apply(event, zones: .utc)
        }
        for number in 0..<25 {
            hold(.output, Sample.task("com.example.Other.more\(number)"), UInt64(100 + number))
        }
        hold(.failed, Sample.cleaning, 200)
        var host = TestHost(Self.manifest([Self.journal]), ledger: ledger)
        run(&host)
        // Four of the 20 outputs are on their way.
        let first = try #require(deliveries(&host).first)
        host.handle(.delivered(first.notice.id, trouble: nil))
        #expect(deliveries(&host).map(\.notice.kind) == [.failed])
        host.advance(NoticeBook.window)
        host.handle(.wake)
        let summary = try #require(host.records.last { $0.notice?.covers != nil })
        #expect(
            summary.reason?.hasPrefix("1 more failure of com.example.Feed.cleaning; 1 more output of") == true
        )
        #expect(summary.notice?.kind == .failed && summary.task == Sample.cleaning)
    }

    @Test func `a sink that fails is tried again later and later, and given up after a day`() throws {
        var host = host()
        run(&host)
        var tries: [WallTime] = []
        let start = host.now.wall
        while host.now.wall - start < .days(2) {
            for delivery in deliveries(&host) {
                tries.append(host.now.wall)
                host.handle(.delivered(delivery.notice.id, trouble: "it is away"))
            }
            host.pass(.minutes(10))
        }
        #expect(tries.count > 20)
        #expect(notes(host, .notified).last?.state == .givenUp)
        #expect(host.state.ledger.notices.open.isEmpty)
        let health = try #require(host.state.ledger.notices.health.first)
        #expect(health.trouble == "it is away")
        #expect(host.state.report(at: host.now).sinks?.first?.failures == tries.count)
    }

    @Test func `a sink that hangs holds up no other`() {
        var host = host([Self.mail, Self.journal])
        var begun: [Delivery] = []
        for _ in 0..<8 {
            // At most three failures of one task are told in an hour.
            host.pass(.hours(2))
            run(&host)
            begun += deliveries(&host)
            // The journal takes every notice; the mail program never exits.
            while let next = begun.first(where: { $0.target == .journal && isOpen($0, host) }) {
                host.handle(.delivered(next.notice.id, trouble: nil))
                begun += deliveries(&host)
            }
        }
        #expect(begun.count { $0.target == .journal } == 8)
        #expect(begun.count { $0.target == .mail("ops@example.org") } == 4)
    }

    private func isOpen(_ delivery: Delivery, _ host: TestHost) -> Bool {
        host.state.ledger.notices.open.contains { $0.id == delivery.notice.id }
    }

    @Test func `a restart tells what was not delivered, and nothing twice`() {
        var first = host()
        run(&first)
        run(&first)
        let told = deliveries(&first)
        #expect(told.count == 2)
        first.handle(.delivered(told[0].notice.id, trouble: nil))
        var second = host(after: first)
        #expect(deliveries(&second).map(\.notice.id) == [told[1].notice.id])
        second.handle(.delivered(told[1].notice.id, trouble: nil))
        var third = host(after: second)
        #expect(deliveries(&third).isEmpty)
    }

    @Test func `a notice to somebody whom the manifest no longer names is given up with that reason`() {
        var first = host()
        run(&first)
        let second = host([Self.journal], after: first)
        let event = second.records.last { $0.event == .notified }
        #expect(event?.notice?.state == .givenUp)
        #expect(event?.reason?.contains("no longer names this sink") == true)
    }

    @Test func `a run that the host was cut off in is told by the next host`() {
        var first = host()
        _ = first.submit(Sample.cleaning)
        #expect(first.running.count == 1)
        let second = host(after: first)
        #expect(notes(second).map(\.kind) == [.failed])
    }

    @Test func `an app that becomes idle is announced, and said to be`() {
        var host = host()
        host.handle(.used(Sample.feed, at: host.now.wall))
        host.pass(.days(8))
        #expect(notes(host).map(\.kind) == [.idle, .idle])
        host.handle(.used(Sample.feed, at: host.now.wall))
        #expect(notes(host).count == 2)
    }

    @Test func `a plugin that can't be loaded is told of as its app's`() {
        var host = TestHost(at: TestHost.monday)
        host.startsWorkers = false
        host.load(Self.manifest([Self.mail]))
        host.handle(.workerFailed(host.last(Sample.feed), sentence: "It is no library."))
        let event = host.records.last { $0.event == .notice }
        #expect(event?.task == nil)
        #expect(event?.app == Sample.feed)
        #expect(event?.reason?.contains("its plugin can't be loaded") == true)
    }

    @Test func `the end of the host waits for who is being told`() {
        var host = host()
        run(&host)
        host.handle(.shutdown)
        #expect(!host.hasFinished)
        for delivery in deliveries(&host) { host.handle(.delivered(delivery.notice.id, trouble: nil)) }
        #expect(host.hasFinished)
    }

    @Test func `what is not known to be told survives a checkpoint`() throws {
        var host = host()
        for _ in 0..<6 { run(&host) }
        let ledger = host.state.ledger
        #expect(ledger.notices.open.count == NoticeBook.burst)
        var folded = Ledger()
        for event in host.records { folded.apply(event, zones: .utc) }
        #expect(folded.notices == ledger.notices)
    }
}
