import LullCalendar
import LullModel
import Testing

@testable import LullScheduler

/// Tasks with `except`, `only`, `from` and `until`: they wait through closed days, and say why.
struct ClosedDayTests {
    /// 2026-11-23, a Monday, is `.at(0, …)`.
    private static let monday = LocalTime.days(year: 2026, month: 11, day: 23)

    private static func except(_ first: Int, _ last: Int, _ name: String? = nil) -> OpenDays? {
        let span = DaySpan(
            monday + first, through: monday + last, name: name, file: name == nil ? nil : "holidays.ics")
        return OpenDays(except: DayList(texts: ["…"], once: [span]))
    }

    private static func host(
        _ days: OpenDays?, at wall: WallTime = .at(0, 12), _ change: (inout TaskDefinition) throws -> Void
    ) rethrows -> TestHost {
        TestHost(try manifest(days, change), at: wall)
    }

    private static func manifest(
        _ days: OpenDays?, _ change: (inout TaskDefinition) throws -> Void
    ) rethrows -> Manifest {
        var definition = Sample.definition(Sample.cleaning, .processing)
        definition.days = days
        try change(&definition)
        return Sample.manifest([definition]) { $0.idleAfter = nil }
    }

    @Test func `no time comes due on an excepted day`() throws {
        var host = try Self.host(Self.except(1, 2)) { $0.at = try ExactTimes("30 2 * * *") }
        #expect(
            host.gate(.earliestBegin, of: Sample.cleaning)?.reason
                == "its next time is 02:30 on Thursday (UTC), in 2 d 14 h; 24 Nov is excepted")
        host.pass(.days(5))
        #expect(host.launches(of: Sample.cleaning) == [.at(3, 2, 30), .at(4, 2, 30), .at(5, 2, 30)])
        #expect(host.records.allSatisfy { $0.occurrence.map { $0.times == 1 } ?? true })
    }

    @Test func `a repeat waits, and why names the day and when it opens`() throws {
        var host = Self.host(Self.except(0, 1, "Founders' Day")) { $0.repeat = .hours(6) }
        let gate = host.gate(.window, of: Sample.cleaning)
        #expect(
            gate?.reason == "23 Nov is Founders' Day in holidays.ics; it opens at 00:00 on Wednesday (UTC)")
        #expect(gate?.until == .at(2, 0))
        #expect(gate?.remedy == "launch it now with `lull launch com.example.Feed.cleaning`")
        host.pass(.days(3))
        #expect(host.launches(of: Sample.cleaning).first == .at(2, 0))
        #expect(host.gate(.window, of: Sample.cleaning)?.reason == "26 Nov is an open day")
    }

    @Test func `a window that began before midnight goes on into the closed day`() throws {
        let host = Self.host(Self.except(1, 1), at: .at(1, 1)) {
            $0.repeat = .hours(6)
            $0.windows = [Window(opens: 1320, closes: 420, text: "22:00-07:00")]
        }
        #expect(host.gate(.window, of: Sample.cleaning)?.reason == "it is within 22:00-07:00")
        let next = Self.host(Self.except(1, 1), at: .at(2, 1)) {
            $0.repeat = .hours(6)
            $0.windows = [Window(opens: 1320, closes: 420, text: "22:00-07:00")]
        }
        // Its night began on the closed day.
        #expect(
            next.gate(.window, of: Sample.cleaning)?.reason
                == "24 Nov is excepted; it opens at 22:00 today (UTC)")
    }

    @Test func `a time just before midnight keeps its day while it is no later than its tolerance`() throws {
        func host(_ time: WallTime) throws -> TestHost {
            var host = try Self.host(Self.except(1, 1), at: .at(0, 12)) {
                $0.at = try ExactTimes("55 23 * * *")
                $0.tolerance = .minutes(10)
                $0.requires.externalPower = true
            }
            host.handle(.conditionsChanged(Conditions(externalPower: .known(false))))
            host.pass(time - .at(0, 12))
            return host
        }
        var early = try host(.at(1, 0, 3))
        #expect(
            early.gate(.window, of: Sample.cleaning)?.reason
                == "its time, 23:55 yesterday (UTC), came on an open day")
        early.handle(.conditionsChanged(.quiet))
        early.pass(.minutes(1))
        #expect(early.launches(of: Sample.cleaning) == [.at(1, 0, 3)])
        var late = try host(.at(1, 0, 6))
        late.handle(.conditionsChanged(.quiet))
        #expect(late.gate(.window, of: Sample.cleaning)?.until == .at(2, 0))
        late.pass(.days(1))
        #expect(late.launches(of: Sample.cleaning) == [.at(2, 0)])
    }

    @Test func `a time that spread carries over midnight comes on its day`() throws {
        var host = try Self.host(Self.except(1, 1)) {
            $0.at = try ExactTimes("59 23 * * *")
            $0.spread = .hours(1)
        }
        host.pass(.days(2))
        let shift = Spread.shift(of: Sample.cleaning, on: "", within: .hours(1))
        try #require(shift > .minutes(1))
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 23, 59) + shift])
    }

    @Test func `a run that was cut off and is late waits for an open day, and an attempt does not`() throws {
        func manifest(_ change: (inout TaskDefinition) -> Void = { _ in }) throws -> Manifest {
            try Self.manifest(Self.except(1, 1)) {
                $0.at = try ExactTimes("55 23 * * *")
                change(&$0)
            }
        }
        var host = TestHost(try manifest(), at: .at(0, 12))
        host.pass(.hours(12), completing: false) { !$0.running.isEmpty }
        #expect(host.launches(of: Sample.cleaning) == [.at(0, 23, 55)])
        var next = TestHost(try manifest(), at: .at(1, 3), ledger: host.state.ledger)
        #expect(
            next.gate(.window, of: Sample.cleaning)?.reason
                == "24 Nov is excepted; it opens at 00:00 tomorrow (UTC)")
        next.pass(.hours(22))
        #expect(next.launches(of: Sample.cleaning) == [.at(2, 0)])
        var failing = TestHost(
            try manifest { $0.retry = .init(first: .minutes(10), attempts: 2) }, at: .at(0, 12))
        failing.pass(.hours(12), completing: false) { !$0.running.isEmpty }
        failing.complete(success: false)
        failing.pass(.hours(1))
        #expect(failing.launches(of: Sample.cleaning) == [.at(0, 23, 55), .at(1, 0, 5)])
    }

    @Test func `after a boot on a closed day it waits`() throws {
        var times = try ExactTimes("@reboot")
        times.formUnion(try ExactTimes("30 2 * * *"))
        let manifest = Self.manifest(Self.except(1, 1)) { $0.at = times }
        var options = SchedulerOptions()
        options.boot = "b1"
        let first = TestHost(manifest, at: .at(0, 1), options: options)
        options.boot = "b2"
        var booted = TestHost(manifest, at: .at(1, 5), ledger: first.state.ledger, options: options)
        booted.pass(.hours(1))
        // The boot's request is restored, and has the next time as well.
        let token = booted.token()
        booted.handle(.submitted(Submission(app: Sample.feed, task: Sample.cleaning), reply: token))
        booted.handle(.withdrawn(reply: token))
        booted.pass(.days(1))
        #expect(booted.launches(of: Sample.cleaning) == [.at(2, 0), .at(2, 2, 30)])
    }

    @Test func `after the last day a task with at has no request, and says so`() throws {
        var host = try Self.host(OpenDays(from: Self.monday + 1, until: Self.monday + 2)) {
            $0.at = try ExactTimes("30 2 * * *")
        }
        host.pass(.days(9))
        #expect(host.launches(of: Sample.cleaning) == [.at(1, 2, 30), .at(2, 2, 30)])
        #expect(host.state.pending(of: nil).isEmpty)
        #expect(
            host.gate(.requested, of: Sample.cleaning)?.reason == "none of its times is still to come")
        let repeats = Self.host(OpenDays(until: Self.monday - 1)) { $0.repeat = .hours(1) }
        #expect(repeats.gate(.window, of: Sample.cleaning)?.reason == "its last day was 2026-11-22")
        let soon = Self.host(OpenDays(from: Self.monday + 3)) { $0.repeat = .hours(1) }
        #expect(
            soon.gate(.window, of: Sample.cleaning)?.reason
                == "its first day is 2026-11-26; it opens at 00:00 on Thursday (UTC)")
    }

    @Test func `a request for a time that an edit takes away is ended, not launched`() throws {
        var host = try Self.host(nil) { $0.at = try ExactTimes("30 2 * * *") }
        #expect(host.state.pending(of: nil).count == 1)
        host.load(try Self.manifest(OpenDays(until: Self.monday)) { $0.at = try ExactTimes("30 2 * * *") })
        #expect(host.state.pending(of: nil).isEmpty)
        host.pass(.days(2))
        #expect(host.launches(of: Sample.cleaning).isEmpty)
        #expect(host.records.contains { $0.reason == "none of its times is still to come" })
        host.load(try Self.manifest(Self.except(3, 3)) { $0.at = try ExactTimes("30 2 * * *") })
        host.pass(.days(3))
        #expect(host.launches(of: Sample.cleaning) == [.at(4, 2, 30), .at(5, 2, 30)])
    }

    @Test func `an operator's launch passes over a closed day, and a submit waits`() throws {
        var host = Self.host(Self.except(0, 0)) { _ in }
        _ = host.submit(Sample.cleaning)
        host.pass(.hours(1))
        #expect(host.launches(of: Sample.cleaning).isEmpty)
        _ = host.launch(Sample.cleaning)
        #expect(host.launches(of: Sample.cleaning).count == 1)
    }

    @Test func `the definition hash holds the days, not their names`() throws {
        func hash(_ days: OpenDays?) throws -> String {
            let manifest = Self.manifest(days) { _ in }
            return try #require(manifest.tasks.first).definitionHash(in: try #require(manifest.apps.first))
        }
        #expect(try hash(nil) != hash(Self.except(1, 1)))
        #expect(try hash(Self.except(1, 1)) != hash(Self.except(1, 2)))
        #expect(try hash(Self.except(1, 1)) == hash(Self.except(1, 1, "A name")))
    }
}
