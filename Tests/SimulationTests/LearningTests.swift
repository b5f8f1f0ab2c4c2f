import LullModel
import LullScheduler
import LullSimulator
import Testing

/// Refreshes shortly before the use that was learned.
@Suite struct LearningTests {
    @Test(arguments: [false, true])
    func `four weeks of uses at 08:30 bring a refresh in the hour before on each weekday`(habitGoesOn: Bool) {
        var world = feedWorld(start: at(28))
        world.history = weekdayUses(days: 0..<28, 8, 30)
        if habitGoesOn { for day in 28..<33 { world.at(at(day, 8, 30), .used(feed)) } }
        let trace = world.run(until: at(35))
        #expect(trace.faults == [])
        for day in 28..<33 {
            let before = trace.launches.filter { at(day, 7, 30) <= $0.time && $0.time < at(day, 8, 30) }
            #expect(!before.isEmpty, "no launch in the hour before 08:30 on day \(day - 28)")
        }
        let weekend = trace.launches.filter { $0.time >= at(33) }
        #expect(
            weekend.count * 5 < trace.launches.count,
            "\(weekend.count) of \(trace.launches.count) on the weekend")
    }

    @Test func `a habit that moves is followed within three weeks`() {
        var world = feedWorld(start: at(56)).neverIdle()
        world.history = weekdayUses(days: 0..<56, 8, 30)
        for day in 56..<84 where day % 7 < 5 { world.at(at(day, 18, 30), .used(feed)) }
        let trace = world.run(until: at(84))
        #expect(trace.faults == [])
        for day in 77..<82 {
            #expect(
                trace.launches.contains { at(day, 17, 30) <= $0.time && $0.time < at(day, 18, 30) },
                "day \(day)")
        }
    }

    @Test func `an app of which nothing is known is refreshed all the same`() {
        let trace = feedWorld().run(until: at(3))
        #expect(trace.faults == [])
        #expect(trace.launches.count >= 6)
        #expect(trace.launches.count <= 24)
    }
}
