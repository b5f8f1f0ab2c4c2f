import LullModel
import Testing

@testable import LullScheduler

/// When a task is late, and who is notified.
@Suite struct `Lateness of a task` {
    private static let sink = NoticeSink(.journal, on: [.overdue, .recovered])

    private func host(
        ledger: Ledger = Ledger(), at wall: WallTime = TestHost.monday, conditions: Conditions = .quiet,
        _ change: @escaping (inout TaskDefinition) -> Void
    ) -> TestHost {
        let manifest = Sample.manifest([
            Sample.definition(Sample.cleaning, .processing) {
                $0.requires.idle = false
                $0.repeat = .hours(6)
                $0.notify = [Self.sink]
                change(&$0)
            }
        ]) { $0.idleAfter = nil }
        return TestHost(manifest, at: wall, ledger: ledger, conditions: conditions)
    }

    private func told(_ host: TestHost) -> [HistoryEvent] { host.records.filter { $0.event == .notice } }

    private static var onBattery: Conditions {
        var conditions = Conditions.quiet
        conditions.externalPower = .known(false)
        return conditions
    }

    @Test func `its request knows by when it will have been launched, where somebody wants to know`() throws {
        let host = host { _ in }
        let submitted = host.records.filter { $0.event == .submitted }
        let due = try #require(submitted.last?.earliestBegin)
        let expected = try #require(submitted.last?.expectedBy)
        #expect(expected > due && expected <= due + .minutes(20))
        let other = self.host { $0.notify = [] }
        #expect(other.records.filter { $0.event == .submitted }.allSatisfy { $0.expectedBy == nil })
    }

    @Test func `a refresh of an app of which little is known is not late by its own plan`() {
        let manifest = Sample.manifest([
            Sample.definition(Sample.refresh, .refresh) {
                $0.repeat = .minutes(30)
                $0.notify = [Self.sink]
            }
        ]) { $0.idleAfter = nil }
        var host = TestHost(manifest, at: TestHost.monday, ledger: Ledger(), conditions: .quiet)
        host.pass(.days(2))
        #expect(host.records.count { $0.event == .launched } > 5)
        #expect(told(host).isEmpty)
    }

    @Test func `a gate that stays closed makes it late once, by name, until it succeeds`() throws {
        var host = host { $0.requires.externalPower = true }
        host.pass(.hours(5))
        host.handle(.conditionsChanged(Self.onBattery))
        // Nothing has been seen of power yet, so the host waits a week.
        host.pass(.days(6))
        #expect(told(host).isEmpty)
        host.pass(.days(10))
        #expect(told(host).map(\.notice?.kind) == [.overdue])
        #expect(told(host).first?.reason?.contains("external_power: ") == true)
        #expect(host.state.report(at: host.now).tasks.first?.lateness?.contains("external_power") == true)
        host.handle(.conditionsChanged(.quiet))
        host.pass(.hours(1))
        #expect(told(host).map(\.notice?.kind) == [.overdue, .recovered])
    }

    @Test func `it is not late while the host is off, nor while its app is disabled`() {
        var host = host { $0.requires.externalPower = true }
        host.handle(.conditionsChanged(Self.onBattery))
        host.pass(.hours(7))
        host.handle(.absent(Absence(.off, until: host.now.wall, for: .hours(6))))
        host.handle(.enabled(Sample.feed, false, reply: host.token()))
        host.pass(.days(30))
        #expect(told(host).isEmpty)
        host.handle(.enabled(Sample.feed, true, reply: host.token()))
        host.pass(.days(5))
        #expect(told(host).isEmpty)
        host.pass(.days(10))
        #expect(told(host).count == 1)
    }

    @Test func `nothing is expected after the last of its days`() {
        let last = Int(TestHost.monday.seconds / 86_400) + 1
        var host = host {
            $0.expect = Expectation(count: 1, span: .hours(12))
            $0.days = OpenDays(until: last)
        }
        host.pass(.days(6))
        #expect(told(host).isEmpty)
        #expect(host.state.report(at: host.now).tasks.first?.lateness == nil)
    }

    @Test func `what an operator expects is told when it breaks, and why`() throws {
        var host = host {
            $0.requires.externalPower = true
            $0.expect = Expectation(count: 1, span: .days(2))
        }
        host.pass(.hours(13))
        let last = try #require(host.state.ledger.tasks[Sample.cleaning]?.successes?.last)
        host.handle(.conditionsChanged(Self.onBattery))
        host.pass(.days(1))
        #expect(told(host).isEmpty)
        host.pass(.days(2))
        #expect(told(host).count == 1)
        let notice = try #require(told(host).first)
        #expect(notice.time - (last + .days(2)) < .minutes(1))
        #expect(
            notice.reason?.contains("it has not succeeded in the last 2 d, but at least once is expected")
                == true
        )
        #expect(notice.reason?.contains("external_power: ") == true)
        #expect(host.state.brokenExpectation(of: Sample.cleaning, at: host.now) != nil)
    }

    @Test func `a restart finds it as late as it was, and tells nobody twice`() {
        var first = host { $0.expect = Expectation(count: 1, span: .days(2)) }
        first.pass(.hours(1))
        // The host is away for three days, and the expected run did not happen.
        var second = host(ledger: first.state.ledger, at: first.now.wall + .days(3)) {
            $0.expect = Expectation(count: 1, span: .days(2))
            $0.requires.externalPower = true
        }
        #expect(told(second).count == 1)
        second.handle(.conditionsChanged(Self.onBattery))
        let third = host(ledger: second.state.ledger, at: second.now.wall, conditions: Self.onBattery) {
            $0.expect = Expectation(count: 1, span: .days(2))
            $0.requires.externalPower = true
        }
        #expect(told(third).isEmpty)
    }

    @Test func `a tail is looked for farther out for what comes round more often`() throws {
        let due = TestHost.monday
        let launches = (1...100).map { due + .minutes($0) }
        func late(_ gap: Duration) throws -> Duration {
            try #require(
                Lateness.expectedBy(launches: launches, of: 100, due: due, longestWait: .zero, repeat: gap))
                - due
        }
        #expect(try late(.minutes(15)) > (try late(.days(1))))
        #expect(abs((try late(.days(30)) - (.seconds(8910) + Lateness.slack)).milliseconds) <= 1)
        #expect(
            Lateness.expectedBy(launches: launches, of: 200, due: due, longestWait: .zero, repeat: nil) == nil
        )
    }
}

/// Signs of life for a dead man's switch.
@Suite struct `A heartbeat` {
    private func pings(_ host: inout TestHost) -> [Ping] {
        let pings = host.take().compactMap { if case .ping(let ping) = $0 { ping } else { nil } }
        for ping in pings { host.handle(.pinged(ping.name, trouble: nil)) }
        return pings
    }

    private func manifest(_ heartbeat: Heartbeat) -> Manifest {
        Sample.simple { $0.heartbeat = heartbeat }
    }

    @Test func `of a task goes with each run that succeeds, and with failures where it is to`() {
        let url = "https://hc.example/uuid?rid=1"
        for tells in [false, true] {
            var host = TestHost(manifest(Heartbeat(url: url, tellsFailures: tells)))
            _ = host.submit(Sample.cleaning)
            host.complete()
            #expect(pings(&host).map(\.url) == [url])
            _ = host.submit(Sample.cleaning)
            host.advance(.hours(1))
            host.handle(.wake)
            host.complete(success: false)
            #expect(pings(&host).map(\.url) == (tells ? ["https://hc.example/uuid/fail?rid=1"] : []))
            // A run that ends with its host sends no ping.
            host.advance(.hours(2))
            host.handle(.wake)
            _ = host.submit(Sample.cleaning)
            #expect(!host.running.isEmpty)
            host.handle(.shutdown)
            host.complete(success: false)
            #expect(pings(&host).isEmpty)
        }
    }

    @Test func `of the host comes as often as it says, and says when the next does`() {
        var manifest = Sample.simple()
        manifest.heartbeat = Heartbeat(url: "https://hc.example/uuid", every: .minutes(10))
        var host = TestHost(manifest)
        var all = pings(&host)
        let start = host.now.wall
        while host.now.wall - start < .minutes(59) {
            host.pass(.minutes(1))
            all += pings(&host)
        }
        #expect(all.count == 6)
        #expect(all.first?.expectedBy == start + .minutes(10))
        #expect(all.allSatisfy { $0.task == nil && !$0.isFailure })
    }

    @Test func `that nobody takes is seen in the status, without its secret`() {
        var manifest = Sample.simple()
        manifest.heartbeat = Heartbeat(url: "https://hc.example/s3cr3t")
        var host = TestHost(manifest)
        let name = "heartbeat hc.example \(SecretURL.mark(of: "https://hc.example/s3cr3t"))"
        host.handle(.pinged(name, trouble: "it does not answer"))
        let status = host.state.report(at: host.now).sinks?.first
        #expect(status?.sink == name && status?.trouble == "it does not answer" && status?.failures == 1)
    }

    @Test func `holds up the end until it is out`() {
        var manifest = Sample.simple()
        manifest.heartbeat = Heartbeat(url: "https://hc.example/uuid")
        var host = TestHost(manifest)
        #expect(host.state.isBusy)
        host.handle(.shutdown)
        #expect(!host.hasFinished)
        _ = pings(&host)
        #expect(host.hasFinished)
    }
}
