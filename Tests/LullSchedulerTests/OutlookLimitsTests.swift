import LullCalendar
import LullModel
import Testing

@testable import LullScheduler

/// Launches that `why` must not promise, and launches that it must not deny.
struct OutlookLimitsTests {
    private static let cleaning = Sample.cleaning
    private static let asking = SchedulerOptions(discovers: false, launches: false)

    private func outlook(_ host: TestHost) -> Outlook { host.state.outlook(for: Self.cleaning, at: host.now) }

    private func opening(_ gate: GateName, of outlook: Outlook) -> Outlook.Opening? {
        outlook.gates.first { $0.gate == gate }?.opening
    }

    @Test func `nothing is promised to a task of a group that others share`() throws {
        let noon = try ExactTimes("0 12 * * *")
        func host(_ other: String?) -> TestHost {
            let tasks = [(Self.cleaning, "db"), (Sample.indexing, other)].map { task, group in
                Sample.definition(task, .processing) {
                    $0.at = noon
                    $0.group = group
                }
            }
            return TestHost(Sample.manifest(tasks), at: .at(0, 10))
        }
        #expect(outlook(host(nil)).certain == .at(0, 12))
        #expect(outlook(host("db")).certain == nil)
    }

    @Test func `a time that is given up before its window opens is not promised`() throws {
        let noon = try ExactTimes("0 12 * * *")
        func host(_ missed: MissedTimes, until closes: Int) -> TestHost {
            TestHost(
                Sample.simple {
                    $0.at = noon
                    $0.missed = missed
                    $0.windows = [Window(opens: 60, closes: closes, text: "from 01:00")]
                }, at: .at(0, 10))
        }
        let skipped = outlook(host(.skip, until: 300))
        #expect(skipped.certain == nil && skipped.chances.allSatisfy { $0.probability == 0 })
        #expect(skipped.leftOut == .at(0, 12))
        #expect(outlook(host(.one, until: 300)).certain == .at(1, 1))
        #expect(outlook(host(.skip, until: 780)).certain == .at(0, 12))
    }

    /// More than a thousand of its times pass before the window opens.
    @Test func `of a task of every minute the first time in its window is promised`() throws {
        let everyMinute = try ExactTimes("* * * * *")
        let host = TestHost(
            Sample.simple {
                $0.at = everyMinute
                $0.missed = .skip
                $0.windows = [Window(opens: 60, closes: 120, text: "01:00-02:00")]
            }, at: .at(0, 5, 28))
        let found = outlook(host)
        #expect(found.leftOut == .at(0, 5, 29) && found.certain == .at(1, 1))
        #expect(host.state.nextLaunch(of: Self.cleaning) == .at(.at(1, 1)))
    }

    @Test func `a time that a pause leaves out is named, and the one after it is promised`() throws {
        let two = try ExactTimes("30 2 * * *")
        func paused(_ missed: MissedTimes, until end: WallTime) -> Outlook {
            var host = TestHost(
                Sample.simple {
                    $0.at = two
                    $0.missed = missed
                }, at: .at(0, 1))
            _ = host.tell { .paused(.all, until: end, reason: nil, reply: $0) }
            return outlook(host)
        }
        let skipped = paused(.skip, until: .at(0, 5))
        #expect(skipped.leftOut == .at(0, 2, 30) && skipped.certain == .at(1, 2, 30))
        // The pause ends within the tolerance.
        let late = paused(.skip, until: .at(0, 2, 33))
        #expect(late.leftOut == nil && late.certain == .at(0, 2, 33))
        let made = paused(.one, until: .at(0, 5))
        #expect(made.leftOut == nil && made.certain == .at(0, 5))
    }

    @Test func `before a host has started its app, what is repeated is about to be asked for`() {
        let host = TestHost(Sample.simple { $0.repeat = .hours(1) }, options: Self.asking)
        let found = outlook(host)
        #expect(opening(.requested, of: found) == .unknown("a host asks for it as it starts its app"))
        #expect(found.certain == host.now.wall)
        let once = outlook(TestHost(Sample.simple(), options: Self.asking))
        #expect(opening(.requested, of: once) == .never && once.certain == nil)
    }

    @Test func `a task that is new in the manifest waits for its app's start, and the plugin is not blamed`()
    {
        var known = TestHost(
            Sample.manifest([Sample.definition(Sample.task("com.example.Feed.old"), .processing)]))
        known.complete()
        var host = TestHost(ledger: known.state.ledger, options: Self.asking)
        host.load(Sample.simple { $0.repeat = .hours(1) }, stamp: "2")
        let gate = host.gate(.registered, of: Self.cleaning)
        #expect(
            gate?.reason
                == "its app has not been started since its plugin or its entry in jobs.yaml was changed")
        #expect(gate?.remedy == "start the host with `lull run`" && gate?.since == nil)
        #expect(outlook(host).certain == host.now.wall)
    }

    @Test func `while it waits for room no time is exact`() {
        let other = Sample.task("com.example.Feed.long")
        var host = TestHost(
            Sample.manifest(
                [
                    Sample.definition(other, .processing), Sample.definition(Self.cleaning, .processing),
                ], concurrency: 1))
        _ = host.submit(other)
        _ = host.submit(Self.cleaning)
        #expect(host.gate(.concurrency, of: Self.cleaning)?.isOpen == false)
        let found = outlook(host)
        #expect(found.certain == nil)
        #expect(opening(.concurrency, of: found) == .unknown("it opens when the current run has ended"))
    }

    @Test func `a quiet time that comes between is slept through`() {
        var host = TestHost(
            Sample.simple { $0.quiet = [Window(opens: 60, closes: 300, text: "01:00-05:00")] }, at: .at(0, 12)
        )
        _ = host.submit(Self.cleaning, begin: .at(1, 2))
        let found = outlook(host)
        #expect(opening(.earliestBegin, of: found) == .at(.at(1, 2)))
        #expect(found.certain == .at(1, 5))
        #expect(host.state.nextLaunch(of: Self.cleaning) == .at(.at(1, 5)))
    }

    @Test func `what waits for room is launched when the run before it is likely to end`() {
        let other = Sample.task("com.example.Feed.long")
        var host = TestHost(
            Sample.manifest(
                [
                    Sample.definition(other, .processing), Sample.definition(Self.cleaning, .processing),
                ], concurrency: 1))
        _ = host.submit(other)
        _ = host.submit(Self.cleaning)
        #expect(outlook(host).most == host.now.wall + .minutes(1))
        host.advance(.minutes(4))
        #expect(outlook(host).most == host.now.wall + .minutes(4))
        #expect(outlook(host).chances.map(\.probability) == [1, 1, 1, 1])
    }

    @Test func `asking leaves the host as it was`() {
        let host = TestHost(Sample.simple { $0.repeat = .hours(1) }, options: Self.asking)
        let before = host.state.ledger
        _ = outlook(host)
        #expect(host.state.ledger == before)
    }

    @Test func `nobody is told to do what is refused`() {
        let exports = Sample.task("com.example.Feed.export.*")
        let scan = Sample.task("com.example.Feed.scan")
        let host = TestHost(
            Sample.manifest([Sample.definition(exports, .continued), Sample.definition(scan, .continued)]))
        #expect(
            host.gate(.requested, of: scan)?.remedy
                == "ask for it with `lull submit com.example.Feed.scan`, or submit it from the plugin")
        #expect(host.gate(.requested, of: exports)?.remedy == nil)
    }
}
