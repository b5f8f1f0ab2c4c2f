import LullModel
import LullScheduler
import LullSimulator
import Testing

/// Daylight saving, a clock that is set, a machine that sleeps.
@Suite struct ClockTests {
    /// Europe/Berlin in 2026: UTC+2 from 29 March, 01:00 UTC, to 25 October, 01:00 UTC.
    private let berlin = Zone(
        name: "Europe/Berlin", initialOffset: 3600,
        transitions: [
            .init(at: WallTime(seconds: 1_774_746_000), offset: 7200),
            .init(at: WallTime(seconds: 1_792_890_000), offset: 3600),
        ])

    /// Midnight UTC of a date.
    private func midnight(_ month: Int, _ day: Int) -> WallTime {
        WallTime(seconds: Int64(LocalTime.days(year: 2026, month: month, day: day)) * 86400)
    }

    /// A task once a night, in a window of local time.
    private func nightly(_ window: Window, start: WallTime) -> World {
        var world = cleaningWorld(repeat: .hours(20), start: start) { $0.windows = [window] }
        world.zones = Zones(host: berlin)
        return world
    }

    @Test func `a nightly window opens once a night when the clocks go forward`() {
        let window = Window(opens: 3 * 60, closes: 4 * 60, text: "03:00-04:00")
        let trace = nightly(window, start: midnight(3, 26)).run(until: midnight(4, 1))
        #expect(trace.faults == [])
        let local = trace.launches.map { berlin.local($0.time) }
        #expect(local.map(\.day) == [26, 27, 28, 29, 30, 31])
        #expect(local.allSatisfy { $0.hour == 3 && $0.minute == 0 })
    }

    @Test func `a window inside the hour that is left out does not open that night and nothing is lost`() {
        let window = Window(opens: 2 * 60 + 15, closes: 2 * 60 + 45, text: "02:15-02:45")
        let trace = nightly(window, start: midnight(3, 26)).run(until: midnight(4, 1))
        #expect(trace.faults == [])
        #expect(trace.launches.map { berlin.local($0.time).day } == [26, 27, 28, 30, 31])
    }

    @Test func `a nightly window opens for one run when the clocks go back`() {
        let window = Window(opens: 2 * 60 + 15, closes: 2 * 60 + 45, text: "02:15-02:45")
        let trace = nightly(window, start: midnight(10, 23)).run(until: midnight(10, 28))
        #expect(trace.faults == [])
        #expect(trace.launches.map { berlin.local($0.time).day } == [23, 24, 25, 26, 27])
    }

    @Test func `a habit is served at its local hour after the clocks went forward`() {
        let start = midnight(3, 30)
        var world = feedWorld(start: start)
        world.zones = Zones(host: berlin)
        // 08:30 in Berlin: 07:30 UTC in winter.
        world.history = weekdayUses(days: 0..<26, 7, 30)
        let trace = world.run(until: start + .days(5))
        #expect(trace.faults == [])
        for day in 0..<5 {
            let use = start + .seconds(86400 * day + 23400)
            #expect(trace.launches.contains { use - .hours(1) <= $0.time && $0.time < use }, "day \(day)")
        }
    }

    @Test(arguments: [-26, -3, 3, 26])
    func `a clock that is set does not keep anything from running`(hours: Int) {
        var world = cleaningWorld(repeat: .hours(1))
        world.at(at(1, 0, 30), .clockStep(.hours(hours)))
        let trace = world.run(until: at(4))
        #expect(trace.faults == [])
        let later = trace.launches.filter { $0.trueTime > at(1, 0, 30) }
        // Set back, the next hour may be as far away as the step; from then on it is hourly again.
        #expect(later.count >= 71 - max(0, -hours))
        let times = trace.launches.filter { $0.trueTime > at(2, 8) }.map(\.trueTime)
        #expect(zip(times, times.dropFirst()).allSatisfy { abs(($1 - $0 - .hours(1)).milliseconds) < 5000 })
    }

    @Test func `a run is not expired by a clock that is set ahead`() {
        var world = cleaningWorld(repeat: .days(1))
        world.handlers[cleaning] = HandlerModel()
        world.handlers[cleaning]?.milliseconds = 300_000...300_000
        world.at(at(0, 0, 1), .clockStep(.hours(5)))
        let trace = world.run(until: at(0, 1))
        #expect(trace.faults == [])
        #expect(trace.events(.expired).isEmpty)
        #expect(trace.events(.completed).map(\.milliseconds) == [300_000])
    }

    @Test func `what was due while the machine slept runs when it wakes`() {
        var world = cleaningWorld(repeat: .hours(1))
        world.at(at(0, 2, 30), .suspended(.hours(5)))
        let trace = world.run(until: at(0, 12))
        #expect(trace.faults == [])
        let woken = at(0, 7, 30)
        #expect(trace.launches.allSatisfy { $0.time < at(0, 2, 30) || $0.time >= woken })
        #expect(trace.launches.filter { woken <= $0.time && $0.time < woken + .minutes(1) }.count == 1)
    }

    @Test func `a sleep in the midst of a run does not expire it`() {
        var world = cleaningWorld(repeat: .days(1))
        world.handlers[cleaning] = HandlerModel()
        world.handlers[cleaning]?.milliseconds = 300_000...300_000
        world.at(at(0, 0, 1), .suspended(.hours(3)))
        let trace = world.run(until: at(0, 6))
        #expect(trace.faults == [])
        #expect(trace.events(.expired).isEmpty)
        #expect(trace.events(.completed).count == 1)
    }
}
