import LullHistory
import LullModel
import Testing

@testable import LullHost

/// A wrong clock never makes the host delete its history.
struct RetentionRuleTests {
    private let start = WallTime(seconds: 1_800_000_000)
    private let kept: Duration = .days(400)
    private let output: Duration = .days(90)

    /// A reading `passed` after the host's start; `ahead`: the error of the wall clock.
    private func reading(
        _ passed: Duration, ahead: Duration = .zero, uptime: Duration = .days(2), boot: String = "a",
        isSynchronised: Bool = false
    ) -> RetentionRule.Reading {
        RetentionRule.Reading(
            boot: boot, sinceBoot: uptime + passed, wall: start + passed + ahead,
            isSynchronised: isSynchronised)
    }

    private func numbers(_ event: Int64) -> RecordNumbers { RecordNumbers(event: event, output: event) }

    private func bounds(_ rule: inout RetentionRule, _ reading: RetentionRule.Reading) -> PruneBounds? {
        rule.look(reading, numbers(100))
        let bounds = rule.bounds(at: reading, keepingEvents: kept, outputs: output)
        if bounds != nil { rule.hasPruned(reading, keepingEvents: kept, outputs: output) }
        return bounds
    }

    @Test func `a clock is trusted once it has gone along with that of the boot for an hour`() {
        var rule = RetentionRule(reading(.zero), numbers(100))
        #expect(bounds(&rule, reading(.minutes(59))) == nil)
        let found = bounds(&rule, reading(.minutes(60)))
        #expect(found?.eventsBefore == start + .hours(1) - .days(400))
        #expect(found?.outputsBefore == start + .hours(1) - .days(90))
        #expect(found?.span == .days(1))
    }

    @Test func `a clock that the machine says is synchronised is trusted at once`() {
        var rule = RetentionRule(reading(.zero), numbers(100))
        #expect(bounds(&rule, reading(.seconds(1), isSynchronised: true)) != nil)
    }

    @Test(arguments: [Duration.days(730), .days(-730), .minutes(10)])
    func `one that leaps is trusted an hour later, whatever the machine says of it`(leap: Duration) {
        var rule = RetentionRule(reading(.zero), numbers(100))
        #expect(bounds(&rule, reading(.hours(5), ahead: leap, isSynchronised: true)) == nil)
        #expect(bounds(&rule, reading(.hours(5) + .seconds(2), isSynchronised: true)) == nil)
        #expect(bounds(&rule, reading(.hours(5) + .minutes(59))) == nil)
        #expect(bounds(&rule, reading(.hours(6) + .seconds(2))) != nil)
    }

    @Test func `two years ahead for two seconds deletes nothing, also across a restart`() throws {
        var rule = RetentionRule(reading(.zero), numbers(100))
        #expect(bounds(&rule, reading(.hours(2))) != nil)
        var next = try #require(RetentionRule(memo: rule.memo))
        #expect(next == rule)
        #expect(bounds(&next, reading(.hours(4), ahead: .days(730))) == nil)
        var last = try #require(RetentionRule(memo: next.memo))
        #expect(bounds(&last, reading(.hours(4) + .seconds(2))) == nil)
    }

    @Test func `a clock that is put right little by little is no leap`() {
        var rule = RetentionRule(reading(.zero), numbers(100))
        #expect(bounds(&rule, reading(.hours(24), ahead: .seconds(40))) != nil)
    }

    @Test func `a day's worth goes in an hour, also across restarts`() throws {
        var rule = RetentionRule(reading(.zero), numbers(100))
        #expect(bounds(&rule, reading(.hours(1))) != nil)
        var next = try #require(RetentionRule(memo: rule.memo))
        #expect(bounds(&next, reading(.minutes(119))) == nil)
        #expect(bounds(&next, reading(.minutes(120))) != nil)
        let booted = reading(.minutes(125), uptime: .minutes(-124), boot: "b", isSynchronised: true)
        #expect(bounds(&next, booted) == nil)
    }

    @Test func `a host that starts with a wrong clock keeps what is recorded in this boot`() {
        var rule = RetentionRule(reading(.zero, ahead: .days(730)), numbers(100))
        for hour in 1...48 {
            let time = reading(.hours(hour), ahead: .days(730))
            rule.look(time, numbers(100 + Int64(hour)))
            let bounds = rule.bounds(at: time, keepingEvents: kept, outputs: output)
            #expect(bounds?.eventsUpTo == 100, "hour \(hour)")
            #expect(bounds?.outputsUpTo == 100, "hour \(hour)")
            #expect(bounds?.span == .days(1))
        }
    }

    @Test func `what this boot has recorded goes when the clock of the boot says so, too`() {
        var rule = RetentionRule(reading(.zero, uptime: .zero), numbers(100))
        for day in 1...500 {
            let time = reading(.days(day), uptime: .zero)
            rule.look(time, numbers(100 + Int64(day)))
            let bounds = rule.bounds(at: time, keepingEvents: kept, outputs: output)
            #expect(bounds?.eventsUpTo == 100 + Int64(max(0, day - 400)), "day \(day)")
            #expect(bounds?.outputsUpTo == 100 + Int64(max(0, day - 90)), "day \(day)")
            if bounds != nil { rule.hasPruned(time, keepingEvents: kept, outputs: output) }
        }
    }

    @Test func `a new boot begins anew`() {
        var rule = RetentionRule(reading(.zero), numbers(100))
        _ = bounds(&rule, reading(.hours(1)))
        rule.look(reading(.days(1), uptime: .days(-1), boot: "b"), numbers(150))
        #expect(
            rule.bounds(
                at: reading(.days(1) + .minutes(59), uptime: .days(-1), boot: "b"), keepingEvents: kept,
                outputs: output) == nil)
        let bounds = rule.bounds(
            at: reading(.days(1) + .hours(1), uptime: .days(-1), boot: "b"), keepingEvents: kept,
            outputs: output)
        #expect(bounds?.eventsUpTo == 150)
    }

    @Test(arguments: [nil, "", "{}", "nonsense"])
    func `what is not understood is no rule`(memo: String?) {
        #expect(RetentionRule(memo: memo) == nil)
    }
}
