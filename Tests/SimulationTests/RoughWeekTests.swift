import LullModel
import LullScheduler
import LullSimulator
import Testing

/// Weeks full of faults break no invariant; thousands of them are `make simulate`.
@Suite struct RoughWeekTests {
    private func run(_ world: World) -> Trace {
        var simulation = Simulation(world)
        simulation.run(days: RoughWeek.days)
        return simulation.trace
    }

    @Test(arguments: [UInt64(0), 1_000_000])
    func `no rough week makes the host break its word`(first: UInt64) {
        for seed in first..<first + 20 {
            #expect(run(RoughWeek.world(seed: seed)).faults.prefix(3) == [], "lull-simulate --seed \(seed)")
        }
    }

    @Test(arguments: [UInt64(0), 1_000_000])
    func `no rough week with events makes the host break its word`(first: UInt64) {
        for seed in first..<first + 20 {
            let faults = run(RoughWeek.worldOfEvents(seed: seed)).faults.prefix(3)
            #expect(faults == [], "lull-simulate --events --seed \(seed)")
        }
    }

    @Test(arguments: [UInt64(131), 255, 445, 702, 1180, 1967, 4877, 7045, 7980, 9778, 20013, 41370, 41775])
    func `a week that once broke an invariant, or had no end, does no more`(seed: UInt64) {
        var world = RoughWeek.world(seed: seed)
        #expect(run(world).faults.prefix(3) == [], "lull-simulate --seed \(seed)")
        // The invariant broke when worlds had no trouble on their sockets yet.
        world.wire = WireTrouble()
        #expect(run(world).faults.prefix(3) == [], "seed \(seed), with sound sockets")
    }

    @Test(arguments: [UInt64(789), 1818, 1929, 4028, 4086, 6442])
    func `a week with events that once broke an invariant does no more`(seed: UInt64) {
        let faults = run(RoughWeek.world(seed: seed, of: .events)).faults
        #expect(faults.prefix(3) == [], "lull-simulate --theme events --seed \(seed)")
    }

    @Test(arguments: [UInt64(2265), 8594])
    func `a week with notifications that once broke an invariant does no more`(seed: UInt64) {
        let faults = run(RoughWeek.world(seed: seed, of: .notifications)).faults
        #expect(faults.prefix(3) == [], "lull-simulate --theme notifications --seed \(seed)")
    }

    @Test func `a seed replays to the byte`() {
        for seed in UInt64(50)..<53 {
            let traces = [0, 1].map { _ in run(RoughWeek.world(seed: seed)) }
            #expect(traces[0] == traces[1], "seed \(seed)")
            #expect(traces[0].digest == traces[1].digest)
        }
        #expect(run(RoughWeek.world(seed: 50)).digest != run(RoughWeek.world(seed: 51)).digest)
    }

    @Test func `the fold of the log is what the host knows, to the last event`() {
        for seed in UInt64(60)..<66 {
            var simulation = Simulation(RoughWeek.world(seed: seed))
            simulation.run(days: RoughWeek.days)
            var folded = Ledger()
            for event in simulation.world.history + simulation.trace.events {
                folded.apply(event, zones: simulation.world.zones)
            }
            #expect(folded == simulation.durable, "seed \(seed)")
        }
    }

    @Test func `rough weeks are worth the name`() {
        var names: Set<HistoryEvent.Name> = []
        var outcomes: Set<Outcome> = []
        var worlds: [String] = []
        var sentences: [String] = []
        for seed in UInt64(0)..<50 {
            let world = RoughWeek.world(seed: seed)
            worlds += world.timeline.map { String("\($0.stimulus)".prefix { $0 != "(" }) }
            let trace = run(world)
            names.formUnion(trace.events.map(\.event))
            outcomes.formUnion(trace.events.compactMap(\.outcome))
            sentences += trace.events.filter { $0.event == .violation }.compactMap(\.reason)
        }
        for theme in RoughWeek.Theme.allCases where theme != .usual {
            for seed in UInt64(0)..<5 {
                names.formUnion(run(RoughWeek.world(seed: seed, of: theme)).events.map(\.event))
            }
        }
        // Slots are a fleet's, which has a simulation of its own. A reload by hand is only recorded.
        #expect(names == Set(HistoryEvent.Name.allCases).subtracting([.slot, .reloaded]))
        #expect(outcomes == Set(Outcome.allCases))
        #expect(
            Set(worlds).isSuperset(of: [
                "hostDied", "hostDiesAmidEffects", "hostDiesAmidWrite", "workerDied", "violated", "diskFull",
                "diskFails", "clockStep", "suspended", "poweredOff", "restarted", "manifest", "conditions",
                "used", "imported", "submitted", "cancelled", "launchRequested", "expireRequested", "enabled",
                "paused",
                "resumed",
            ]))
        for words in [
            "which is not one of its open runs", "a frame of the unknown type", "an empty frame", "cut short",
            "bytes too many", "introduced itself twice", "used the number of a submit twice",
        ] {
            #expect(sentences.contains { $0.contains(words) }, "\(words)")
        }
    }
}
