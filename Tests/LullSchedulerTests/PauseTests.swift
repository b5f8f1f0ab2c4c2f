import LullModel
import Testing

@testable import LullScheduler

/// Launches that an operator holds back for a while, and what runs meanwhile.
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
                == .done(
                    "com.example.Feed.cleaning is not paused itself. Com.example.Feed is paused still: "
                        + "`lull resume com.example.Feed`."))
        #expect(next.tell { .resumed(.all, reply: $0) } == .done("Resumed com.example.Feed."))
        #expect(next.launches(of: Sample.cleaning) == [.at(0, 9)])
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
