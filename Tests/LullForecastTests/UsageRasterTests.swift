import LullModel
import Testing

@testable import LullForecast

@Suite struct UsageRasterTests {
    @Test func `the times of day say what the days say`() {
        var random = SplitMix(seed: 3)
        var raster = UsageRaster()
        for _ in 0..<30 { raster.insert(slot: Int.random(in: -20_000..<20_000, using: &random)) }
        var times: Set<Int> = []
        for (index, word) in raster.words.enumerated() {
            for bit in 0..<32 where word >> UInt32(bit) & 1 == 1 { times.insert((index * 32 + bit) % 96) }
        }
        for start in -100..<200 {
            for count in [1, 2, 5, 14, 60, 95, 96, 105] {
                let expected = (start..<start + count).contains { times.contains(($0 % 96 + 96) % 96) }
                #expect(raster.hasUse(atTimesOfDay: start, count: count) == expected)
            }
        }
    }

    @Test func `bits are read across the ends of weeks and found only where they were set`() {
        var raster = UsageRaster()
        raster.insert(slot: 671)
        raster.insert(slot: 672)
        raster.insert(slot: 3 * 672)
        #expect(raster.bits(from: 670, count: 4, near: 0) == 0b0110)
        #expect(raster.bits(from: 670, count: 4, near: 1) == 0b0110)
        #expect(raster.bits(from: 3 * 672 - 1, count: 100, near: 2) == 0b10)
        #expect(raster.bits(from: 2 * 672 - 50, count: 106, near: 1) == 0)
    }

    @Test func `each day near a kept week is visited once`() {
        var raster = UsageRaster()
        for week in [0, 1, 3, 9] { raster.insert(slot: week * 672) }
        var days: [Int] = []
        raster.forEachDay { day, _ in days.append(day) }
        #expect(Set(days).count == days.count)
        for span in [-2...14, 19...28, 61...70] { #expect(Set(days).isSuperset(of: span)) }
        #expect(days == days.sorted())
    }
}
