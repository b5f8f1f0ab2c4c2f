import LullModel
import Testing

@testable import LullScheduler

struct WeekRuleTests {
    /// An hourly task of an app that was used once, at the beginning of Monday.
    private func host() -> TestHost {
        var host = TestHost(Sample.simple { $0.repeat = .hours(1) })
        host.handle(.used(Sample.feed, at: .at(0, 0)))
        return host
    }

    @Test func `the last launch is at seven days, and a millisecond later the app is idle`() {
        var host = host()
        host.pass(.days(7))
        #expect(host.launches(of: Sample.cleaning).last == .at(7, 0))
        #expect(!host.names().contains(.idled))
        host.pass(.milliseconds(1))
        #expect(host.records.last { $0.event == .idled }?.time == .at(7, 0) + .milliseconds(1))
        #expect(host.records.last { $0.event == .idled }?.reason == "it was last used, at 2026-11-23 00:00")
        host.pass(.days(30))
        #expect(host.launches(of: Sample.cleaning).last == .at(7, 0))
        #expect(host.gate(.idleApp, of: Sample.cleaning)?.isOpen == false)
        #expect(host.gate(.idleApp, of: Sample.cleaning)?.since == .at(7, 0) + .milliseconds(1))
    }

    @Test func `a use revives at once`() {
        var host = host()
        host.pass(.days(8))
        host.records = []
        host.handle(.used(Sample.feed, at: host.now.wall))
        #expect(host.names().prefix(2) == [.used, .revived])
        #expect(host.running.count == 1)
    }

    @Test func `a use long ago does not revive`() {
        var host = host()
        host.pass(.days(20))
        host.handle(.used(Sample.feed, at: .at(1, 0)))
        #expect(host.running.isEmpty && host.records.last?.event == .used)
    }

    @Test func `an app that was never used counts from its discovery`() {
        var host = TestHost(Sample.simple { $0.repeat = .hours(1) })
        host.pass(.days(7) + .milliseconds(1))
        #expect(
            host.records.last { $0.event == .idled }?.reason
                == "it was discovered, and never used, at 2026-11-23 00:00")
    }

    @Test(arguments: [false, true])
    func `a use that was stamped by a clock three weeks ahead counts as one of its day`(restarts: Bool) {
        var host = host()
        host.pass(.days(1))
        host.now.wall = .at(22, 0)
        host.handle(.used(Sample.feed, at: host.now.wall))
        host.pass(.hours(1))
        if restarts {
            host = TestHost(
                Sample.simple { $0.repeat = .hours(1) }, at: .at(1, 1), ledger: host.state.ledger)
        } else {
            host.now.wall = .at(1, 1)
        }
        host.pass(.minutes(1))
        #expect(host.state.ledger.apps[Sample.feed]?.lastUsed == .at(1, restarts ? 1 : 0))
        #expect(host.state.ledger.apps[Sample.feed]?.forecast.known == 2)
        #expect(host.state.ledger.apps[Sample.feed]?.forecast.lastUse == .at(1, restarts ? 1 : 0))
        host.pass(.days(7))
        #expect(host.state.isIdle(Sample.feed))
    }

    @Test func `idle_after never is never`() {
        var manifest = Sample.simple { $0.repeat = .hours(1) }
        manifest.apps[0].idleAfter = nil
        var host = TestHost(manifest)
        host.pass(.days(30))
        #expect(!host.names().contains(.idled) && host.launches(of: Sample.cleaning).count == 721)
        #expect(host.state.report(at: host.now).apps.first?.idlesAt == nil)
    }

    @Test func `an app whose last use was imported and lies eight days back is not even started`() {
        var ledger = Ledger()
        ledger.apply(HistoryEvent(.used, at: .at(-8, 0), app: Sample.feed), zones: .utc)
        var host = TestHost(Sample.simple { $0.repeat = .hours(1) }, ledger: ledger)
        #expect(!host.effects.contains(.startWorker(host.last(Sample.feed))))
        #expect(host.closed(Sample.cleaning) == [.registered, .idleApp, .requested])
        host.handle(.used(Sample.feed, at: host.now.wall))
        #expect(host.effects.contains(.startWorker(host.last(Sample.feed))) && host.running.count == 1)
    }

    @Test func `uses of six days and 23 hours ago keep it in service`() {
        var ledger = Ledger()
        ledger.apply(HistoryEvent(.used, at: .at(-7, 1), app: Sample.feed), zones: .utc)
        let host = TestHost(Sample.simple { $0.repeat = .hours(1) }, ledger: ledger)
        #expect(host.running.count == 1)
        #expect(host.state.report(at: host.now).apps.first?.idlesAt == .at(0, 1))
    }

    @Test func `an import that a wake follows revives`() {
        var host = host()
        host.pass(.days(10))
        host.state.take(
            imported: [HistoryEvent(.used, at: host.now.wall - .hours(1), app: Sample.feed)], zones: .utc)
        host.handle(.wake)
        #expect(host.names().contains(.revived) && host.running.count == 1)
    }

    @Test func `a longer idle_after revives, and a shorter one makes idle`() {
        var host = host()
        host.pass(.days(8))
        var manifest = host.state.manifest
        manifest.apps[0].idleAfter = .days(30)
        host.records = []
        host.load(manifest)
        #expect(host.names().contains(.revived))
        manifest.apps[0].idleAfter = .days(1)
        host.complete()
        host.load(manifest)
        #expect(
            host.records.last { $0.event == .idled } != nil
                && host.gate(.idleApp, of: Sample.cleaning)?.isOpen == false)
    }

    @Test func `with the host's clock the time in which it slept does not count`() {
        var manifest = Sample.simple { $0.repeat = .hours(1) }
        manifest.apps[0].idleClock = .host
        var host = TestHost(manifest)
        host.handle(.used(Sample.feed, at: host.now.wall))
        host.pass(.days(5))
        host.now.wall = host.now.wall + .days(9)
        host.now.asleep += .days(9)
        host.handle(.wake)
        #expect(host.gate(.idleApp, of: Sample.cleaning)?.isOpen == true)
        host.pass(.days(2))
        #expect(host.gate(.idleApp, of: Sample.cleaning)?.isOpen == true)
        host.pass(.seconds(1))
        #expect(host.gate(.idleApp, of: Sample.cleaning)?.isOpen == false)
    }

    @Test func `a clock that is set ahead is no sleep`() {
        var manifest = Sample.simple { $0.repeat = .hours(1) }
        manifest.apps[0].idleClock = .host
        var host = TestHost(manifest)
        host.handle(.used(Sample.feed, at: host.now.wall))
        host.now.wall = host.now.wall + .days(9)
        host.handle(.wake)
        #expect(host.records.compactMap(\.absence) == [.ahead])
        #expect(host.gate(.idleApp, of: Sample.cleaning)?.isOpen == false)
    }

    @Test func `the open gate says when it closes`() {
        var host = host()
        host.pass(.days(4) + .hours(20))
        #expect(
            host.gate(.idleApp, of: Sample.cleaning)?.reason
                == "com.example.Feed was last used 4 d 20 h ago; unless it is used, this gate closes on Monday at 00:00, in 2 d 4 h"
        )
        var manifest = host.state.manifest
        manifest.apps[0].idleClock = .host
        host.load(manifest)
        #expect(
            host.gate(.idleApp, of: Sample.cleaning)?.reason.hasSuffix(
                "closes after 2 d 4 h of the host's time, on Monday at 00:00 at the earliest") == true)
    }
}
