import LullModel
import LullScheduler
import LullSimulator
import Testing

/// A month of a machine that sleeps at night, is switched off, dies, and comes back.
@Suite struct AbsenceTests {
    /// Used at noon of the first Monday; its task runs every ten minutes.
    private func world(_ clock: App.IdleClock) -> World {
        var world = cleaningWorld(repeat: .minutes(10))
        world.manifest.apps[0].idleAfter = .days(7)
        world.manifest.apps[0].idleClock = clock
        world.start = at(0, 11)
        world.at(at(0, 12), .used(feed))
        return world
    }

    /// Sleeps from 22:00 to 06:00 each night but those in which it is off, or dies and is found in the morning.
    private func nights(_ world: inout World, offOn off: Set<Int> = [], diesOn deaths: Set<Int> = []) {
        for day in 0..<30 {
            let evening = at(day, 22)
            if off.contains(day) {
                world.at(evening, .poweredOff(.hours(8), silently: false))
            } else if deaths.contains(day) {
                world.at(evening, .poweredOff(.hours(8), silently: true))
            } else {
                world.at(evening, .suspended(.hours(8)))
            }
        }
    }

    @Test func `by the wall clock the nights count`() {
        var world = world(.wall)
        nights(&world)
        let trace = world.run(until: at(30))
        #expect(trace.faults == [])
        #expect(trace.events(.idleSoon).map(\.time) == [at(5, 12)])
        #expect(trace.events(.idled).map(\.time) == [at(7, 12) + .milliseconds(1)])
    }

    /// 168 hours awake: 10 on the first day, 16 on each of nine more, and 14 of the eleventh.
    @Test func `by the host's clock only the days do, to the millisecond`() {
        var world = world(.host)
        nights(&world)
        let trace = world.run(until: at(30))
        #expect(trace.faults == [])
        #expect(trace.events(.idled).map(\.time) == [at(10, 20) + .milliseconds(1)])
        // Two days of its own time before: 14 hours of the eleventh, 16 each of two more, and 2.
        #expect(trace.events(.idleSoon).map(\.time) == [at(7, 20)])
        // Afterwards nothing wakes the host.
        #expect(trace.events(.absent).count == 10)
        #expect(trace.events(.absent).allSatisfy { $0.app == .host && $0.milliseconds == 28_800_000 })
        #expect((trace.launches.last?.time).map { $0 <= at(10, 20) && $0 > at(10, 19, 45) } == true)
    }

    @Test func `a machine that is switched off at night is as one that sleeps`() {
        var world = world(.host)
        nights(&world, offOn: Set(0..<30))
        let trace = world.run(until: at(30))
        #expect(trace.faults == [])
        let idled = trace.events(.idled).map(\.time)
        // The host starts 20 seconds after each of ten boots: in them the machine is awake.
        #expect(idled == [at(10, 20) - .seconds(200) + .milliseconds(1)])
        #expect(trace.events(.absent).allSatisfy { $0.milliseconds == 28_780_000 })
    }

    @Test func `one that died without a word was off since its last sign of life`() throws {
        var world = world(.host)
        nights(&world, diesOn: [2, 5])
        let trace = world.run(until: at(30))
        #expect(trace.faults == [])
        let idled = try #require(trace.events(.idled).first?.time)
        // The task runs every ten minutes: at most that much is unknown of each death.
        #expect(idled > at(10, 20) && idled <= at(10, 20) + .minutes(20))
        #expect(trace.events(.idleSoon).count == 1)
    }

    @Test func `a program that ends and is started again was absent, and its machine was not`() {
        var world = world(.host)
        world.at(at(1, 12), .hostDied(down: .days(2)))
        let trace = world.run(until: at(30))
        #expect(trace.faults == [])
        #expect(trace.events(.absent).map(\.absence) == [.lost])
        #expect(
            trace.events(.absent).allSatisfy {
                ($0.milliseconds ?? 0) >= 172_800_000 && ($0.milliseconds ?? 0) < 173_400_000
            })
        #expect(trace.events(.idled).map(\.time) == [at(7, 12) + .milliseconds(1)])
    }

    @Test func `sleep while no program ran is made good at the next start`() {
        var world = world(.host)
        // It slept for an hour before the program was cut off, and the ten that it was down end awake.
        world.at(at(1, 11), .suspended(.hours(1)))
        world.at(at(1, 13), .hostDied(down: .hours(10)))
        let trace = world.run(until: at(30))
        #expect(trace.faults == [])
        #expect(trace.events(.absent).map(\.absence) == [.asleep, .lost])
        #expect(trace.events(.absent).first?.milliseconds == 3_600_000)
        #expect(trace.events(.idled).map(\.time) == [at(7, 13) + .milliseconds(1)])
    }

    @Test func `sleep that the host saw is not made good once more, though the clock was set back since`() {
        var world = world(.host)
        world.at(at(1, 12), .suspended(.hours(8)))
        world.at(at(1, 21), .clockStep(.hours(-11)))
        world.at(at(1, 11), .used(feed))
        world.at(at(2, 1), .hostDied(down: .zero))
        let trace = world.run(until: at(30))
        #expect(trace.faults == [])
        let sleeps = trace.events(.absent).filter { $0.absence == .asleep }
        #expect(sleeps.map(\.milliseconds) == [28_800_000])
    }

    @Test func `a host that was off across both says both, late and in order`() {
        var world = world(.wall)
        world.at(at(4), .poweredOff(.days(6), silently: false))
        let trace = world.run(until: at(12))
        #expect(trace.faults == [])
        let names = trace.events.filter { $0.time > at(3) }.map(\.event)
        let said = names.filter { [.absent, .idleSoon, .idled].contains($0) }
        #expect(said == [.absent, .idleSoon, .idled])
        #expect(
            trace.events(.idleSoon).first?.reason
                == "it was to become idle at 2026-03-09 12:00 unless it was used; the host could not say so before"
        )
    }

    @Test func `a rebuilt ledger gives the same credit as the one that lived through it`() {
        var world = world(.host)
        nights(&world, offOn: [3], diesOn: [6])
        var simulation = Simulation(world)
        simulation.run(until: at(9, 12))
        var rebuilt = Ledger()
        for event in simulation.trace.events { rebuilt.apply(event, zones: world.zones) }
        #expect(rebuilt == simulation.state.ledger)
        var again = SchedulerState(ledger: rebuilt)
        _ = again.handle(.manifestLoaded(world.manifest, stamps: [:]), at: simulation.now)
        let ends = [again, simulation.state].map { $0.report(at: simulation.now).apps.first?.idlesAt }
        #expect(ends[0] == ends[1] && ends[0] != nil)
    }

    @Test func `a use brings a refresh back at once, whatever its moment would have been`() {
        var world = feedWorld(start: monday)
        world.history = weekdayUses(days: -28..<0, 8, 30)
        // On a Wednesday night, when nobody ever looks.
        world.at(at(16, 2), .used(feed))
        let trace = world.run(until: at(17))
        #expect(trace.faults == [])
        #expect(trace.events(.idled).count == 1)
        let revived = at(16, 2)
        #expect(trace.events(.revived).map(\.time) == [revived])
        let first = trace.launches.first { $0.time >= revived }
        #expect(first.map { $0.time < revived + .seconds(5) } == true)
    }
}
