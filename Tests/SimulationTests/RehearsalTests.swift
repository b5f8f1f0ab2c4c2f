import LullModel
import LullScheduler
import LullSimulator
import Testing

/// The launches of `lull simulate`, compared with those of the simulated host with processes, wire and log.
@Suite struct RehearsalTests {
    private func rehearsal(
        of world: World, _ ledger: Ledger? = nil, whole: [TaskIdentifier: Int64] = [:]
    ) -> Rehearsal {
        var known = ledger ?? world.checkpoint
        if ledger == nil { for event in world.history { known.apply(event, zones: world.zones) } }
        return Rehearsal(
            known, world.manifest, conditions: world.conditions, zones: world.zones, from: world.start,
            options: world.options, timeline: [], whole: whole)
    }

    /// Months with a change of the clocks, in both directions.
    @Test(arguments: [3, 10])
    func `a month of launches is that of Debian's cron, instant by instant`(month: Int) throws {
        let zone = CrontabTests.zones[0]
        let midnight = WallTime(seconds: Int64(LocalTime.days(year: 2026, month: month, day: 1)) * 86400)
        let start = midnight - .seconds(zone.offset(at: midnight)) - .seconds(30)
        let end = start + .days(31)
        var rehearsal = rehearsal(of: try CrontabTests.world(in: zone, from: start))
        rehearsal.run(until: end)
        let expected = PlainCron(CrontabTests.crontab).runs(
            after: start - .seconds(30), through: end - .seconds(30), in: zone)
        for (index, line) in CrontabTests.crontab.enumerated() {
            let name = task("de.example.Command.line\(index)")
            let times = rehearsal.launches.filter { $0.task == name }.map(\.time)
            #expect(times == expected[index], "\(line)")
        }
        #expect(rehearsal.launches.count > 8_000)
    }

    /// The moment of a refresh may be another of its grid of minutes, and those after it with it: as many come.
    @Test func `ten days of hosts of all kinds go as they do with processes, wire and log`() {
        var (timed, refreshes) = (0, 0)
        for seed in UInt64(0)..<60 {
            let world = calm(seed: seed)
            var simulation = Simulation(world)
            simulation.run(days: RandomWorld.days)
            #expect(simulation.trace.faults == [])
            var rehearsal = rehearsal(of: world)
            rehearsal.run(until: world.start + .days(RandomWorld.days))
            // A missed wake would look as if the host had been frozen.
            #expect(rehearsal.state.ledger.absences == simulation.durable.absences, "seed \(seed)")
            for task in world.manifest.tasks {
                let real = simulation.trace.launches(of: task.identifier).map(\.time)
                let times = rehearsal.launches.filter { $0.task == task.identifier }.map(\.time)
                let apart = abs(real.count - times.count)
                let name = "seed \(seed), \(task.identifier): \(real.count), \(times.count)"
                if task.kind == .refresh {
                    #expect(apart <= 1 + real.count / 25, "\(name)")
                    refreshes += times.count
                } else {
                    // A repeat counts from the end of a run, and some milliseconds of a wire add up.
                    let most = zip(real, times).map { max($0 - $1, $1 - $0) }.max() ?? .zero
                    #expect(apart <= 1 && most < .minutes(1), "\(name)")
                    timed += times.count
                }
            }
            let turns = simulation.trace.events.filter { $0.event == .idled || $0.event == .revived }
            #expect(rehearsal.turns.map(\.event) == turns.map(\.event), "seed \(seed)")
        }
        #expect(timed > 2_000 && refreshes > 500, "\(timed), \(refreshes)")
    }

    /// Nothing goes wrong, and all runs are of one length.
    private func calm(seed: UInt64) -> World {
        var world = RandomWorld.make(seed: seed)
        world.timeline = []
        for app in world.manifest.apps {
            var plugin = PluginModel()
            plugin.startMilliseconds = 1...1
            world.plugins[app.identifier] = plugin
            for task in app.tasks {
                var handler = HandlerModel()
                handler.milliseconds = 1_000...1_000
                world.handlers[task.identifier] = handler
            }
        }
        return world
    }

    @Test func `a run takes as long as the last one, and the next waits for it`() throws {
        let world = cleaningWorld(repeat: nil) { $0.at = try? ExactTimes("* * * * *") }
        var past = Simulation(world)
        past.run(until: world.start + .minutes(10))
        for seconds in [1, 90] {
            var ledger = past.durable
            let run = RunID(try #require(ledger.tasks[cleaning]?.lastRun).number + 1)
            for name in [HistoryEvent.Name.launched, .completed] {
                var event = HistoryEvent(name, at: world.start + .minutes(11), app: feed, task: cleaning)
                event.run = run
                event.milliseconds = name == .completed ? Int64(seconds) * 1_000 : nil
                ledger.apply(event, zones: world.zones)
            }
            var later = world
            later.start = world.start + .minutes(12)
            var rehearsal = rehearsal(of: later, ledger)
            rehearsal.run(until: later.start + .hours(2))
            // The times that came due meanwhile are launched when the run ends.
            let expected = 7_200 / max(60, seconds)
            #expect(abs(rehearsal.launches.count - expected) <= 2, "\(rehearsal.launches.count)")
        }
    }

    @Test func `a cost limit holds back what would cost too much, as far as costs are known`() throws {
        var world = cleaningWorld(repeat: nil) { $0.at = try? ExactTimes("*/10 * * * *") }
        var past = Simulation(world)
        past.run(until: world.start + .minutes(10))
        world.manifest.apps[0].costLimits = [CostLimit(.processor, 20_000, span: .hours(1))]
        world.start = world.start + .minutes(15)
        for (cost, launches) in [(nil, 36), (RunCost(processor: 10_000), 12)] as [(RunCost?, Int)] {
            var rehearsal = Rehearsal(
                past.durable, world.manifest, conditions: world.conditions, zones: world.zones,
                from: world.start,
                options: world.options, timeline: [], costs: cost.map { [cleaning: $0] } ?? [:])
            rehearsal.run(until: world.start + .hours(6))
            #expect(abs(rehearsal.launches.count - launches) <= 1, "\(rehearsal.launches.count)")
        }
    }

    @Test func `a run under way is not launched again, and the next take as long as the last whole one`()
        throws
    {
        let world = cleaningWorld(repeat: nil) { $0.at = try? ExactTimes("* * * * *") }
        var past = Simulation(world)
        var end = world.start + .minutes(10)
        repeat {
            end = end + .milliseconds(500)
            past.run(until: end)
        } while past.durable.runs.isEmpty && end < world.start + .minutes(12)
        let ledger = past.durable
        let run = try #require(ledger.runs.values.first)
        var later = world
        later.start = end
        var rehearsal = rehearsal(of: later, ledger, whole: [cleaning: 90_000])
        rehearsal.run(until: later.start + .hours(2))
        #expect(rehearsal.launches.first.map { $0.time >= run.launched + .seconds(59) } == true)
        #expect(abs(rehearsal.launches.count - 80) <= 2, "\(rehearsal.launches.count)")
    }
}
