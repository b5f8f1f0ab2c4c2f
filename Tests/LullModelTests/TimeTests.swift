import Foundation
import Testing

@testable import LullModel

struct TimeTests {
    @Test(arguments: [Int64.min, .min / 2, -1, 0, 1_795_219_200_000, .max / 2, .max])
    func `an instant that somebody sends can be counted with, however far off it is`(sent: Int64) throws {
        let time = try JSONDecoder().decode(WallTime.self, from: Data("\(sent)".utf8))
        let now = WallTime(seconds: 1_795_219_200)
        #expect(time >= .distantPast && time <= .distantFuture)
        #expect((time < now) == (sent < now.milliseconds))
        // None of these overflows.
        #expect((time - now) + (now - time) == .zero)
        #expect(time + .days(1) > time && time - .days(1) < time)
    }
}
