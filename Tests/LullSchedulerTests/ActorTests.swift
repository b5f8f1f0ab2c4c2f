import LullModel
import Testing

@testable import LullScheduler

/// Who did it: an operator's act is recorded with the name, and what follows from it is not.
struct ActorTests {
    private func hourly() -> TestHost { TestHost(Sample.simple { $0.repeat = .hours(1) }) }

    /// The names recorded with an event, in order.
    private func names(_ event: HistoryEvent.Name, _ host: TestHost) -> [String?] {
        host.records.filter { $0.event == event }.map(\.by)
    }

    @Test func `a pause says by whom, in the history, in the verdict and after a restart`() throws {
        var host = hourly()
        _ = host.act(as: "anna") { host in
            host.tell { .paused(.task(Sample.cleaning), until: nil, reason: "new disk", reply: $0) }
        }
        let paused = host.records.last { $0.event == .paused }
        #expect(paused?.by == "anna" && paused?.reason == "new disk")
        #expect(host.gate(.paused, of: Sample.cleaning)?.reason == "it is paused by anna: new disk")
        try expectSame(host, .paused, "it is paused by anna: new disk")
        _ = host.act(as: "token phone") { host in host.tell { .resumed(.all, reply: $0) } }
        #expect(names(.resumed, host) == ["token phone"])
        // Its tasks are launched by the host.
        host.pass(.hours(2))
        #expect(names(.launched, host).allSatisfy { $0 == nil })
    }

    @Test(arguments: [nil, Sample.cleaning])
    func `a disabled app or task says by whom, until it is enabled`(task: TaskIdentifier?) throws {
        var host = hourly()
        _ = host.act(as: "anna as root") { host in
            host.tell { .enabled(Sample.feed, false, task: task, reply: $0) }
        }
        let words = "anna as root has disabled \(task == nil ? "com.example.Feed" : "it")"
        #expect(names(.disabled, host) == ["anna as root"])
        // The run that it ends is expired by the same.
        #expect(names(.expired, host) == ["anna as root"])
        try expectSame(host, .enabled, words)
        // Nobody else is named by doing it again.
        _ = host.act(as: "bob") { host in
            host.tell { .enabled(Sample.feed, false, task: task, reply: $0) }
        }
        #expect(host.gate(.enabled, of: Sample.cleaning)?.reason == words)
        host.handle(.enabled(Sample.feed, true, task: task, reply: host.token()))
        host.handle(.enabled(Sample.feed, false, task: task, reply: host.token()))
        #expect(
            host.gate(.enabled, of: Sample.cleaning)?.reason.hasPrefix("an operator has disabled") == true)
    }

    /// The gate's words are the same for a host that reads the checkpoint, and for one that folds the whole log.
    private func expectSame(_ host: TestHost, _ gate: GateName, _ words: String) throws {
        let folded = host.records.reduce(into: Ledger()) { $0.apply($1, zones: .utc) }
        let stored = try Packed.decode(Ledger.self, from: Packed.encode(host.state.ledger))
        #expect(folded == host.state.ledger && stored == host.state.ledger)
        for ledger in [folded, stored] {
            let next = TestHost(Sample.simple { $0.repeat = .hours(1) }, at: .at(0, 8), ledger: ledger)
            #expect(next.gate(gate, of: Sample.cleaning)?.reason == words)
        }
    }

    @Test func `a launch names who made it, also if the worker had to be started first`() {
        var host = TestHost()
        host.startsWorkers = false
        host.load(Sample.simple())
        _ = host.act(as: "anna") { $0.launch(Sample.cleaning) }
        #expect(names(.launched, host).isEmpty)
        host.handle(.workerReady(host.last(Sample.feed), registered: [Sample.cleaning]))
        let launched = host.records.last { $0.event == .launched }
        #expect(launched?.by == "anna" && launched?.reason?.hasPrefix("launched by anna") == true)
    }

    @Test func `a submit names who made it until its run, and the host's own requests name nobody`() {
        var host = hourly()
        host.complete()
        _ = host.act(as: "anna") { $0.submit(Sample.cleaning, begin: .at(0, 0, 30)) }
        #expect(host.gate(.requested, of: Sample.cleaning)?.reason.hasPrefix("anna asked for it") == true)
        #expect(names(.merged, host) == ["anna"])
        host.pass(.minutes(40))
        #expect(host.records.last { $0.event == .launched }?.by == "anna")
        host.complete()
        _ = host.act(as: "bob") { $0.cancel(Sample.cleaning, next: true) }
        #expect(names(.cancelled, host) == ["bob"])
        let own = host.records.filter { $0.event == .submitted && $0.origin == .repeat }
        #expect(own.count > 1 && own.allSatisfy { $0.by == nil })
    }

    @Test func `a request that is made again keeps its name`() {
        var host = TestHost(Sample.simple())
        _ = host.act(as: "anna") { $0.submit(Sample.cleaning) }
        #expect(host.running.count == 1)
        // The host is cut off, and the next one makes the request again.
        var next = TestHost(Sample.simple(), at: .at(0, 1), ledger: host.state.ledger)
        next.pass(.hours(1))
        #expect(next.records.first { $0.event == .submitted }?.by == "anna")
        #expect(next.records.first { $0.event == .launched }?.by == "anna")
    }

    @Test func `a stop names who made it, in the reason too`() {
        var host = hourly()
        _ = host.act(as: "anna") { host in host.tell { .expireRequested(Sample.cleaning, reply: $0) } }
        let expired = host.records.last { $0.event == .expired }
        #expect(expired?.by == "anna" && expired?.reason == "anna stopped it")
    }

    @Test func `a use, a reload and what gives back urgency are acts`() {
        var host = hourly()
        let now = host.now.wall
        _ = host.act(as: "anna") { host in host.tell { .used(Sample.feed, at: now, reply: $0) } }
        host.act(as: "anna") { _ = $0.handle(.reloaded("jobs.yaml is in force: 1 app.")) }
        #expect(names(.used, host) == ["anna"])
        #expect(
            host.records.last
                == {
                    var event = HistoryEvent(
                        .reloaded, at: host.now.wall, app: .host, reason: "jobs.yaml is in force: 1 app.")
                    event.by = "anna"
                    return event
                }())
    }

    @Test func `a push from outside has nobody's name, one by lull push has`() {
        var host = TestHost(PushTests.manifest())
        for source in [Push.Source.http, .mqtt, .operator] {
            _ = host.act(as: "anna") { host in
                host.tell {
                    .pushed(Sample.feed, Push(payload: "{}", isUrgent: false, source: source), reply: $0)
                }
            }
        }
        let pushed = host.records.filter { $0.event == .submitted && $0.origin == .push }
        #expect(pushed.map(\.by) == [nil, nil, "anna"])
    }

    @Test func `a plugin's own acts name nobody`() {
        var host = TestHost(Sample.simple())
        _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(0, 1))
        host.handle(.cancelled(Sample.feed, nil, reply: nil))
        #expect(host.names().contains(.cancelled))
        #expect(host.records.allSatisfy { $0.by == nil })
    }
}
