import LullCalendar
import LullModel
import Testing

@testable import LullScheduler

/// Tasks with `at`: launched at their times and at no other, and no time is lost without a record.
struct TimesTests {
    private static func manifest(
        _ texts: [String] = ["0 * * * *"], _ kind: Kind = .processing,
        _ change: (inout TaskDefinition) -> Void = { _ in }
    ) throws -> Manifest {
        var times = ExactTimes()
        for text in texts { times.formUnion(try ExactTimes(text)) }
        return Sample.manifest([
            Sample.definition(Sample.cleaning, kind) {
                $0.at = times
                change(&$0)
            }
        ]) { $0.idleAfter = nil }
    }

    private static func options(host: String = "h", boot: String = "b1") -> SchedulerOptions {
        var options = SchedulerOptions()
        options.host = host
        options.boot = boot
        return options
    }

    private static let busy = Conditions(presence: .known(.active), load: 5)
    private static let dark = Conditions(externalPower: .known(false), presence: .known(.active), load: 5)

    private static func ends(_ host: TestHost) -> [HistoryEvent] {
        host.records.filter { [.launched, .givenUp, .merged, .cancelled].contains($0.event) }
    }

    @Test func `it is launched at its times while people work, and whatever failed before`() throws {
        var failing = TestHost(try Self.manifest(), at: .at(0, 0, 1), conditions: Self.busy)
        for _ in 0..<4 {
            failing.pass(.hours(1), completing: false) { !$0.running.isEmpty }
            failing.complete(success: false)
        }
        #expect(failing.launches(of: Sample.cleaning) == [.at(0, 1), .at(0, 2), .at(0, 3), .at(0, 4)])
        #expect(failing.record(Sample.cleaning)?.failures == 4)
    }

    @Test func `a refresh at its times draws nothing from the budget and keeps no gap`() throws {
        var host = TestHost(
            try Self.manifest(["*/5 * * * *"], .refresh) { $0.budget = 1 }, at: .at(0, 0, 1),
            conditions: Self.busy)
        host.pass(.minutes(29))
        #expect(host.launches(of: Sample.cleaning) == (1...5).map { .at(0, 0, $0 * 5) } + [.at(0, 0, 30)])
        #expect(host.state.ledger.spending.today(at: host.now.wall) == 0)
    }

    @Test func `what waits says when its next time is, in its zone`() throws {
        let berlin = Zone(name: "Europe/Berlin", initialOffset: 3600)
        var host = TestHost(
            try Self.manifest(["daily 02:30"]) { $0.timezone = "Europe/Berlin" }, at: .at(0, 15),
            zones: Zones(host: .utc, named: ["Europe/Berlin": berlin]))
        let gate = host.gate(.earliestBegin, of: Sample.cleaning)
        #expect(gate?.reason == "its next time is 02:30 tomorrow (Europe/Berlin), in 10 h 30 min")
        #expect(gate?.until == .at(1, 1, 30))
        #expect(
            host.gate(.requested, of: Sample.cleaning)?.reason == "the host, for `at`, asked for it at 15:00")
        let status = host.state.report(at: host.now).tasks.first
        #expect(status?.times == .init(at: ["daily 02:30"], zone: "Europe/Berlin", next: .at(1, 1, 30)))
        host.pass(.days(2))
        #expect(host.launches(of: Sample.cleaning) == [.at(1, 1, 30), .at(2, 1, 30)])
    }

    @Test func `a closed gate defers, and one launch stands for all that were missed`() throws {
        var host = TestHost(
            try Self.manifest { $0.requires.externalPower = true }, at: .at(0, 0, 1), conditions: Self.dark)
        host.pass(.hours(4))
        #expect(host.launches(of: Sample.cleaning) == [])
        #expect(
            host.gate(.earliestBegin, of: Sample.cleaning)?.reason
                == "its time, 01:00 today (UTC), was missed 3 h 1 min ago; Lull makes up for all missed times with one launch, as soon as possible"
        )
        host.handle(.conditionsChanged(.quiet))
        host.pass(.minutes(70))
        let launches = host.records.filter { $0.event == .launched }
        #expect(launches.map(\.time) == [.at(0, 4, 1), .at(0, 5)])
        #expect(launches.first?.occurrence == Occurrence(time: .at(0, 4), times: 4))
        #expect(launches.first?.reason == "stands for 4 times, the first at 01:00 today (UTC)")
        #expect(launches.last?.occurrence == Occurrence(time: .at(0, 5)))
    }

    @Test func `each missed time has its own launch where that is asked for`() throws {
        var host = TestHost(
            try Self.manifest { (task: inout TaskDefinition) in
                task.missed = .all
                task.requires.externalPower = true
            }, at: .at(0, 0, 1), conditions: Self.dark)
        host.pass(.hours(4))
        host.handle(.conditionsChanged(.quiet))
        host.pass(.minutes(1))
        let launches = host.records.filter { $0.event == .launched }
        #expect(launches.map(\.occurrence?.time) == [.at(0, 1), .at(0, 2), .at(0, 3), .at(0, 4)])
        #expect(launches.allSatisfy { $0.occurrence?.times == 1 })
        #expect(host.state.pending(of: nil).map(\.occurrence?.time) == [.at(0, 5)])
    }

    @Test func `of very many missed times the oldest are merged into one`() throws {
        var host = TestHost(
            try Self.manifest(["* * * * *"]) { (task: inout TaskDefinition) in
                task.missed = .all
                task.requires.externalPower = true
            }, at: .at(0, 0), conditions: Self.dark)
        host.pass(.hours(10))
        host.handle(.conditionsChanged(.quiet))
        host.pass(.minutes(5))
        let launches = host.records.filter { $0.event == .launched }
        #expect(launches.count == 106)
        #expect(launches.first?.occurrence?.time == .at(0, 0, 1))
        let merged = host.records.last { $0.event == .submitted && ($0.occurrence?.times ?? 1) > 1 }
        #expect(merged?.occurrence == Occurrence(time: .at(0, 8, 21), times: 500))
        #expect(launches[1].occurrence?.time == .at(0, 8, 21))
        #expect(launches[100].occurrence?.time == .at(0, 10))
    }

    @Test func `a missed time is given up with its gates where it is to be skipped`() throws {
        var host = TestHost(
            try Self.manifest { (task: inout TaskDefinition) in
                task.missed = .skip
                task.requires.externalPower = true
            }, at: .at(0, 0, 1), conditions: Self.dark)
        host.pass(.hours(2))
        let given = host.records.filter { $0.event == .givenUp }
        #expect(given.map(\.time) == [.at(0, 1, 5) + .milliseconds(1)])
        #expect(given.first?.occurrence == Occurrence(time: .at(0, 1)))
        #expect(
            given.first?.reason
                == "01:00 today (UTC) was missed by more than 5 min, and `missed: skip`: external_power: the host runs on battery, and the task requires external power"
        )
        // Two minutes late is within the tolerance.
        host.pass(.minutes(1))
        host.handle(.conditionsChanged(.quiet))
        host.pass(.minutes(2))
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 2, 2)])
    }

    @Test func `what a closed window held back before the host was away names the window`() throws {
        var host = TestHost(
            try Self.manifest(["* * * * *"]) { (task: inout TaskDefinition) in
                task.missed = .skip
                task.windows = [Window(opens: 180, closes: 240, text: "03:00-04:00")]
            }, at: .at(0, 8))
        host.pass(.seconds(90))
        host.advance(.minutes(9))
        host.handle(.absent(Absence(.stopped, until: host.now.wall, for: .minutes(9))))
        host.pass(.seconds(1))
        let reason = try #require(host.records.last { $0.event == .givenUp }?.reason)
        #expect(reason.contains("window: ") && !reason.contains("no host"), "\(reason)")
    }

    @Test func `what a machine slept through was missed for that, also while it ran`() throws {
        var host = TestHost(
            try Self.manifest(["0 * * * *"]) { (task: inout TaskDefinition) in task.missed = .skip },
            at: .at(0, 0, 50))
        host.pass(.minutes(10) + .seconds(1), completing: false)
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 1)])
        host.now.wall = .at(0, 4, 30)
        host.now.asleep = host.now.wall - .at(0, 1) - .seconds(1)
        host.handle(.wake)
        #expect(
            host.records.last { $0.event == .givenUp }?.reason
                == "3 times from 02:00 today (UTC) on were missed by more than 5 min, and `missed: skip`: the host was asleep from 01:00 today (UTC) to 04:30 today (UTC)"
        )
    }

    @Test func `a host that was asleep makes up for one, for all, or for none`() throws {
        for (missed, expected) in [(MissedTimes.one, 1), (.all, 6), (.skip, 0)] {
            var host = TestHost(try Self.manifest { $0.missed = missed }, at: .at(0, 0, 30))
            // From 00:30 to 06:30.
            host.now.wall = host.now.wall + .hours(6)
            host.now.asleep = .hours(6)
            host.handle(.wake)
            host.pass(.minutes(1))
            #expect(host.records.count { $0.event == .launched } == expected, "\(missed)")
            let stood = Self.ends(host).compactMap(\.occurrence).reduce(0) { $0 + $1.times }
            #expect(stood == 6, "\(missed)")
            #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(0, 7)])
        }
    }

    @Test func `a run that is still on lets the next time wait`() throws {
        var host = TestHost(
            try Self.manifest(["*/10 * * * *"]) { $0.timeLimit = .hours(2) }, at: .at(0, 0, 1))
        host.pass(.hours(1), completing: false) { !$0.running.isEmpty }
        host.running.forEach { host.handle(.launchReturned($0)) }
        host.pass(.minutes(25), completing: false)
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 0, 10)])
        #expect(host.closed(Sample.cleaning) == [.concurrency])
        host.complete()
        host.pass(.seconds(1))
        let second = host.records.last { $0.event == .launched }
        #expect(second?.occurrence == Occurrence(time: .at(0, 0, 30), times: 2))
    }

    @Test func `a shift stays the same, and another host has another`() throws {
        let launched = try ["a", "b"].map { name in
            var host = TestHost(
                try Self.manifest(["0 4 * * *"]) { $0.spread = .hours(1) }, at: .at(0, 0),
                options: Self.options(host: name))
            host.pass(.days(3))
            return host.launches(of: Sample.cleaning)
        }
        for times in launched {
            #expect(times.count == 3)
            #expect(times[0] >= .at(0, 4) && times[0] < .at(0, 5))
            #expect(times[1] == times[0] + .days(1) && times[2] == times[0] + .days(2))
        }
        #expect(launched[0] != launched[1])
    }

    // MARK: Clocks, restarts, manifests

    @Test func `a time that was cancelled does not come back with the clock`() throws {
        var host = TestHost(try Self.manifest(), at: .at(0, 1, 30), conditions: Self.busy)
        for _ in 2...3 {
            host.handle(.cancelled(Sample.feed, Sample.cleaning, next: true, reply: host.token()))
        }
        host.pass(.minutes(215))
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 4), .at(0, 5)])
        host.now.wall = .at(0, 1, 35)
        host.handle(.wake)
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(0, 4)])
        host.handle(.cancelled(Sample.feed, Sample.cleaning, next: true, reply: host.token()))
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(0, 5)])
    }

    @Test func `a time that spread shifts stays cancelled`() throws {
        var host = TestHost(
            try Self.manifest { $0.spread = .hours(6) }, at: .at(0, 12, 30), options: Self.options())
        var asked: [WallTime] = []
        for _ in 0..<4 {
            asked += host.state.pending(of: nil).compactMap(\.earliestBegin)
            host.handle(.cancelled(Sample.feed, Sample.cleaning, next: true, reply: host.token()))
        }
        #expect(asked.count == 4 && zip(asked, asked.dropFirst()).allSatisfy { $0 + .hours(1) == $1 })
    }

    @Test func `what ran before the clock was set back and is tried again passes over no time`() throws {
        let manifest = try Self.manifest(["*/20 * * * *"]) { $0.requires.externalPower = true }
        var host = TestHost(manifest, at: .at(0, 3, 59))
        host.pass(.minutes(2), completing: false) { !$0.running.isEmpty }
        host.now.wall = .at(0, 2, 1)
        host.handle(.wake)
        host.handle(.conditionsChanged(Self.dark))
        host.complete(success: false)
        #expect(host.state.pending(of: nil).map(\.occurrence?.time) == [.at(0, 2, 20)])
    }

    @Test func `a clock that is set back by an hour repeats nothing, and by a day all`() throws {
        var host = TestHost(try Self.manifest(["0 6 * * *"]), at: .at(1, 5))
        host.pass(.hours(2))
        #expect(host.launches(of: Sample.cleaning) == [.at(1, 6)])
        host.now.wall = .at(1, 5, 30)
        host.handle(.wake)
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(2, 6)])
        host.pass(.hours(2))
        host.now.wall = .at(0, 7, 30)
        host.handle(.wake)
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(1, 6)])
        host.pass(.days(1))
        #expect(host.launches(of: Sample.cleaning) == [.at(1, 6), .at(1, 6)])
    }

    @Test func `a clock that is set back a little goes on with wildcard times, and repeats no fixed one`()
        throws
    {
        var host = TestHost(try Self.manifest(["*/30 * * * *", "10 6 * * *"]), at: .at(1, 5, 45))
        host.pass(.hours(2))
        let before = host.launches(of: Sample.cleaning)
        #expect(before == [.at(1, 6), .at(1, 6, 10), .at(1, 6, 30), .at(1, 7), .at(1, 7, 30)])
        host.now.wall = .at(1, 5, 50)
        host.handle(.wake)
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(1, 6)])
        host.pass(.hours(2))
        #expect(
            host.launches(of: Sample.cleaning) == before + [
                .at(1, 6), .at(1, 6, 30), .at(1, 7), .at(1, 7, 30),
            ])
        // A few seconds back are no step: that minute has passed already.
        host.now.wall = .at(1, 7, 59) + .seconds(59)
        host.pass(.seconds(2))
        host.now.wall = .at(1, 7, 59) + .seconds(58)
        host.handle(.wake)
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(1, 8, 30)])
    }

    @Test(arguments: ["spread", "a closed gate", "a plugin's request"])
    func `a fixed time that has been does not come again with the clock, whatever moves its launch`(
        what: String
    ) throws {
        let manifest = try Self.manifest(["*/30 * * * *", "10 6 * * *"]) {
            if what == "spread" { $0.spread = .hours(6) }
            if what == "a closed gate" { $0.requires.externalPower = true }
            $0.missed = .all
        }
        // A host name whose `spread` shift is longer than the clock is set back.
        let name = (1...9).map(String.init).first {
            Spread.shift(of: Sample.cleaning, on: $0, within: manifest.tasks[0].spread) > .hours(2)
        }
        #expect(what != "spread" || name != nil)
        let (fixed, wildcard) = (WallTime.at(1, 6, 10), WallTime.at(1, 6))
        func launches(_ host: TestHost, of time: WallTime) -> Int {
            host.records.count { $0.event == .launched && $0.occurrence?.time == time }
        }
        var host = TestHost(manifest, at: .at(1, 5, 45), options: Self.options(host: name ?? "h"))
        host.pass(.hours(9)) { launches($0, of: fixed) == 1 }
        #expect(launches(host, of: wildcard) == 1)
        if what == "a plugin's request" {
            _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(2, 0))
        }
        if what == "a closed gate" { host.handle(.conditionsChanged(Self.dark)) }
        host.now.wall = host.now.wall - .hours(1)
        host.handle(.wake)
        host.pass(.hours(4))
        host.handle(.conditionsChanged(.quiet))
        host.pass(.minutes(20))
        #expect(launches(host, of: fixed) == 1)
        #expect(launches(host, of: wildcard) == 2)
    }

    @Test func `another zone of the host is taken in by what waits`() throws {
        var host = TestHost(try Self.manifest(["0 6 * * *"]), at: .at(1, 5))
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(1, 6)])
        host.now.zones = Zones(host: Zone(name: "Lull/East", initialOffset: 3600))
        host.handle(.wake)
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(2, 5)])
    }

    @Test func `a host that was off finds its times again`() throws {
        for (missed, expected) in [(MissedTimes.one, 1), (.all, 3), (.skip, 0)] {
            let manifest = try Self.manifest(["0 6 * * *"]) { $0.missed = missed }
            var first = TestHost(manifest, at: .at(0, 7), options: Self.options())
            first.pass(.hours(1))
            var second = TestHost(
                manifest, at: .at(3, 12), ledger: first.state.ledger, options: Self.options())
            second.pass(.minutes(1))
            #expect(second.launches(of: Sample.cleaning).count == expected, "\(missed)")
            #expect(Self.ends(second).compactMap(\.occurrence).reduce(0) { $0 + $1.times } == 3, "\(missed)")
            #expect(second.state.pending(of: nil).map(\.earliestBegin) == [.at(4, 6)])
        }
    }

    @Test func `what was cut off between a launch and the next request is owed`() throws {
        let manifest = try Self.manifest()
        var first = TestHost(manifest, at: .at(0, 0, 1))
        first.pass(.minutes(90))
        var ledger = Ledger()
        for event in first.records {
            ledger.apply(event, zones: .utc)
            if event.event == .launched { break }
        }
        #expect(ledger.tasks[Sample.cleaning]?.pending == nil)
        var second = TestHost(manifest, at: .at(0, 3, 30), ledger: ledger)
        second.pass(.minutes(1))
        let launch = second.records.first { $0.event == .launched }
        // The run that was cut off too.
        #expect(launch?.occurrence == Occurrence(time: .at(0, 3), times: 3))
    }

    @Test func `a time that was cut off in its run is made up for, unless it is to be skipped`() throws {
        for missed in MissedTimes.allCases {
            let manifest = try Self.manifest { $0.missed = missed }
            var first = TestHost(manifest, at: .at(0, 0, 1))
            first.pass(.hours(2), completing: false) { !$0.running.isEmpty }
            var second = TestHost(manifest, at: .at(0, 1, 2), ledger: first.state.ledger)
            second.pass(.minutes(1))
            #expect(second.launches(of: Sample.cleaning).count == (missed == .skip ? 0 : 1))
            #expect(second.state.pending(of: nil).map(\.earliestBegin) == [.at(0, 2)])
        }
    }

    @Test func `a host that is back after the next times makes up for the one it was cut off in too`() throws
    {
        let manifest = try Self.manifest { $0.missed = .all }
        var first = TestHost(manifest, at: .at(0, 0, 1))
        first.pass(.hours(2), completing: false) { !$0.running.isEmpty }
        var second = TestHost(manifest, at: .at(0, 3, 10), ledger: first.state.ledger)
        second.pass(.minutes(10))
        let occurrences = second.records.filter { $0.event == .launched }.map(\.occurrence)
        #expect(occurrences == [1, 2, 3].map { Occurrence(time: .at(0, $0)) })
        #expect(second.state.pending(of: nil).map(\.earliestBegin) == [.at(0, 4)])
    }

    @Test func `other times in the manifest take the place of those that wait`() throws {
        var host = TestHost(try Self.manifest(["0 6 * * *"]), at: .at(0, 0))
        host.load(try Self.manifest(["0 4 * * *"]), stamp: "2")
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(0, 4)])
        #expect(host.records.last { $0.event == .replaced }?.reason == "its next time has changed")
        host.load(try Self.manifest([]) { $0.at = nil }, stamp: "3")
        #expect(host.state.pending(of: nil) == [])
        #expect(host.records.last { $0.event == .givenUp }?.reason?.contains("no `at`") == true)
        // Times that passed while the task had no `at` do not count.
        host.pass(.days(3))
        host.load(try Self.manifest(["0 4 * * *"]), stamp: "4")
        host.pass(.minutes(1))
        #expect(host.launches(of: Sample.cleaning) == [])
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(3, 4)])
    }

    @Test func `times that an older manifest had are none that were missed`() throws {
        var host = TestHost(
            try Self.manifest { $0.requires.externalPower = true }, at: .at(0, 0, 1), conditions: Self.dark)
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        #expect(host.record(Sample.cleaning)?.pending?.occurrence?.time == .at(0, 1))
        host.load(Sample.simple { $0.requires.externalPower = true })
        host.pass(.hours(3))
        host.load(
            try Self.manifest {
                $0.requires.externalPower = true
                $0.missed = .all
            })
        #expect(host.record(Sample.cleaning)?.pending?.occurrence?.time == .at(0, 4))
        host.handle(.conditionsChanged(.quiet))
        host.pass(.hours(1))
        #expect(Self.ends(host).map(\.occurrence?.time) == [nil, .at(0, 4)])
    }

    @Test func `times that are owed outlast a submit that is withdrawn`() throws {
        func host() throws -> (TestHost, withdraw: [Event]) {
            var host = TestHost(
                try Self.manifest {
                    $0.requires.externalPower = true
                    $0.missed = .all
                }, at: .at(0, 0, 1), conditions: Self.dark)
            host.pass(.hours(3) + .minutes(20))
            host.startsWorkers = false
            let tokens = [host.token(), host.token()]
            func submit(_ hour: Int, _ token: Token) {
                host.handle(
                    .submitted(
                        Submission(app: Sample.feed, task: Sample.cleaning, earliestBegin: .at(0, hour)),
                        reply: token))
            }
            submit(8, tokens[0])
            host.handle(.conditionsChanged(.quiet))
            submit(12, tokens[1])
            return (host, tokens.map { .withdrawn(reply: $0) })
        }
        func ready(_ host: inout TestHost) {
            host.startsWorkers = true
            host.handle(.workerReady(host.last(Sample.feed), registered: [Sample.cleaning]))
            host.pass(.minutes(20))
        }
        var (first, withdraw) = try host()
        first.handle(withdraw[0])
        #expect(first.record(Sample.cleaning)?.pending?.origin == .plugin)
        ready(&first)
        #expect(Self.ends(first).compactMap(\.occurrence?.time) == [.at(0, 1), .at(0, 2), .at(0, 3)])
        // The second request was made again meanwhile, and the plugin may withdraw it all the same.
        var both: TestHost
        (both, withdraw) = try host()
        for event in withdraw { both.handle(event) }
        #expect(both.record(Sample.cleaning)?.pending?.origin == .at)
        ready(&both)
        #expect(both.launches(of: Sample.cleaning).count == 3)
    }

    @Test func `a new zone of the host is another next time`() throws {
        var host = TestHost(try Self.manifest(["0 6 * * *"]), at: .at(0, 0))
        host.now.zones = Zones(host: Zone(name: "Asia/Tokyo", initialOffset: 32400))
        host.handle(.wake)
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(0, 21)])
    }

    // MARK: Boots

    @Test func `after each boot it is launched once`() throws {
        let manifest = try Self.manifest(["@reboot"])
        var first = TestHost(manifest, at: .at(0, 1), options: Self.options())
        first.pass(.hours(1))
        #expect(first.launches(of: Sample.cleaning) == [])
        #expect(
            first.gate(.earliestBegin, of: Sample.cleaning)?.reason
                == "it runs once each time the machine boots, and waits for the next boot")
        let outlook = first.state.outlook(for: Sample.cleaning, at: first.now)
        #expect(outlook.isAtBoot == true && !outlook.gates.contains { $0.opening == .never })
        var same = TestHost(manifest, at: .at(0, 3), ledger: first.state.ledger, options: Self.options())
        same.pass(.hours(1))
        #expect(same.launches(of: Sample.cleaning) == [])
        var booted = TestHost(
            manifest, at: .at(0, 5), ledger: same.state.ledger, options: Self.options(boot: "b2"))
        booted.pass(.hours(1))
        #expect(booted.launches(of: Sample.cleaning) == [.at(0, 5)])
        #expect(booted.state.pending(of: nil).map(\.awaitsBoot) == [true])
        var again = TestHost(
            manifest, at: .at(0, 7), ledger: booted.state.ledger, options: Self.options(boot: "b2"))
        again.pass(.hours(1))
        #expect(again.launches(of: Sample.cleaning) == [])
    }

    @Test func `boots and times of the calendar go together`() throws {
        let manifest = try Self.manifest(["@reboot", "0 6 * * *"])
        var first = TestHost(manifest, at: .at(0, 1), options: Self.options())
        first.pass(.hours(6))
        #expect(first.launches(of: Sample.cleaning) == [.at(0, 6)])
        var booted = TestHost(
            manifest, at: .at(0, 8), ledger: first.state.ledger, options: Self.options(boot: "b2"))
        booted.pass(.hours(24))
        #expect(booted.launches(of: Sample.cleaning) == [.at(0, 8), .at(1, 6)])
    }

    // MARK: People and plugins

    @Test func `a submit is launched at the next time at the latest, and the times go on`() throws {
        var host = TestHost(
            try Self.manifest { $0.requires.idle = nil }, at: .at(0, 0, 1), conditions: Self.busy)
        _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(0, 5))
        #expect(host.gate(.earliestBegin, of: Sample.cleaning)?.until == .at(0, 1))
        host.pass(.hours(2))
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 1), .at(0, 2)])
    }

    @Test func `an operator's launch does not use up the next time`() throws {
        var host = TestHost(try Self.manifest(), at: .at(0, 0, 30))
        _ = host.launch(Sample.cleaning)
        host.pass(.minutes(31))
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 0, 30), .at(0, 1)])
    }

    @Test func `a cancel ends one time, and a plugin's none`() throws {
        var host = TestHost(try Self.manifest(), at: .at(0, 0, 30))
        host.handle(.cancelled(Sample.feed, nil, reply: nil))
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(0, 1)])
        host.handle(.cancelled(Sample.feed, Sample.cleaning, next: true, reply: host.token()))
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(0, 2)])
        #expect(host.records.last { $0.event == .cancelled }?.occurrence == Occurrence(time: .at(0, 1)))
    }

    @Test func `a time that was cancelled ahead is none of those that a launch stands for`() throws {
        var host = TestHost(
            try Self.manifest(["*/5 * * * *"]) {
                $0.missed = .all
                $0.requires.externalPower = true
            }, at: .at(0, 0, 1), conditions: Self.dark)
        host.handle(.cancelled(Sample.feed, Sample.cleaning, next: true, reply: host.token()))
        #expect(host.state.report(at: host.now).tasks.first?.times?.next == .at(0, 0, 10))
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        host.pass(.hours(10))
        host.handle(.cancelled(Sample.feed, Sample.cleaning, next: true, reply: host.token()))
        // From 00:10 to 10:00 there are 119, and 100 are made up for one by one.
        let waiting = try #require(host.state.pending(of: nil).first)
        #expect(
            waiting.occurrence == Occurrence(time: .at(0, 1, 45), times: 20, boot: waiting.occurrence?.boot))
    }

    @Test func `what an app asked for behind a time that is skipped has the times that are left`() throws {
        var manifest = try Self.manifest(["*/20 * * * *"]) {
            $0.missed = .skip
            $0.tolerance = .hours(1)
            $0.requires.externalPower = true
        }
        manifest.apps[0].tasks.append(
            Sample.definition(Sample.indexing, .processing) { $0.requires.idle = false })
        var host = TestHost(manifest, at: .at(0, 5, 59), conditions: Self.dark)
        host.startsWorkers = false
        host.pass(.minutes(30))
        _ = host.submit(Sample.indexing)
        _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(0, 9))
        host.pass(.minutes(32))
        let waiting = host.state.pending(of: nil).filter { $0.task == Sample.cleaning }
        #expect(waiting.map(\.occurrence?.time) == [.at(0, 6, 20)])
    }

    @Test(arguments: [Duration?.none, .minutes(30)])
    func `who judges without a host gives up what a start would give up`(interval: Duration?) throws {
        let manifest = try Self.manifest { $0.missed = .skip }
        let ledger = TestHost(manifest, at: .at(0, 0, 1)).state.ledger
        var asked = TestHost(
            manifest, at: .at(0, 1, 20), ledger: ledger,
            options: SchedulerOptions(discovers: false, launches: false))
        #expect(asked.gate(.earliestBegin, of: Sample.cleaning)?.isOpen == true)
        asked.state.giveUpMissed(betweenPasses: interval, at: asked.now)
        let gate = asked.gate(.earliestBegin, of: Sample.cleaning)
        // The next pass would still make it, for it looks back as far as the one before.
        #expect(gate?.isOpen == (interval != nil))
        #expect(gate?.until == (interval == nil ? .at(0, 2) : nil))
        #expect(asked.state.options.passInterval == nil)
    }

    @Test func `passes launch what fell between them, and tolerate their own distance`() throws {
        let manifest = try Self.manifest(["*/10 * * * *"]) { $0.missed = .skip }
        let options = { () -> SchedulerOptions in
            var options = SchedulerOptions(passInterval: .minutes(15))
            options.boot = "b1"
            return options
        }
        var ledger = Ledger()
        var launches: [WallTime] = []
        for minute in stride(from: 5, through: 65, by: 15) {
            var host = TestHost(manifest, at: .at(0, 0, minute), ledger: ledger, options: options())
            host.complete()
            ledger = host.state.ledger
            launches += host.launches(of: Sample.cleaning)
        }
        #expect(launches == [.at(0, 0, 20), .at(0, 0, 35), .at(0, 0, 50), .at(0, 1, 5)])
    }
}
