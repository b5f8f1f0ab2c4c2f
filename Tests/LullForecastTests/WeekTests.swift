import Foundation
import LullModel
import Testing

@testable import LullForecast

@Suite struct WeekTests {
    @Test func `the hours of the week show the habit`() {
        let hours = forecast(weekdayUses(0..<28, 8, 30)).hourOfWeek()
        #expect(hours.count == 168)
        for day in 0..<5 { #expect(hours[day * 24 + 8] > 0.5) }
        for day in 5..<7 { #expect(hours[day * 24 + 8] < 0.1) }
        #expect(hours[15] < 0.05)
    }

    @Test func `a week of a habit is expected to bring as many uses as it did`() {
        let hours = forecast(weekdayUses(0..<112, 8, 30)).hourOfWeek()
        #expect(abs(hours.reduce(0, +) - 5) < 0.6)
        let days = (0..<7).map { hours[$0 * 24..<($0 + 1) * 24].reduce(0, +) }
        #expect(days[0] > 0.8 && days[5] < 0.2)
    }

    @Test func `a forecast read back is the same forecast`() throws {
        let habit = forecast(weekdayUses(0..<150, 8, 30) + [.distantPast, .distantFuture])
        let data = try JSONEncoder().encode(habit)
        #expect(data.count < 4096)
        #expect(try JSONDecoder().decode(UsageForecast.self, from: data) == habit)
    }

    @Test(arguments: [
        #"{"raster":[[1]]}"#, #"{"raster":[[9e18,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]]}"#,
        #"{"raster":[[1,-1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]]}"#,
        #"{"raster":[[1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]]}"#,
        #"{"raster":[[2,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],[1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]]}"#,
    ])
    func `a spoilt forecast is refused`(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(UsageForecast.self, from: Data(text.utf8))
        }
    }

    @Test func `only the latest weeks with a use are kept`() {
        let long = forecast((0..<100).map { at(7 * $0, 8) })
        #expect(long.raster.weeks.count == UsageRaster.capacity)
        #expect(long.raster == forecast((84..<100).map { at(7 * $0, 8) }).raster)
    }
}
