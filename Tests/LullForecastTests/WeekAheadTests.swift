import LullModel
import Testing

@testable import LullForecast

struct WeekAheadTests {
    /// Expected uses of an hour, counted from a Monday 00:00 at which the week begins.
    private func hour(_ week: WeekAhead, _ day: Int, _ hour: Int) -> Double {
        let first = (day * 24 + hour) * 4
        return week.rates[first..<first + 4].reduce(0, +)
    }

    @Test func `with nothing known every quarter-hour is alike`() {
        let week = UsageForecast().weekAhead(from: at(0, 0), zone: .utc)
        #expect(Set(week.rates).count == 1)
        #expect(abs(week.rates.reduce(0, +) - 7) < 1e-9)
        #expect((0.02...0.06).contains(week.probability(0..<4)))
        // A use in the future is not known yet.
        let future = forecast([at(30, 8, 30)]).weekAhead(from: at(1, 8), zone: .utc)
        #expect(future.rates == week.rates)
    }

    @Test func `a habit is seen on each of its days to come, and not beside them`() {
        let week = forecast(weekdayUses(0..<56, 8, 30)).weekAhead(from: at(56, 0), zone: .utc)
        for day in 0..<5 {
            #expect(hour(week, day, 8) > 0.5)
            #expect(hour(week, day, 15) < 0.05)
        }
        for day in 5..<7 { #expect(hour(week, day, 8) < 0.2) }
        #expect(abs(week.rates.reduce(0, +) - 5) < 1)
    }

    @Test func `up to the next use it says what the plans are made from`() throws {
        let habit = forecast(weekdayUses(0..<28, 8, 30) + weekdayUses(0..<28, 19, 0))
        let week = habit.weekAhead(from: at(28, 0), zone: .utc)
        let hazards = try #require(habit.hazards(from: at(28, 0), steps: 672, zone: .utc))
        for hours in [1, 9, 24, 168] {
            let share = hazards.probability(within: .hours(hours))
            #expect(abs(week.probability(0..<hours * 4) - share) < 1e-6)
        }
        let next = WeekAhead(next: hazards)
        #expect(next.rates[34] == week.rates[34])
        #expect(next.rates.reduce(0, +) <= 1 + 1e-9)
        // The evening's use comes whether the morning's did or not.
        #expect(week.probability(74..<80) > 0.5 && next.probability(74..<80) < week.probability(74..<80))
    }

    @Test func `a longer span is never less probable, and none is certain`() {
        var random = SeededGenerator(seed: 11)
        let some = forecast(
            (0..<60).map { _ in monday + .seconds(Int.random(in: 0..<86400 * 40, using: &random)) })
        let week = some.weekAhead(from: at(41, 7, 5), zone: .utc)
        for first in [0, 3, 90, 400, 671] {
            let shares = (first...672).map { week.probability(first..<$0) }
            #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 <= $1 + 1e-12 })
            #expect(shares[0] == 0 && shares.allSatisfy { (0...1).contains($0) })
        }
    }

    @Test func `a span is as probable where it begins amid an hour of uses`() {
        // A use each 45 minutes, all day.
        let busy = forecast((0..<14 * 32).map { monday + .minutes(45 * $0) })
        let week = busy.weekAhead(from: at(14, 0), zone: .utc)
        for first in 100..<104 {
            #expect(week.probability(first..<first + 16) > 0.9, "from step \(first)")
        }
    }

    @Test func `the habit keeps its local hour across a change of the clock`() {
        // Central Europe in 2026: UTC+1 until 29 March, 01:00 UTC, then UTC+2.
        let change = WallTime(seconds: 1_774_746_000)
        let zone = Zone(
            name: "Europe/Berlin", initialOffset: 3600, transitions: [.init(at: change, offset: 7200)])
        let habit = forecast((0..<27).filter { $0 % 7 < 5 }.map { at($0, 7, 30) }, zone: zone)
        let week = habit.weekAhead(from: at(27, 0), zone: zone)
        for day in 1..<6 {
            #expect(
                hour(week, day, 5) < 0.01 && hour(week, day, 6) > 0.6 && hour(week, day, 7) < 0.2,
                "day \(day)")
        }
    }
}
