import LullModel
import Testing

@testable import LullScheduler

/// Urgent pushes: delivered at once, and reported to people or lost.
struct UrgentPushTests {
    private let task = PushTests.task

    @discardableResult
    private func push(_ payload: String = "{}", urgent: Bool = true, on host: inout TestHost) -> Reply? {
        host.tell { .pushed(Sample.feed, Push(payload: payload, isUrgent: urgent), reply: $0) }
    }

    private func launches(in effects: [Effect]) -> [PushNote] {
        effects.compactMap { if case .launch(let launch) = $0 { launch.push } else { nil } }
    }

    /// Completes every run; with `reporting`, each reports to people first.
    private func end(_ host: inout TestHost, reporting: Bool) {
        for run in host.running {
            if reporting { host.handle(.reported(run, "Somebody calls")) }
        }
        host.complete()
    }

    @Test func `it passes every gate that is policy`() {
        var host = TestHost(
            PushTests.manifest(PushRules(quota: 1), concurrency: 1) {
                $0.requires.externalPower = true
                $0.windows = [Window(opens: 60, closes: 120, text: "01:00-02:00")]
                $0.quiet = [Window(opens: 600, closes: 840, text: "10:00-14:00")]
            }, conditions: PushTests.busy)
        // Longer than the week rule allows, at 12:00, and the host's one place is taken.
        host.pass(.days(9) + .hours(12))
        _ = host.launch(Sample.cleaning)
        #expect(host.running.count == 1)
        _ = host.take()
        push("1", on: &host)
        #expect(launches(in: host.take()) == [PushNote(payload: "1", isUrgent: true)])
        #expect(host.running.count == 2)
    }

    @Test func `an operator's pause and disabling hold it`() {
        var host = TestHost(PushTests.manifest())
        _ = host.tell { .paused(.app(Sample.feed), until: nil, reason: nil, reply: $0) }
        push(on: &host)
        #expect(host.closed(task) == [.paused])
        _ = host.tell { .resumed(.app(Sample.feed), reply: $0) }
        #expect(host.launches(of: task).count == 1)
    }

    @Test func `a silent push that joins it leaves its payload and its urgency`() {
        var host = TestHost(PushTests.manifest())
        push("1", on: &host)
        push("2", on: &host)
        push("3", urgent: false, on: &host)
        _ = host.take()
        end(&host, reporting: true)
        #expect(launches(in: host.take()) == [PushNote(payload: "2", merged: 1, isUrgent: true)])
    }

    @Test func `it counts against no quota`() {
        var host = TestHost(PushTests.manifest(PushRules(quota: 1)))
        for _ in 0..<4 {
            push(on: &host)
            end(&host, reporting: true)
        }
        #expect(host.launches(of: task).count == 4)
        push(urgent: false, on: &host)
        #expect(host.launches(of: task).count == 5)
    }

    @Test func `what it reports is recorded once, and told`() {
        var manifest = PushTests.manifest()
        manifest.apps[0].tasks[0].notify = [NoticeSink(.journal)]
        var host = TestHost(manifest)
        push(on: &host)
        for run in host.running {
            host.handle(.reported(run, "Somebody calls"))
            host.handle(.reported(run, "Somebody still calls"))
        }
        let reports = host.records.filter { $0.event == .reported }
        #expect(reports.map(\.reason) == ["Somebody calls"])
        #expect(host.records.filter { $0.event == .notice }.map(\.reason) == ["Somebody calls"])
    }

    @Test func `a run that is no push's can't report one`() {
        var host = TestHost(PushTests.manifest())
        _ = host.launch(Sample.cleaning)
        for run in host.running { host.handle(.reported(run, "Somebody calls")) }
        #expect(host.names().contains(.violation))
        #expect(!host.names().contains(.reported))
    }

    @Test func `after three in a row unreported its app loses urgency until an operator gives it back`() {
        var host = TestHost(PushTests.manifest())
        for _ in 0..<3 {
            push(on: &host)
            end(&host, reporting: false)
        }
        let named = host.records.filter { $0.event == .violation }.compactMap(\.reason)
        #expect(named.count == 3)
        #expect(named.last?.contains("until `lull push --restore com.example.Feed`") == true)
        host.handle(.conditionsChanged(PushTests.busy))
        guard case .accepted(_, let fate?)? = push(on: &host) else {
            Issue.record("nothing is said of what becomes of it")
            return
        }
        #expect(fate.contains("It is held as a silent one"), "\(fate)")
        #expect(fate.contains("`lull push --restore com.example.Feed` allows urgent pushes again"), "\(fate)")
        guard case .accepted(_, let other)? = push(urgent: false, on: &host) else {
            Issue.record("a silent one is refused")
            return
        }
        #expect(other?.contains("held as a silent one") == false, "It was meant as one.")
        #expect(host.closed(task) == [.moment])
        #expect(host.gate(.requested, of: task)?.reason.contains("held as a silent one") == true)
        #expect(host.state.report(at: host.now).remarks?.first?.contains("3 urgent pushes in a row") == true)
        #expect(
            host.tell { .urgencyRestored(Sample.feed, reply: $0) }
                == .done("com.example.Feed has urgent pushes again."))
        #expect(host.launches(of: task).count == 4)
        #expect(host.state.report(at: host.now).remarks == nil)
        #expect(
            host.tell { .urgencyRestored(Sample.feed, reply: $0) }
                == .unchanged("com.example.Feed has urgent pushes already."))
    }

    @Test func `one that is reported makes up for those before it`() {
        var host = TestHost(PushTests.manifest())
        for reporting in [false, false, true, false, false] {
            push(on: &host)
            end(&host, reporting: reporting)
        }
        #expect(host.state.ledger.apps[Sample.feed]?.unreported == 2)
        #expect(host.state.ledger.apps[Sample.feed]?.urgencyLostAt == nil)
    }

    @Test func `a host that ends or is cut off does not count against the app`() {
        var host = TestHost(PushTests.manifest())
        push(on: &host)
        var next = TestHost(PushTests.manifest(), at: host.now.wall, ledger: host.state.ledger)
        #expect(next.state.ledger.apps[Sample.feed]?.unreported == nil)
        next.handle(.shutdown)
        next.complete(success: false)
        #expect(next.state.ledger.apps[Sample.feed]?.unreported == nil)
    }

    @Test func `its app is started for it, also when another run holds the last place`() {
        var host = TestHost(PushTests.manifest(concurrency: 1))
        host.pass(.minutes(30))
        #expect(host.worker(Sample.feed) == WorkerState.none)
        push(on: &host)
        #expect(host.launches(of: task).count == 1)
    }
}
