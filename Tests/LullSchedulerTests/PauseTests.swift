import LullCalendar
import LullModel
import Testing

@testable import LullScheduler

/// Launches that an operator holds back for a while, and the runs meanwhile.
struct PauseTests {
    private func hourly(_ change: (inout TaskDefinition) -> Void = { _ in }) -> TestHost {
        TestHost(
            Sample.simple {
                $0.repeat = .hours(1)
                change(&$0)
            })
    }

    private static let scopes: [Pause.Scope] = [.all, .app(Sample.feed), .task(Sample.cleaning)]

    @Test(arguments: scopes)
    func `nothing is launched while it is paused, and it goes on by itself`(scope: Pause.Scope) {
        var host = hourly()
        host.pass(.minutes(90))
        _ = host.tell { .paused(scope, until: .at(0, 5, 30), reason: "by kim: new disk", reply: $0) }
        let gate = host.gate(.paused, of: Sample.cleaning)
        #expect(gate?.isOpen == false)
        #expect(gate?.until == .at(0, 5, 30))
        #expect(gate?.reason.contains("is paused by kim: new disk, until 05:30") == true)
        host.pass(.hours(6))
        #expect(
            host.launches(of: Sample.cleaning)
                == [.at(0, 0), .at(0, 1), .at(0, 5, 30), .at(0, 6, 30), .at(0, 7, 30)])
    }

    @Test func `an end in the past is refused with a sentence`() {
        var host = hourly()
        host.pass(.minutes(90))
        let reply = host.tell { .paused(.all, until: .at(0, 1), reason: nil, reply: $0) }
        let sentence = "The pause would end at 01:00, in the past. Give a future time."
        #expect(reply == .refused(Refusal(.unavailable, sentence)))
    }

    @Test func `what runs goes on, and a launch by hand passes over it`() {
        var host = hourly()
        #expect(host.running.count == 1)
        _ = host.tell { .paused(.all, until: nil, reason: nil, reply: $0) }
        #expect(host.running.count == 1)
        #expect(!host.names().contains(.expired))
        host.complete()
        guard case .launched = host.launch(Sample.cleaning) else {
            Issue.record("it was not launched")
            return
        }
        #expect(
            host.records.last { $0.event == .launched }?.reason
                == "launched by an operator, past the gates paused and earliest_begin")
    }

    @Test func `a restart forgets no pause, and resuming ends it`() {
        var host = hourly()
        host.complete()
        _ = host.tell { .paused(.app(Sample.feed), until: nil, reason: nil, reply: $0) }
        let ledger = host.records.reduce(into: Ledger()) { $0.apply($1, zones: .utc) }
        #expect(ledger == host.state.ledger)
        var next = TestHost(Sample.simple { $0.repeat = .hours(1) }, at: .at(0, 8), ledger: ledger)
        next.pass(.hours(1))
        #expect(next.launches(of: Sample.cleaning).isEmpty)
        #expect(next.state.report(at: next.now).pauses?.map(\.scope) == [.app(Sample.feed)])
        #expect(
            next.tell { .resumed(.task(Sample.cleaning), reply: $0) }
                == .unchanged(
                    "com.example.Feed.cleaning is not paused itself. com.example.Feed is still paused: "
                        + "`lull resume com.example.Feed`."))
        #expect(
            next.tell { .resumed(.all, reply: $0) }
                == .done("Resumed com.example.Feed. com.example.Feed.cleaning is due, and is launched now."))
        #expect(next.launches(of: Sample.cleaning) == [.at(0, 9)])
    }

    @Test func `who pauses a task with times is told what becomes of them`() throws {
        func told(_ text: String, _ missed: MissedTimes, for span: Duration?) throws -> String? {
            let times = try ExactTimes(text)
            var host = TestHost(
                Sample.simple {
                    $0.at = times
                    $0.missed = missed
                }, at: .at(0, 1))
            let end = span.map { host.now.wall + $0 }
            guard
                case .done(let sentence)? = host.tell({
                    .paused(.task(Sample.cleaning), until: end, reason: nil, reply: $0)
                })
            else { return nil }
            let by = "nothing of it is launched except by hand."
            return sentence.split(separator: by).last.map { String($0.dropFirst()) }
        }
        #expect(
            try told("30 2 * * *", .skip, for: .hours(4))
                == "Its next time, at 02:30, is left out (`missed: skip`). It runs next tomorrow at 02:30.")
        #expect(
            try told("30 2 * * *", .one, for: .hours(4))
                == "Its next time, at 02:30, is made up for when the pause ends.")
        #expect(try told("30 2 * * *", .skip, for: .hours(1)) == "Its next time stays: at 02:30.")
        // More are not counted.
        let minutely = try told("* * * * *", .one, for: .hours(23))
        #expect(
            minutely?.hasPrefix("Its next 1000 or more times, the first at 01:01, are made up for") == true)
        #expect(
            try told("0 * * * *", .skip, for: .minutes(200))
                == "Its next 3 times, the first at 02:00, are left out (`missed: skip`). It runs next at 05:00."
        )
        // A time shortly before the pause's end is kept.
        #expect(
            try told("30 2 * * *", .skip, for: .minutes(92))
                == "Its next time, at 02:30, is launched when the pause ends.")
        #expect(
            try told("0 * * * *", .skip, for: .minutes(182))
                == "Its next 2 times, the first at 02:00, are left out (`missed: skip`). "
                + "It runs next when the pause ends, for its time at 04:00.")
        #expect(
            try told("0 * * * *", .one, for: .minutes(200))
                == "Its next 3 times, the first at 02:00, are made up for with one launch when the pause ends."
        )
        #expect(
            try told("0 * * * *", .skip, for: nil)
                == "Its next time is at 02:00: missed times are left out (`missed: skip`).")
    }

    @Test func `times of at that come meanwhile follow missed`() throws {
        let times = try ExactTimes("0 * * * *")
        for (missed, count) in [(MissedTimes.one, 1), (.all, 3), (.skip, 0)] {
            var host = TestHost(
                Sample.simple {
                    $0.at = times
                    $0.missed = missed
                })
            _ = host.tell { .paused(.all, until: .at(0, 3, 30), reason: nil, reply: $0) }
            host.pass(.minutes(230))
            #expect(host.launches(of: Sample.cleaning).count == count, "\(missed)")
        }
    }

    @Test func `in its quiet time nothing is launched`() {
        var host = hourly { $0.quiet = [Window(opens: 120, closes: 270, text: "02:00-04:30")] }
        host.pass(.hours(6))
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 0), .at(0, 1), .at(0, 4, 30), .at(0, 5, 30)])
    }

    @Test func `one task is disabled, its run is told to end, and the others go on`() {
        var host = TestHost(
            Sample.manifest([
                Sample.definition(Sample.cleaning, .processing) {
                    $0.requires.idle = false
                    $0.repeat = .hours(1)
                },
                Sample.definition(Sample.indexing, .processing) {
                    $0.requires.idle = false
                    $0.repeat = .hours(1)
                },
            ]))
        #expect(host.running.count == 2)
        #expect(
            host.tell { .enabled(Sample.feed, false, task: Sample.cleaning, reply: $0) }
                == .done(
                    "Disabled com.example.Feed.cleaning until `lull enable com.example.Feed.cleaning`. Told 1 run of it to end."
                ))
        host.pass(.hours(2))
        #expect(host.launches(of: Sample.cleaning).count == 1)
        #expect(host.launches(of: Sample.indexing).count == 3)
        #expect(
            host.gate(.enabled, of: Sample.cleaning)?.remedy?.contains(
                "lull enable com.example.Feed.cleaning") == true)
        _ = host.tell { .enabled(Sample.feed, true, task: Sample.cleaning, reply: $0) }
        #expect(host.launches(of: Sample.cleaning).count == 2)
    }
}

/// Since when a gate is closed, across a pause.
struct PausedSinceTests {
    static let dark = Conditions(
        externalPower: .known(false), network: .known(.none), presence: .known(.idle(since: .at(0, 0))),
        load: 0)

    @Test(arguments: [Pause.Scope.all, .app(Sample.feed)])
    func `a pause does not begin the time of a closed condition anew`(scope: Pause.Scope) {
        var host = TestHost(
            Sample.simple {
                $0.requires.externalPower = true
                $0.requires.network = .any
            }, conditions: Self.dark)
        _ = host.submit(Sample.cleaning)
        host.pass(.hours(1))
        _ = host.tell { .paused(scope, until: nil, reason: nil, reply: $0) }
        host.pass(.hours(1))
        var lit = Self.dark
        lit.network = .known(.unmetered)
        host.handle(.conditionsChanged(lit))
        host.pass(.hours(1))
        host.handle(.conditionsChanged(Self.dark))
        _ = host.tell { .resumed(scope, reply: $0) }
        #expect(host.gate(.externalPower, of: Sample.cleaning)?.since == .at(0, 0))
        // The network was there meanwhile.
        #expect(host.gate(.network, of: Sample.cleaning)?.since == .at(0, 3))
    }
}
