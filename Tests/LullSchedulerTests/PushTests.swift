import LullModel
import Testing

@testable import LullScheduler

/// Silent pushes: held for a good moment, coalesced, within their quota, and never lost.
struct PushTests {
    static let task = Sample.task("com.example.Feed.push")

    static func manifest(
        _ rules: PushRules = PushRules(), concurrency: Int = 4,
        _ change: (inout TaskDefinition) -> Void = { _ in }
    ) -> Manifest {
        Sample.manifest(
            [
                Sample.definition(task, .push) {
                    $0.latest = rules.within
                    change(&$0)
                },
                Sample.definition(Sample.cleaning, .processing) { $0.requires.idle = false },
            ], concurrency: concurrency
        ) { $0.push = rules }
    }

    static let busy = Conditions(presence: .known(.active), load: 3)

    private func push(
        _ payload: String = "{}", urgent: Bool = false, on host: inout TestHost
    ) -> Reply? {
        host.tell { .pushed(Sample.feed, Push(payload: payload, isUrgent: urgent), reply: $0) }
    }

    private func launches(in effects: [Effect]) -> [PushNote] {
        effects.compactMap { if case .launch(let launch) = $0 { launch.push } else { nil } }
    }

    private func refusal(_ reply: Reply?) -> String? {
        if case .refused(let refusal)? = reply { refusal.sentence } else { nil }
    }

    @Test func `a push is launched with its payload, and is no use of its app`() {
        var host = TestHost(Self.manifest())
        _ = host.take()
        #expect(push("{\"new\":3}", on: &host) == .accepted(RequestID(1)))
        let effects = host.take()
        #expect(launches(in: effects) == [PushNote(payload: "{\"new\":3}")])
        let recorded = host.records.first { $0.event == .submitted }
        #expect(recorded?.push?.payload == "{\"new\":3}" && recorded?.origin == .push)
        let launched = host.records.first { $0.event == .launched }
        #expect(launched?.push == PushNote(payload: nil) && launched?.kind == .push)
        host.complete()
        #expect(host.record(Self.task)?.lastOutcome == .succeeded)
        #expect(!host.records.contains { $0.event == .used })
    }

    @Test func `its run may take 30 s`() {
        var host = TestHost(Self.manifest())
        _ = push(on: &host)
        let began = host.now.wall
        for run in host.running { host.handle(.launchReturned(run)) }
        host.pass(.minutes(2), completing: false)
        #expect(host.records.first { $0.event == .expired }.map { $0.time - began } == .seconds(25))
    }

    @Test func `it waits until it disturbs nobody, 15 min at most`() {
        var host = TestHost(Self.manifest(), conditions: Self.busy)
        _ = push(on: &host)
        #expect(host.closed(Self.task) == [.moment])
        host.pass(.minutes(14))
        #expect(host.launches(of: Self.task).isEmpty)
        host.pass(.minutes(2))
        #expect(host.launches(of: Self.task) == [TestHost.monday + .minutes(15)])
        _ = push(on: &host)
        host.handle(.conditionsChanged(.quiet))
        #expect(host.launches(of: Self.task).count == 2)
    }

    @Test func `of pushes that wait the newest is launched, with how many it stands for`() {
        var host = TestHost(Self.manifest(), conditions: Self.busy)
        for payload in ["1", "2", "3"] { _ = push(payload, on: &host) }
        #expect(host.state.pending(of: nil).count == 1)
        #expect(host.names(Self.task).filter { $0 == .merged }.count == 2)
        _ = host.take()
        host.handle(.conditionsChanged(.quiet))
        #expect(launches(in: host.take()) == [PushNote(payload: "3", merged: 2)])
    }

    @Test func `what waits is shown without its payload`() {
        var host = TestHost(Self.manifest(), conditions: Self.busy)
        _ = push("\"secret\"", on: &host)
        #expect(host.state.pending(of: nil).map(\.push) == [PushNote(payload: nil)])
        #expect(host.state.report(at: host.now).tasks.first?.pending?.push?.payload == nil)
    }

    @Test func `three are delivered in an hour, and the next when the first is an hour ago`() {
        var host = TestHost(Self.manifest())
        for _ in 0..<3 {
            _ = push(on: &host)
            host.complete()
            host.pass(.minutes(10))
        }
        _ = push(on: &host)
        #expect(host.closed(Self.task) == [.rateLimit])
        let gate = host.gate(.rateLimit, of: Self.task)
        #expect(gate?.reason == "3 silent pushes were delivered in the last 1 h, of 3 allowed")
        #expect(gate?.until == TestHost.monday + .hours(1))
        host.pass(.hours(2))
        #expect(host.launches(of: Self.task).last == TestHost.monday + .hours(1))
    }

    @Test func `an idle app's push waits for a use, and so does one of an app that is disabled`() {
        var host = TestHost(Self.manifest())
        host.handle(.used(Sample.feed, at: host.now.wall))
        host.pass(.days(8))
        _ = push("1", on: &host)
        #expect(host.closed(Self.task) == [.idleApp])
        host.handle(.used(Sample.feed, at: host.now.wall))
        #expect(host.launches(of: Self.task).count == 1)
        host.complete()
        _ = host.tell { .enabled(Sample.feed, false, reply: $0) }
        for payload in ["2", "3"] { #expect(refusal(push(payload, on: &host)) == nil) }
        #expect(host.closed(Self.task).contains(.enabled))
        #expect(host.state.pending(of: Sample.feed).count == 1)
    }

    @Test func `what can't be delivered is refused with a sentence`() {
        var rules = PushRules()
        rules.maxBytes = 4
        var host = TestHost(Self.manifest(rules))
        #expect(refusal(push("12345", on: &host))?.hasPrefix("The payload is 5 B long") == true)
        #expect(
            refusal(host.tell { .pushed(Sample.other, Push(), reply: $0) })
                == "com.example.Other is not in jobs.yaml. Add it to the apps there.")
        host.load(Sample.simple(), stamp: "2")
        #expect(refusal(push(on: &host))?.contains("takes no pushes") == true)
    }

    @Test func `a plugin without a handler for pushes gets none, and that is said`() {
        var host = TestHost()
        host.registers[Sample.feed] = [Sample.cleaning]
        host.load(Self.manifest())
        let sentence =
            "com.example.Feed can't be pushed to: the plugin registers no handler for pushes."
        #expect(refusal(push(on: &host)) == sentence)
        #expect(host.gate(.registered, of: Self.task)?.remedy?.contains("version 1.2") == true)
    }

    @Test func `after a hundred at once one is taken each 10 s`() {
        var host = TestHost(Self.manifest(), conditions: Self.busy)
        for _ in 0..<Limits.pushesAtOnce { #expect(refusal(push(on: &host)) == nil) }
        #expect(refusal(push(on: &host))?.contains("Too many pushes") == true)
        host.advance(.seconds(10))
        #expect(refusal(push(on: &host)) == nil)
    }

    @Test
    func `one that a host was cut off in is asked for again with its payload, and one that failed is not`() {
        var host = TestHost(Self.manifest())
        _ = push("\"again\"", on: &host)
        var next = TestHost(Self.manifest(), at: host.now.wall + .seconds(9), ledger: host.state.ledger)
        // An interrupted run has its backoff, as any other.
        next.pass(.minutes(1), completing: false)
        #expect(launches(in: next.take()) == [PushNote(payload: "\"again\"")])
        next.complete(success: false)
        #expect(next.state.pending(of: nil).isEmpty)
    }

    @Test func `it is neither submitted nor cancelled by its plugin`() {
        var host = TestHost(Self.manifest(), conditions: Self.busy)
        let sentence =
            "com.example.Feed.push is launched only by pushes: `lull push com.example.Feed` sends one."
        #expect(refusal(host.submit(Self.task)) == sentence)
        #expect(refusal(host.submit(Self.task, from: Sample.feed, kind: .push)) == sentence)
        _ = push(on: &host)
        host.handle(.cancelled(Sample.feed, nil, reply: nil))
        #expect(host.state.pending(of: nil).count == 1)
        #expect(host.cancel(Self.task) == .done("Cancelled 1 request of com.example.Feed.push."))
    }
}
