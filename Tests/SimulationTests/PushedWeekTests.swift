import LullModel
import LullSimulator
import Testing

/// Rough weeks in which apps are pushed to.
struct PushedWeekTests {
    @Test(arguments: 0..<12 as Range<UInt64>)
    func `breaks no invariant, whatever goes wrong`(seed: UInt64) {
        var simulation = Simulation(RoughWeek.pushed(seed: seed))
        simulation.run(days: RoughWeek.days)
        #expect(simulation.trace.faults.isEmpty)
    }

    @Test func `pushes of all sorts are launched`() {
        var silent = 0
        var urgent = 0
        var merged = 0
        var reported = 0
        for seed in 0..<12 as Range<UInt64> {
            var simulation = Simulation(RoughWeek.pushed(seed: seed))
            simulation.run(days: RoughWeek.days)
            for event in simulation.trace.events(.launched) {
                guard let push = event.push else { continue }
                if push.isUrgent { urgent += 1 } else { silent += 1 }
                if push.merged > 0 { merged += 1 }
            }
            reported += simulation.trace.events(.reported).count
        }
        #expect(silent > 20 && urgent > 20 && merged > 20 && reported > 10)
    }
}
