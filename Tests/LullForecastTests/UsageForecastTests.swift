import Foundation
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

struct UsageForecastTests {
    @Test func `the order of learning makes no difference`() {
        var random = SeededGenerator(seed: 7)
        let uses = (0..<400).map { _ in monday + .seconds(Int.random(in: 0..<86400 * 200, using: &random)) }
        let sorted = forecast(uses.sorted())
        for _ in 0..<5 { #expect(forecast(uses.shuffled(using: &random)) == sorted) }
        #expect(forecast(uses.sorted().reversed()) == sorted)
    }

    @Test func `a burst is one use`() {
        let burst = forecast((0..<60).map { at(0, 8) + .seconds(29 * $0) })
        #expect(burst.known == 1)
        #expect(forecast([at(0, 8), at(0, 8, 29), at(0, 8, 58)]).known == 1)
        #expect(forecast([at(0, 8), at(0, 9)]).known == 2)
    }

    @Test func `a use at an absurd time does not spoil the rest`() throws {
        var habit = forecast(weekdayUses(0..<28, 8, 30))
        for time in [
            WallTime.distantPast, .distantFuture, .init(milliseconds: .min), .init(milliseconds: .max),
        ] {
            habit.learn(useAt: time, zone: .utc)
        }
        let hazards = try #require(habit.hazards(from: at(28, 0), steps: 96, zone: .utc))
        #expect(hazards.probability(from: .hours(8), to: .hours(9)) > 0.5)
        for time in [WallTime(milliseconds: .min), .init(milliseconds: .max)] {
            let week = habit.weekAhead(from: time, zone: .utc)
            #expect((0...1).contains(week.probability(0..<WeekAhead.steps)))
        }
    }

    @Test func `a forecast read back is the same forecast`() throws {
        let habit = forecast(weekdayUses(0..<150, 8, 30) + [.distantPast, .distantFuture])
        let data = try JSONEncoder().encode(habit)
        #expect(data.count < 4096)
        #expect(try JSONDecoder().decode(UsageForecast.self, from: data) == habit)
    }

    @Test(arguments: [
        #"{"sessions":[]}"#, #"{"sessions":[-1,0]}"#, #"{"sessions":[512,256,9]}"#, #"{"sessions":[2560,1]}"#,
    ])
    func `a spoilt forecast is refused`(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(UsageForecast.self, from: Data(text.utf8))
        }
    }
}
