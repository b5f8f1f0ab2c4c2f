import LullCalendar
import LullModel
import Testing

@testable import LullScheduler

/// Parameters of a launch by hand: they are the run's, and a run with its own stands for nothing else.
struct ParamTests {
    private static let task = Sample.cleaning

    private static func host() -> TestHost { host { _ in } }

    private static func host(_ change: (inout TaskDefinition) throws -> Void) rethrows -> TestHost {
        TestHost(try manifest(change), at: .at(0, 0, 1))
    }

    private static func manifest() -> Manifest { manifest { _ in } }

    private static func manifest(
        _ change: (inout TaskDefinition) throws -> Void
    ) rethrows -> Manifest {
        var definition = Sample.definition(task, .processing) {
            $0.requires.idle = false
            var day = TaskParam(name: "day", value: "today")
            day.match = "today|[0-9]{4}-[0-9]{2}-[0-9]{2}"
            $0.params = [day, TaskParam(name: "level", value: "info")]
        }
        try change(&definition)
        return Sample.manifest([definition]) { $0.idleAfter = nil }
    }

    private static let defaults = ["day": "today", "level": "info"]
    private static let given = ["day": "2026-11-30"]
    private static let whole = ["day": "2026-11-30", "level": "info"]

    private static func submit(
        _ host: inout TestHost, _ params: [String: String]?, begin: WallTime? = nil, instead: Bool = false
    ) -> Reply? {
        host.tell {
            .submitted(
                Submission(
                    app: nil, task: task, earliestBegin: begin, isInstead: instead, params: params), reply: $0
            )
        }
    }

    private static func launch(
        _ host: inout TestHost, _ params: [String: String]?, instead: Bool = false
    ) -> Reply? {
        host.tell { .launchRequested(task, instead: instead, params: params, reply: $0) }
    }

    /// The parameters of each launch, as the history has them.
    private static func launched(_ host: TestHost) -> [[String: String]?] {
        host.records.filter { $0.event == .launched }.map(\.params)
    }

    private static func origins(_ host: TestHost) -> [String?] {
        host.effects.compactMap { if case .launch(let launch) = $0 { launch.origin } else { nil } }
    }

    @Test func `every launch has the defaults, and its handler gets them`() {
        var host = Self.host { $0.repeat = .hours(1) }
        host.pass(.minutes(1))
        #expect(Self.launched(host) == [Self.defaults])
        #expect(Self.origins(host) == [#"{"params":{"day":"today","level":"info"}}"#])
        #expect(host.records.first { $0.event == .submitted }?.params == nil)
    }

    @Test func `a launch by hand has what was given`() {
        var host = Self.host { $0.repeat = .hours(1) }
        host.pass(.minutes(1))
        #expect(Self.launch(&host, Self.given) != nil)
        #expect(Self.launched(host) == [Self.defaults, Self.whole])
        #expect(Self.origins(host).last == #"{"params":{"day":"2026-11-30","level":"info"}}"#)
        host.complete()
        // It is extra.
        #expect(host.gate(.earliestBegin, of: Self.task)?.until == .at(0, 1, 1))
    }

    @Test func `what a launch can't give is refused before anything runs`() {
        var host = Self.host()
        host.pass(.minutes(1))
        for params in [["day": "soon"], ["date": "2026-11-30"], ["level": "a\nb"]] {
            for reply in [Self.launch(&host, params), Self.submit(&host, params)] {
                guard case .refused(let refusal)? = reply else {
                    Issue.record("\(params) was taken")
                    continue
                }
                #expect(refusal.code == .notPermitted && refusal.sentence.contains("--param"))
            }
        }
        #expect(host.launches(of: Self.task) == [] && host.record(Self.task)?.pending == nil)
    }

    @Test func `a request keeps them until it is launched, across a restart`() throws {
        var host = Self.host()
        _ = Self.submit(&host, Self.given, begin: .at(0, 2))
        #expect(host.record(Self.task)?.pending?.params == Self.given)
        var ledger = Ledger()
        for event in host.records { ledger.apply(event, zones: .utc) }
        var next = TestHost(Self.manifest(), at: .at(0, 1), ledger: ledger)
        next.pass(.hours(2))
        #expect(Self.launched(next) == [Self.whole] && next.launches(of: Self.task) == [.at(0, 2)])
    }

    @Test func `a run that was cut off is run again with the same`() {
        var host = Self.host()
        _ = Self.submit(&host, Self.given)
        host.pass(.seconds(1), completing: false) { !$0.running.isEmpty }
        var ledger = Ledger()
        for event in host.records { ledger.apply(event, zones: .utc) }
        var next = TestHost(Self.manifest(), at: .at(0, 1), ledger: ledger)
        next.pass(.hours(1))
        #expect(Self.launched(next) == [Self.whole])
    }

    @Test func `attempts have the parameters of the first`() {
        var host = Self.host {
            $0.repeat = .hours(1)
            $0.retry.attempts = 2
        }
        host.pass(.minutes(1))
        _ = Self.launch(&host, Self.given, instead: true)
        host.complete(success: false)
        host.pass(.minutes(2))
        #expect(Self.launched(host) == [Self.defaults, Self.whole, Self.whole])
        host.pass(.hours(2))
        #expect(Self.launched(host).last == Self.defaults)
    }

    @Test func `a launch with other parameters leaves the request waiting, and says so`() {
        var host = Self.host()
        host.pass(.minutes(1))
        _ = Self.submit(&host, Self.given, begin: .at(0, 5))
        let request = host.record(Self.task)?.pending?.id
        guard case .launched(_, let next)? = Self.launch(&host, nil) else {
            Issue.record("it was not launched")
            return
        }
        #expect(next == "Request \(request?.description ?? "") with day=2026-11-30 goes on waiting.")
        host.complete()
        #expect(host.record(Self.task)?.pending?.id == request)
        #expect(Self.launched(host) == [Self.defaults])
        // The same parameters are what the request asked for.
        guard case .launched(_, nil)? = Self.launch(&host, Self.given) else {
            Issue.record("something is said of it")
            return
        }
        #expect(host.record(Self.task)?.pending == nil)
    }

    @Test func `a second request takes the place of the first, and the answer names what that had`() {
        var host = Self.host()
        _ = Self.submit(&host, Self.given, begin: .at(0, 5))
        let first = host.record(Self.task)?.pending?.id.description ?? ""
        guard case .accepted(_, let next)? = Self.submit(&host, ["day": "2026-12-01"]) else {
            Issue.record("it was refused")
            return
        }
        #expect(next == "It takes the place of request \(first) with day=2026-11-30.")
    }

    @Test func `events and times that come while it waits have runs of their own`() throws {
        var host = try Self.host {
            $0.at = try ExactTimes("daily 02:30")
            $0.on = [.boot]
            $0.windows = [Window(opens: 3 * 60, closes: 5 * 60, text: "03:00-05:00")]
        }
        _ = Self.submit(&host, Self.given)
        host.handle(.happened(.boot, TriggerEvent(.boot, at: .at(0, 1))))
        host.pass(.hours(5))
        #expect(Self.launched(host).first == Self.whole)
        #expect(Set(Self.launched(host).dropFirst()) == [Self.defaults] && Self.launched(host).count >= 2)
        let launches = host.records.filter { $0.event == .launched }
        #expect(launches.first?.triggerEvent == nil && launches.first?.occurrence?.time == nil)
        #expect(launches.contains { $0.triggerEvent != nil })
        #expect(launches.contains { $0.occurrence?.time == .at(0, 2, 30) })
        #expect(host.gate(.earliestBegin, of: Self.task)?.until == .at(1, 2, 30))
    }

    @Test func `what comes before its own time runs with the defaults, and the request goes on waiting`()
        throws
    {
        for change: (inout TaskDefinition) throws -> Void in [
            { $0.repeat = .hours(1) }, { $0.at = try ExactTimes("daily 01:00") }, { $0.on = [.resume] },
        ] {
            var host = try Self.host(change)
            host.pass(.minutes(2))
            let before = Self.launched(host).count
            _ = Self.submit(&host, Self.given, begin: .at(0, 6, 30))
            host.handle(.happened(.resume, TriggerEvent(.resume, at: host.now.wall)))
            host.pass(.hours(2))
            #expect(Set(Self.launched(host).dropFirst(before)) == [Self.defaults])
            #expect(host.record(Self.task)?.pending?.params == Self.given)
            host.pass(.hours(5))
            let own = host.records.filter { $0.event == .launched && $0.params == Self.whole }
            #expect(own.map(\.time) == [.at(0, 6, 30)])
            #expect(own.first?.origin == .operator)
        }
    }

    @Test func `the turn of repeat stays as it was`() {
        var host = Self.host { $0.repeat = .hours(1) }
        host.pass(.minutes(2))
        _ = Self.submit(&host, Self.given, begin: .at(0, 0, 30))
        host.pass(.hours(1))
        #expect(host.launches(of: Self.task) == [.at(0, 0, 1), .at(0, 0, 30), .at(0, 1, 1)])
        #expect(Self.launched(host) == [Self.defaults, Self.whole, Self.defaults])
    }

    @Test func `a plugin's submit waits behind it`() {
        var host = Self.host()
        host.pass(.minutes(1))
        _ = Self.submit(&host, Self.given, begin: .at(0, 2))
        _ = host.submit(Self.task, from: Sample.feed)
        host.pass(.hours(3))
        #expect(Self.launched(host) == [Self.whole, Self.defaults])
    }

    @Test func `an edit that refuses its values gives the request up, and says why`() {
        var host = Self.host()
        _ = Self.submit(&host, Self.given, begin: .at(0, 2))
        host.load(Self.manifest { $0.params?[0].match = "today" })
        #expect(host.record(Self.task)?.pending == nil)
        let end = host.records.last { $0.event == .givenUp }
        #expect(end?.reason?.contains("'2026-11-30' is no value for the parameter `day`") == true)
    }

    @Test func `a launch apart has the task's kind, and not that of the request that it leaves`() {
        var host = Self.host()
        host.pass(.minutes(1))
        _ = host.submit(Self.task, from: Sample.feed, kind: .refresh, begin: .at(0, 5))
        _ = Self.launch(&host, Self.given)
        #expect(host.records.last { $0.event == .launched }?.kind == .processing)
        #expect(host.record(Self.task)?.pending?.kind == .refresh)
    }

    @Test func `an edit of the kind leaves the values of an attempt`() {
        let change: (inout TaskDefinition) -> Void = {
            $0.repeat = .hours(1)
            $0.retry.attempts = 2
        }
        var host = Self.host(change)
        host.pass(.minutes(1))
        _ = Self.launch(&host, Self.given, instead: true)
        host.complete(success: false)
        #expect(host.record(Self.task)?.pending?.params == Self.given)
        host.load(
            Self.manifest {
                change(&$0)
                $0.kind = .refresh
            })
        #expect(host.record(Self.task)?.pending?.kind == .refresh)
        #expect(host.record(Self.task)?.pending?.params == Self.given)
    }

    @Test func `a value that is the default anyway is not given`() {
        func launch(_ params: [String: String]?) -> (left: TaskRequest?, launched: HistoryEvent?) {
            var host = Self.host { $0.on = [.resume] }
            host.pass(.minutes(1))
            _ = Self.submit(&host, nil, begin: .at(0, 5))
            host.handle(.paused(.all, until: nil, reason: nil, reply: host.token()))
            host.handle(.happened(.resume, TriggerEvent(.resume, at: host.now.wall)))
            _ = Self.launch(&host, params)
            return (host.record(Self.task)?.pending, host.records.last { $0.event == .launched })
        }
        let (plain, given) = (launch(nil), launch(["level": "info"]))
        #expect(given.left == plain.left && given.launched == plain.launched)
        #expect(given.launched?.triggerEvent != nil)
        var host = Self.host()
        _ = Self.submit(&host, ["day": "2026-11-30", "level": "info"], begin: .at(0, 5))
        #expect(host.record(Self.task)?.pending?.params == Self.given)
        _ = Self.submit(&host, ["level": "info"], begin: .at(0, 5))
        #expect(host.record(Self.task)?.pending != nil && host.record(Self.task)?.pending?.params == nil)
    }

    @Test func `a request whose values are now the defaults is used up by a launch without any`() {
        var host = Self.host()
        _ = Self.submit(&host, Self.given, begin: .at(0, 5))
        host.load(Self.manifest { $0.params?[0].value = "2026-11-30" })
        _ = Self.launch(&host, nil)
        #expect(Self.launched(host) == [Self.whole])
        #expect(host.record(Self.task)?.pending == nil)
    }

    @Test func `a run of the task's own time is made up for beside a waiting request with values`() throws {
        for change: (inout TaskDefinition) throws -> Void in [
            { $0.at = try ExactTimes("daily 01:00") }, { $0.repeat = .hours(1) },
        ] {
            // The last is over while no host runs.
            for (isBefore, begin) in [
                (true, WallTime.at(0, 6, 30)), (false, .at(0, 6, 30)), (true, .at(0, 1, 2)),
            ] {
                var host = try Self.host(change)
                host.pass(.minutes(30))
                let before = Self.launched(host).count
                if isBefore { _ = Self.submit(&host, Self.given, begin: begin) }
                host.pass(.hours(1), completing: false) { !$0.running.isEmpty }
                #expect(Self.launched(host).count == before + 1)
                if !isBefore { _ = Self.submit(&host, Self.given, begin: begin) }
                var ledger = Ledger()
                for event in host.records { ledger.apply(event, zones: .utc) }
                var next = TestHost(
                    try Self.manifest(change), at: host.now.wall + .minutes(5), ledger: ledger)
                // In short steps: a run that begins as another ends has to return within seconds.
                for _ in 0..<600 { next.pass(.seconds(1)) }
                let isOver = begin < next.now.wall
                #expect(Set(Self.launched(next)) == (isOver ? [Self.whole, Self.defaults] : [Self.defaults]))
                #expect(Self.launched(next).count == (isOver ? 2 : 1))
                #expect(next.record(Self.task)?.pending?.params == (isOver ? nil : Self.given))
                next.pass(.hours(6))
                #expect(next.records.filter { $0.event == .launched && $0.params == Self.whole }.count == 1)
            }
        }
    }

    @Test func `a launch instead is refused while an operator's request has the next time`() throws {
        for change: (inout TaskDefinition) throws -> Void in [
            { $0.at = try ExactTimes("daily 05:00") }, { $0.repeat = .hours(5) },
        ] {
            for (waiting, asked) in [
                (Self.given, nil), (nil, Self.given), (Self.given, Self.given), (nil, nil),
            ] as [([String: String]?, [String: String]?)] {
                var host = try Self.host(change)
                host.pass(.minutes(2))
                let before = host.launches(of: Self.task)
                _ = Self.submit(&host, waiting, begin: .at(0, 6))
                let request = try #require(host.record(Self.task)?.pending)
                guard case .refused(let refusal)? = Self.launch(&host, asked, instead: true) else {
                    Issue.record("it was launched")
                    continue
                }
                #expect(
                    refusal.sentence
                        == "Request \(request.id)\(waiting == nil ? "" : " with day=2026-11-30") of "
                        + "com.example.Feed.cleaning waits, and has the next time with it. Cancel it with "
                        + "`lull cancel com.example.Feed.cleaning`, and launch again.")
                _ = host.cancel(Self.task)
                guard case .launched? = Self.launch(&host, asked, instead: true) else {
                    Issue.record("it was refused")
                    continue
                }
                host.complete()
                // The next time was at 05:00, with `repeat` at 05:01.
                host.pass(.hours(5))
                let launches = host.launches(of: Self.task)
                #expect(Array(launches.prefix(before.count + 1)) == before + [.at(0, 0, 3)])
                #expect(!launches.contains { $0 > .at(0, 0, 3) && $0 < .at(0, 5, 2) })
            }
        }
    }

    @Test func `a launch instead serves an operator's request whose time has come`() throws {
        for change: (inout TaskDefinition) throws -> Void in [
            { $0.at = try ExactTimes("daily 01:00") }, { $0.repeat = .hours(1) },
        ] {
            var host = try Self.host(change)
            host.pass(.minutes(2))
            _ = Self.submit(&host, nil, begin: .at(0, 1, 30))
            host.handle(.paused(.all, until: nil, reason: nil, reply: host.token()))
            host.pass(.hours(2))
            guard case .launched? = Self.launch(&host, nil, instead: true) else {
                Issue.record("it was refused")
                continue
            }
            #expect(host.record(Self.task)?.pending?.origin != .operator)
        }
    }

    @Test func `a submit instead takes the next time, also from an operator's earlier request`() throws {
        for waiting in [Self.given, nil] {
            var host = try Self.host { $0.at = try ExactTimes("daily 05:00") }
            _ = Self.submit(&host, waiting, begin: .at(0, 6))
            let request = try #require(host.record(Self.task)?.pending?.id)
            let reply = Self.submit(&host, ["day": "2026-12-01"], instead: true)
            guard case .accepted(_, let next)? = reply else {
                Issue.record("it was refused")
                continue
            }
            let words = waiting == nil ? "" : " with day=2026-11-30"
            #expect(
                next == "It takes the place of request \(request)\(words). "
                    + "This takes the place of its next time; the one after is tomorrow at 05:00.")
            host.pass(.hours(12))
            #expect(Self.launched(host) == [["day": "2026-12-01", "level": "info"]])
        }
    }

    @Test func `with repeat, a launch with the same values leaves a request for later waiting`() {
        var host = Self.host { $0.repeat = .days(1) }
        host.pass(.minutes(2))
        _ = Self.submit(&host, Self.given, begin: .at(0, 6))
        _ = Self.launch(&host, Self.given)
        host.complete()
        #expect(host.record(Self.task)?.pending?.params == Self.given)
        host.pass(.hours(8))
        #expect(host.launches(of: Self.task).last == .at(0, 6))
        #expect(Self.launched(host) == [Self.defaults, Self.whole, Self.whole])
    }
}
