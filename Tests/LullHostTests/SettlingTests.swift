import LullModel
import Testing

@testable import LullHost

struct SettlingTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    @Test func `each step begins the wait anew`() {
        var settling = Settling()
        #expect(settling.step(at: start) == start + .milliseconds(250))
        #expect(settling.step(at: start + .milliseconds(200)) == start + .milliseconds(450))
    }

    @Test func `what never rests is looked at within five seconds all the same`() {
        var settling = Settling()
        var looks: [MonotonicTime] = []
        var due = start
        for step in 0..<100 {
            let now = start + .milliseconds(100 * step)
            if step > 0, now >= due {
                looks.append(due)
                settling.rested()
            }
            due = settling.step(at: now)
        }
        #expect(looks == [start + .seconds(5)])
        #expect(due == start + .seconds(10))
    }
}
