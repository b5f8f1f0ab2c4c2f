import LullCalendar
import LullModel
import Testing

@testable import LullScheduler

/// An operator's launches, submits and cancels are extra: `repeat` and `at` come as they would have come.
struct RhythmTests {
    /// Each night between 01:00 and 05:00; its first run was on Monday at 01:00, and it is Monday 15:00.
    private func nightly(_ change: (inout TaskDefinition) -> Void = { _ in }) -> TestHost {
        var host = TestHost(
            Sample.simple {
                $0.repeat = .days(1)
                $0.windows = [Window(opens: 60, closes: 300, text: "01:00-05:00")]
                change(&$0)
            })
        host.pass(.hours(15))
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 1)])
        return host
    }

    private func launchesOfTheNight(_ host: inout TestHost) -> [WallTime] {
        host.pass(.days(2))
        return host.launches(of: Sample.cleaning).filter { $0 > .at(0, 16) }
    }

    private static let nights: [WallTime] = [.at(1, 1), .at(2, 1)]

    @Test func `without an operator it runs each night`() {
        var host = nightly()
        #expect(launchesOfTheNight(&host) == Self.nights)
    }

    @Test func `a launch by day leaves tonight's run`() {
        var host = nightly()
        let pending = host.record(Sample.cleaning)?.pending
        #expect(
            host.launch(Sample.cleaning)
                == .launched(RunID(2), next: "Its own next time stays: tomorrow at 01:00."))
        #expect(host.record(Sample.cleaning)?.pending == pending)
        #expect(launchesOfTheNight(&host) == Self.nights)
    }

    @Test func `a launch of what is paused names the next time that the pause leaves`() throws {
        let at = try ExactTimes("30 2 * * *")
        func next(_ missed: MissedTimes, until: WallTime?) -> String? {
            var host = TestHost(
                Sample.simple {
                    $0.at = at
                    $0.missed = missed
                })
            host.pass(.hours(15))
            _ = host.tell { .paused(.task(Sample.cleaning), until: until, reason: "by kim", reply: $0) }
            guard case .launched(_, let next)? = host.launch(Sample.cleaning) else { return "not launched" }
            return next
        }
        #expect(next(.one, until: .at(0, 20)) == "Its own next time stays: tomorrow at 02:30.")
        #expect(
            next(.one, until: .at(1, 20))
                == "Its own next time stays: tomorrow at 20:00, when its pause ends.")
        #expect(next(.skip, until: .at(1, 20)) == "Its own next time stays: on Wednesday at 02:30.")
        #expect(
            next(.one, until: nil)
                == "Its own times wait: it is paused by kim; end the pause with `lull resume com.example.Feed.cleaning`."
        )
    }

    @Test func `what is next is reckoned with pauses, windows and quiet times, and with who has to act`()
        throws
    {
        let times = ["30 2 * * *", "@reboot"]
        var options = SchedulerOptions()
        options.boot = "one"
        func next(
            _ at: String?, _ change: (inout TaskDefinition) -> Void = { _ in },
            act: (inout TestHost) -> Void = { _ in }
        ) throws -> NextLaunch? {
            let exact = try at.map { try ExactTimes($0) }
            var host = TestHost(
                Sample.simple {
                    $0.at = exact
                    if exact == nil { $0.repeat = .hours(6) }
                    change(&$0)
                }, options: options)
            host.pass(.hours(15))
            act(&host)
            return host.state.report(at: host.now).tasks.first?.next
        }
        #expect(try next(times[0]) == .at(.at(1, 2, 30)))
        #expect(try next(times[1]) == .afterBoot)
        #expect(try next(nil) == .at(.at(0, 18)))
        #expect(
            try next(times[0], { $0.windows = [Window(opens: 240, closes: 300, text: "04:00-05:00")] })
                == .at(.at(1, 4)))
        #expect(
            try next(times[0], { $0.quiet = [Window(opens: 120, closes: 180, text: "02:00-03:00")] })
                == .at(.at(1, 3)))
        #expect(
            try next(
                nil,
                act: { host in
                    _ = host.tell { .paused(.app(Sample.feed), until: .at(0, 22), reason: nil, reply: $0) }
                }) == .at(.at(0, 22)))
        #expect(
            try next(
                nil, act: { host in _ = host.tell { .paused(.all, until: nil, reason: nil, reply: $0) } })
                == .held(.paused))
        #expect(
            try next(
                nil,
                act: { host in
                    host.handle(.enabled(Sample.feed, false, task: Sample.cleaning, reply: host.token()))
                })
                == .held(.enabled))
    }

    @Test func `a launch instead takes the place of tonight's run`() {
        var host = nightly()
        #expect(
            host.launch(Sample.cleaning, instead: true)
                == .launched(
                    RunID(2),
                    next: "This takes the place of its next time; the one after is on Wednesday at 01:00."))
        #expect(launchesOfTheNight(&host) == [.at(2, 1)])
    }

    @Test func `a submit and a cancel leave tonight's run`() {
        var host = nightly()
        #expect(
            host.submit(Sample.cleaning)
                == .accepted(
                    RequestID(3),
                    next: "Its own next time stays: tomorrow at 01:00. The request waits: it is outside "
                        + "01:00-05:00, which opens tomorrow at 01:00. `lull launch com.example.Feed.cleaning` "
                        + "would run it now."))
        #expect(
            host.cancel(Sample.cleaning)
                == .done(
                    "Cancelled 1 request of com.example.Feed.cleaning. Its own next time stays: tomorrow at 01:00."
                ))
        #expect(launchesOfTheNight(&host) == Self.nights)
    }

    @Test func `what is submitted by day and waits for the window runs once, and the next night again`() {
        var host = nightly()
        _ = host.submit(Sample.cleaning)
        #expect(launchesOfTheNight(&host) == Self.nights)
    }

    @Test func `a submit that is launched at once leaves the next time`() {
        var host = TestHost(Sample.simple { $0.repeat = .days(1) })
        host.pass(.hours(15))
        _ = host.submit(Sample.cleaning)
        host.pass(.days(2))
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 0), .at(0, 15), .at(1, 0), .at(2, 0)])
    }

    @Test func `a submit for later than the next time is launched then, too`() {
        var host = TestHost(Sample.simple { $0.repeat = .days(1) })
        host.pass(.hours(15))
        _ = host.submit(Sample.cleaning, begin: .at(1, 6))
        host.pass(.days(2))
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 0), .at(1, 0), .at(1, 6), .at(2, 0)])
    }

    @Test func `a submit for later than a next time that waits for its moment is launched at its own time`() {
        var host = TestHost(
            Sample.simple {
                $0.repeat = .days(1)
                $0.requires.idle = nil
            })
        host.pass(.hours(15))
        host.handle(.conditionsChanged(Conditions(presence: .known(.active), load: 2)))
        _ = host.submit(Sample.cleaning, begin: .at(1, 6))
        host.pass(.hours(18))
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 0), .at(1, 6)])
    }

    @Test func `a launch beside a submit for later leaves the next time`() {
        var host = TestHost(Sample.simple { $0.repeat = .days(1) })
        host.pass(.hours(15))
        _ = host.submit(Sample.cleaning, begin: .at(1, 6))
        _ = host.launch(Sample.cleaning)
        host.pass(.days(2))
        #expect(
            host.launches(of: Sample.cleaning) == [.at(0, 0), .at(0, 15), .at(1, 0), .at(1, 6), .at(2, 0)])
    }

    @Test func `a cancel with nothing of an operator's says what there is, and skips it when asked`() {
        var host = nightly()
        guard case .refused(let refusal) = host.cancel(Sample.cleaning) else {
            Issue.record("it was not refused")
            return
        }
        #expect(
            refusal.sentence
                == "Neither an operator nor the plugin has asked for com.example.Feed.cleaning. Its own next time, "
                + "tomorrow at 01:00, stays; `lull cancel com.example.Feed.cleaning --next` skips it.")
        #expect(host.cancel(Sample.cleaning, next: true) != nil)
        #expect(launchesOfTheNight(&host) == [.at(2, 1)])
    }

    @Test func `a launch by hand that fails holds nothing back`() {
        var host = nightly { $0.retry = .init(first: .hours(20), max: .days(3)) }
        _ = host.launch(Sample.cleaning)
        host.complete(success: false)
        #expect(host.record(Sample.cleaning)?.failures == 0)
        #expect(host.record(Sample.cleaning)?.lastOutcome == .failed)
        #expect(launchesOfTheNight(&host) == Self.nights)
    }

    @Test func `a refresh by hand draws on neither the budget nor the gap`() {
        var host = TestHost(
            Sample.manifest([Sample.definition(Sample.refresh, .refresh) { $0.repeat = .hours(6) }]))
        host.pass(.hours(1))
        let (last, spent) = (host.state.ledger.apps[Sample.feed]?.lastRefresh, host.state.ledger.spending)
        _ = host.launch(Sample.refresh)
        host.complete()
        #expect(host.state.ledger.apps[Sample.feed]?.lastRefresh == last)
        #expect(host.state.ledger.spending == spent)
        #expect(host.record(Sample.refresh)?.lastFresh == host.now.wall)
    }

    @Test func `a submit for a task whose time is due says that it stands for that time`() throws {
        let at = try ExactTimes("30 2 * * *")
        var host = TestHost(Sample.simple { $0.at = at })
        host.pass(.hours(2))
        _ = host.tell { .paused(.all, until: nil, reason: nil, reply: $0) }
        host.pass(.hours(1))
        guard case .accepted(_, let next?)? = host.submit(Sample.cleaning) else {
            Issue.record("not accepted")
            return
        }
        #expect(next.hasPrefix("It stands for its time at 02:30 as well. The request waits"))
        // A stop or another launch stands for nothing of the kind.
        guard case .launched(_, let after)? = host.launch(Sample.cleaning) else {
            Issue.record("not launched")
            return
        }
        #expect(after?.contains("stands for") != true)
    }

    @Test func `a time of at stays, whatever an operator does`() throws {
        let at = try ExactTimes("30 2 * * *")
        func timed() -> TestHost {
            var host = TestHost(Sample.simple { $0.at = at })
            host.pass(.hours(15))
            return host
        }
        let nights: [WallTime] = [.at(1, 2, 30), .at(2, 2, 30)]
        var host = timed()
        #expect(
            host.launch(Sample.cleaning)
                == .launched(RunID(2), next: "Its own next time stays: tomorrow at 02:30."))
        #expect(launchesOfTheNight(&host) == nights)
        host = timed()
        _ = host.submit(Sample.cleaning)
        _ = host.cancel(Sample.cleaning)
        #expect(launchesOfTheNight(&host) == nights)
        host = timed()
        _ = host.launch(Sample.cleaning, instead: true)
        #expect(launchesOfTheNight(&host) == [.at(2, 2, 30)])
    }

    @Test func `a restart forgets none of it`() {
        var host = nightly()
        _ = host.submit(Sample.cleaning, begin: .at(3, 12))
        let folded = host.records.reduce(into: Ledger()) { $0.apply($1, zones: .utc) }
        #expect(folded == host.state.ledger)
        var next = TestHost(
            Sample.simple {
                $0.repeat = .days(1)
                $0.windows = [Window(opens: 60, closes: 300, text: "01:00-05:00")]
            }, at: .at(0, 16), ledger: folded)
        next.pass(.days(2))
        #expect(next.launches(of: Sample.cleaning) == Self.nights)
    }

    @Test func `a launch that an older host recorded counts as it did`() {
        var ledger = Ledger()
        var launched = HistoryEvent(
            .launched, at: .at(0, 1), app: Sample.feed, task: Sample.refresh, run: RunID(1),
            reason: "launched by an operator")
        launched.kind = .refresh
        ledger.apply(launched, zones: .utc)
        #expect(ledger.apps[Sample.feed]?.lastRefresh == .at(0, 1))
        ledger.apply(
            HistoryEvent(
                .failed, at: .at(0, 2), app: Sample.feed, task: Sample.refresh, run: RunID(1),
                outcome: .failed),
            zones: .utc)
        #expect(ledger.tasks[Sample.refresh]?.failures == 1)
    }
}
