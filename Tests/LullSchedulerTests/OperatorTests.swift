import LullModel
import Testing

@testable import LullScheduler

struct OperatorTests {
    @Test func `lull launch passes over policy and says in the history over what`() {
        var manifest = Sample.manifest([
            Sample.definition(Sample.cleaning, .processing) {
                $0.repeat = .days(7)
                $0.requires = Requirements(network: .any, externalPower: true)
                $0.windows = [WindowCalendarTests.night]
            }
        ])
        manifest.apps[0].idleAfter = .days(1)
        var host = TestHost(manifest, at: .at(0, 12), conditions: RequestTests.dark)
        host.pass(.days(3))
        guard case .launched = host.launch(Sample.cleaning, instead: true) else {
            Issue.record("it was not launched")
            return
        }
        let launched = host.records.last { $0.event == .launched }
        #expect(
            launched?.reason
                == "launched by an operator, past the gates idle_app, network, external_power and window")
        #expect(launched?.request == RequestID(1))
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [host.now.wall + .days(7)])
    }

    @Test func `lull launch refuses what it can't pass over`() {
        var host = TestHost()
        host.registers = [Sample.feed: [Sample.refresh, Sample.cleaning]]
        host.load(
            Sample.manifest([
                Sample.definition(Sample.cleaning, .processing) { $0.requires.idle = false },
                Sample.definition(Sample.indexing, .processing),
            ]))
        func refusal(_ task: TaskIdentifier) -> Refusal? {
            if case .refused(let refusal)? = host.launch(task) { refusal } else { nil }
        }
        #expect(refusal(Sample.refresh)?.code == .notPermitted)
        #expect(refusal(Sample.indexing)?.sentence.contains("the plugin registers no handler for it") == true)
        #expect(host.launch(Sample.cleaning) == .launched(RunID(1)))
        #expect(
            refusal(Sample.cleaning)?.sentence
                == "com.example.Feed.cleaning can't be launched: it is already running. "
                + "`lull why com.example.Feed.cleaning` says what to do.")
        host.complete()
        host.handle(.enabled(Sample.feed, false, reply: host.token()))
        #expect(refusal(Sample.cleaning)?.sentence.contains("lull enable com.example.Feed") == true)
    }

    @Test func `a launch without a request leaves none behind, and counts against no budget`() {
        var host = TestHost(Sample.manifest([Sample.definition(Sample.refresh, .refresh)]))
        #expect(host.launch(Sample.refresh) == .launched(RunID(1)))
        host.complete()
        #expect(
            host.state.pending(of: nil).isEmpty && host.state.ledger.spending.today(at: host.now.wall) == 0)
        // Past the rate limit.
        #expect(host.launch(Sample.refresh) == .launched(RunID(2)))
    }

    @Test func `disabling expires what runs and holds the rest, enabling lets it go on`() {
        var host = TestHost(Sample.simple { $0.repeat = .hours(1) })
        let token = host.token()
        let effects = host.handle(.enabled(Sample.feed, false, reply: token))
        #expect(
            host.reply(to: token, in: effects)
                == .done(
                    "Disabled com.example.Feed until `lull enable com.example.Feed`. Told 1 run of it to end."
                ))
        #expect(
            host.effects.contains(
                .expire(RunID(1), host.last(Sample.feed), reason: "com.example.Feed was disabled")))
        host.handle(.completed(RunID(1), success: false, summary: nil))
        host.pass(.hours(5))
        #expect(host.running.isEmpty && host.closed(Sample.cleaning) == [.enabled])
        #expect(host.gate(.enabled, of: Sample.cleaning)?.since == .at(0, 0))
        host.handle(.enabled(Sample.feed, true, reply: host.token()))
        #expect(host.running.count == 1)
        let twice = host.token()
        #expect(
            host.reply(to: twice, in: host.handle(.enabled(Sample.feed, true, reply: twice)))
                == .unchanged("com.example.Feed is enabled already."))
        let unknown = host.token()
        if case .refused? = host.reply(
            to: unknown, in: host.handle(.enabled(Sample.app("com.example.Nope"), true, reply: unknown)))
        {
        } else {
            Issue.record("an app that is not in the manifest was enabled")
        }
    }

    @Test func `an operator's submit runs at the first open gates, however busy the host`() {
        var host = TestHost(
            Sample.simple {
                $0.requires.idle = nil; $0.requires.externalPower = true
            }, conditions: RequestTests.dark)
        _ = host.submit(Sample.cleaning)
        #expect(host.running.isEmpty)
        host.handle(.conditionsChanged(Conditions(presence: .known(.active), load: 3)))
        #expect(host.running.count == 1)
    }
}
