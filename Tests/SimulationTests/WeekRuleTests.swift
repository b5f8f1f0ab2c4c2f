import LullModel
import LullScheduler
import LullSimulator
import Testing

/// Over seven days since the last use: not launched; any use revives at once.
@Suite struct WeekRuleTests {
    /// Used once, at noon of the first Monday; its task runs each quarter of an hour.
    private func world() -> World {
        var world = cleaningWorld(repeat: .minutes(15))
        world.manifest.apps[0].idleAfter = .days(7)
        world.history = [HistoryEvent(.used, at: at(0, 12), app: feed)]
        world.start = at(0, 12)
        return world
    }

    @Test func `an app is launched up to seven days after its use and not a moment longer`() {
        let trace = world().run(until: at(9))
        #expect(trace.faults == [])
        let last = trace.launches.last?.time ?? monday
        #expect(last <= at(7, 12))
        #expect(last > at(7, 11, 44))
        #expect(trace.events(.idled).map(\.time) == [at(7, 12) + .milliseconds(1)])
    }

    @Test func `exactly seven days is not over`() {
        var simulation = Simulation(world())
        simulation.run(until: at(7, 12))
        #expect(
            simulation.state.verdict(for: cleaning, at: simulation.now).closed.allSatisfy {
                $0.gate != .idleApp
            })
        simulation.run(until: at(7, 12) + .milliseconds(1))
        let gate = simulation.state.verdict(for: cleaning, at: simulation.now).gates.first {
            $0.gate == .idleApp
        }
        #expect(gate?.isOpen == false)
    }

    @Test func `a use brings an idle app back at once`() {
        var world = world()
        world.at(at(10, 9, 30), .used(feed))
        let trace = world.run(until: at(10, 10))
        #expect(trace.faults == [])
        #expect(trace.launches.filter { $0.time > at(7, 12) && $0.time < at(10, 9, 30) }.isEmpty)
        let first = trace.launches.first { $0.time >= at(10, 9, 30) }
        #expect(first.map { $0.time < at(10, 9, 30, 1) } == true)
        #expect(trace.events(.revived).map(\.time) == [at(10, 9, 30)])
    }

    @Test func `an app never used counts from its discovery`() {
        var world = world()
        world.history = []
        let trace = world.run(until: at(9))
        #expect(trace.faults == [])
        let discovered = trace.events(.discovered).first?.time ?? .distantFuture
        #expect(trace.events(.idled).map(\.time) == [discovered + .days(7) + .milliseconds(1)])
        #expect((trace.launches.last?.time).map { $0 <= discovered + .days(7) } == true)
    }

    @Test
    func `uses imported from eight days ago make an idle app and those of six days and 23 hours do not`() {
        for (age, isIdle) in [(Duration.days(8), true), (.hours(6 * 24 + 23), false)] {
            var world = world()
            world.start = at(30)
            world.history = [HistoryEvent(.used, at: at(30) - age, app: feed)]
            let trace = world.run(until: at(30, 0, 30))
            #expect(trace.faults == [])
            #expect(trace.launches.isEmpty == isIdle)
        }
    }

    @Test func `an operator's launch passes over the week rule and does not revive`() {
        var world = world()
        world.at(at(8), .launchRequested(cleaning))
        let trace = world.run(until: at(9))
        #expect(trace.faults == [])
        #expect(trace.launches.filter { $0.time > at(7, 13) }.count == 1)
        #expect(trace.events(.revived).isEmpty)
    }
}
