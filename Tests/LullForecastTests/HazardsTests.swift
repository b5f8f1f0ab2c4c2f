import LullModel
import Testing

@testable import LullForecast

struct HazardsTests {
    @Test(arguments: [60, 300, 600, 900, 1200, 3600])
    func `steps of any length expect as many uses`(seconds: Int) {
        let hazards = Hazards(from: at(0, 0), values: Array(repeating: 0.1, count: 96))
        let rates = hazards.rates(step: seconds, count: .max)
        #expect(rates.count == 86400 / seconds)
        let expected: Float = 96 * 0.105_360_5
        #expect(abs(rates.reduce(0, +) - expected) < 1e-3)
        #expect(hazards.rates(step: seconds, count: 5) == Array(rates.prefix(5)))
    }

    @Test func `the rate runs from quarter-hour to quarter-hour, and none leaks into one that has none`() {
        let hazards = Hazards(from: at(0, 0), values: [0, 0, 0.2, 0.4, 0.1])
        let rates = hazards.rates(step: 300, count: 15)
        #expect(rates[0..<6].allSatisfy { $0 == 0 })
        #expect(rates[6] == rates[7] && rates[8] > rates[7] && rates[9] > rates[8])
        #expect(rates[11] < rates[10] && rates[12] < rates[11] && rates[13] < rates[12])
        #expect(hazards.rates(step: 0, count: 3).isEmpty)
        #expect(Hazards(from: at(0, 0), values: []).rates(step: 60, count: 3).isEmpty)
    }
}
