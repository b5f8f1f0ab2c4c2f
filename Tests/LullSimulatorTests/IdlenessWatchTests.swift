import LullModel
import Testing

@testable import LullSimulator

/// The second opinion on the week rule has to be able to object.
@Suite struct IdlenessWatchTests {
    private let start = WallTime(seconds: 1_772_409_600)
    private let owner: App
    private var watch: IdlenessWatch
    private var clock: VirtualClock

    init() throws {
        var owner = App(
            identifier: try #require(AppIdentifier("com.example.A")), plugin: "/plugins/a.so")
        owner.idleAfter = .days(7)
        owner.idleClock = .host
        self.owner = owner
        clock = VirtualClock(start: start)
        watch = IdlenessWatch(manifest: Manifest(apps: [owner]))
        watch.disturbed(at: clock)
    }

    private mutating func note(_ name: HistoryEvent.Name, after span: Duration) -> [String] {
        clock.advance(to: start + span)
        watch.clock = clock
        return watch.note(HistoryEvent(name, at: clock.wall, app: owner.identifier))
    }

    @Test mutating func `a notice two days before is no fault`() {
        #expect(note(.used, after: .zero) == [])
        #expect(note(.idleSoon, after: .days(5)) == [])
        #expect(note(.idled, after: .days(7)) == [])
        #expect(note(.used, after: .days(8)) == [])
        #expect(note(.idleSoon, after: .days(13)) == [])
    }

    @Test mutating func `no notice, a late one or a second one is`() {
        #expect(note(.used, after: .zero) == [])
        #expect(note(.idled, after: .days(7)).count == 1)
        #expect(note(.used, after: .days(8)) == [])
        #expect(note(.idleSoon, after: .days(14)) == [])
        #expect(note(.idled, after: .days(15)).count == 1)
        #expect(note(.idleSoon, after: .days(16)).count == 1)
    }

    @Test mutating func `a second one is none where the clock was set to and fro before it was durable`() {
        #expect(note(.used, after: .zero) == [])
        let before = clock
        clock.step(by: .hours(-1))
        let between = clock
        clock.step(by: .hours(1))
        watch.clock = clock
        watch.clockWasSet()
        for clock in [before, between] {
            watch.clock = clock
            #expect(watch.note(HistoryEvent(.idleSoon, at: clock.wall, app: owner.identifier)) == [])
        }
        // From here on nobody touches it.
        #expect(note(.idleSoon, after: .hours(1)) == [])
        #expect(note(.idleSoon, after: .hours(2)).count == 1)
    }

    @Test mutating func `a late one is none where the host was not there before`() {
        #expect(note(.used, after: .zero) == [])
        clock.advance(to: start + .days(6))
        watch.disturbed(at: clock)
        #expect(note(.idleSoon, after: .days(6)) == [])
        #expect(note(.idled, after: .days(7)) == [])
    }

    @Test mutating func `what is launched beyond its time by the host's clock is found out`() {
        #expect(note(.used, after: .zero) == [])
        clock.suspend(for: .days(5))
        clock.powerOff(for: .days(5))
        clock.advance(to: start + .days(17))
        watch.clock = clock
        #expect(watch.excess(of: owner, at: clock.wall, by: clock) == nil)
        clock.advance(to: start + .days(17) + .milliseconds(1))
        watch.clock = clock
        #expect(watch.excess(of: owner, at: clock.wall, by: clock) == .milliseconds(1))
        watch.lost(.hours(1))
        #expect(watch.excess(of: owner, at: clock.wall, by: clock) == nil)
    }

    @Test mutating func `and by the wall's`() throws {
        var other = owner
        other.idleClock = .wall
        #expect(note(.used, after: .zero) == [])
        clock.suspend(for: .days(8))
        watch.clock = clock
        #expect(watch.excess(of: other, at: clock.wall, by: clock) == .days(1))
    }
}
