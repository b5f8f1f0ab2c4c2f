import LullModel
import Testing

@testable import LullForecast

/// Monday, 2026-03-02, 00:00 UTC.
let monday = WallTime(seconds: 1_772_409_600)

func at(_ day: Int, _ hour: Int, _ minute: Int = 0) -> WallTime {
    monday + .seconds(86400 * day + 3600 * hour + 60 * minute)
}

/// Uses at a time of day, on the days of `days` that are weekdays.
func weekdayUses(_ days: Range<Int>, _ hour: Int, _ minute: Int) -> [WallTime] {
    days.filter { $0 % 7 < 5 }.map { at($0, hour, minute) }
}

func forecast(_ uses: [WallTime], zone: Zone = .utc) -> UsageForecast {
    var forecast = UsageForecast()
    for use in uses { forecast.learn(useAt: use, zone: zone) }
    return forecast
}

@Suite struct UsageForecastTests {
    @Test func `an empty history forecasts the same everywhere`() {
        let empty = UsageForecast()
        let probabilities = Set(
            (0..<672).map { empty.probability(ofUseWithin: .hours(1), from: at(0, 0, 15 * $0), zone: .utc) })
        #expect(probabilities.count == 1)
        #expect((0.01...0.1).contains(probabilities.first ?? 0))
        #expect(empty.evidence == 0)
        #expect(Set(empty.hourOfWeek()).count == 1)
        #expect(abs(empty.hourOfWeek().reduce(0, +) - 7) < 1e-9)
    }

    @Test func `four weeks of a weekday habit are known by hour and day`() {
        let habit = forecast(weekdayUses(0..<28, 8, 30))
        for day in 28..<33 {
            #expect(habit.probability(ofUseWithin: .hours(1), from: at(day, 8), zone: .utc) > 0.6)
            #expect(habit.probability(ofUseWithin: .hours(1), from: at(day, 15), zone: .utc) < 0.05)
        }
        for day in 33..<35 {
            #expect(habit.probability(ofUseWithin: .hours(1), from: at(day, 8), zone: .utc) < 0.1)
        }
    }

    @Test func `a single use raises the forecast of its hour a little`() {
        let one = forecast([at(0, 8, 30)])
        let next = one.probability(ofUseWithin: .hours(1), from: at(1, 8), zone: .utc)
        let other = one.probability(ofUseWithin: .hours(1), from: at(1, 15), zone: .utc)
        #expect(next > 3 * other)
        #expect(next < 0.5)
        #expect(other > 0)
    }

    @Test func `a shifted habit is followed within three weeks`() {
        let shifted = forecast(weekdayUses(0..<56, 8, 30) + weekdayUses(56..<77, 18, 30))
        let old = shifted.probability(ofUseWithin: .hours(1), from: at(77, 8), zone: .utc)
        let new = shifted.probability(ofUseWithin: .hours(1), from: at(77, 18), zone: .utc)
        #expect(new > old)
        #expect(new > 0.45)
    }

    @Test func `disuse lowers the forecast down to the prior and below`() {
        let habit = forecast(weekdayUses(0..<28, 8, 30))
        let weekly = (4..<20).map {
            habit.probability(ofUseWithin: .hours(1), from: at(7 * $0, 8), zone: .utc)
        }
        #expect(zip(weekly, weekly.dropFirst()).allSatisfy { $0 > $1 })
        #expect(habit.probability(ofUseWithin: .hours(1), from: at(3650, 8), zone: .utc) < 0.05)
    }

    @Test func `the order of learning makes no difference`() {
        var random = SplitMix(seed: 7)
        let uses = (0..<400).map { _ in monday + .seconds(Int.random(in: 0..<86400 * 200, using: &random)) }
        let sorted = forecast(uses.sorted())
        for _ in 0..<5 { #expect(forecast(uses.shuffled(using: &random)) == sorted) }
        #expect(forecast(uses.sorted().reversed()) == sorted)
    }

    @Test func `a burst is one use`() {
        let burst = forecast((0..<60).map { at(0, 8) + .seconds(29 * $0) })
        #expect(burst.evidence == 1)
        #expect(forecast([at(0, 8), at(0, 8, 29), at(0, 8, 58)]).evidence == 1)
        #expect(forecast([at(0, 8), at(0, 9)]).evidence == 2)
    }

    @Test func `a longer span is never less probable`() {
        var random = SplitMix(seed: 11)
        let some = forecast(
            (0..<60).map { _ in monday + .seconds(Int.random(in: 0..<86400 * 40, using: &random)) })
        for _ in 0..<200 {
            let from = monday + .seconds(Int.random(in: 0..<86400 * 60, using: &random))
            var last = 0.0
            for span in [
                0, 60, 900, 901, 3600, 3700, 40000, 86400, 86401, 200_000, 604_800, 604_801, 2_000_000,
            ] {
                let p = some.probability(ofUseWithin: .seconds(span), from: from, zone: .utc)
                #expect(p >= last - 1e-12 && p <= 1)
                last = p
            }
        }
    }

    @Test func `the probability moves without jumps within a day`() {
        let habit = forecast(weekdayUses(0..<28, 8, 30))
        let morning = (0...180).map {
            habit.probability(ofUseWithin: .hours(1), from: at(28, 6, $0), zone: .utc, known: at(28, 0))
        }
        #expect(zip(morning, morning.dropFirst()).allSatisfy { abs($0 - $1) < 0.05 })
    }

    @Test func `days that have not come yet are not days without use`() {
        let habit = forecast(weekdayUses(0..<28, 8, 30))
        let friday = at(32, 8)
        let known = habit.probability(ofUseWithin: .hours(1), from: friday, zone: .utc, known: at(28, 0))
        let unknown = habit.probability(ofUseWithin: .hours(1), from: friday, zone: .utc)
        #expect(known > unknown)
    }

    @Test func `a question about later today knows yesterday`() {
        let uses = forecast([at(0, 8, 30)])
        let ahead = uses.probability(ofUseWithin: .hours(1), from: at(1, 8), zone: .utc, known: at(1, 0))
        #expect(ahead == uses.probability(ofUseWithin: .hours(1), from: at(1, 8), zone: .utc))
    }

    @Test func `a use at an absurd time does not spoil the rest`() {
        var habit = forecast(weekdayUses(0..<28, 8, 30))
        for time in [
            WallTime.distantPast, .distantFuture, .init(milliseconds: .min), .init(milliseconds: .max),
        ] {
            habit.learn(useAt: time, zone: .utc)
        }
        #expect(habit.probability(ofUseWithin: .hours(1), from: at(28, 8), zone: .utc) > 0.5)
        for time in [WallTime(milliseconds: .min), .init(milliseconds: .max)] {
            let p = habit.probability(ofUseWithin: .seconds(Int64.max), from: time, zone: .utc)
            #expect((0...1).contains(p))
        }
    }

    @Test func `a use of the future counts only once its time has come`() {
        let future = forecast([at(30, 8, 30)])
        let empty = UsageForecast()
        #expect(
            future.probability(ofUseWithin: .hours(1), from: at(1, 8), zone: .utc)
                == empty.probability(ofUseWithin: .hours(1), from: at(1, 8), zone: .utc))
    }

    @Test func `the habit keeps its local hour across a change of the clock`() {
        // Central Europe in 2026: UTC+1 until 29 March, 01:00 UTC, then UTC+2.
        let change = WallTime(seconds: 1_774_746_000)
        let zone = Zone(
            name: "Europe/Berlin", initialOffset: 3600, transitions: [.init(at: change, offset: 7200)])
        let habit = forecast((0..<27).filter { $0 % 7 < 5 }.map { at($0, 7, 30) }, zone: zone)
        #expect(habit.probability(ofUseWithin: .hours(1), from: at(28, 6), zone: zone) > 0.6)
        #expect(habit.probability(ofUseWithin: .hours(1), from: at(28, 7, 30), zone: zone) < 0.2)
    }

    @Test func `a use by the end of Sunday counts towards Monday's first minutes`() {
        let late = forecast((0..<4).map { at(7 * $0 + 6, 23, 50) })
        #expect(
            late.probability(ofUseWithin: .minutes(15), from: at(35, 0), zone: .utc, known: at(28, 0))
                > 3
                * late.probability(ofUseWithin: .minutes(15), from: at(35, 12), zone: .utc, known: at(28, 0)))
    }
}

/// A small generator with a seed: the same numbers on every run (Vigna's SplitMix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
