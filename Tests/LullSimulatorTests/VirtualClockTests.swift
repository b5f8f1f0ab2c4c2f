import LullModel
import Testing

@testable import LullSimulator

@Suite struct VirtualClockTests {
    private let start = WallTime(seconds: 1_772_409_600)

    @Test func `both clocks go on together`() {
        var clock = VirtualClock(start: start)
        let before = clock.monotonic
        clock.advance(to: start + .seconds(5))
        #expect(clock.wall == start + .seconds(5))
        #expect(clock.monotonic - before == .seconds(5))
        clock.advance(to: start)
        #expect(clock.wall == start + .seconds(5))
    }

    @Test func `the monotonic clock stands still in sleep and knows nothing of a step`() {
        var clock = VirtualClock(start: start)
        let before = clock.monotonic
        clock.suspend(for: .hours(2))
        clock.step(by: .hours(-5))
        #expect(clock.monotonic == before)
        #expect(clock.trueTime == start + .hours(2))
        #expect(clock.wall == start - .hours(3))
    }

    @Test func `a boot begins the monotonic clock and the sleep anew`() {
        var clock = VirtualClock(start: start)
        clock.suspend(for: .hours(2))
        #expect(clock.asleep == .hours(2))
        clock.powerOff(for: .hours(5))
        clock.advance(to: start + .hours(8))
        #expect((clock.asleep, clock.boots, clock.awake) == (.zero, 1, .hours(1)))
        #expect(clock.monotonic == MonotonicTime(nanoseconds: 3_600_000_000_000))
        let now = Now(wall: clock.wall, monotonic: clock.monotonic, asleep: clock.asleep)
        #expect(now.booted == start + .hours(7))
    }

    @Test func `a deadline on either clock has its true time`() {
        var clock = VirtualClock(start: start)
        clock.step(by: .hours(1))
        #expect(clock.trueTime(ofWall: start + .hours(3)) == start + .hours(2))
        #expect(clock.trueTime(ofWall: start) == start)
        #expect(clock.trueTime(ofWall: WallTime(milliseconds: .max)) > start)
        #expect(clock.trueTime(ofMonotonic: clock.monotonic + .nanoseconds(1)) == start + .milliseconds(1))
        #expect(clock.trueTime(ofMonotonic: clock.monotonic - .seconds(1)) == start)
    }
}
