import LullCalendar
import LullModel
import Testing

@testable import LullScheduler

/// `retry: { attempts }`: a failed run is repeated for the same time, event or turn, and only the last failure is reported.
struct AttemptTests {
    private static let task = Sample.cleaning
    private static let heartbeat = Heartbeat(url: "https://h.example/x", tellsFailures: true)

    private static func host(
        attempts: Int? = 3, _ change: (inout TaskDefinition) throws -> Void
    ) rethrows -> TestHost {
        var definition = Sample.definition(task, .processing) {
            $0.requires.idle = false
            $0.retry.attempts = attempts
            $0.notify = [NoticeSink(.mail("ops@example.org"))]
        }
        try change(&definition)
        return TestHost(
            Sample.manifest([definition]) { $0.idleAfter = nil }, at: .at(0, 0, 1),
            options: options(boot: "a"))
    }

    private static func nightly(
        attempts: Int? = 3, _ change: (inout TaskDefinition) -> Void = { _ in }
    ) throws -> TestHost {
        try host(attempts: attempts) {
            $0.at = try ExactTimes("daily 02:30")
            change(&$0)
        }
    }

    /// Fails the next runs, and then lets them succeed.
    private static func fail(_ times: Int, _ host: inout TestHost, within span: Duration = .days(1)) {
        for _ in 0..<times {
            host.pass(span, completing: false) { !$0.running.isEmpty }
            host.complete(success: false)
        }
    }

    private static func told(_ host: TestHost) -> [NoticeKind] {
        host.records.filter { $0.event == .notice }.compactMap(\.notice).map(\.kind)
    }

    private static func origins(_ host: TestHost) -> [String?] {
        host.effects.compactMap { if case .launch(let launch) = $0 { launch.origin } else { nil } }
    }

    @Test func `a time of the clock is tried again after a while that doubles, and then waits for the next`()
        throws
    {
        var host = try Self.nightly()
        Self.fail(3, &host)
        let first = WallTime.at(0, 2, 30)
        #expect(host.launches(of: Self.task) == [first, first + .seconds(30), first + .seconds(90)])
        #expect(host.record(Self.task)?.tried == nil)
        #expect(host.gate(.earliestBegin, of: Self.task)?.until == .at(1, 2, 30))
        let failures = host.records.filter { $0.event == .failed }
        #expect(failures.map(\.earliestBegin) == [first + .seconds(30), first + .seconds(90), nil])
        let reasons = host.records.filter { $0.event == .launched }.map(\.reason)
        #expect(reasons == [nil, "attempt 2 of 3", "attempt 3 of 3"])
        #expect(
            Self.origins(host) == (1...3).map { #"{"attempt":\#($0),"attempts":3}"# })
        host.pass(.days(1))
        #expect(host.launches(of: Self.task).last == .at(1, 2, 30))
    }

    @Test func `a time that came while an attempt waited has attempts of its own`() throws {
        var host = try Self.host {
            $0.at = try ExactTimes("* * * * *")
            $0.retry.first = .seconds(20)
        }
        Self.fail(1, &host)
        // The host is away for two more times, and the attempt would have come before both.
        host.advance(.seconds(150))
        host.pass(.seconds(1), completing: false) { !$0.running.isEmpty }
        let launched = try #require(host.records.last { $0.event == .launched })
        #expect(launched.attempt == Attempt(1, of: 3))
        #expect(launched.occurrence?.times == 2 && launched.occurrence?.time == .at(0, 0, 4))
        #expect(launched.reason == "stands for 2 times, the first at 00:03 today (UTC)")
        host.complete(success: false)
        #expect(host.records.last { $0.event == .failed }?.attempt == Attempt(1, of: 3))
        #expect(host.record(Self.task)?.tried == 1)
    }

    @Test func `each turn of repeat begins its waits anew, and says which attempt comes`() {
        var host = Self.host(attempts: 2) {
            $0.repeat = .minutes(10)
            $0.retry.first = .seconds(20)
        }
        Self.fail(1, &host)
        #expect(
            host.gate(.backoff, of: Self.task)?.reason
                == "it failed, and attempt 2 of 2 begins no sooner than 20 s after that")
        Self.fail(5, &host)
        let launches = host.launches(of: Self.task)
        let gaps = zip(launches, launches.dropFirst()).map { $1 - $0 }
        #expect(gaps == [.seconds(20), .minutes(10), .seconds(20), .minutes(10), .seconds(20)])
        #expect(host.gate(.backoff, of: Self.task)?.isOpen == true)
    }

    @Test func `an exit code that no other attempt can mend is not tried again`() throws {
        let first = WallTime.at(0, 2, 30)
        var host = try Self.nightly { $0.retry.exitCodes = [75, 111] }
        for code: UInt8 in [75, 3] {
            host.pass(.days(1), completing: false) { !$0.running.isEmpty }
            host.complete(success: false, exitCode: code)
        }
        #expect(host.launches(of: Self.task) == [first, first + .seconds(30)])
        let failures = host.records.filter { $0.event == .failed }
        #expect(failures.map(\.exitCode) == [75, 3])
        #expect(failures.map(\.earliestBegin) == [first + .seconds(30), nil])
        #expect(failures.map(\.attempt) == [Attempt(1, of: 3), Attempt(2, of: 3)])
        #expect(Self.told(host) == [.failed])
        // A run without an exit code, such as one that met its time limit, has none of the listed codes.
        host.pass(.days(1), completing: false) { !$0.running.isEmpty }
        host.complete(success: false)
        #expect(host.gate(.earliestBegin, of: Self.task)?.until == .at(2, 2, 30))
    }

    @Test func `people hear of the last failure alone, and of none that was mended`() throws {
        var host = try Self.nightly()
        Self.fail(2, &host)
        #expect(Self.told(host) == [])
        host.pass(.hours(1))
        #expect(Self.told(host) == [])
        #expect(host.launches(of: Self.task).count == 3)
        Self.fail(3, &host)
        #expect(Self.told(host) == [.failed])
    }

    @Test func `a heartbeat is told of the last failure alone`() throws {
        var host = try Self.nightly(attempts: 2) { $0.heartbeat = Self.heartbeat }
        Self.fail(2, &host)
        let pings = host.effects.compactMap { if case .ping(let ping) = $0 { ping } else { nil } }
        #expect(pings.map(\.isFailure) == [true])
    }

    @Test func `without attempts a time of the clock waits for the next one`() throws {
        var host = try Self.nightly(attempts: nil)
        Self.fail(2, &host)
        #expect(host.launches(of: Self.task) == [.at(0, 2, 30), .at(1, 2, 30)])
        #expect(Self.told(host) == [.failed, .failed])
    }

    @Test func `a success ends the attempts, and the next time has all of its own`() throws {
        var host = try Self.nightly()
        Self.fail(1, &host)
        host.pass(.hours(1))
        #expect(host.launches(of: Self.task).count == 2)
        #expect(host.record(Self.task)?.tried == nil)
        Self.fail(3, &host)
        #expect(host.launches(of: Self.task).count == 5)
    }

    @Test func `it says which attempt it waits for`() throws {
        var host = try Self.nightly { $0.retry.first = .minutes(10) }
        Self.fail(1, &host)
        #expect(host.closed(Self.task) == [.earliestBegin])
        #expect(
            host.gate(.earliestBegin, of: Self.task)?.reason
                == "it failed, and attempt 2 of 3 is at 02:40 today (UTC), in 10 min")
    }

    @Test func `no attempt comes after the next time, which stands for it`() throws {
        var host = try Self.host {
            $0.at = try ExactTimes("*/5 * * * *")
            $0.retry.first = .minutes(10)
        }
        Self.fail(2, &host)
        #expect(host.launches(of: Self.task) == [.at(0, 0, 5), .at(0, 0, 10)])
        #expect(Self.told(host) == [.failed, .failed])
    }

    @Test func `an attempt is not missed, however late it is for its time`() throws {
        var host = try Self.nightly {
            $0.missed = .skip
            $0.tolerance = .minutes(1)
            $0.retry.first = .hours(1)
        }
        Self.fail(1, &host)
        host.pass(.hours(2))
        #expect(host.launches(of: Self.task) == [.at(0, 2, 30), .at(0, 3, 30)])
        #expect(!host.names(Self.task).contains(.givenUp))
    }

    @Test func `attempts outlive the host`() throws {
        var host = try Self.nightly()
        Self.fail(2, &host)
        var next = TestHost(
            host.state.manifest, at: host.now.wall + .seconds(1), ledger: host.state.ledger)
        Self.fail(1, &next)
        #expect(next.launches(of: Self.task) == [.at(0, 2, 30) + .seconds(90)])
        #expect(Self.told(next) == [.failed])
    }

    /// The power fails in the second attempt: `missed: skip` does not make it up.
    private static func cutOff(_ host: TestHost, boot: String) -> TestHost {
        var host = host
        fail(1, &host)
        host.pass(.hours(1), completing: false) { !$0.running.isEmpty }
        return TestHost(
            host.state.manifest, at: .at(0, 4, 45), ledger: host.state.ledger, options: options(boot: boot))
    }

    private static func options(boot: String) -> SchedulerOptions {
        var options = SchedulerOptions()
        options.boot = boot
        return options
    }

    @Test func `the time after an attempt that was cut off and is skipped has attempts of its own`() throws {
        let host = try Self.host {
            $0.at = try ExactTimes("30 2,5 * * *")
            $0.missed = .skip
        }
        var next = Self.cutOff(host, boot: "a")
        #expect(next.gate(.earliestBegin, of: Self.task)?.until == .at(0, 5, 30))
        Self.fail(1, &next)
        #expect(next.launches(of: Self.task) == [.at(0, 5, 30)])
        #expect(next.records.last { $0.event == .failed }?.attempt == Attempt(1, of: 3))
    }

    @Test func `a boot has attempts of its own, and stands for all times since the last launch`() throws {
        let host = try Self.host {
            let hourly = try ExactTimes("30 * * * *")
            $0.at = ExactTimes(calendar: hourly.calendar, isAtBoot: true)
            $0.missed = .skip
        }
        var next = Self.cutOff(host, boot: "b")
        next.pass(.minutes(1), completing: false) { !$0.running.isEmpty }
        let launched = try #require(next.records.last { $0.event == .launched })
        #expect(launched.occurrence?.times == 4 && launched.attempt == Attempt(1, of: 3))
        #expect(launched.reason == "stands for 4 times, the first at 01:30 today (UTC)")
    }

    @Test func `what an operator stops or cancels is not tried again`() throws {
        var host = try Self.nightly()
        Self.fail(1, &host)
        _ = host.cancel(Self.task, next: true)
        host.pass(.hours(3))
        #expect(host.launches(of: Self.task) == [.at(0, 2, 30)])
        #expect(host.record(Self.task)?.tried == nil)
    }

    @Test func `a time whose attempt gave way to its plugin's request, which was cancelled, was not missed`()
        throws
    {
        var host = try Self.nightly {
            $0.missed = .skip
            $0.retry.first = .hours(1)
        }
        Self.fail(1, &host)
        _ = host.submit(Self.task, from: Sample.feed, begin: host.now.wall + .hours(2))
        _ = host.cancel(Self.task)
        host.pass(.hours(4))
        #expect(host.launches(of: Self.task) == [.at(0, 2, 30)])
        #expect(!host.names(Self.task).contains(.givenUp))
        #expect(host.gate(.earliestBegin, of: Self.task)?.until == .at(1, 2, 30))
    }

    @Test func `an event is tried again with its files, and what comes meanwhile waits with it`() {
        let files = Trigger.path(WatchedPath(path: "/srv/in", names: "*.csv", isFolder: true))
        func arrival(_ name: String, _ host: TestHost) -> Event {
            var event = TriggerEvent(.path, at: host.now.wall)
            event.add(["/srv/in/" + name])
            return .happened(files, event, reply: Token(0))
        }
        var host = Self.host { $0.on = [files] }
        host.handle(arrival("a.csv", host))
        host.complete(success: false)
        host.handle(arrival("b.csv", host))
        #expect(host.running.isEmpty)
        host.pass(.minutes(1))
        let events = host.records.filter { $0.event == .launched }
        #expect(
            events.map { $0.triggerEvent?.paths } == [["/srv/in/a.csv"], ["/srv/in/a.csv", "/srv/in/b.csv"]])
        #expect(host.launches(of: Self.task) == [.at(0, 0, 1), .at(0, 0, 1) + .seconds(30)])
        #expect(Self.told(host) == [])
    }

    @Test func `an event is tried again beside repeat and at, whose next times stay`() throws {
        for isTimed in [false, true] {
            var host = try Self.host {
                $0.on = [.network]
                if isTimed { $0.at = try ExactTimes("daily 02:30") } else { $0.repeat = .hours(3) }
            }
            host.pass(.minutes(5))
            let before = host.launches(of: Self.task).count
            host.handle(.happened(.network, TriggerEvent(.network, at: host.now.wall), reply: Token(0)))
            let began = host.now.wall
            Self.fail(2, &host)
            host.pass(.minutes(5))
            #expect(
                Array(host.launches(of: Self.task).dropFirst(before)) == [
                    began, began + .seconds(30), began + .seconds(90),
                ])
            #expect(Self.told(host) == [])
            let next = host.gate(.earliestBegin, of: Self.task)?.until
            #expect(next == (isTimed ? .at(0, 2, 30) : began + .seconds(90) + .hours(3)))
        }
    }

    @Test func `repeat goes on by its own rhythm once its attempts are spent`() {
        var host = Self.host { $0.repeat = .hours(1) }
        Self.fail(4, &host)
        let first = WallTime.at(0, 0, 1)
        #expect(
            host.launches(of: Self.task)
                == [first, first + .seconds(30), first + .seconds(90), first + .seconds(90) + .hours(1)])
        #expect(Self.told(host) == [.failed])
    }

    @Test func `the next of a chain follows once the last attempt is over`() throws {
        let next = Sample.task("com.example.Feed.refresh")
        let first = Sample.definition(Self.task, .processing) {
            $0.requires.idle = false
            $0.at = try? ExactTimes("daily 02:30")
            $0.retry.attempts = 2
        }
        let second = Sample.definition(next, .processing) {
            $0.requires.idle = false
            $0.on = [.after(Self.task, .failure)]
        }
        var host = TestHost(Sample.manifest([first, second]) { $0.idleAfter = nil }, at: .at(0, 0, 1))
        Self.fail(1, &host)
        #expect(host.record(next)?.pending == nil)
        Self.fail(1, &host)
        host.pass(.seconds(1))
        #expect(host.launches(of: next) == [.at(0, 2, 30) + .seconds(30)])
    }

    @Test func `in a fleet the slot is open again, and counts the attempts of all hosts`() throws {
        let fleet = FleetTests()
        var host = try fleet.host {
            $0.fleet.scope = .anyHost
            $0.retry.attempts = 3
        }
        fleet.go(to: FleetTests.nominal, &host)
        var states: [SlotState] = []
        for (number, attempt) in [(Int64(7), 1), (8, 3)] {
            let claim = try #require(fleet.takeClaims(&host).first)
            #expect(claim.claim.slot == SlotName(Self.task, at: FleetTests.nominal))
            let launches = try fleet.grant(claim, as: number, attempt: attempt, &host).compactMap {
                if case .launch(let launch) = $0 { launch } else { nil }
            }
            let launch = try #require(launches.first)
            #expect(launch.origin?.contains(#""attempt":\#(attempt),"attempts":3"#) == true)
            let finish = try #require(
                fleet.finishes(host.handle(.completed(launch.run, success: false, summary: nil))).first)
            states.append(finish.finish.state)
            fleet.answer(finish.number, .finish(.init(now: 0, accepted: true)), &host)
            fleet.go(to: host.now.wall + .minutes(1), &host)
        }
        #expect(states == [.open, .failed])
    }
}
