import LullModel
import Testing

@testable import LullScheduler

/// An app's coming idleness is announced once, 48 hours before.
struct NoticeTests {
    /// An hourly task of an app that was used once, at the beginning of Monday.
    private func host(_ change: (inout App) -> Void = { _ in }) -> TestHost {
        var manifest = Sample.simple { $0.repeat = .hours(1) }
        change(&manifest.apps[0])
        var host = TestHost(manifest)
        host.handle(.used(Sample.feed, at: .at(0, 0)))
        return host
    }

    private func notices(_ host: TestHost) -> [HistoryEvent] {
        host.records.filter { $0.event == .idleSoon }
    }

    @Test func `two days before, and once`() throws {
        var host = host()
        host.pass(.days(30))
        #expect(notices(host).map(\.time) == [.at(5, 0)])
        #expect(notices(host).first?.reason == "it stops at Monday 00:00, in 2 d, unless it is used")
        #expect(notices(host).first?.milliseconds == 172_800_000)
        #expect(host.state.ledger.apps[Sample.feed]?.warnedAt == .at(5, 0))
    }

    @Test(arguments: [(96, 48), (95, 47), (24, 12), (2, 1)])
    func `half way where two days are too much`(hours: Int, notice: Int) {
        var host = host { $0.idleAfter = .hours(hours) }
        host.pass(.days(10))
        let half = hours == 95 ? Duration.minutes(95 * 30) : .hours(notice)
        #expect(notices(host).map(\.time) == [.at(0, 0) + .hours(hours) - half])
    }

    @Test func `never where it never is`() {
        var host = host { $0.idleAfter = nil }
        host.pass(.days(30))
        #expect(notices(host).isEmpty)
    }

    @Test func `the host wakes for it`() {
        var manifest = Sample.simple()
        manifest.apps[0].idleAfter = .days(7)
        var host = TestHost(manifest)
        host.handle(.used(Sample.feed, at: .at(0, 0)))
        host.pass(.days(1))
        #expect(host.armed.wall == .at(5, 0))
        host.pass(.days(4))
        #expect(host.armed.wall == .at(7, 0) + .milliseconds(1))
    }

    @Test func `a use makes it due again`() {
        var host = host()
        host.pass(.days(6))
        host.handle(.used(Sample.feed, at: .at(6, 0)))
        host.pass(.days(30))
        #expect(notices(host).map(\.time) == [.at(5, 0), .at(11, 0)])
    }

    @Test func `uses of before it that come in late do not repeat it while it holds`() {
        var host = host()
        host.pass(.days(6))
        for hour in 1...20 { host.handle(.used(Sample.feed, at: .at(0, hour))) }
        #expect(notices(host).count == 1)
        // A use that postpones idleness by days does repeat it.
        host.handle(.used(Sample.feed, at: .at(4, 0)))
        host.pass(.days(30))
        #expect(notices(host).map(\.time) == [.at(5, 0), .at(9, 0)])
    }

    @Test func `one that was given before the clock was set back warns nobody of what comes now`() {
        var host = host { $0.idleAfter = .days(2) }
        host.pass(.days(1))
        #expect(notices(host).map(\.time) == [.at(1, 0)])
        // The clock goes back; the app is used, and launched after that.
        host.now.wall = .at(0, 8)
        host.handle(.wake)
        host.handle(.used(Sample.feed, at: .at(0, 8)))
        _ = host.launch(Sample.cleaning)
        host.pass(.days(3))
        #expect(notices(host).map(\.time) == [.at(1, 0), .at(1, 8)])
        #expect(host.records.last { $0.event == .idled }?.time == .at(2, 8) + .milliseconds(1))
    }

    @Test func `a restart does not repeat it`() {
        var host = host()
        host.pass(.days(6))
        var again = TestHost(host.state.manifest, at: host.now.wall, ledger: host.state.ledger)
        again.pass(.days(30))
        #expect(notices(again).isEmpty && again.names().contains(.idled))
    }

    @Test func `a host that was off meanwhile says it late, and before the end`() {
        var host = host()
        host.pass(.days(2))
        for (day, expected) in [(6, [HistoryEvent.Name.idleSoon]), (9, [.idleSoon, .idled])] {
            let again = TestHost(host.state.manifest, at: .at(day, 0), ledger: host.state.ledger)
            #expect(again.names().filter { $0 == .idleSoon || $0 == .idled } == expected)
        }
    }

    @Test func `sleep after it does not repeat it, and puts off the end by the host's clock`() {
        var host = host { $0.idleClock = .host }
        host.pass(.days(5))
        #expect(
            notices(host).first?.reason
                == "it stops at Monday 00:00 at the earliest, in 2 d, unless it is used")
        for _ in 0..<5 {
            host.now.wall = host.now.wall + .days(1)
            host.now.asleep += .days(1)
            host.handle(.wake)
        }
        host.pass(.days(2))
        #expect(!host.names().contains(.idled))
        host.pass(.milliseconds(1))
        #expect(host.records.last { $0.event == .idled }?.time == .at(12, 0) + .milliseconds(1))
        #expect(notices(host).count == 1)
    }

    @Test func `a longer idle_after makes it due again`() {
        var host = host()
        host.pass(.days(6))
        var manifest = host.state.manifest
        manifest.apps[0].idleAfter = .days(14)
        host.load(manifest)
        host.pass(.days(30))
        #expect(notices(host).map(\.time) == [.at(5, 0), .at(12, 0)])
    }

    @Test func `whoever records a use of an idle app is told`() {
        var host = host()
        host.pass(.days(8))
        let wasIdle = host.state.isIdle(Sample.feed)
        host.handle(.used(Sample.feed, at: .at(0, 1)))
        #expect(
            host.state.answer(toUseOf: Sample.feed, wasIdle: wasIdle)
                == "Recorded a use of com.example.Feed. It stays idle, because its last use was more than 7 d ago."
        )
        host.handle(.used(Sample.feed, at: host.now.wall))
        #expect(
            host.state.answer(toUseOf: Sample.feed, wasIdle: wasIdle)
                == "Recorded a use of com.example.Feed. It was idle; from now on it is launched again.")
        #expect(
            host.state.answer(toUseOf: Sample.feed, wasIdle: false) == "Recorded a use of com.example.Feed.")
    }

    @Test func `a refresh that waited for its moment is launched when its app is used again`() {
        var manifest = Sample.manifest([
            Sample.definition(Sample.refresh, .refresh) { $0.repeat = .minutes(15) }
        ])
        manifest.apps[0].keepWarm = .days(60)
        var ledger = Ledger()
        // A habit at noon: at midnight no refresh is worth its price.
        for day in -60 ..< -1 {
            ledger.apply(HistoryEvent(.used, at: .at(day, 12), app: Sample.feed), zones: .utc)
        }
        var host = TestHost(manifest, ledger: ledger)
        host.pass(.days(9))
        #expect(host.state.isIdle(Sample.feed))
        host.records = []
        host.handle(.used(Sample.feed, at: host.now.wall))
        #expect(host.names().prefix(3) == [.used, .revived, .deferred] || host.names().contains(.launched))
        #expect(host.launches(of: Sample.refresh) == [host.now.wall])
    }
}
