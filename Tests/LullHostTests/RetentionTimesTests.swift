import LullModel
import Testing

@testable import LullHost

struct RetentionTimesTests {
    private let start = WallTime(seconds: 1_800_000_000)

    @Test func `what is too old is looked for soon after the start, and then every day`() {
        var times = RetentionTimes(start: start)
        #expect(!times.isDue(at: start))
        #expect(times.isDue(at: start + .hours(1)))
        times.looked(at: start + .hours(2))
        #expect(times.due == start + .hours(26))
        #expect(!times.isDue(at: start + .hours(25)))
        #expect(times.isDue(at: start + .hours(26)))
    }

    @Test func `a clock that was set back does not put it off`() {
        var times = RetentionTimes(start: start)
        times.looked(at: start)
        #expect(!times.isDue(at: start - .seconds(0)))
        #expect(times.isDue(at: start - .days(30)))
    }

    @Test func `a host that has not begun looks for nothing`() {
        var times = RetentionTimes()
        times.looked(at: start)
        #expect(times.due == nil)
        #expect(!times.isDue(at: start))
    }
}
