import LullForecast
import LullModel
import Testing

@testable import LullScheduler

/// The report of `lull forecast`, from a habit that the test knows.
struct ForecastReportTests {
    /// Used at 08:30 of each weekday for four weeks, up to Monday 2026-11-23 00:00 UTC.
    private static func habit(_ hours: [Int] = [8], every days: Int = 1) -> Ledger {
        var ledger = Ledger()
        for day in -28..<0 where (day + 28) % 7 < 5 && (day + 28) % days == 0 {
            for hour in hours {
                ledger.apply(HistoryEvent(.used, at: .at(day, hour, 30), app: Sample.feed), zones: .utc)
            }
        }
        return ledger
    }

    private static let manifest = Sample.manifest([
        Sample.definition(Sample.refresh, .refresh) { $0.repeat = .minutes(15) },
        Sample.definition(Sample.cleaning, .processing) { $0.repeat = .days(1) },
    ])

    private static func host(_ ledger: Ledger, at wall: WallTime = .at(0, 0)) -> TestHost {
        TestHost(manifest, at: wall, ledger: ledger)
    }

    private static func report(_ host: TestHost) throws -> ForecastReport {
        try #require(host.state.forecast(of: Sample.feed, at: host.now))
    }

    @Test func `an app that the manifest does not list has no forecast`() {
        let host = Self.host(Ledger())
        #expect(host.state.forecast(of: Sample.other, at: host.now) == nil)
    }

    @Test func `with nothing known no hour stands out and nothing is claimed`() throws {
        let report = try Self.report(Self.host(Ledger()))
        #expect(report.evidence == 0)
        #expect(!report.isReliedOn)
        #expect(report.likely.isEmpty)
        #expect(report.lastUse == nil)
        #expect(report.hours.count == 168)
        #expect(Set(report.hours.map { ($0 * 1e6).rounded() }).count == 1)
    }

    @Test func `a habit stands out in the week and in the hours ahead`() throws {
        let report = try Self.report(Self.host(Self.habit()))
        #expect(report.isReliedOn)
        for day in 0..<5 {
            let hours = report.hours[day * 24..<day * 24 + 24]
            #expect(hours.indices.max { hours[$0] < hours[$1] } == day * 24 + 8)
        }
        #expect(report.hours[5 * 24 + 8] < report.hours[8] / 2)
        let first = try #require(report.likely.first)
        #expect(first.from < .at(0, 8, 30) && first.to > .at(0, 8, 30))
        #expect(first.to - first.from <= .hours(4))
        #expect(first.probability > 0.6)
        let second = try #require(report.likely.dropFirst().first)
        #expect(second.from < .at(1, 8, 30) && second.to > .at(1, 8, 30))
    }

    @Test(arguments: [0, 3, 8, 15, 21])
    func `probabilities are of 0 to 1, grow with the span, and spans lie apart and in order`(
        hour: Int
    ) throws {
        for ledger in [Ledger(), Self.habit(), Self.habit([8, 9, 13, 20]), Self.habit([7], every: 7)] {
            let report = try Self.report(Self.host(ledger, at: .at(0, hour, 7)))
            let chances = report.within.map(\.probability)
            #expect(chances == chances.sorted())
            for share in chances + report.likely.map(\.probability) { #expect((0...1).contains(share)) }
            for (one, next) in zip(report.likely, report.likely.dropFirst()) {
                #expect(one.to <= next.from)
            }
            for span in report.likely {
                #expect(span.from >= report.time && span.from < report.until && span.to > span.from)
            }
            #expect(report.hours.allSatisfy { $0.isFinite && $0 >= 0 })
        }
    }

    @Test func `a rare app is looked at a week ahead`() throws {
        let often = try Self.report(Self.host(Self.habit()))
        #expect(often.until - often.time == .hours(48))
        // It is used each Monday, and today is Tuesday.
        let rarely = try Self.report(Self.host(Self.habit([8], every: 7), at: .at(-6, 0)))
        #expect(rarely.until - rarely.time == .days(7))
    }

    @Test func `hours are those of the app's zone`() throws {
        let zone = Zone(name: "Test/East", initialOffset: 5 * 3600)
        var ledger = Ledger()
        for day in -28..<0 {
            ledger.apply(
                HistoryEvent(.used, at: .at(day, 3, 30), app: Sample.feed), zones: Zones(host: zone))
        }
        let host = TestHost(Self.manifest, ledger: ledger, zones: Zones(host: zone))
        let report = try Self.report(host)
        #expect(report.zone == zone)
        let monday = report.hours[0..<24]
        #expect(monday.indices.max { monday[$0] < monday[$1] } == 8)
    }

    @Test func `a refresh that waits has its planned launch, its chance and its price`() throws {
        var host = Self.host(Self.habit())
        // The first refresh is made at once; then it waits for the habit.
        host.complete()
        host.pass(.hours(2)) { $0.state.tasks[Sample.refresh]?.plan?.launch != nil }
        let report = try Self.report(host)
        let refresh = try #require(report.refreshes.first)
        #expect(report.refreshes.count == 1)
        #expect(refresh.task == Sample.refresh)
        #expect(refresh.closed.isEmpty)
        #expect(!refresh.mayRun)
        let launch = try #require(refresh.launches.first)
        #expect(launch.time == host.state.tasks[Sample.refresh]?.plan?.launch)
        #expect(launch.time > .at(0, 6) && launch.time < .at(0, 8, 30))
        let chance = try #require(launch.chance)
        let price = try #require(launch.price)
        #expect((0...1).contains(chance) && price > 0)
        #expect(launch.freshUntil > launch.time)
        #expect(launch.reason.contains("a launch is worth it"), "\(launch.reason)")
    }

    @Test func `asking changes nothing and says what the gates say`() throws {
        var host = Self.host(Self.habit())
        host.complete()
        host.pass(.hours(2)) { $0.state.tasks[Sample.refresh]?.plan?.launch != nil }
        let one = try Self.report(host)
        let verdict = host.state.verdict(for: Sample.refresh, at: host.now)
        #expect(one.refreshes[0].reason == verdict.gates.last?.reason)
        #expect(try Self.report(host) == one)
    }

    @Test func `below the needed evidence the launch is spread evenly and says so`() throws {
        var ledger = Ledger()
        ledger.apply(HistoryEvent(.used, at: .at(-1, 8, 30), app: Sample.feed), zones: .utc)
        var host = Self.host(ledger)
        host.complete()
        host.pass(.hours(1)) { $0.state.tasks[Sample.refresh]?.plan != nil }
        let report = try Self.report(host)
        #expect(!report.isReliedOn)
        let launch = try #require(report.refreshes.first?.launches.first)
        #expect(launch.chance == nil && launch.price == nil)
        #expect(launch.reason.contains("evenly"), "\(launch.reason)")
    }

    @Test func `a gate that is closed is named, with its way out`() throws {
        var host = Self.host(Self.habit())
        host.complete()
        host.handle(.enabled(Sample.feed, false, reply: host.token()))
        let refresh = try #require(try Self.report(host).refreshes.first)
        let gate = try #require(refresh.closed.first { $0.gate == .enabled })
        #expect(gate.remedy != nil)
        #expect(!refresh.mayRun)
    }

    @Test func `what time alone opens is foreseen by the same gates`() throws {
        var host = Self.host(Self.habit())
        host.pass(.minutes(1))
        #expect(!host.closed(Sample.refresh).filter { $0 != .moment }.isEmpty)
        let refresh = try #require(try Self.report(host).refreshes.first)
        #expect(refresh.planned == nil)
        let decided = try #require(refresh.decided)
        #expect(decided > host.now.wall)
        let foreseen = try #require(refresh.launches.first)
        host.pass(.hours(3)) { $0.state.tasks[Sample.refresh]?.plan?.launch != nil }
        #expect(host.now.wall >= decided)
        let planned = try #require(try Self.report(host).refreshes.first)
        #expect(planned.launches.first?.time == foreseen.time)
        #expect(planned.decided == nil)
    }

    @Test func `the brief of all apps tells the same`() throws {
        var host = Self.host(Self.habit())
        host.complete()
        host.pass(.hours(2)) { $0.state.tasks[Sample.refresh]?.plan?.launch != nil }
        let summary = try #require(host.state.forecasts(at: host.now).first)
        let report = try Self.report(host)
        #expect(summary.app == Sample.feed)
        #expect(summary.launch == report.refreshes.first?.launches.first?.time)
        #expect(summary.heldBy == nil)
        let next = try #require(summary.next)
        #expect(next.from <= .at(0, 8, 30) && next.to >= .at(0, 8, 30))
    }

    @Test func `in the brief an app without a refresh says so`() throws {
        let host = TestHost(Sample.simple(), ledger: Ledger())
        let summary = try #require(host.state.forecasts(at: host.now).first)
        #expect(summary.next == nil && summary.launch == nil)
        #expect(summary.heldBy?.contains("no refresh task") == true)
    }
}

struct LikelyUsesTests {
    @Test(
        arguments: [
            ([], []),
            ([0.1, 0.1, 0.1, 0.1], []),
            ([0, 0, 0.4, 0.8, 0.4, 0, 0, 0], [2..<5]),
            // A valley separates two spans, a saddle does not.
            ([0.8, 0, 0, 0, 0, 0.8, 0, 0], [0..<1, 5..<6]),
            ([0, 0.8, 0.5, 0.8, 0, 0, 0, 0, 0, 0], [1..<4]),
            // A span has at most four slots, and the slope beside it is no span of its own.
            ([0, 0, 0, 0, 0, 0, 0.5, 0.6, 0.7, 0.8, 0.7, 0.6, 0.5, 0, 0, 0, 0, 0, 0, 0], [8..<12]),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [9..<10]),
        ] as [([Double], [Range<Int>])])
    func `a span is a peak and what is at least half as high`(slots: [Double], expected: [Range<Int>]) {
        #expect(LikelyUses.peaks(of: slots, longest: 4) == expected)
    }

    @Test(arguments: [
        (0.0, "0 %"), (0.0004, "under 0.1 %"), (0.034, "3.4 %"), (0.04, "4 %"), (0.0996, "10 %"),
        (0.724, "72 %"),
        (0.994, "99 %"), (0.9999, "over 99 %"), (1, "100 %"), (-1, "0 %"), (7, "100 %"),
    ])
    func `a share is written with the digits that say something`(share: Double, text: String) {
        #expect(Phrase.percent(share) == text)
    }
}
