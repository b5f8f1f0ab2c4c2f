import LullModel
import Testing

@testable import LullScheduler

struct DiscoveryTests {
    private func starts(_ host: inout TestHost) -> Int {
        host.take().count { if case .startWorker = $0 { true } else { false } }
    }

    @Test func `an app is discovered at first sight, at boot and when its stamp changes`() {
        var host = TestHost(Sample.simple())
        #expect(starts(&host) == 1)
        #expect(
            host.records.first?.event == .discovered && host.records.first?.registered == [Sample.cleaning])
        host.load(host.state.manifest)
        #expect(starts(&host) == 0)
        // A warm worker still holds the old file.
        host.load(host.state.manifest, stamp: "2")
        #expect(starts(&host) == 1 && host.names().count { $0 == .discovered } == 2)
        host.registers = [:]
        var again = TestHost(host.state.manifest, at: .at(1, 0), ledger: host.state.ledger)
        #expect(starts(&again) == 1)
    }

    @Test(arguments: [SchedulerOptions(passInterval: .minutes(5)), SchedulerOptions(isPass: true)])
    func `a pass is no boot, whether or not it knows how often it is called`(options: SchedulerOptions) {
        var first = TestHost(Sample.simple(), options: options)
        #expect(starts(&first) == 1)
        var second = TestHost(Sample.simple(), at: .at(0, 1), ledger: first.state.ledger, options: options)
        #expect(starts(&second) == 0 && !second.state.isBusy)
    }

    @Test func `neither disabled apps nor hosts that only answer start anything`() {
        var manifest = Sample.simple { $0.repeat = .hours(1) }
        var answering = TestHost(manifest, options: .init(discovers: false, launches: false))
        #expect(starts(&answering) == 0)
        #expect(answering.gate(.registered, of: Sample.cleaning)?.remedy == "start the host with `lull run`")
        manifest.apps[0].enabled = false
        var disabled = TestHost(manifest)
        #expect(
            starts(&disabled) == 0 && disabled.closed(Sample.cleaning) == [.registered, .enabled, .requested])
    }

    @Test
    func `a plugin that can't be loaded closes the gate with its sentence, and a launch tries it once more`()
    {
        var host = TestHost()
        host.startsWorkers = false
        host.load(Sample.simple { $0.repeat = .hours(1) })
        host.handle(.workerFailed(host.last(Sample.feed), sentence: "undefined symbol: sqlite3_open"))
        #expect(host.records.last?.outcome == .unloadable)
        #expect(
            host.gate(.registered, of: Sample.cleaning)?.reason
                == "the plugin can't be loaded: undefined symbol: sqlite3_open")
        #expect(host.state.report(at: host.now).apps.first?.trouble == "undefined symbol: sqlite3_open")
        host.pass(.days(2))
        _ = host.take()
        let token = host.token()
        host.handle(.launchRequested(Sample.cleaning, reply: token))
        #expect(host.effects.contains(.startWorker(host.last(Sample.feed))) && host.state.isBusy)
        let effects = host.handle(
            .workerFailed(host.last(Sample.feed), sentence: "undefined symbol: sqlite3_open"))
        #expect(
            host.reply(to: token, in: effects)
                == .refused(
                    Refusal(
                        .unavailable,
                        "The plugin of com.example.Feed can't be loaded: undefined symbol: sqlite3_open")))
        _ = host.launch(Sample.cleaning)
        host.handle(.workerReady(host.last(Sample.feed), registered: [Sample.cleaning]))
        #expect(host.running.count == 1 && host.gate(.registered, of: Sample.cleaning)?.isOpen == true)
    }

    @Test func `a worker that dies before it is ready is started again after a backoff`() {
        var host = TestHost()
        host.startsWorkers = false
        host.load(Sample.simple { $0.repeat = .hours(1) })
        for wait in [30, 60, 120] {
            host.handle(.workerExited(host.last(Sample.feed), sentence: "ended by signal 9 (SIGKILL)"))
            #expect(host.records.last?.outcome == .crashed)
            _ = host.take()
            host.pass(.seconds(wait) - .milliseconds(1))
            #expect(starts(&host) == 0 && !host.state.isBusy)
            host.pass(.milliseconds(1))
            #expect(starts(&host) == 1)
        }
        host.handle(.workerReady(host.last(Sample.feed), registered: [Sample.cleaning]))
        #expect(host.running.count == 1 && host.gate(.backoff, of: Sample.cleaning)?.isOpen == true)
        #expect(host.state.report(at: host.now).apps.first?.trouble == nil)
    }

    @Test func `what a start needs and is away is looked for with growing gaps, and told once`() {
        var host = TestHost()
        host.startsWorkers = false
        host.load(Sample.simple { $0.repeat = .hours(1) })
        let sentence = "this machine knows no account 'feed' at this time"
        for wait in [5, 10, 20] {
            host.handle(.workerHeldBack(host.last(Sample.feed), sentence: sentence))
            #expect(host.state.report(at: host.now).apps.first?.trouble == sentence)
            let outlook = host.state.outlook(for: Sample.cleaning, at: host.now)
            #expect(outlook.certain == nil && outlook.unknown == "its app could not be started: \(sentence)")
            _ = host.take()
            host.pass(.seconds(wait) - .milliseconds(1))
            #expect(starts(&host) == 0 && !host.state.isBusy)
            host.pass(.milliseconds(1))
            #expect(starts(&host) == 1)
        }
        host.handle(.workerHeldBack(host.last(Sample.feed), sentence: "There is no file '/feed.so'."))
        #expect(host.records.filter { $0.event == .failed }.map(\.outcome) == [.crashed, .crashed])
        host.pass(.seconds(5))
        host.handle(.workerReady(host.last(Sample.feed), registered: [Sample.cleaning]))
        #expect(host.running.count == 1 && host.state.report(at: host.now).apps.first?.trouble == nil)
        #expect(host.state.outlook(for: Sample.cleaning, at: host.now).unknown == nil)
    }

    @Test func `what waits says that its worker died, and is launched when it is tried again`() {
        var host = TestHost(Sample.simple())
        host.pass(.hours(1))
        host.startsWorkers = false
        _ = host.submit(Sample.cleaning)
        #expect(host.worker(Sample.feed) == .starting)
        host.handle(.workerExited(host.last(Sample.feed), sentence: "ended by signal 9 (SIGKILL)"))
        let sentence = "its worker ended before the plugin was ready: ended by signal 9 (SIGKILL)"
        #expect(host.records.contains { $0.outcome == .crashed && $0.reason == sentence })
        let verdict = host.gate(.backoff, of: Sample.cleaning)
        #expect(host.closed(Sample.cleaning) == [.backoff])
        #expect(verdict?.reason == sentence && verdict?.until == .at(0, 1) + .seconds(30))
        #expect(host.state.report(at: host.now).apps.first?.trouble == sentence)
        host.startsWorkers = true
        host.pass(.seconds(30), completing: false)
        #expect(host.running.count == 1)
    }

    @Test func `a dead start is tried at once by a launch, after a change and at boot`() {
        var host = TestHost()
        host.startsWorkers = false
        host.load(Sample.simple { $0.repeat = .hours(1) })
        let token = host.token()
        host.handle(.launchRequested(Sample.cleaning, reply: token))
        let effects = host.handle(
            .workerExited(host.last(Sample.feed), sentence: "ended by signal 9 (SIGKILL)"))
        #expect(effects.contains { if case .reply(token, .refused) = $0 { true } else { false } })
        _ = host.take()
        let boot = TestHost(Sample.simple { $0.repeat = .hours(1) }, ledger: host.state.ledger)
        #expect(boot.running.count == 1)
        var changed = host
        changed.load(host.state.manifest, stamp: "2")
        #expect(starts(&changed) == 1)
        _ = host.launch(Sample.cleaning)
        #expect(starts(&host) == 1)
    }

    @Test func `a worker that has to be killed before it is ready is no loop`() {
        var host = TestHost(Sample.simple())
        host.pass(.hours(1))
        host.startsWorkers = false
        _ = host.submit(Sample.cleaning)
        host.handle(.violation(host.last(Sample.feed), nil, sentence: "it wrote garbage", isFatal: true))
        _ = host.take()
        host.handle(.workerExited(host.last(Sample.feed), sentence: "ended by signal 9 (SIGKILL)"))
        #expect(starts(&host) == 0 && host.closed(Sample.cleaning) == [.backoff])
    }

    @Test func `no more apps are started at once than runs`() {
        let apps = (0..<10).map { Sample.app("com.example.App\($0)") }
        var host = TestHost()
        host.startsWorkers = false
        host.load(
            Sample.manifest(
                apps.enumerated().map {
                    Sample.definition(Sample.task("com.example.App\($0).t"), of: $1, .processing)
                },
                concurrency: 3))
        #expect(starts(&host) == 3)
        host.handle(.workerReady(host.last(apps[0]), registered: []))
        #expect(starts(&host) == 1)
        host.handle(.workerFailed(host.last(apps[1]), sentence: "no"))
        #expect(starts(&host) == 1)
    }

    @Test func `an app that becomes idle while it waits for its turn is not started`() {
        var first = TestHost(Sample.simple())
        first.pass(.hours(1))
        var manifest = Sample.simple()
        manifest.hostConcurrency = 1
        var other = App(identifier: Sample.other, plugin: "/plugins/other.so")
        other.tasks = [Sample.definition(Sample.otherWork, of: Sample.other, .processing)]
        manifest.apps.insert(other, at: 0)
        var host = TestHost(at: .at(6, 23), ledger: first.state.ledger)
        host.startsWorkers = false
        host.load(manifest)
        #expect(host.worker(Sample.other) == .starting && host.worker(Sample.feed) == WorkerState.none)
        host.advance(.hours(2))
        _ = host.take()
        host.handle(.workerReady(host.last(Sample.other), registered: [Sample.otherWork]))
        #expect(starts(&host) == 0 && host.state.isIdle(Sample.feed))
        host.handle(.used(Sample.feed, at: host.now.wall))
        #expect(host.worker(Sample.feed) == WorkerState.none && !host.state.isBusy)
    }

    @Test func `a task that the plugin does not register waits, and is not repeated`() {
        var host = TestHost()
        host.registers = [Sample.feed: []]
        host.load(Sample.simple { $0.repeat = .hours(1) })
        #expect(host.names() == [.discovered])
        #expect(host.closed(Sample.cleaning) == [.registered, .requested])
    }
}
