import LullModel
import Testing

@testable import LullScheduler

/// Tasks that a person begins and watches.
struct ContinuedTests {
    static let exports = Sample.task("com.example.Feed.export.*")
    static let first = Sample.task("com.example.Feed.export.1")
    static let second = Sample.task("com.example.Feed.export.2")
    static let label = RequestLabel(title: "Export", subtitle: "9 pages")

    private func host(
        concurrency: Int = 4, registers: [TaskIdentifier] = [exports, Sample.cleaning],
        _ change: (inout TaskDefinition) -> Void = { _ in }
    ) -> TestHost {
        var host = TestHost()
        host.registers[Sample.feed] = registers
        host.load(
            Sample.manifest(
                [
                    Sample.definition(Self.exports, .continued, change),
                    Sample.definition(Sample.cleaning, .processing) { $0.requires.externalPower = true },
                ], concurrency: concurrency))
        return host
    }

    private func submit(
        _ task: TaskIdentifier, on host: inout TestHost, isImmediate: Bool = false, kind: Kind = .continued,
        begin: WallTime? = nil
    ) -> Reply? {
        let token = host.token()
        let effects = host.handle(
            .submitted(
                Submission(
                    app: Sample.feed, task: task, kind: kind, earliestBegin: begin, label: Self.label,
                    isImmediate: isImmediate), reply: token))
        return host.reply(to: token, in: effects)
    }

    private func refusal(_ reply: Reply?) -> Refusal? {
        if case .refused(let refusal)? = reply { refusal } else { nil }
    }

    private func launches(in effects: [Effect]) -> [Launch] {
        effects.compactMap { if case .launch(let launch) = $0 { launch } else { nil } }
    }

    @Test func `each identifier that fits a wildcard is a task of its own`() {
        var host = host()
        _ = host.take()
        #expect(submit(Self.first, on: &host) == .accepted(RequestID(1)))
        #expect(submit(Self.second, on: &host) == .accepted(RequestID(2)))
        let launches = launches(in: host.take())
        #expect(launches.map(\.task) == [Self.first, Self.second])
        #expect(launches.allSatisfy { $0.kind == .continued && $0.label == Self.label && $0.deadline == nil })
        host.complete()
        #expect(host.record(Self.first)?.lastOutcome == .succeeded)
        #expect(host.record(Self.exports) == nil)
    }

    @Test func `what an app submits as it starts is launched once its handlers are known`() {
        var host = TestHost()
        host.startsWorkers = false
        host.load(Sample.manifest([Sample.definition(Self.exports, .continued)]))
        _ = submit(Self.first, on: &host)
        #expect(host.launches(of: Self.first).isEmpty)
        host.startsWorkers = true
        host.handle(.workerReady(host.last(Sample.feed), registered: [Self.exports]))
        #expect(host.launches(of: Self.first).count == 1)
    }

    @Test func `a wildcard itself is neither submitted nor launched`() {
        var host = host()
        let refused = refusal(submit(Self.exports, on: &host))
        #expect(refused?.code == .notPermitted)
        #expect(
            refused?.sentence
                == "com.example.Feed.export.* can't be submitted: it is a wildcard, not an identifier of its own; "
                + "submit an identifier with something in the place of its asterisk.")
        #expect(refusal(host.launch(Self.exports))?.sentence.contains("it is a wildcard") == true)
        #expect(refusal(host.launch(Self.first)) == nil)
    }

    @Test func `what fits no wildcard is not permitted`() {
        var host = host()
        let other = Sample.task("com.example.Feed.exporter.1")
        #expect(refusal(submit(other, on: &host))?.code == .notPermitted)
        #expect(host.closed(other) == [.permitted])
    }

    @Test func `an identifier's own entry comes before the wildcard that it fits`() {
        var host = TestHost(
            Sample.manifest([
                Sample.definition(Self.exports, .continued),
                Sample.definition(Self.first, .continued) { $0.enabled = false },
            ]))
        #expect(refusal(submit(Self.first, on: &host))?.sentence.contains("is disabled in jobs.yaml") == true)
        #expect(refusal(submit(Self.second, on: &host)) == nil)
    }

    @Test func `the kind of a wildcard is a ceiling both ways`() {
        var host = host()
        #expect(refusal(submit(Self.first, on: &host, kind: .refresh))?.code == .notPermitted)
        #expect(refusal(submit(Self.first, on: &host, kind: .processing))?.code == .notPermitted)
        #expect(refusal(submit(Sample.cleaning, on: &host))?.code == .notPermitted)
    }

    @Test func `the earliest begin date of a continued request is passed over`() {
        var host = host()
        #expect(refusal(submit(Self.first, on: &host, begin: .at(3, 0))) == nil)
        #expect(host.running.count == 1)
    }

    @Test func `a launch of a continued task is a use, and an idle app's tasks are launched`() {
        var host = host()
        host.advance(.days(8))
        #expect(refusal(submit(Self.first, on: &host)) == nil)
        #expect(host.running.count == 1)
        #expect(host.names().contains(.used))
    }

    @Test func `with the strategy fail it is launched at once or refused with status 4 and the reason`() {
        var host = host(concurrency: 1)
        _ = host.take()
        #expect(refusal(submit(Self.first, on: &host, isImmediate: true)) == nil)
        #expect(launches(in: host.take()).map(\.task) == [Self.first])
        let refused = refusal(submit(Self.second, on: &host, isImmediate: true))
        #expect(refused?.code == .immediateRunIneligible)
        #expect(
            refused?.sentence
                == "com.example.Feed.export.2 can't be launched at once: 1 run is under way, and the host has "
                + "at most 1 at once. Submit it with the strategy `queue`, and it waits for that.")
        #expect(host.state.pending(of: Sample.feed).isEmpty)
        #expect(host.names(Self.second) == [.refused])
        host.complete()
        #expect(refusal(submit(Self.second, on: &host, isImmediate: true)) == nil)
    }

    @Test func `with the strategy queue it waits for its turn, with its titles`() {
        var host = host(concurrency: 1)
        _ = submit(Self.first, on: &host)
        #expect(refusal(submit(Self.second, on: &host)) == nil)
        #expect(host.state.pending(of: Sample.feed).map(\.label) == [Self.label])
        let row = host.state.report(at: host.now).tasks.first { $0.task == Self.second }
        #expect(row?.pending?.label?.title == "Export" && row?.verdict.closed.map(\.gate) == [.concurrency])
        host.complete()
        #expect(host.state.runs.values.map(\.task) == [Self.second])
    }

    @Test func `continued requests have a quota of their own`() {
        var host = host { $0.requires.externalPower = true }
        host.handle(.conditionsChanged(Conditions(externalPower: .known(false))))
        #expect(refusal(host.submit(Sample.cleaning, from: Sample.feed)) == nil)
        for number in 0..<Limits.pendingContinuedRequests {
            #expect(refusal(submit(Sample.task("com.example.Feed.export.n\(number)"), on: &host)) == nil)
        }
        let more = refusal(submit(Self.first, on: &host))
        #expect(more?.code == .tooManyPending)
        #expect(more?.sentence.contains("10 continued requests pending, and the limit is 10") == true)
    }

    @Test func `a run without progress for a minute is expired, and a repeated number is no progress`() {
        var host = host()
        _ = submit(Self.first, on: &host)
        let run = host.running[0]
        host.handle(.launchReturned(run))
        for step in 1...5 {
            host.pass(.seconds(50), completing: false)
            host.handle(.progressed(run, .counted(completed: Int64(step), total: 5)))
        }
        #expect(!host.names(Self.first).contains(.expired))
        for _ in 0..<11 {
            host.pass(.seconds(5), completing: false)
            host.handle(.progressed(run, .counted(completed: 5, total: 5)))
            host.handle(.progressed(run, .titled("Export", subtitle: "still at it")))
        }
        #expect(!host.names(Self.first).contains(.expired))
        host.pass(.seconds(5), completing: false)
        let expired = host.records.last { $0.event == .expired }
        #expect(expired?.reason == "it made no progress for 1 min")
        #expect(host.wakes < 40)
        host.handle(.completed(run, success: false, summary: nil))
        #expect(host.record(Self.first)?.lastOutcome == .expired)
    }

    @Test func `only continued runs have to make progress`() {
        var host = host()
        _ = host.submit(Sample.cleaning)
        host.handle(.launchReturned(host.running[0]))
        host.pass(.minutes(3), completing: false)
        #expect(host.running.count == 1 && !host.names().contains(.expired))
    }

    @Test func `a time limit of the manifest holds beside progress`() {
        var host = host { $0.timeLimit = .seconds(30) }
        _ = submit(Self.first, on: &host)
        host.handle(.launchReturned(host.running[0]))
        host.pass(.seconds(26), completing: false)
        #expect(host.records.last { $0.event == .expired }?.reason == "its time limit of 30 s is near")
    }

    @Test func `status shows how far a run is and what it is called`() {
        var host = host()
        _ = submit(Self.first, on: &host)
        let run = host.running[0]
        host.advance(.seconds(3))
        host.handle(.progressed(run, .counted(completed: 3, total: 12)))
        host.handle(.progressed(run, .titled("Export", subtitle: "page 3")))
        let row = host.state.report(at: host.now).tasks.first { $0.task == Self.first }
        #expect(row?.running == [run])
        let progress = row?.progress.first
        #expect(progress?.fraction == 0.25 && progress?.subtitle == "page 3")
        #expect(progress?.since == host.now.wall)
        host.complete()
        #expect(!host.state.report(at: host.now).tasks.contains { $0.task == Self.first })
    }

    @Test func `cancelling stops a continued run that is under way, as whoever watches it wants`() {
        var host = host()
        _ = submit(Self.first, on: &host)
        _ = host.take()
        let token = host.token()
        let effects = host.handle(.cancelled(Sample.feed, Self.first, reply: token))
        #expect(
            host.reply(to: token, in: effects) == .done("Told 1 run of com.example.Feed.export.1 to end."))
        #expect(host.records.last { $0.event == .expired }?.reason == "it was cancelled on request")
        host.complete()
        // It does not come back by itself either.
        #expect(host.state.pending(of: Sample.feed).isEmpty)
    }

    @Test func `a plugin's cancel leaves what runs alone`() {
        var host = host()
        _ = submit(Self.first, on: &host)
        host.handle(.cancelled(Sample.feed, nil, reply: nil))
        #expect(!host.names().contains(.expired))
    }

    @Test func `cancelling all cancels what fits a wildcard, too`() {
        var host = host(concurrency: 1)
        _ = submit(Self.first, on: &host)
        _ = submit(Self.second, on: &host)
        host.handle(.cancelled(Sample.feed, nil, reply: nil))
        #expect(host.names(Self.second).last == .cancelled)
    }

    @Test func `a failure does not hold back what somebody waits for`() {
        var host = host()
        _ = submit(Self.first, on: &host)
        host.complete(success: false)
        #expect(refusal(submit(Self.first, on: &host, isImmediate: true)) == nil)
    }

    @Test func `a handler may be registered when it is needed, and what waits for it goes with its worker`() {
        var host = host(concurrency: 1, registers: [Sample.cleaning])
        #expect(refusal(submit(Self.first, on: &host))?.sentence.contains("registers no handler") == true)
        host.handle(.registered(host.last(Sample.feed), Self.first))
        #expect(refusal(submit(Self.first, on: &host)) == nil)
        #expect(host.running.count == 1)
        host.handle(.registered(host.last(Sample.feed), Self.exports))
        #expect(refusal(submit(Self.second, on: &host)) == nil)
        host.handle(.workerExited(host.last(Sample.feed), sentence: "ended by signal 11 (SIGSEGV)"))
        #expect(host.names(Self.second).last == .givenUp)
        #expect(
            host.records.last { $0.event == .givenUp }?.reason
                == "its handler was registered after the plugin's start, and that worker has ended")
    }

    @Test func `a restart keeps the titles of what waits`() throws {
        var host = host(concurrency: 1)
        _ = submit(Self.first, on: &host)
        _ = submit(Self.second, on: &host)
        var ledger = Ledger()
        for event in host.records { ledger.apply(event, zones: .utc) }
        #expect(ledger == host.state.ledger)
        #expect(ledger.tasks[Self.second]?.pending?.label == Self.label)
    }

    @Test func `a reload keeps what fits a wildcard, and gives up what no longer does`() {
        var host = host(concurrency: 1)
        _ = submit(Self.first, on: &host)
        _ = submit(Self.second, on: &host)
        host.load(
            Sample.manifest([Sample.definition(Self.exports, .continued)], concurrency: 1), stamp: "1")
        #expect(host.state.pending(of: Sample.feed).map(\.task) == [Self.second])
        host.load(
            Sample.manifest(
                [Sample.definition(Sample.task("com.example.Feed.import.*"), .continued)], concurrency: 1))
        #expect(host.names(Self.second).last == .givenUp)
    }
}
