import LullModel
import LullScheduler
import LullSimulator
import Testing

/// A task that can't run now runs later, once, whatever comes in between.
@Suite struct DeferralTests {
    @Test func `a false constraint defers and the task runs when it is true`() {
        var world = cleaningWorld(repeat: .days(7)) { $0.requires.externalPower = true }
        world.conditions.externalPower = .known(false)
        var powered = world.conditions
        powered.externalPower = .known(true)
        world.at(at(3, 4, 5), .conditions(powered))
        let trace = world.run(until: at(5))
        #expect(trace.faults == [])
        #expect(trace.events(.deferred, of: cleaning).first?.gates == ["external_power"])
        #expect(trace.launches.count == 1)
        #expect(trace.launches.first.map { $0.time >= at(3, 4, 5) && $0.time < at(3, 4, 6) } == true)
    }

    @Test func `a constraint that becomes false expires the run and the task runs again`() {
        var world = cleaningWorld(repeat: .days(7)) { $0.requires.externalPower = true }
        world.handlers[cleaning] = HandlerModel()
        world.handlers[cleaning]?.milliseconds = 120_000...120_000
        var unplugged = world.conditions
        unplugged.externalPower = .known(false)
        world.at(at(0, 0, 1), .conditions(unplugged))
        world.at(at(1), .conditions(world.conditions))
        let trace = world.run(until: at(2))
        #expect(trace.faults == [])
        #expect(trace.events(.expired).count == 1)
        #expect(trace.launches.count == 2)
        #expect(trace.launches.last.map { $0.time >= at(1) && $0.time < at(1, 0, 10) } == true)
        #expect(trace.events(.completed).count == 1)
    }

    @Test func `a load that falls is noticed though Linux has no event for it`() {
        var world = cleaningWorld(repeat: .days(7)) { $0.requires.loadBelow = 0.5 }
        world.conditions.load = 2
        var quiet = world.conditions
        quiet.load = 0.1
        world.at(at(1), .conditions(quiet))
        let trace = world.run(until: at(2))
        #expect(trace.faults == [])
        #expect(trace.launches.count == 1)
        #expect(trace.launches.first.map { $0.time >= at(1) && $0.time < at(1, 0, 5) } == true)
    }

    @Test func `many missed requests become one`() {
        var world = cleaningWorld(repeat: .hours(1))
        world.at(at(1, 0, 30), .hostDied(down: .days(3)))
        let trace = world.run(until: at(4, 2))
        #expect(trace.faults == [])
        let back = at(4, 0, 30)
        #expect(trace.launches.allSatisfy { $0.time < at(1, 0, 30) || $0.time >= back })
        #expect(trace.launches.filter { $0.time >= back && $0.time < back + .minutes(30) }.count == 1)
        #expect(trace.launches.filter { $0.time >= back }.count == 2)
    }

    @Test func `a host that dies in the midst of a run names it and runs the task again`() {
        var world = cleaningWorld(repeat: .days(1))
        world.handlers[cleaning] = HandlerModel()
        world.handlers[cleaning]?.milliseconds = 120_000...120_000
        world.at(at(0, 0, 1), .hostDied(down: .minutes(2)))
        let trace = world.run(until: at(0, 2))
        #expect(trace.faults == [])
        #expect(trace.events(.interrupted).map(\.run) == trace.launches.prefix(1).map(\.run))
        #expect(trace.launches.count == 2)
        #expect(trace.events(.completed).count == 1)
    }

    @Test func `a request waits for its begin date and no longer`() {
        var world = cleaningWorld(repeat: nil)
        world.at(at(1), .submitted(Submission(app: feed, task: cleaning, earliestBegin: at(3, 7, 8, 9))))
        let trace = world.run(until: at(5))
        #expect(trace.faults == [])
        #expect(trace.launches.map(\.trueTime).allSatisfy { $0 >= at(3, 7, 8, 9) && $0 < at(3, 7, 8, 10) })
        #expect(trace.launches.count == 1)
    }

    @Test func `shutting down expires what runs and launches nothing more`() {
        var world = cleaningWorld(repeat: .minutes(1))
        world.handlers[cleaning] = HandlerModel()
        world.handlers[cleaning]?.milliseconds = 300_000...300_000
        world.at(at(0, 0, 1), .shutdown)
        let trace = world.run(until: at(1))
        #expect(trace.faults == [])
        #expect(trace.launches.count == 1)
        #expect(trace.events(.expired).count == 1)
        #expect(trace.events(.failed).count + trace.events(.completed).count == 1)
    }
}
