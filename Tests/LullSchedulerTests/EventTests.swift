import LullModel
import Testing

@testable import LullScheduler

/// Tasks with `on`: an event makes a request that goes through the same gates, and none of them is lost.
struct EventTests {
    private static let files = Trigger.path(WatchedPath(path: "/srv/in", names: "*.csv", isFolder: true))

    static func manifest(
        _ on: [Trigger], _ change: (inout TaskDefinition) -> Void = { _ in }
    ) -> Manifest {
        Sample.manifest([
            Sample.definition(Sample.cleaning, .processing) {
                $0.on = on
                change(&$0)
            }
        ]) { $0.idleAfter = nil }
    }

    private static func host(
        _ on: [Trigger] = [files], ledger: Ledger = Ledger(), boot: String = "b1",
        conditions: Conditions = .quiet,
        _ change: (inout TaskDefinition) -> Void = { _ in }
    ) -> TestHost {
        var options = SchedulerOptions()
        options.boot = boot
        return TestHost(
            manifest(on, change), at: .at(0, 9), ledger: ledger, options: options, conditions: conditions)
    }

    private static func arrival(_ name: String, at time: WallTime, count: Int = 1) -> TriggerEvent {
        var triggerEvent = TriggerEvent(.path, at: time, count: count)
        triggerEvent.add(["/srv/in/" + name])
        return triggerEvent
    }

    private static func launched(_ host: TestHost, _ task: TaskIdentifier = Sample.cleaning)
        -> [TriggerEvent?]
    {
        host.records.filter { $0.event == .launched && $0.task == task }.map(\.triggerEvent)
    }

    @Test func `an event launches the task at once, though people work, and the run knows of it`() {
        var host = Self.host(conditions: Conditions(presence: .known(.active), load: 5))
        let token = host.token()
        let effects = host.handle(
            .happened(Self.files, Self.arrival("a.csv", at: host.now.wall), reply: token))
        #expect(host.reply(to: token, in: effects) == .done(""))
        #expect(Self.launched(host).map { $0?.paths } == [["/srv/in/a.csv"]])
        let launch = host.effects.compactMap { effect -> Launch? in
            if case .launch(let launch) = effect { launch } else { nil }
        }.first
        #expect(launch?.origin?.contains("/srv/in/a.csv") == true)
    }

    @Test func `what comes while it waits is taken into one launch, which says how many`() {
        var host = Self.host { $0.requires.externalPower = true }
        host.handle(.conditionsChanged(Conditions(externalPower: .known(false))))
        for name in ["a.csv", "b.csv", "c.csv"] {
            host.handle(.happened(Self.files, Self.arrival(name, at: host.now.wall, count: 2)))
            host.advance(.seconds(5))
        }
        #expect(Self.launched(host).isEmpty)
        #expect(host.closed(Sample.cleaning) == [.externalPower])
        #expect(
            host.gate(.requested, of: Sample.cleaning)?.reason.hasPrefix(
                "6 files came, the first /srv/in/a.csv") == true)
        host.handle(.conditionsChanged(.quiet))
        #expect(Self.launched(host).map { $0?.count } == [6])
        #expect(Self.launched(host).first??.paths == ["/srv/in/a.csv", "/srv/in/b.csv", "/srv/in/c.csv"])
    }

    @Test func `what is next is an event, as long as nobody asks and nothing holds it`() {
        var host = Self.host()
        func next() -> NextLaunch? { host.state.report(at: host.now).tasks.first?.next }
        #expect(next() == .onEvent)
        #expect(host.state.outlook(for: Sample.cleaning, at: host.now).awaitsEvent == true)
        host.handle(.happened(Self.files, Self.arrival("a.csv", at: host.now.wall)))
        #expect(next() == nil, "It runs.")
        host.complete()
        #expect(next() == .onEvent)
        host.handle(.enabled(Sample.feed, false, reply: host.token()))
        #expect(next() == .held(.enabled))
        #expect(host.state.outlook(for: Sample.cleaning, at: host.now).awaitsEvent == nil)
    }

    @Test func `events during a run make one request for after it`() {
        var host = Self.host()
        host.handle(.happened(Self.files, Self.arrival("a.csv", at: host.now.wall)))
        host.handle(.happened(Self.files, Self.arrival("b.csv", at: host.now.wall)))
        host.handle(.happened(Self.files, Self.arrival("c.csv", at: host.now.wall)))
        #expect(Self.launched(host).count == 1)
        host.complete()
        #expect(
            Self.launched(host).map { $0?.paths } == [["/srv/in/a.csv"], ["/srv/in/b.csv", "/srv/in/c.csv"]])
        host.complete()
        #expect(Self.launched(host).count == 2)
    }

    /// A run of 200 ms that writes a file; the trigger event comes once the file has settled.
    private static func feed(_ host: inout TestHost, after pause: Duration = .zero) {
        host.advance(.milliseconds(200))
        host.complete()
        host.pass(pause + WatchedPath.usualSettle + .milliseconds(60))
        host.handle(.happened(Self.files, Self.arrival("out.csv", at: host.now.wall)))
    }

    /// A host whose task has started itself until it was held back.
    static func fed() -> TestHost {
        var host = host()
        host.handle(.happened(files, arrival("a.csv", at: host.now.wall)))
        for _ in 0..<Limits.fedRequests { feed(&host) }
        return host
    }

    @Test func `a run that starts itself by what it writes goes on at a pace, and why says so`() {
        var host = Self.fed()
        #expect(Self.launched(host).count == Limits.fedRequests, "The last has to wait.")
        let gate = host.gate(.rateLimit, of: Sample.cleaning)
        #expect(gate?.isOpen == false)
        #expect(gate?.reason.hasPrefix("files came 5 times in a row while it ran or just after") == true)
        #expect(gate?.remedy?.contains("let it write elsewhere") == true)
        host.pass(.seconds(10))
        #expect(Self.launched(host).count == Limits.fedRequests + 1, "Nothing is lost.")
        // Files that come 3 s after a run count as somebody else's.
        Self.feed(&host, after: .seconds(3))
        Self.feed(&host, after: .seconds(3))
        #expect(Self.launched(host).count == Limits.fedRequests + 3)
    }

    @Test func `files that others bring one after the other are not held back`() {
        var host = Self.host()
        host.handle(.happened(Self.files, Self.arrival("a.csv", at: host.now.wall)))
        for _ in 0..<30 { Self.feed(&host, after: .milliseconds(600)) }
        #expect(Self.launched(host).count == 31)
    }

    @Test func `an event comes before the next time of repeat, which counts from it`() {
        var host = Self.host { $0.repeat = .hours(6) }
        host.pass(.minutes(1))
        let first = host.launches(of: Sample.cleaning).count
        host.pass(.hours(1))
        host.handle(.happened(Self.files, Self.arrival("a.csv", at: host.now.wall)))
        #expect(host.launches(of: Sample.cleaning).count == first + 1)
        let begin = host.state.ledger.tasks[Sample.cleaning]?.pending?.earliestBegin
        #expect(begin == host.now.wall + .hours(6))
        #expect(host.names(Sample.cleaning).contains(.merged))
    }

    @Test func `a request for later stays beside an event, and keeps the event when another replaces it`() {
        var host = Self.host { $0.requires.externalPower = true }
        host.handle(.conditionsChanged(Conditions(externalPower: .known(false))))
        let later = host.now.wall + .hours(5)
        _ = host.submit(Sample.cleaning, begin: later)
        host.handle(.happened(Self.files, Self.arrival("a.csv", at: host.now.wall)))
        _ = host.submit(Sample.cleaning, from: Sample.feed, begin: later)
        host.handle(.conditionsChanged(.quiet))
        #expect(Self.launched(host).map { $0?.paths } == [["/srv/in/a.csv"]])
        host.complete()
        #expect(host.state.ledger.tasks[Sample.cleaning]?.pending?.earliestBegin == later)
    }

    @Test func `a plugin that cancels its request does not undo what has happened`() {
        var host = Self.host { $0.requires.externalPower = true }
        host.handle(.conditionsChanged(Conditions(externalPower: .known(false))))
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        host.handle(.happened(Self.files, Self.arrival("a.csv", at: host.now.wall)))
        host.handle(.cancelled(Sample.feed, Sample.cleaning, reply: nil))
        #expect(host.state.ledger.tasks[Sample.cleaning]?.pending?.origin == .event)
        _ = host.cancel(Sample.cleaning)
        #expect(host.state.ledger.tasks[Sample.cleaning]?.pending == nil)
    }

    @Test func `a host that is cut off launches it for the same events`() {
        var host = Self.host()
        host.handle(.happened(Self.files, Self.arrival("a.csv", at: host.now.wall)))
        host.handle(.happened(Self.files, Self.arrival("b.csv", at: host.now.wall)))
        var next = Self.host(ledger: host.state.ledger)
        // It waits out its backoff, as after any failure.
        next.pass(.minutes(1), completing: false)
        let told = Self.launched(next).compactMap { $0 }
        #expect(told.map(\.count) == [2])
        #expect(Set(told.first?.paths ?? []) == ["/srv/in/a.csv", "/srv/in/b.csv"])
    }

    // MARK: Chains

    private static func chain() -> TestHost {
        let first = Sample.definition(Sample.cleaning, .processing)
        let second = Sample.definition(Sample.indexing, .processing) {
            $0.on = [.after(Sample.cleaning, .success)]
        }
        let third = Sample.definition(Sample.refresh, .processing) {
            $0.on = [.after(Sample.indexing, .failure)]
        }
        return TestHost(Sample.manifest([first, second, third]) { $0.idleAfter = nil }, at: .at(0, 9))
    }

    @Test func `the next of a chain follows the outcome that it names, and no other`() {
        var host = Self.chain()
        _ = host.launch(Sample.cleaning)
        host.complete(success: false)
        #expect(host.launches(of: Sample.indexing).isEmpty)
        let waits = host.gate(.requested, of: Sample.indexing)?.reason ?? ""
        #expect(waits.contains("com.example.Feed.cleaning to succeed"))
        #expect(waits.contains("com.example.Feed.cleaning failed at 09:00"))
        _ = host.launch(Sample.cleaning)
        host.complete()
        #expect(host.launches(of: Sample.indexing).count == 1)
        #expect(host.launches(of: Sample.refresh).isEmpty)
        host.complete(success: false)
        let told = Self.launched(host, Sample.refresh).compactMap { $0 }
        #expect(told.map(\.task) == [Sample.indexing] && told.map(\.outcome) == [.failed])
    }

    @Test func `what follows several begins once all have ended so since it last ran`() {
        let both = [Sample.cleaning, Sample.refresh].map { ChainLink(task: $0, outcome: .success) }
        let before = [Sample.cleaning, Sample.refresh].map { Sample.definition($0, .processing) }
        let next = Sample.definition(Sample.indexing, .processing) { $0.on = [.afterAll(both)] }
        var host = TestHost(Sample.manifest(before + [next]) { $0.idleAfter = nil }, at: .at(0, 9))
        func run(_ task: TaskIdentifier, success: Bool = true) {
            _ = host.launch(task)
            host.complete(success: success)
        }
        func launches() -> Int { host.launches(of: Sample.indexing).count }
        run(Sample.cleaning)
        run(Sample.refresh, success: false)
        #expect(launches() == 0)
        let waits = host.gate(.requested, of: Sample.indexing)?.reason ?? ""
        #expect(
            waits.contains("com.example.Feed.cleaning to succeed and com.example.Feed.refresh to succeed"))
        #expect(waits.contains("com.example.Feed.cleaning has done so: it succeeded at 09:00"))
        #expect(waits.contains("com.example.Feed.refresh failed at 09:00"))
        run(Sample.refresh)
        #expect(launches() == 1)
        host.complete()
        // Each needs a new success, in either order; two of one do not replace one of the other.
        let again = host.gate(.requested, of: Sample.indexing)?.reason ?? ""
        #expect(again.contains("com.example.Feed.cleaning last succeeded at 09:00"))
        run(Sample.refresh)
        run(Sample.refresh)
        #expect(launches() == 1)
        // A predecessor that runs again has not ended.
        _ = host.launch(Sample.refresh)
        _ = host.launch(Sample.cleaning)
        let cleaning = host.state.runs.keys.max() ?? RunID(0)
        host.handle(.launchReturned(cleaning))
        host.handle(.completed(cleaning, success: true, summary: nil))
        #expect(launches() == 1)
        host.complete()
        #expect(launches() == 2)
    }

    @Test func `of several no run counts that began before the task followed them`() {
        let both = [Sample.cleaning, Sample.refresh].map { ChainLink(task: $0, outcome: .success) }
        let before = [Sample.cleaning, Sample.refresh].map { Sample.definition($0, .processing) }
        let next = Sample.definition(Sample.indexing, .processing) { $0.on = [.afterAll(both)] }
        func manifest(_ tasks: [TaskDefinition]) -> Manifest { Sample.manifest(tasks) { $0.idleAfter = nil } }
        var host = TestHost(manifest(before), at: .at(0, 9))
        for task in [Sample.cleaning, Sample.refresh] {
            _ = host.launch(task)
            host.complete()
        }
        host.registers = [:]
        host.load(manifest(before + [next]), stamp: "2")
        _ = host.launch(Sample.cleaning)
        host.complete()
        #expect(host.launches(of: Sample.indexing).isEmpty)
        _ = host.launch(Sample.refresh)
        host.complete()
        #expect(host.launches(of: Sample.indexing).count == 1)
    }

    @Test func `what shut down with the host leads nothing on`() {
        var host = Self.chain()
        _ = host.launch(Sample.cleaning)
        host.handle(.shutdown)
        host.complete(success: false)
        #expect(host.records.allSatisfy { $0.triggerEvent == nil })
    }

    // MARK: The host's own

    @Test func `network and power count as they come, and not where nothing was known`() {
        var host = Self.host([.network, .externalPower], conditions: Conditions())
        func sense(_ network: Sensed<Conditions.Network>, _ power: Sensed<Bool>) -> Int {
            var conditions = Conditions.quiet
            (conditions.network, conditions.externalPower) = (network, power)
            host.handle(.conditionsChanged(conditions))
            host.complete()
            return Self.launched(host).count
        }
        #expect(sense(.known(.metered), .known(true)) == 0)
        #expect(sense(.known(.none), .known(false)) == 0)
        #expect(sense(.known(.unmetered), .known(false)) == 1)
        #expect(sense(.known(.metered), .known(true)) == 2)
        #expect(sense(.unknown("no netlink"), .known(true)) == 2)
        #expect(sense(.known(.metered), .known(true)) == 2)
    }

    @Test func `waking from sleep counts`() {
        var host = Self.host([.resume])
        host.now.wall = host.now.wall + .hours(2)
        host.now.asleep = .hours(2)
        host.handle(.wake)
        #expect(Self.launched(host).map { $0?.kinds } == [[.resume]])
    }

    @Test func `a boot counts once, and the first that is seen does not`() {
        let first = Self.host([.boot])
        #expect(Self.launched(first).isEmpty)
        let again = Self.host([.boot], ledger: first.state.ledger)
        #expect(Self.launched(again).isEmpty)
        var booted = Self.host([.boot], ledger: again.state.ledger, boot: "b2")
        #expect(Self.launched(booted).map { $0?.kinds } == [[.boot]])
        booted.complete()
        #expect(Self.launched(Self.host([.boot], ledger: booted.state.ledger, boot: "b2")).isEmpty)
    }

    @Test func `a task without on gives its events up, and a disabled one takes none`() {
        var host = Self.host { $0.requires.externalPower = true }
        host.handle(.conditionsChanged(Conditions(externalPower: .known(false))))
        host.handle(.happened(Self.files, Self.arrival("a.csv", at: host.now.wall)))
        host.load(Self.manifest([]))
        #expect(host.records.last { $0.event == .givenUp }?.reason?.contains("no `on`") == true)
        var other = Self.host { $0.enabled = false }
        other.handle(.happened(Self.files, Self.arrival("a.csv", at: other.now.wall)))
        #expect(other.records.allSatisfy { $0.triggerEvent == nil })
    }

    @Test func `it says what it waits for, since when, and what is in the way`() {
        var host = Self.host()
        let watch = TriggerWatch(
            since: .at(0, 8, 12), trouble: "/srv/in is not there yet, and /srv is watched for it")
        host.handle(.watching([Self.files: watch]))
        #expect(
            host.gate(.requested, of: Sample.cleaning)?.reason
                == "it waits for a file *.csv in /srv/in, watched since 08:12; /srv/in is not there yet, and /srv is "
                + "watched for it; none has come yet")
    }
}
