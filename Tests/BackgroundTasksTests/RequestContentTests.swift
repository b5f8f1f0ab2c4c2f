import Foundation
import Testing

@testable import BackgroundTasks

@Suite struct RequestContentTests {
    /// Intervals since the reference date, because the description of some dates would crash.
    static let bounds: [(TimeInterval, Int64)] = [
        (Date.distantFuture.timeIntervalSinceReferenceDate, .max),
        (Date.distantPast.timeIntervalSinceReferenceDate, 1),
        (Date(timeIntervalSince1970: 0).timeIntervalSinceReferenceDate, 1),
        (Date(timeIntervalSince1970: 1.25).timeIntervalSinceReferenceDate, 1_250_000_000),
        (.infinity, .max), (-.infinity, 1), (.nan, .max), (.greatestFiniteMagnitude, .max), (9e18, .max),
    ]

    @Test(arguments: bounds)
    func `every date has a bound that is not 0`(interval: TimeInterval, nanoseconds: Int64) {
        #expect(Date(timeIntervalSinceReferenceDate: interval).unixNanoseconds == nanoseconds)
    }

    @Test(arguments: bounds)
    func `every request can be described`(interval: TimeInterval, nanoseconds: Int64) {
        let request = BGAppRefreshTaskRequest(identifier: "com.example.Feed.refresh")
        request.earliestBeginDate = Date(timeIntervalSinceReferenceDate: interval)
        #expect(
            request.description.hasPrefix("<BGAppRefreshTaskRequest: com.example.Feed.refresh, not before "))
    }

    @Test func `a date survives the way to the host and back`() {
        for step in 0..<1000 {
            let date = Date(timeIntervalSinceReferenceDate: 800_000_000 + Double(step) * 1_234.567_891)
            #expect(Date(unixNanoseconds: date.unixNanoseconds) == date)
        }
    }
}
