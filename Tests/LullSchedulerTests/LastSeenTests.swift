import LullModel
import Testing

@testable import LullScheduler

/// The absences of a host, derived from its last sign of life.
struct LastSeenTests {
    /// Asked on the tenth day at midnight.
    private func missed(
        _ seen: LastSeen?, latest: WallTime? = nil, boot: String = "b", up: Duration,
        asleep: Duration = .zero,
        known: [Absence] = [], passes: Duration? = nil
    ) -> [Absence] {
        var ledger = Ledger()
        for absence in known { ledger.apply(absence.event, zones: .utc) }
        if let latest { ledger.apply(HistoryEvent(.launched, at: latest, app: Sample.feed), zones: .utc) }
        let now = Now(
            wall: .at(10, 0), monotonic: MonotonicTime(nanoseconds: (up - asleep).nanoseconds), asleep: asleep
        )
        return LastSeen.absences(since: seen, in: ledger, boot: boot, passInterval: passes, at: now)
    }

    private func seen(
        boot: String = "b", _ time: WallTime, asleep: Duration = .zero, host: WallTime? = nil,
        _ manner: LastSeen.Manner = .pass
    ) -> LastSeen {
        LastSeen(boot: boot, time: time, asleep: asleep, host: host ?? time, manner: manner)
    }

    @Test func `a first start has missed nothing, whatever was imported`() {
        #expect(missed(nil, up: .days(1), asleep: .hours(5)) == [])
        #expect(missed(nil, latest: .at(2, 0), up: .days(1), asleep: .hours(5)) == [])
    }

    @Test func `off from the last sign of life to the boot`() {
        let seen = seen(boot: "a", .at(8, 0), asleep: .hours(3))
        #expect(
            missed(seen, latest: .at(7, 0), up: .hours(4)) == [
                Absence(.off, until: .at(9, 20), for: .hours(44))
            ])
        #expect(
            missed(seen, latest: .at(9, 0), up: .hours(4)) == [
                Absence(.off, until: .at(9, 20), for: .hours(20))
            ])
    }

    @Test func `and asleep since the boot`() {
        #expect(
            missed(seen(boot: "a", .at(8, 0), asleep: .hours(3)), up: .hours(4), asleep: .hours(1)) == [
                Absence(.off, until: .at(9, 20), for: .hours(44)),
                Absence(.asleep, until: .at(10, 0), for: .hours(1)),
            ])
    }

    @Test func `of a machine only sleep counts within one boot, and what was seen of it counts once`() {
        let seen = seen(.at(8, 0), asleep: .hours(3))
        #expect(missed(seen, latest: .at(8, 0), up: .days(9), asleep: .hours(3)) == [])
        #expect(
            missed(seen, latest: .at(8, 0), up: .days(9), asleep: .hours(20)) == [
                Absence(.asleep, until: .at(10, 0), for: .hours(17))
            ])
        // The host saw eight of these hours itself, and then was cut off.
        let known = Absence(.asleep, until: .at(9, 6), for: .hours(8))
        #expect(
            missed(seen, latest: .at(9, 6), up: .days(9), asleep: .hours(20), known: [known]) == [
                Absence(.asleep, until: .at(10, 0), for: .hours(9))
            ])
    }

    @Test func `a service that ended, or was killed, is missed on a machine that is on`() {
        #expect(
            missed(seen(.at(9, 20), .stopped), up: .days(3)) == [
                Absence(.stopped, until: .at(10, 0), for: .hours(4))
            ])
        // Its last record is a sign of life, too.
        #expect(
            missed(seen(.at(9, 20), .running), latest: .at(9, 21), up: .days(3)) == [
                Absence(.lost, until: .at(10, 0), for: .hours(3))
            ])
        #expect(missed(seen(.at(9, 23, 59) + .seconds(30), .running), up: .days(3)) == [])
        // After a boot the end of the host before it is unknown; a host that starts late after the boot has a gap of its own.
        #expect(
            missed(seen(boot: "a", .at(9, 12), .running), up: .hours(2)) == [
                Absence(.off, until: .at(9, 22), for: .hours(10)),
                Absence(.stopped, until: .at(10, 0), for: .hours(2)),
            ])
    }

    @Test func `what was recorded without a host is no sign of one, and is not missed twice`() {
        let seen = seen(.at(9, 22), host: .at(9, 20), .stopped)
        // An operator's pause at 22:00 stands in the log.
        #expect(
            missed(seen, latest: .at(9, 22), up: .days(3)) == [
                Absence(.stopped, until: .at(10, 0), for: .hours(4))
            ])
        let known = Absence(.stopped, until: .at(9, 22), for: .hours(2))
        #expect(
            missed(seen, latest: .at(9, 22), up: .days(3), known: [known]) == [
                Absence(.stopped, until: .at(10, 0), for: .hours(2))
            ])
    }

    @Test func `between passes that come at their interval there is none, and one that comes late is missed`()
    {
        let seen = seen(.at(9, 23), .pass)
        #expect(missed(seen, up: .days(3)) == [])
        #expect(missed(seen, up: .days(3), passes: .minutes(40)) == [])
        #expect(
            missed(seen, up: .days(3), passes: .minutes(20)) == [
                Absence(.passes, until: .at(10, 0), for: .minutes(40))
            ])
        // While the machine sleeps no pass is missed.
        #expect(
            missed(seen, up: .days(3), asleep: .minutes(50), passes: .minutes(20))
                == [Absence(.asleep, until: .at(10, 0), for: .minutes(50))])
    }

    @Test func `a last sign in the future is none`() {
        #expect(missed(seen(boot: "a", .at(11, 0)), latest: .at(12, 0), up: .hours(1)) == [])
    }

    @Test func `what is told before the manifest counts`() {
        var ledger = Ledger()
        ledger.apply(HistoryEvent(.used, at: .at(-8, 0), app: Sample.feed), zones: .utc)
        var manifest = Sample.simple { $0.repeat = .hours(1) }
        manifest.apps[0].idleClock = .host
        var host = TestHost(ledger: ledger)
        host.handle(.absent(Absence(.off, until: .at(0, 0), for: .days(2))))
        host.load(manifest)
        #expect(!host.names().contains(.idled))
        #expect(host.records.first?.reason == "the machine was off or no host ran for 2 d")
        #expect(host.state.report(at: host.now).apps.map(\.idlesAt) == [.at(1, 0)])
    }

    @Test func `time in which the machine was on counts for the week rule, with or without a host`() {
        var ledger = Ledger()
        ledger.apply(HistoryEvent(.used, at: .at(-8, 0), app: Sample.feed), zones: .utc)
        var manifest = Sample.simple { $0.repeat = .hours(1) }
        manifest.apps[0].idleClock = .host
        var host = TestHost(ledger: ledger)
        host.handle(.absent(Absence(.lost, until: .at(0, 0), for: .days(2))))
        host.load(manifest)
        #expect(host.names().contains(.idled))
        #expect(
            host.records.first?.reason == "no host is known to have run for 2 d: it was killed or crashed")
    }
}

/// Tasks that became due while no host could launch them.
struct DueWhileAbsentTests {
    /// Another host on the same ledger, which missed the time in between.
    private func next(
        after host: TestHost, at wall: WallTime, _ cause: AbsenceCause, _ manifest: Manifest
    ) -> TestHost {
        var next = TestHost(at: wall, ledger: host.state.ledger)
        next.handle(.absent(Absence(cause, until: wall, for: wall - host.now.wall)))
        next.load(manifest)
        return next
    }

    private func status(_ host: TestHost) -> StatusReport.TaskStatus? {
        host.state.report(at: host.now).tasks.first
    }

    @Test func `a window that passed is named, and the task waits for the next since then`() throws {
        let manifest = Sample.simple {
            $0.repeat = .hours(6)
            $0.windows = [Window(opens: 240, closes: 300, text: "04:00-05:00")]
        }
        var host = TestHost(manifest, at: .at(0, 2))
        host.pass(.hours(1))
        let said = host.records.last { $0.event == .deferred }
        #expect(said?.gates == ["window"] && said?.earliestBegin == .at(0, 4))
        #expect(status(host)?.dueWhileAbsent == nil)
        let late = next(after: host, at: .at(0, 7), .stopped, manifest)
        let absent = DueWhileAbsent(due: .at(0, 4), from: .at(0, 3), until: .at(0, 7), cause: .stopped)
        #expect(status(late)?.dueWhileAbsent == absent)
        #expect(late.gate(.window, of: Sample.cleaning)?.since == .at(0, 7))
        let again = late.records.last { $0.event == .deferred }
        #expect(again?.gates == ["window"] && again?.earliestBegin == .at(1, 4))
    }

    @Test func `a time of at that came meanwhile is named, and what came before or after is not`() {
        let manifest = Sample.simple { $0.repeat = .hours(6) }
        var host = TestHost(manifest)
        host.pass(.hours(3))
        let before = next(after: host, at: .at(0, 5), .lost, manifest)
        #expect(status(before)?.dueWhileAbsent == nil)
        var late = next(after: host, at: .at(0, 8), .asleep, manifest)
        let absent = DueWhileAbsent(due: .at(0, 6), from: .at(0, 3), until: .at(0, 8), cause: .asleep)
        #expect(status(late)?.dueWhileAbsent == absent)
        #expect(late.launches(of: Sample.cleaning) == [.at(0, 8)])
        // A task that has run since then shows the absence for a day.
        late.pass(.days(2))
        #expect(status(late)?.dueWhileAbsent == nil)
    }

    @Test func `a host that is not given the processor says so when it is again`() {
        let manifest = Sample.simple { $0.repeat = .hours(1) }
        var host = TestHost(manifest)
        host.pass(.minutes(90))
        host.advance(.hours(2))
        host.handle(.wake)
        let absent = host.records.filter { $0.event == .absent }
        #expect(absent.map(\.absence) == [.stalled] && absent.map(\.milliseconds) == [5_400_000])
        #expect(status(host)?.dueWhileAbsent?.due == .at(0, 2))
        // A clock that is set ahead is no stall.
        host.now.wall = host.now.wall + .hours(5)
        host.handle(.wake)
        #expect(host.records.filter { $0.event == .absent }.map(\.absence) == [.stalled, .ahead])
    }

    @Test func `a clock that is set says so, and what it passed over is named`() {
        let manifest = Sample.simple { $0.repeat = .hours(1) }
        var host = TestHost(manifest)
        host.pass(.minutes(90))
        host.now.wall = host.now.wall + .hours(2)
        host.handle(.wake)
        let due = DueWhileAbsent(due: .at(0, 2), from: .at(0, 1, 30), until: .at(0, 3, 30), cause: .ahead)
        #expect(status(host)?.dueWhileAbsent == due)
        host.pass(.minutes(1))
        host.now.wall = host.now.wall - .hours(2)
        host.handle(.wake)
        // A small correction is no step.
        host.now.wall = host.now.wall + .seconds(50)
        host.handle(.wake)
        let steps = host.records.filter { $0.event == .absent }
        #expect(steps.map(\.absence) == [.ahead, .back])
        #expect(
            steps.map(\.reason) == ["the clock was set ahead by 2 h", "the clock was set back by 2 h"])
    }

    @Test func `what was late because no host ran is no lateness of the task`() {
        let manifest = Sample.simple {
            $0.repeat = .hours(1)
            $0.notify = [NoticeSink(.mail("ops@example.org"), on: [.overdue])]
        }
        var host = TestHost(manifest)
        host.pass(.days(2))
        var late = next(after: host, at: host.now.wall + .days(1), .stopped, manifest)
        late.pass(.minutes(1))
        #expect(!late.records.contains { $0.notice?.kind == .overdue })
    }
}
